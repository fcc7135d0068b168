package shape

import "github.com/foretick/foretick/geom"

// Round is what is within R metres of a segment: a capsule, or a sphere where
// A is B.
type Round struct {
	A, B geom.Vec3
	R    float32
}

// Cast is a way through space, of a ray from Round.A, or of a Round. The move
// must be finite.
type Cast struct {
	Round
	Move geom.Vec3
	Ray  bool // Round.A only
	Any  bool // the first hit that is found will do
}

// CastHit is where a cast meets a shape.
//
// A ray meets triangles from both sides, and convex shapes from outside. One
// that runs within the plane of a triangle passes it. One that starts inside a
// convex shape has Fraction 0, Inside, its start as Point and the way to the
// nearest face as Normal.
//
// A sphere or capsule meets everything from outside. One that starts deeper
// than touchDepth in a convex shape or a triangle has Fraction 0, Inside, and
// Point and Normal of Overlaps. One that only touches at its start is stopped
// if it moves further in, and free to move along or away. The fraction is that
// of a gap between 0 and castGap, so never late.
type CastHit struct {
	Fraction float32
	Point    geom.Vec3 // in space, on the shape
	Normal   geom.Vec3 // unit, in space, against the move, unless Inside
	Child    uint16    // piece of a compound
	Feature  uint32    // triangle of a mesh or field
	Inside   bool
	Back     bool // a triangle was met from behind
}

// Ray returns the first hit of a ray at a fraction of its move that is at most
// max. Of hits at the same fraction it is the one of the lowest child, then
// feature.
func (st *Store) Ray(s Shape, f *geom.Frame, from, move geom.Vec3, max float32) (CastHit, bool) {
	return st.Cast(s, f, &Cast{Round: Round{A: from}, Move: move, Ray: true}, max)
}

// Cast is Ray for all kinds of casts. Both must be at a finite place.
func (st *Store) Cast(s Shape, f *geom.Frame, c *Cast, max float32) (CastHit, bool) {
	k := casting{st: st, Cast: *c, limit: max}
	k.shape(&s, f)
	return k.hit, k.ok
}

// CastAll appends the hits with each convex piece and each triangle of s, in
// no order. Those of a piece or triangle differ from all others of s in child
// or feature.
func (st *Store) CastAll(s Shape, f *geom.Frame, c *Cast, out []CastHit) []CastHit {
	k := casting{st: st, Cast: *c, limit: 1, all: true, out: out}
	k.Any = false
	k.shape(&s, f)
	return k.out
}

// casting is a cast against a shape. The second part is as seen from the frame
// of the shape or piece at hand.
type casting struct {
	Cast
	st    *Store
	limit float32 // fraction; hits further on do not count
	hit   CastHit
	ok    bool
	all   bool
	out   []CastHit

	over    bool // no cast: what overlaps the Round
	touches []Touch

	f       geom.Frame
	child   uint16
	p, s, d v3 // start, the other end from it, move
	r       float64
}

// enter goes to the frame of a shape or piece.
func (k *casting) enter(f *geom.Frame) {
	k.f = *f
	k.p = wide(f.Local(k.A))
	k.d = wide(f.R.MulT(k.Move))
	if !k.Ray {
		if k.r = float64(k.R); k.r < leastRound {
			k.r = leastRound
		}
		k.s = wide(f.R.MulT(k.B.Sub(k.A)))
	}
}

func (k *casting) shape(s *Shape, f *geom.Frame) {
	switch s.Kind {
	case None:
	case Mesh:
		k.enter(f)
		k.mesh(&k.st.meshes[s.Ref])
	case Field:
		k.enter(f)
		k.field(&k.st.fields[s.Ref])
	case Compound:
		k.compound(&k.st.compounds[s.Ref], f)
	default:
		k.enter(f)
		k.convex(s)
	}
}

func (k *casting) convex(s *Shape) {
	switch {
	case k.Ray:
		k.rayConvex(s)
	case k.over:
		k.touch(&obstacle{shape: s})
	default:
		k.advance(&obstacle{shape: s}, 0)
	}
}

// offer takes a hit in the frame at hand, if none before is as good.
func (k *casting) offer(t float64, q, n v3, feature uint32, inside, back bool) {
	x := float32(t) + 0
	if !(x <= k.limit) {
		return
	}
	if !k.all && k.ok && x == k.limit && (k.child > k.hit.Child || k.child == k.hit.Child && feature >= k.hit.Feature) {
		return
	}
	k.hit = CastHit{
		Fraction: x, Point: k.f.Point(q.narrow()), Normal: k.f.R.Mul(n.narrow()),
		Child: k.child, Feature: feature, Inside: inside, Back: back,
	}
	if k.all {
		k.out = append(k.out, k.hit)
		return
	}
	k.ok, k.limit = true, x
}

// done reports whether no other hit is of interest.
func (k *casting) done() bool { return k.Any && k.ok }

// walk starts a walk through a tree in the frame at hand.
func (k *casting) walk(w *Walk, t *Tree) {
	c, h := k.swept()
	w.Start(t, c, h, k.d.narrow())
}

// swept returns the box about a cast at its start: centre and half extents.
func (k *casting) swept() (c, h geom.Vec3) {
	if k.Ray {
		return k.p.narrow(), geom.Vec3{}
	}
	half := k.s.mul(0.5)
	c, h = k.p.add(half).narrow(), half.narrow()
	l := geom.Abs(c.X)
	l = high3(l, geom.Abs(c.Y), geom.Abs(c.Z))
	g := k.R + float32(l*0x1p-22) + castGap // what rounding took from it
	return c, geom.Vec3{X: geom.Abs(h.X) + g, Y: geom.Abs(h.Y) + g, Z: geom.Abs(h.Z) + g}
}

func (k *casting) mesh(m *mesh) {
	var w Walk
	k.walk(&w, &m.tree)
	for {
		i, j, ok := w.Next(k.limit)
		if !ok {
			return
		}
		for ; i < j; i++ {
			a, b, c := m.at(i)
			k.triangle(wide(a), wide(b), wide(c), m.tree.items[i], m.edges[i])
			if k.done() {
				return
			}
		}
	}
}

func (k *casting) triangle(a, b, c v3, feature uint32, e edgeFlags) {
	if k.Ray {
		k.rayTriangle(a, b, c, feature)
	} else {
		k.sweepTriangle(a, b, c, feature, e)
	}
}

func (k *casting) compound(c *compound, f *geom.Frame) {
	for i := range c.pieces {
		p := &c.pieces[i]
		g := f.Of(&p.frame)
		k.enter(&g)
		k.child = uint16(i)
		if k.convex(&p.shape); k.done() {
			return
		}
	}
}

package shape

import (
	"math"
	"slices"

	"github.com/foretick/foretick/geom"
)

// Touch is one convex piece or triangle that a Round overlaps.
type Touch struct {
	Point   geom.Vec3 // in space, on the shape; where the core is inside, in the plane that it goes out by
	Normal  geom.Vec3 // unit, in space: the way out for the Round
	Depth   float32   // metres to go along Normal
	Child   uint16    // piece of a compound
	Feature uint32    // triangle of a mesh or field
}

// Overlaps appends what of s a Round overlaps: of a mesh or field every
// triangle, the others lie behind. Pieces and triangles are in ascending order.
//
// The normal of a triangle leans over an edge only if that edge is active (see
// AddMesh); a triangle that is no nearer than the one beyond such an edge may
// be left out. A Round whose core goes through a triangle is to go back to the
// side where it is the less deep.
func (st *Store) Overlaps(s Shape, f *geom.Frame, r *Round, out []Touch) []Touch {
	k := casting{st: st, Cast: Cast{Round: *r}, limit: 1, over: true, touches: out}
	k.shape(&s, f)
	if s.Static() {
		slices.SortFunc(k.touches[len(out):], func(a, b Touch) int { return int(int64(a.Feature) - int64(b.Feature)) })
	}
	return k.touches
}

func (k *casting) touch(o *obstacle) {
	d, n, q := k.st.overlap(o, k.p, k.s, k.r)
	if !(d > 0) {
		return
	}
	k.touches = append(k.touches, Touch{
		Point: k.f.Point(q.narrow()), Normal: k.f.R.Mul(n.narrow()), Depth: float32(d),
		Child: k.child, Feature: o.feature,
	})
}

// overlap returns how deep a Round of radius r with a core from p to p+s is in
// an obstacle, the way out, and the obstacle's point there. It is at most 0
// deep if they do not touch.
func (st *Store) overlap(o *obstacle, p, s v3, r float64) (depth float64, n, q v3) {
	if o.shape == nil {
		return o.overTriangle(p, s, r)
	}
	g, n, q := st.gap(o, p, s, r)
	if n != (v3{}) {
		return 0 - g, n, q
	}
	w := wayOut{p: p, s: s, r: r, depth: math.MaxFloat64}
	switch o.shape.Kind {
	case Sphere:
		if n = s.cross(perpendicular(s)).norm(); n == (v3{}) {
			n.Y = 1
		}
		return r + o.radius(), n, n.mul(o.radius())
	case Capsule:
		u := s.cross(v3{Y: 1})
		if u.len2() <= float64(s.len2()*parallel64) {
			u = v3{X: 1}
		}
		n = u.norm()
		return r + o.radius(), n, q.plus(n, o.radius())
	case Box:
		h := wide(o.shape.Half())
		for k, e := range [3]float64{h.X, h.Y, h.Z} {
			w.along(axisNormal(k, 1), e)
			w.along(axisNormal(k, -1), e)
		}
		for k := range 3 {
			if u := s.cross(axisNormal(k, 1)).norm(); u != (v3{}) {
				e := float64(math.Abs(u.X)*h.X) + float64(math.Abs(u.Y)*h.Y) + float64(math.Abs(u.Z)*h.Z)
				w.along(u, e)
				w.along(u.neg(), e)
			}
		}
	case Hull:
		st.hulls[o.shape.Ref].waysOut(&w)
	}
	return w.depth, w.n, w.point()
}

// wayOut is the shortest way out of an obstacle for a Round.
type wayOut struct {
	p, s     v3
	r        float64
	depth, e float64
	n        v3
}

// along tries the way along n for an obstacle that reaches up to e there.
func (w *wayOut) along(n v3, e float64) {
	if d := e - w.lowest(n) + w.r; d < w.depth-wayBias {
		w.depth, w.n, w.e = d, n, e
	}
}

// lowest is how far the core's lower end is along n.
func (w *wayOut) lowest(n v3) float64 {
	x := n.dot(w.p)
	if y := n.dot(w.s); y < 0 {
		x += y
	}
	return x
}

// point is where the way out of the core's lower end leaves the obstacle.
func (w *wayOut) point() v3 {
	p := w.p
	if w.n.dot(w.s) < 0 {
		p = p.add(w.s)
	}
	return p.plus(w.n, w.e-w.n.dot(p))
}

// perpendicular returns an axis that is far from s.
func perpendicular(s v3) v3 {
	x, y, z := math.Abs(s.X), math.Abs(s.Y), math.Abs(s.Z)
	if x <= y && x <= z {
		return v3{X: 1}
	}
	if y <= z {
		return v3{Y: 1}
	}
	return v3{Z: 1}
}

// overTriangle is overlap for a triangle.
func (o *obstacle) overTriangle(p, s v3, r float64) (depth float64, n, q v3) {
	x := segmentTriangle(p, s, o.a, o.b, o.c, o.n)
	if x.d2 > gjkMeet {
		d := math.Sqrt(x.d2)
		if n = o.lean(x.p.sub(x.q).mul(1/d), x.at); n == (v3{}) {
			return 0, n, x.q
		}
		return r - d, n, x.q
	}
	w := wayOut{p: p, s: s, r: r, depth: math.MaxFloat64}
	h := o.n.dot(o.a)
	w.along(o.n, h)
	w.along(o.n.neg(), 0-h)
	side := o.edges.front()
	if w.n != o.n {
		side = o.edges.back()
	}
	corners := [3]v3{o.a, o.b, o.c}
	for k := range 3 {
		if side>>k&1 == 0 {
			continue
		}
		a, b, c := corners[k], corners[(k+1)%3], corners[(k+2)%3]
		u := s.cross(b.sub(a)).norm()
		if u.dot(a.sub(c)) < 0 {
			u = u.neg()
		}
		if u != (v3{}) && u.dot(a.sub(c)) > 0 {
			w.along(u, u.dot(a))
		}
	}
	return w.depth, w.n, w.point()
}

// lean returns a normal that does not lean over inactive edges at the region
// that it comes from, or zero if the triangle beyond is as near for certain.
//
// The point is on that triangle too. Where the two are level, both may have
// nothing but the edge to show, and the normal of the face holds. Where they
// make a valley on this side, or a ridge on the other, the other one has a
// face towards the Round, or the edge as a ridge.
func (o *obstacle) lean(n v3, at region) v3 {
	if at == onFace {
		return n
	}
	side, other, up := o.edges.front(), o.edges.back(), o.n
	if n.dot(o.n) < 0 {
		side, other, up = other, side, o.n.neg()
	}
	corners := [3]v3{o.a, o.b, o.c}
	level := 0
	for k := range 3 {
		touches := at == onEdge+region(k) || at == onCorner+region(k) || at == onCorner+region((k+1)%3)
		if !touches || side>>k&1 != 0 {
			continue
		}
		if other>>k&1 != 0 {
			if at < onCorner {
				return v3{}
			}
			continue
		}
		level++
		out := corners[(k+1)%3].sub(corners[k]).cross(o.n).norm() // the face is counterclockwise
		if l := n.dot(out); l > 0 {
			n = n.plus(out, -l)
		}
	}
	if n.len2() < leanLeast || level == 2 {
		return up
	}
	return n.norm()
}

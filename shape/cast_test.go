package shape

import (
	"math"
	"math/rand"
	"testing"

	"github.com/foretick/foretick/geom"
)

// The reference works in float64 by other means: the distance of a point from
// an obstacle by the closed form of its kind, of a segment by searching along
// it, of a way by searching along that, all three convex.

type pointDist func(p v3) float64

func frameOut(f *geom.Frame, p v3) v3 {
	d := p.sub(wide(f.P))
	return v3{wide(f.R.X).dot(d), wide(f.R.Y).dot(d), wide(f.R.Z).dot(d)}
}

func pointSegment(p, a, b v3) float64 {
	u := b.sub(a)
	t := 0.0
	if l := u.len2(); l > 0 {
		t = math.Max(0, math.Min(1, p.sub(a).dot(u)/l))
	}
	return p.sub(a.add(u.mul(t))).len()
}

func triDist(a, b, c v3) pointDist {
	n := b.sub(a).cross(c.sub(a)).norm()
	return func(p v3) float64 {
		h := p.sub(a).dot(n)
		in := true
		for _, e := range [3][2]v3{{a, b}, {b, c}, {c, a}} {
			in = in && e[1].sub(e[0]).cross(p.sub(e[0])).dot(n) >= 0
		}
		if in {
			return math.Abs(h)
		}
		return math.Min(pointSegment(p, a, b), math.Min(pointSegment(p, b, c), pointSegment(p, c, a)))
	}
}

// refDist is the distance of a shape's core, to which radius is still to be
// added.
func refDist(s Shape, f *geom.Frame) pointDist {
	h := wide(s.Half())
	switch s.Kind {
	case Sphere:
		return func(p v3) float64 { return math.Max(0, frameOut(f, p).len()-h.X) }
	case Capsule:
		return func(p v3) float64 {
			return math.Max(0, pointSegment(frameOut(f, p), v3{Y: -h.Y}, v3{Y: h.Y})-h.X)
		}
	}
	return func(p v3) float64 {
		p = frameOut(f, p)
		d := v3{math.Max(0, math.Abs(p.X)-h.X), math.Max(0, math.Abs(p.Y)-h.Y), math.Max(0, math.Abs(p.Z)-h.Z)}
		return d.len()
	}
}

// lowest returns where in [0, 1] a convex function is the least.
func lowest(f func(float64) float64) float64 {
	lo, hi := 0.0, 1.0
	for range 36 {
		a, b := lo+(hi-lo)*0.382, lo+(hi-lo)*0.618
		if f(a) <= f(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return (lo + hi) / 2
}

func segDist(d pointDist, a, b v3) float64 {
	if a == b {
		return d(a)
	}
	at := func(t float64) float64 { return d(a.plus(b.sub(a), t)) }
	return math.Min(at(lowest(at)), math.Min(at(0), at(1)))
}

// refCast returns the fraction of the first touch, 2 if there is none, and the
// least distance less the radius on the way.
func refCast(d pointDist, c *Cast) (float64, float64) {
	a, b, m := wide(c.A), wide(c.B), wide(c.Move)
	gap := func(t float64) float64 { return segDist(d, a.plus(m, t), b.plus(m, t)) - float64(c.R) }
	best := lowest(gap)
	if gap(1) <= gap(best) {
		best = 1
	}
	least := gap(best)
	switch {
	case gap(0) <= 0:
		return 0, least
	case least > 0:
		return 2, least
	}
	lo, hi := 0.0, best
	for range 30 {
		if mid := (lo + hi) / 2; gap(mid) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi, least
}

func randShape(r *rand.Rand) Shape {
	size := func() float32 { return 0.05 + 2*r.Float32() }
	switch r.Intn(3) {
	case 0:
		return Must(NewSphere(size()))
	case 1:
		return Must(NewCapsule(size(), size()))
	}
	return Must(NewBox(geom.V3(size(), size(), size())))
}

func randQuat(r *rand.Rand) geom.Quat {
	return geom.Quat{X: r.Float32() - 0.5, Y: r.Float32() - 0.5, Z: r.Float32() - 0.5, W: r.Float32() - 0.5}.Norm()
}

// randCast aims from a distance at about a place.
func randCast(r *rand.Rand, at geom.Vec3, size float32) Cast {
	c := Cast{Round: Round{R: 0.05 + r.Float32()}}
	c.A = at.Add(randVec(r, 12))
	c.B = c.A
	if r.Intn(2) == 0 {
		c.B = c.A.Add(randVec(r, 2))
	}
	c.Move = at.Add(randVec(r, size)).Sub(c.A).Mul(0.3 + 2*r.Float32())
	switch r.Intn(10) {
	case 0:
		c.Move = geom.V3(0, c.Move.Y, 0)
	case 1:
		c.Move.Y = 0
	}
	return c
}

// judge compares one sweep with the reference: no hit may be missed, or late
// or early by a millimetre of the way, unless it grazes.
func judge(t *testing.T, name string, c *Cast, want, least float64, h CastHit, ok bool) {
	t.Helper()
	l := float64(c.Move.Len())
	switch {
	case math.Abs(least) < 1e-4:
		return
	case want == 0:
		if !ok || !h.Inside || h.Fraction != 0 {
			t.Fatalf("%s: %+v starts inside, %v %+v", name, c, ok, h)
		}
	case ok != (want <= 1) || ok && math.Abs(float64(h.Fraction)-want)*l > 1e-3:
		t.Fatalf("%s: %+v (least %g): hit %v at %v, want %v", name, c, least, ok, h.Fraction, want)
	case ok && (h.Inside || h.Normal.Dot(c.Move) > 0 || math.Abs(float64(h.Normal.Len())-1) > 1e-5):
		t.Fatalf("%s: %+v: %+v", name, c, h)
	}
}

// pointHeld checks that the point of a hit is on the obstacle, and the Round's
// surface there.
func pointHeld(t *testing.T, name string, d pointDist, c *Cast, h CastHit) {
	t.Helper()
	p := wide(h.Point)
	m := wide(c.Move).mul(float64(h.Fraction))
	off := pointSegment(p, wide(c.A).add(m), wide(c.B).add(m)) - float64(c.R)
	if !h.Inside && (d(p) > 1e-4 || math.Abs(off) > 1e-4) {
		t.Fatalf("%s: %+v: point %g off the shape, %g off the cast: %+v", name, c, d(p), off, h)
	}
}

func TestSweepConvex(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewSource(seed))
	hits, inside := 0, 0
	for range 1500 {
		s, f := randShape(r), geom.FrameOf(randVec(r, 50), randQuat(r))
		c := randCast(r, f.P, 2)
		d := refDist(s, &f)
		want, least := refCast(d, &c)
		var st *Store
		h, ok := st.Cast(s, &f, &c, 1)
		judge(t, "convex", &c, want, least, h, ok)
		if ok {
			pointHeld(t, "convex", d, &c, h)
			if hits++; h.Inside {
				inside++
			}
		}
	}
	if hits < 400 || inside < 3 {
		t.Errorf("seed %d: %d hits, %d inside", seed, hits, inside)
	}
}

// randTriangles returns triangles of all sizes about a place: slivers, some
// twice, some that share an edge.
func randTriangles(r *rand.Rand, n int) ([]geom.Vec3, [][3]uint32) {
	var v []geom.Vec3
	var tri [][3]uint32
	for len(tri) < n {
		k := uint32(len(v))
		c := randVec(r, 10)
		e, g := randVec(r, 4), randVec(r, 4)
		switch r.Intn(4) {
		case 0:
			g = e.Mul(0.5).Add(randVec(r, 0.01)) // a sliver
		case 1:
			c, e, g = geom.V3(geom.Floor(c.X), 0, geom.Floor(c.Z)), geom.V3(2, 0, 0), geom.V3(0, 0, 2)
		}
		d := c.Add(e).Add(g)
		if r.Intn(2) == 0 {
			d = c.Add(randVec(r, 4)) // folded
		}
		v = append(v, c, c.Add(e), c.Add(g), d)
		tri = append(tri, [3]uint32{k, k + 1, k + 2})
		switch r.Intn(3) {
		case 0:
			tri = append(tri, [3]uint32{k, k + 1, k + 2})
		case 1:
			tri = append(tri, [3]uint32{k + 1, k + 3, k + 2})
		}
	}
	return v, tri
}

// TestRayConvex checks that the ray is outside up to its hit, and on the shape
// there; and that it is never inside when there is no hit.
func TestRayConvex(t *testing.T) {
	const seed = 13
	r := rand.New(rand.NewSource(seed))
	hits, inside := 0, 0
	for range 20000 {
		s, f := randShape(r), geom.FrameOf(randVec(r, 50), randQuat(r))
		c := randCast(r, f.P, 2)
		if r.Intn(8) == 0 {
			c.A = f.P.Add(randVec(r, 1))
		}
		d := refDist(s, &f)
		at := func(t float64) float64 { return d(wide(c.A).plus(wide(c.Move), t)) }
		var st *Store
		h, ok := st.Ray(s, &f, c.A, c.Move, 1)
		small := s
		small.A, small.B, small.C = s.A-1e-3, s.B-1e-3, s.C-1e-3
		if s.Kind == Capsule {
			small.B = s.B
		}
		in := refDist(small, &f)
		sure := func(t float64) float64 { return in(wide(c.A).plus(wide(c.Move), t)) }
		switch l := float64(c.Move.Len()); {
		case !ok:
			if sure(lowest(sure)) == 0 || sure(0) == 0 || sure(1) == 0 {
				t.Fatalf("seed %d: %v %v at %v: missed", seed, s, c, f.P)
			}
		case h.Inside:
			inside++
			out := h.Point.MulAdd(h.Normal, s.A+s.B+s.C)
			if at(0) > 1e-5 || h.Fraction != 0 || h.Point.Sub(c.A).Len() > 1e-4 || d(wide(out)) == 0 {
				t.Fatalf("seed %d: %v %v: %+v", seed, s, c, h)
			}
		default:
			hits++
			x, e := float64(h.Fraction), 1e-3/l
			before := func(t float64) float64 { return sure(t * (x - e)) }
			if at(x) > 1e-4 || d(wide(h.Point)) > 1e-4 || x > e && before(lowest(before)) == 0 ||
				h.Normal.Dot(c.Move) > 0 || math.Abs(float64(h.Normal.Len())-1) > 1e-5 {
				t.Fatalf("seed %d: %v %v: %+v", seed, s, c, h)
			}
		}
	}
	if hits < 3000 || inside < 300 {
		t.Errorf("seed %d: %d hits, %d inside", seed, hits, inside)
	}
}

// refRay is Moeller and Trumbore's test in float64; sure is how far within the
// triangle the ray passes, as a share of it.
func refRay(o, d, a, b, c v3) (t, sure float64) {
	e, g := b.sub(a), c.sub(a)
	p := d.cross(g)
	det := e.dot(p)
	q := o.sub(a)
	u := q.dot(p) / det
	q = q.cross(e)
	v := d.dot(q) / det
	return g.dot(q) / det, math.Min(math.Min(u, v), 1-u-v)
}

// rayAmong compares a ray with all triangles.
func rayAmong(t *testing.T, name string, s Shape, st *Store, f *geom.Frame, v []geom.Vec3, tri [][3]uint32, from, move geom.Vec3) (hit bool) {
	t.Helper()
	h, ok := st.Ray(s, f, from, move, 1)
	best, doubt := 2.0, 2.0
	for _, x := range tri {
		at, sure := refRay(wide(from), wide(move), space(f, v[x[0]]), space(f, v[x[1]]), space(f, v[x[2]]))
		if sure > -1e-3 && at >= -1e-4 && at <= 1+1e-4 {
			doubt = math.Min(doubt, at)
		}
		if sure > 1e-3 && at > 1e-4 && at < 1-1e-4 {
			best = math.Min(best, at)
		}
	}
	l := float64(move.Len())
	if x := float64(h.Fraction); ok != (best <= 1) && ok == (doubt > 1) || ok && ((x-best)*l > 1e-3 || (doubt-x)*l > 1e-3) {
		t.Fatalf("%s: ray %v %v: hit %v at %v, want %v (in doubt %v)", name, from, move, ok, h.Fraction, best, doubt)
	}
	if ok {
		x := tri[h.Feature]
		n := space(f, v[x[1]]).sub(space(f, v[x[0]])).cross(space(f, v[x[2]]).sub(space(f, v[x[0]]))).norm()
		if back := n.dot(wide(move)) > 0; back != h.Back || math.Abs(math.Abs(n.dot(wide(h.Normal)))-1) > 1e-4 || h.Normal.Dot(move) > 0 {
			t.Fatalf("%s: ray %v %v: %+v, normal of the triangle %v", name, from, move, h, n)
		}
	}
	return ok
}

func TestRayTriangles(t *testing.T) {
	const seed = 14
	r := rand.New(rand.NewSource(seed))
	hits := 0
	for range 100 {
		var st Store
		v, tri := randTriangles(r, 1+r.Intn(200))
		s := Must(st.AddMesh(v, tri))
		f := geom.FrameOf(randVec(r, 50), randQuat(r))
		for range 100 {
			from := f.Point(randVec(r, 14))
			if rayAmong(t, "soup", s, &st, &f, v, tri, from, f.Point(randVec(r, 14)).Sub(from)) {
				hits++
			}
		}
	}
	if hits < 1500 {
		t.Errorf("seed %d: %d hits", seed, hits)
	}
}

// TestTreeChangesNothing casts at a soup with its tree, and with a look at
// every triangle: the hits have the same bits.
func TestTreeChangesNothing(t *testing.T) {
	const seed = 17
	r := rand.New(rand.NewSource(seed))
	hits := 0
	for range 40 {
		var st Store
		v, tri := randTriangles(r, 1+r.Intn(300))
		s := Must(st.AddMesh(v, tri))
		m := &st.meshes[0]
		f := geom.FrameOf(randVec(r, 50), randQuat(r))
		for i := range 100 {
			c := randCast(r, f.Point(randVec(r, 8)), 5)
			c.Ray = i%3 == 0
			h, ok := st.Cast(s, &f, &c, 1)
			k := casting{st: &st, Cast: c, limit: 1}
			k.enter(&f)
			for j := range m.tris {
				x, y, z := m.at(uint32(j))
				k.triangle(wide(x), wide(y), wide(z), m.tree.items[j], m.edges[j])
			}
			if h != k.hit || ok != k.ok {
				t.Fatalf("seed %d: %+v: %+v, without the tree %+v", seed, c, h, k.hit)
			}
			if ok {
				hits++
			}
		}
	}
	if hits < 1000 {
		t.Errorf("seed %d: %d hits", seed, hits)
	}
}

// terrains are the same ground as a mesh and as a field.
func terrains(n int) (st *Store, mesh, field Shape, off geom.Vec3, v []geom.Vec3, tri [][3]uint32) {
	v, tri = terrain(n)
	h := make([]float32, len(v))
	for i := range v {
		h[i] = v[i].Y
	}
	st = &Store{}
	return st, Must(st.AddMesh(v, tri)), Must(st.AddField(n+1, n+1, 1, h)), v[0].Sub(geom.V3(0, v[0].Y, 0)), v, tri
}

// TestFieldCasts compares a field with a mesh of its triangles, exactly, for
// rays and sweeps along axes, over vertices, from outside.
func TestFieldCasts(t *testing.T) {
	const seed = 15
	r := rand.New(rand.NewSource(seed))
	st, mesh, field, off, v, tri := terrains(40)
	rot := randQuat(r)
	fm := geom.FrameOf(geom.Vec3{}, rot)
	ff := geom.FrameOf(fm.Point(off), rot)
	hits := 0
	for i := range 4000 {
		a, b := randVec(r, 30), randVec(r, 30)
		switch r.Intn(4) {
		case 0:
			a, b = geom.V3(geom.Floor(a.X), 25, geom.Floor(a.Z)), geom.V3(geom.Floor(a.X), -25, geom.Floor(a.Z))
		case 1:
			b.X = a.X
		}
		c := Cast{Round: Round{A: fm.Point(a), R: 0.3}, Move: fm.R.Mul(b.Sub(a)), Ray: i%3 == 0}
		c.B = c.A
		if i%3 == 1 {
			c.B = c.A.Add(randVec(r, 1))
		}
		x, okx := st.Cast(mesh, &fm, &c, 1)
		y, oky := st.Cast(field, &ff, &c, 1)
		if okx {
			hits++
		}
		if p := fm.Local(x.Point).Sub(off); okx && (p.X < 1e-3 || p.Z < 1e-3 || p.X > 40-1e-3 || p.Z > 40-1e-3) {
			continue // on the rim
		}
		far := geom.Abs(x.Fraction-y.Fraction)*c.Move.Len() > 1e-3
		if okx != oky || okx && (far || x.Normal.Sub(y.Normal).Len() > 0.05 && x.Feature == y.Feature) {
			t.Fatalf("seed %d: %+v: mesh %v %+v, field %v %+v, at %v", seed, c, okx, x, oky, y, fm.Local(x.Point).Sub(off))
		}
		if c.Ray && i < 600 {
			rayAmong(t, "terrain", mesh, st, &fm, v, tri, c.A, c.Move)
		}
	}
	if hits < 1000 {
		t.Errorf("seed %d: %d hits", seed, hits)
	}
}

// TestNoLeaks casts rays at edges and corners of a terrain, from all over: one
// must be met, whichever way it rounds.
func TestNoLeaks(t *testing.T) {
	const seed = 16
	r := rand.New(rand.NewSource(seed))
	st, mesh, _, _, v, tri := terrains(40)
	f := geom.FrameOf(geom.V3(3, 4, 5), randQuat(r))
	for i := range 20000 {
		x := tri[r.Intn(len(tri))]
		a, b := v[x[0]], v[x[1]]
		p := a.Lerp(b, r.Float32())
		if i%3 == 0 {
			p = a
		}
		if geom.Abs(p.X) > 19.5 || geom.Abs(p.Z) > 19.5 {
			continue
		}
		from := f.Point(geom.V3(p.X+r.Float32()-0.5, 200*r.Float32()+30, p.Z+r.Float32()-0.5))
		if _, ok := st.Ray(mesh, &f, from, f.Point(p).Sub(from).Mul(1.5), 1); !ok {
			t.Fatalf("seed %d: a ray from %v passes at %v", seed, from, p)
		}
	}
}

func TestSweepTriangles(t *testing.T) {
	const seed = 12
	r := rand.New(rand.NewSource(seed))
	hits, inside := 0, 0
	for range 30 {
		var st Store
		v, tri := randTriangles(r, 1+r.Intn(3))
		s := Must(st.AddMesh(v, tri))
		f := geom.FrameOf(randVec(r, 50), randQuat(r))
		for range 40 {
			c := randCast(r, f.Point(v[0]), 3)
			want, least := 2.0, math.Inf(1)
			for _, x := range tri {
				d := triDist(space(&f, v[x[0]]), space(&f, v[x[1]]), space(&f, v[x[2]]))
				w, l := refCast(d, &c)
				if l > 1e-4 || w < want || least > 1e-4 {
					least = math.Min(least, l)
				}
				if math.Abs(l) < 1e-4 { // grazed: in doubt
					least = 0
				}
				want = math.Min(want, w)
			}
			h, ok := st.Cast(s, &f, &c, 1)
			judge(t, "triangles", &c, want, least, h, ok)
			if ok {
				x := tri[h.Feature]
				d := triDist(space(&f, v[x[0]]), space(&f, v[x[1]]), space(&f, v[x[2]]))
				pointHeld(t, "triangles", d, &c, h)
				if hits++; h.Inside {
					inside++
				}
			}
		}
	}
	if hits < 100 || inside < 1 {
		t.Errorf("seed %d: %d hits, %d inside", seed, hits, inside)
	}
}

func space(f *geom.Frame, v geom.Vec3) v3 {
	p := wide(v)
	return wide(f.P).plus(wide(f.R.X), p.X).plus(wide(f.R.Y), p.Y).plus(wide(f.R.Z), p.Z)
}

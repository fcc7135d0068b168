package shape

import (
	"math"
	"math/rand"
	"testing"

	"github.com/foretick/foretick/geom"
)

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
	leaks := 0
	for i := range 20000 {
		n := r.Intn(len(tri))
		x := tri[n]
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
		met := false
		o, d := f.Local(from), f.R.MulT(f.Point(p).Sub(from))
		for j := max(0, n-200); j < min(n+200, len(tri)); j++ {
			met = met || plainRay(o, d, v[tri[j][0]], v[tri[j][1]], v[tri[j][2]])
		}
		if !met {
			leaks++
		}
	}
	if leaks == 0 {
		t.Errorf("seed %d: no ray passes a plain test in float32 either: the test sees nothing", seed)
	}
}

// plainRay is Moeller and Trumbore's test in float32, which leaks.
func plainRay(o, d, a, b, c geom.Vec3) bool {
	e, g := b.Sub(a), c.Sub(a)
	p := d.Cross(g)
	det := e.Dot(p)
	q := o.Sub(a)
	u := q.Dot(p) / det
	v := d.Dot(q.Cross(e)) / det
	return u >= 0 && v >= 0 && u+v <= 1
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
			if bad := judge(&c, want, least, h, ok); bad != "" {
				t.Fatalf("seed %d, triangles: %s", seed, bad)
			}
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

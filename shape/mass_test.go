package shape

import (
	"errors"
	"math"
	"testing"

	"github.com/foretick/foretick/geom"
)

// inside reports whether a point is within a shape in its own axes.
func inside(st *Store, s Shape, p geom.Vec3) bool {
	if s.Kind != Compound {
		return st.depthIn(s, p) > 0
	}
	for _, x := range st.compounds[s.Ref].pieces {
		if st.depthIn(x.shape, x.frame.Local(p)) > 0 {
			return true
		}
	}
	return false
}

func massShapes(t *testing.T) (*Store, map[string]Shape) {
	t.Helper()
	r := rng()
	st := new(Store)
	hull := Must(st.AddHull(cloud(r, 30, true)))
	wedge := Must(st.AddHull([]geom.Vec3{{}, {X: 2}, {Y: 1}, {Z: 1.5}, {X: 2, Z: 1.5}}))
	box := Must(NewBox(geom.V3(0.3, 0.2, 0.5)))
	return st, map[string]Shape{
		"sphere": Must(NewSphere(0.7)), "capsule": Must(NewCapsule(0.4, 0.5)), "box": box, "hull": hull, "wedge": wedge,
		"compound": Must(st.AddCompound([]Piece{
			{box, geom.V3(1, 0, 0), randomRot(r)}, {hull, geom.V3(-1, 1, 0), randomRot(r)},
			{Must(NewCapsule(0.2, 0.5)), geom.V3(0, -1, 1), randomRot(r)}, {wedge, geom.V3(0, 0.5, -2), randomRot(r)},
		})),
	}
}

func TestMassAgainstSampling(t *testing.T) {
	st, shapes := massShapes(t)
	r := rng()
	const n = 400_000
	for name, s := range shapes {
		f := geom.Frame{R: geom.Identity().Mat()}
		b := st.Bounds(s, &f)
		size := widen(b.Max.Sub(b.Min))
		vol := size[0] * size[1] * size[2]
		var pts []w3
		var c w3
		for range n {
			p := geom.V3(b.Min.X+r.Float32()*float32(size[0]), b.Min.Y+r.Float32()*float32(size[1]), b.Min.Z+r.Float32()*float32(size[2]))
			if inside(st, s, p) {
				pts = append(pts, widen(p))
				c = c.add(widen(p))
			}
		}
		c = c.mul(1 / float64(len(pts)))
		var in [3][3]float64
		for _, p := range pts {
			d := p.sub(c)
			for i := range 3 {
				for j := range 3 {
					in[i][j] -= d[i] * d[j]
				}
				in[i][i] += d.dot(d)
			}
		}
		const density = 3
		w := density * vol / n
		m := st.Mass(s, density)
		near := func(what string, got float32, want, tol float64) {
			if math.Abs(float64(got)-want) > tol {
				t.Errorf("%s: %s is %g, by sampling %g (seed %d)", name, what, got, want, seed)
			}
		}
		mass := w * float64(len(pts))
		near("mass", m.Mass, mass, mass*0.01)
		for i, x := range []float32{m.Centre.X, m.Centre.Y, m.Centre.Z} {
			near("centre", x, c[i], 0.01*size[i])
		}
		scale := (in[0][0] + in[1][1] + in[2][2]) * w
		for i, col := range []geom.Vec3{m.Inertia.X, m.Inertia.Y, m.Inertia.Z} {
			for j, x := range []float32{col.X, col.Y, col.Z} {
				near("inertia", x, in[i][j]*w, 0.01*scale)
			}
		}
		if tr := m.Inertia.Transposed(); tr != m.Inertia {
			t.Errorf("%s: inertia %v is not symmetric", name, m.Inertia)
		}
		// No point is beyond Reach, and the ball of Core is inside.
		core, reach := st.Core(s), st.Reach(s)
		for _, p := range pts {
			if l := p.len(); l > float64(reach)+1e-5 {
				t.Fatalf("%s: a point is %g from the origin, reach %g", name, l, reach)
			}
		}
		for range 1000 {
			if p := m.Centre.MulAdd(randomVec(r, 1).Norm(), core*0.999); core > 0 && !inside(st, s, p) {
				t.Fatalf("%s: %v is within the core %g, not within the shape", name, p, core)
			}
		}
		if core == 0 && name != "compound" {
			t.Errorf("%s has no core", name)
		}
	}
}

// A box as a hull, and cut into a compound, weighs what a box does.
func TestMassOfSameBody(t *testing.T) {
	var st Store
	h := geom.V3(0.3, 0.7, 0.4)
	box := Must(NewBox(h))
	var room boxRoom
	boxPoly(h, &room)
	half := Must(NewBox(geom.V3(0.15, 0.7, 0.4)))
	want := st.Mass(box, 1000)
	for name, s := range map[string]Shape{
		"hull": Must(st.AddHull(room.verts[:])),
		"compound": Must(st.AddCompound([]Piece{
			{half, geom.V3(-0.15, 0, 0), geom.Identity()}, {half, geom.V3(0.15, 0, 0), geom.Identity()}})),
	} {
		m := st.Mass(s, 1000)
		if geom.Abs(m.Mass-want.Mass) > 1e-4*want.Mass || m.Centre.Len() > 1e-6 {
			t.Errorf("%s: %+v, box %+v", name, m, want)
		}
		d := m.Inertia.Add(want.Inertia.Scale(-1))
		if d.X.Len()+d.Y.Len()+d.Z.Len() > 1e-4*want.Inertia.X.Len() {
			t.Errorf("%s: %+v, box %+v", name, m, want)
		}
	}
}

func TestBoundsAreTight(t *testing.T) {
	st, shapes := massShapes(t)
	r := rng()
	for name, s := range shapes {
		f := geom.FrameOf(randomVec(r, 10), randomRot(r))
		var all AABB
		parts := []body{{s, f}}
		if s.Kind == Compound {
			parts = nil
			for _, p := range st.compounds[s.Ref].pieces {
				parts = append(parts, body{p.shape, f.Of(&p.frame)})
			}
		}
		for i, p := range parts {
			b := solidOf(st, p.s, &p.f)
			var one AABB
			for j, v := range b.verts {
				q := geom.V3(float32(v[0]), float32(v[1]), float32(v[2]))
				if j == 0 {
					one = AABB{q, q}
				}
				one.join(&AABB{q, q})
			}
			one = one.Grown(float32(b.radius))
			if i == 0 {
				all = one
			}
			all.join(&one)
		}
		got := st.Bounds(s, &f)
		if got.Min.Dist(all.Min) > 1e-5 || got.Max.Dist(all.Max) > 1e-5 {
			t.Errorf("%s: %v, want %v", name, got, all)
		}
	}
}

func TestCompoundErrors(t *testing.T) {
	var st Store
	ball := Must(NewSphere(1))
	one := Must(st.AddCompound([]Piece{{ball, geom.Vec3{}, geom.Identity()}}))
	mesh := Must(st.AddMesh([]geom.Vec3{{}, {X: 1}, {Y: 1}}, [][3]uint32{{0, 1, 2}}))
	far := geom.V3(1e5, 0, 0)
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		pieces []Piece
		want   error
	}{
		"none":    {nil, errCompoundCount},
		"many":    {make([]Piece, maxPieces+1), errCompoundCount},
		"nested":  {[]Piece{{one, geom.Vec3{}, geom.Identity()}}, errCompoundPiece},
		"mesh":    {[]Piece{{mesh, geom.Vec3{}, geom.Identity()}}, errCompoundPiece},
		"unknown": {[]Piece{{Shape{Kind: Hull, Ref: 7}, geom.Vec3{}, geom.Identity()}}, errCompoundPiece},
		"zero":    {[]Piece{{Shape{Kind: Box}, geom.Vec3{}, geom.Identity()}}, errCompoundPiece},
		"far":     {[]Piece{{ball, far, geom.Identity()}}, errCompoundPose},
		"nan":     {[]Piece{{ball, geom.V3(nan, 0, 0), geom.Identity()}}, errCompoundPose},
		"unit":    {[]Piece{{ball, geom.Vec3{}, geom.Quat{}}}, errCompoundPose},
		"nanrot":  {[]Piece{{ball, geom.Vec3{}, geom.Quat{W: nan}}}, errCompoundPose},
	} {
		if _, err := st.AddCompound(c.pieces); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if len(st.compounds) != 1 {
		t.Error("something was added")
	}
}

func TestHas(t *testing.T) {
	st, shapes := massShapes(t)
	for name, s := range shapes {
		if !st.Has(s) {
			t.Errorf("%s is not had", name)
		}
		if (*Store)(nil).Has(s) != (s.Kind <= Box) {
			t.Errorf("no store: %s", name)
		}
		s.Ref, s.A = 100, 0
		if st.Has(s) {
			t.Errorf("a bad %s is had", name)
		}
	}
	if st.Has(Shape{}) || st.Has(Shape{Kind: 99}) || st.Has(Shape{Kind: Sphere, A: float32(math.NaN())}) {
		t.Error("nonsense is had")
	}
}

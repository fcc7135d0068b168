package shape

import (
	"math"
	"testing"

	"github.com/foretick/foretick/geom"
)

// contactsOf is Contacts in the plainest poses.
func contactsOf(t *testing.T, st *Store, a, b body, margin float32) *Manifold {
	t.Helper()
	ms := st.Contacts(a.s, &a.f, b.s, &b.f, margin, nil)
	if len(ms) != 1 {
		t.Fatalf("%d manifolds", len(ms))
	}
	return &ms[0]
}

func at(s Shape, x, y, z float32, q geom.Quat) body {
	return body{s, geom.FrameOf(geom.V3(x, y, z), q)}
}

// area is that of the triangle or quadrangle which the points span, seen along
// the normal; the points of a manifold are in no order.
func (m *Manifold) area() float64 {
	n, best := widen(m.Normal), 0.0
	p := m.Points
	for _, o := range [][4]int{{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}} {
		a, c := widen(p[o[2]].P.Sub(p[o[0]].P)), widen(p[o[3]].P.Sub(p[o[1]].P))
		best = max(best, math.Abs(a.cross(c).dot(n))/2)
	}
	return best
}

func TestRestingPoses(t *testing.T) {
	id, yaw := geom.Identity(), geom.FromAxisAngle(geom.V3(0, 1, 0), geom.Pi/4)
	lying := geom.FromAxisAngle(geom.V3(0, 0, 1), geom.Pi/2)
	cube := Must(NewBox(geom.V3(0.5, 0.5, 0.5)))
	floor := Must(NewBox(geom.V3(100, 1, 100)))
	capsule := Must(NewCapsule(0.4, 0.5))
	var room boxRoom
	boxPoly(geom.V3(0.5, 0.5, 0.5), &room)
	st := new(Store)
	hull := Must(st.AddHull(room.verts[:]))
	for name, c := range map[string]struct {
		a, b   body
		points int32
		area   float64
		sep    float32
	}{
		"cube on cube":             {at(cube, 0, 0, 0, id), at(cube, 0, 0.995, 0, id), 4, 1, -0.005},
		"cube on half a cube":      {at(cube, 0, 0, 0, id), at(cube, 0.55, 1, 0, id), 4, 0.45, 0},
		"a wall's row":             {at(cube, 0.3, 7.5, 0, id), at(cube, 0.85, 8.499, 0, id), 4, 0.45, -0.001},
		"cube on floor":            {at(floor, 0, -1, 0, id), at(cube, 3, 0.499, 70, id), 4, 1, -0.001},
		"turned cube on floor":     {at(floor, 0, -1, 0, id), at(cube, 3, 0.499, 70, yaw), 4, 1, -0.001},
		"turned cube on cube":      {at(cube, 0, 0, 0, id), at(cube, 0, 0.999, 0, yaw), 4, 0.5857, -0.001},
		"hull on cube":             {at(cube, 0, 0, 0, id), at(hull, 0, 0.999, 0, yaw), 4, 0.5857, -0.001},
		"cube on hull":             {at(hull, 0, 0, 0, id), at(cube, 0.2, 0.999, 0, id), 4, 0.8, -0.001},
		"hull on hull":             {at(hull, 0, 0, 0, id), at(hull, 0.2, 0.999, 0, id), 4, 0.8, -0.001},
		"lying capsule on floor":   {at(floor, 0, -1, 0, id), at(capsule, 3, 0.399, 7, lying), 2, 0, -0.001},
		"lying capsule on hull":    {at(hull, 0, 0, 0, id), at(capsule, 0, 0.899, 0, lying), 2, 0, -0.001},
		"overhanging capsule":      {at(cube, 0, 0, 0, id), at(capsule, 0.8, 0.899, 0, lying), 2, 0, -0.001},
		"standing capsule":         {at(floor, 0, -1, 0, id), at(capsule, 3, 0.899, 7, id), 1, 0, -0.001},
		"capsule beside a capsule": {at(capsule, 0, 0, 0, id), at(capsule, 0.799, 0.3, 0, id), 2, 0, -0.001},
		"capsule on a capsule":     {at(capsule, 0, 0, 0, id), at(capsule, 0, 1.799, 0, id), 1, 0, -0.001},
		"capsules crossed":         {at(capsule, 0, 0, 0, id), at(capsule, 0, 0, 0.799, lying), 1, 0, -0.001},
	} {
		for _, swap := range []bool{false, true} {
			a, b := c.a, c.b
			if swap {
				a, b = b, a
			}
			m := contactsOf(t, st, a, b, 0.02)
			if m.Count != c.points || m.area() < c.area*0.99 {
				t.Errorf("%s: %d points of area %g, want %d of %g: %+v", name, m.Count, m.area(), c.points, c.area, m)
			}
			for _, p := range m.Points[:m.Count] {
				if geom.Abs(p.Sep-c.sep) > 1e-5 {
					t.Errorf("%s: a point at %g, want %g", name, p.Sep, c.sep)
				}
			}
			if d := b.f.P.Sub(a.f.P); m.Normal.Dot(d) < 0 {
				t.Errorf("%s: normal %v, from one to the other %v", name, m.Normal, d)
			}
		}
	}
}

// sane fails what no solver could bear.
func sane(t *testing.T, what string, ms []Manifold) {
	t.Helper()
	for i := range ms {
		m := &ms[i]
		if m.Count < 1 || m.Count > 4 || !(geom.Abs(m.Normal.Len()-1) < 1e-4) {
			t.Fatalf("%s: %+v", what, m)
		}
		for _, p := range m.Points[:m.Count] {
			if !p.P.Finite() || !geom.Finite(p.Sep) {
				t.Fatalf("%s: %+v", what, m)
			}
		}
	}
}

func TestDegeneratePoses(t *testing.T) {
	r := rng()
	st := someHulls(r)
	var shapes []Shape
	for k := Sphere; k <= Hull; k++ {
		shapes = append(shapes, randomShape(r, k), randomShape(r, k))
	}
	shapes = append(shapes, Must(NewBox(geom.V3(maxSize, minSize, 1))), Must(NewCapsule(minSize, maxSize)), Must(NewSphere(maxSize)),
		Must(NewBox(geom.V3(minSize, minSize, minSize))), Must(NewBox(geom.V3(1, 1, 1))))
	shapes = append(shapes, Must(st.AddCompound([]Piece{{shapes[0], geom.V3(1, 0, 0), geom.Identity()}, {shapes[6], geom.V3(-1, 0, 0), geom.Identity()}})))
	right := geom.FromAxisAngle(geom.V3(1, 0, 0), geom.Pi/2)
	rots := []geom.Quat{geom.Identity(), right, right.Mul(geom.FromAxisAngle(geom.V3(0, 1, 0), geom.Pi/2)),
		geom.FromAxisAngle(geom.V3(0, 1, 0), geom.Pi/4), geom.FromAxisAngle(geom.V3(0, 0, 1), 1e-4), geom.FromAxisAngle(geom.V3(1, 1, 1), 1e-7)}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	places := []geom.Vec3{{}, {X: 1}, {Y: 1}, {Z: -1}, {X: 1, Y: 1}, {X: 2, Y: 2, Z: 2}, {X: 1e-6}, {Y: 1e-20}, {X: 1e4}, {X: 1e30}, {X: nan}, {Y: inf}}
	touching := 0
	for _, a := range shapes {
		for _, b := range shapes {
			for _, p := range places {
				for _, q := range rots {
					fa, fb := geom.FrameOf(geom.Vec3{}, rots[0]), geom.FrameOf(p, q)
					for _, margin := range []float32{0, 0.1, -0.1, 100} {
						ms := st.Contacts(a, &fa, b, &fb, margin, nil)
						sane(t, "degenerate", ms)
						touching += len(ms)
						if p.Len() < 1e-5 && len(ms) == 0 && margin == 0 && a.Kind != Compound && b.Kind != Compound && a.Kind != Hull && b.Kind != Hull {
							t.Fatalf("%+v and %+v do not touch at %v", a, b, p)
						}
					}
				}
			}
		}
	}
	t.Logf("%d manifolds", touching)
	for _, a := range shapes { // a frame that is no number
		for _, b := range shapes {
			fa, fb := geom.FrameOf(geom.Vec3{}, rots[0]), geom.FrameOf(geom.Vec3{}, geom.Quat{X: nan, Y: nan, Z: nan, W: nan})
			if n := len(st.Contacts(a, &fa, b, &fb, 0.1, nil)) + len(st.Contacts(b, &fb, a, &fa, 0.1, nil)); n > 0 {
				t.Fatalf("%+v touches %+v, which is nowhere", a, b)
			}
		}
	}
}

// Moving both bodies moves the contacts; a step of the world's origin is no
// different from one near it, as far as float32 goes.
func TestContactsMoveAlong(t *testing.T) {
	r := rng()
	st := someHulls(r)
	for ka := Sphere; ka <= Hull; ka++ {
		for kb := Sphere; kb <= Hull; kb++ {
			hits, other := 0, 0
			for range 3000 {
				a, b := randomShape(r, ka), randomShape(r, kb)
				fa := geom.FrameOf(randomVec(r, 1), randomRot(r))
				fb := geom.FrameOf(fa.P.Add(randomVec(r, 1.4)), randomRot(r))
				g := geom.FrameOf(randomVec(r, 2), randomRot(r))
				ga, gb := g.Of(&fa), g.Of(&fb)
				one := st.Contacts(a, &fa, b, &fb, 0.02, nil)
				two := st.Contacts(a, &ga, b, &gb, 0.02, nil)
				if len(one) != len(two) {
					other++
					continue
				}
				if len(one) == 0 {
					continue
				}
				hits++
				if m, o := &one[0], &two[0]; m.Count != o.Count || g.R.Mul(m.Normal).Dist(o.Normal) > 1e-3 || geom.Abs(m.deepest()-o.deepest()) > 1e-4 {
					other++
				}
			}
			if other > hits/200+1 {
				t.Errorf("%d-%d: %d of %d contacts became others (seed %d)", ka, kb, other, hits, seed)
			}
		}
	}
}

// Exchanging the bodies turns the normal round; between two of a kind the
// preference for the first one may choose another face.
func TestContactsExchanged(t *testing.T) {
	r := rng()
	st := someHulls(r)
	for ka := Sphere; ka <= Hull; ka++ {
		for kb := ka + 1; kb <= Hull; kb++ {
			for range 2000 {
				a, b := randomShape(r, ka), randomShape(r, kb)
				fa := geom.FrameOf(randomVec(r, 1), randomRot(r))
				fb := geom.FrameOf(fa.P.Add(randomVec(r, 1.4)), randomRot(r))
				one := st.Contacts(a, &fa, b, &fb, 0.02, nil)
				two := st.Contacts(b, &fb, a, &fa, 0.02, nil)
				if len(one) != len(two) {
					t.Fatalf("%v and %v", one, two)
				}
				for i := range one {
					m, o := &one[i], &two[i]
					if m.Count != o.Count || m.Normal != o.Normal.Neg() {
						t.Fatalf("%+v and %+v", m, o)
					}
					for j := range m.Points[:m.Count] {
						if p := m.Points[j].P.Add(fa.P).Sub(fb.P); p.Dist(o.Points[j].P) > 1e-5 {
							t.Fatalf("%v and %v", p, o.Points[j].P)
						}
					}
				}
			}
		}
	}
}

// A small motion changes the deepest point little: by the motion, and where
// another feature takes over by what the preference allows.
func TestContactsAreContinuous(t *testing.T) {
	r := rng()
	st := someHulls(r)
	const step = 1e-4
	for ka := Sphere; ka <= Hull; ka++ {
		for kb := Sphere; kb <= Hull; kb++ {
			var worst float32
			hits, jumps := 0, 0
			for range 15_000 {
				a, b := randomShape(r, ka), randomShape(r, kb)
				fa := geom.FrameOf(randomVec(r, 1), randomRot(r))
				fb := geom.FrameOf(fa.P.Add(randomVec(r, 1.4)), randomRot(r))
				one := st.Contacts(a, &fa, b, &fb, 0.05, nil)
				fb.P = fb.P.Add(randomVec(r, step*0.5))
				two := st.Contacts(a, &fa, b, &fb, 0.05, nil)
				if len(one) == 0 || len(two) == 0 || geom.Abs(one[0].deepest()) > 0.02 {
					continue // light contacts, as a solver keeps them
				}
				hits++
				d := geom.Abs(one[0].deepest() - two[0].deepest())
				worst = max(worst, d)
				if d > 10*step {
					jumps++
				}
			}
			t.Logf("%d-%d: %d contacts, deepest changed by %.5f at most, %d jumps", ka, kb, hits, worst, jumps)
			if jumps > hits/100 || worst > featureSlop*2 {
				t.Errorf("%d-%d: %d jumps of %d, %g at most (seed %d)", ka, kb, jumps, hits, worst, seed)
			}
		}
	}
}

package shape

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/geom"
)

// randomTriangle has edges of about a metre, now and then a thin one.
func randomTriangle(r *rand.Rand) [3]geom.Vec3 {
	for {
		a, b, c := randomVec(r, 1.2), randomVec(r, 1.2), randomVec(r, 1.2)
		if r.IntN(4) == 0 {
			c = a.Lerp(b, r.Float32()).Add(randomVec(r, 0.05))
		}
		if b.Sub(a).Cross(c.Sub(a)).Len() > 1e-3 {
			return [3]geom.Vec3{a, b, c}
		}
	}
}

func solidTriangle(t *[3]geom.Vec3) solid {
	a, b, c := widen(t[0]), widen(t[1]), widen(t[2])
	n := b.sub(a).cross(c.sub(a))
	n = n.mul(1 / n.len())
	return solid{verts: []w3{a, b, c}, faces: []w3{n, n.mul(-1)}, edges: [][2]int{{0, 1}, {1, 2}, {2, 0}}}
}

func TestTriangleAgainstBruteForce(t *testing.T) {
	r := rng()
	st := someHulls(r)
	for k := Sphere; k <= Hull; k++ {
		var worst float64
		hits, pierced, missed, furthest := 0, 0, 0, 0.0
		for range 8000 / int(k) {
			s := randomShape(r, k)
			f := geom.FrameOf(randomVec(r, 1), randomRot(r))
			tri := randomTriangle(r)
			margin := 0.1 * r.Float32()
			a, b := solidOf(st, s, &f), solidTriangle(&tri)
			d, dir := distance(&a, &b)
			var room boxRoom
			c := st.convexOf(&s, &f, &room)
			front := widen(c.f.Point(c.p.centre).Sub(tri[0])).dot(b.faces[0])
			if d < 0 && math.Abs(dir.dot(b.faces[0])) > 0.9999 && dir.dot(b.faces[0])*front > 0 {
				pierced++ // most of it is in front, yet it is shorter to the back
				continue
			}
			if a.radius > 0 && d < 1e-4-a.radius {
				pierced++ // pushed out by the face, whatever the distance
				continue
			}
			ms := make([]Manifold, 1)
			if !convexTriangle(&c, &tri, allEdges, true, margin, &ms[0]) {
				ms = nil
			}
			off := checkManifold(t, &a, &b, f.P, margin, ms)
			if ms != nil {
				hits++
				worst = max(worst, math.Abs(off))
			} else if d < float64(margin)-1e-4 {
				missed++
				furthest = max(furthest, float64(margin)-d)
			}
			checkInactive(t, &c, &tri, margin, ms)
		}
		t.Logf("%d: %d contacts, deepest off by %.5f at most; %d went through; %d within the margin not seen, by %.3f at most", k, hits, worst, pierced, missed, furthest)
	}
}

// checkInactive tries what the flags forbid.
func checkInactive(t *testing.T, c *convex, tri *[3]geom.Vec3, margin float32, active []Manifold) {
	t.Helper()
	n := tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0])).Norm()
	front := c.f.Point(c.p.centre).Sub(tri[0]).Dot(n)
	if geom.Abs(front) < 1e-4 {
		return
	}
	if front < 0 {
		n = n.Neg()
	}
	var m Manifold
	if convexTriangle(c, tri, 0, true, margin, &m) {
		if active == nil && m.deepest() < 0 {
			t.Fatalf("only without active edges there is a contact: %+v (seed %d) %v %v %v", m, seed, *c, *tri, margin)
		}
		// A normal that leans inwards stays.
		if m.Normal.Dot(n) > -0.999 && (active == nil || m.Normal != active[0].Normal) {
			t.Fatalf("normal %v of a face of normal %v (seed %d)", m.Normal, n, seed)
		}
	}
	m = Manifold{}
	one := convexTriangle(c, tri, allEdges, false, margin, &m)
	if one != (active != nil && front > 0) || one && m != active[0] {
		t.Fatalf("one-sided: %v, two-sided: %v, %g in front (seed %d)", one, active, front, seed)
	}
}

// floor is a flat mesh of n by n cells of some size about the origin, cut along
// either diagonal, sloping up towards +X by rise.
func floor(r *rand.Rand, st *Store, n int, cell, rise float32) Shape {
	var verts []geom.Vec3
	for i := range n + 1 {
		for j := range n + 1 {
			x, z := (float32(i)-float32(n)/2)*cell, (float32(j)-float32(n)/2)*cell
			verts = append(verts, geom.V3(x, x*rise, z))
		}
	}
	var tris [][3]uint32
	for i := range uint32(n) {
		for j := range uint32(n) {
			a, b := i*uint32(n+1)+j, (i+1)*uint32(n+1)+j
			if r.IntN(2) == 0 {
				tris = append(tris, [3]uint32{a, a + 1, b}, [3]uint32{a + 1, b + 1, b})
			} else {
				tris = append(tris, [3]uint32{a, a + 1, b + 1}, [3]uint32{a, b + 1, b})
			}
		}
	}
	return Must(st.AddMesh(verts, tris))
}

// On a flat floor of triangles everything is pushed straight up, wherever the
// seams are, and as far as it is deep; a single triangle of it, whose edges are
// all active, does not.
func TestSeamsDoNotPush(t *testing.T) {
	r := rng()
	st := someHulls(r)
	box := Must(NewBox(geom.V3(0.5, 0.3, 0.4)))
	var room boxRoom
	boxPoly(box.Half(), &room)
	shapes := map[string]Shape{"sphere": Must(NewSphere(0.4)), "capsule": Must(NewCapsule(0.3, 0.5)), "box": box, "hull": Must(st.AddHull(room.verts[:]))}
	for _, cell := range []float32{0.15, 0.7, 5} {
		ground := floor(r, st, 20, cell, 0.3)
		n := geom.V3(-0.3, 1, 0).Norm()
		id := geom.FrameOf(geom.Vec3{}, geom.Identity())
		for name, s := range shapes {
			for range 1000 {
				f := geom.FrameOf(geom.Vec3{}, randomRot(r))
				if s.Kind == Capsule && r.IntN(2) == 0 || s.Kind > Capsule { // lying flat, but for a little
					f.R = geom.Mat3{X: geom.V3(1, 0.3, 0).Norm(), Y: n, Z: geom.V3(0, 0, 1)}
					v := randomVec(r, 0.004)
					turn := geom.FrameOf(geom.Vec3{}, geom.Quat{X: v.X, Y: 1 - 2*r.Float32(), Z: v.Z, W: 1}.Norm())
					f.R = f.R.MulMat(&turn.R)
					if s.Kind == Capsule {
						f.R.X, f.R.Y = f.R.Y, f.R.X.Neg()
					}
				}
				// 1 to 6 mm into the ground.
				solid := solidOf(st, s, &f)
				low := math.Inf(1)
				for _, v := range solid.verts {
					low = min(low, v.dot(widen(n))-solid.radius)
				}
				deep := 0.001 + 0.005*r.Float32()
				p := randomVec(r, cell*3)
				f.P = geom.V3(p.X, p.X*0.3, p.Z).MulAdd(n, float32(-low)-deep)
				ms := st.Contacts(s, &f, ground, &id, 0.01, nil)
				var deepest float32
				for i := range ms {
					if d := ms[i].Normal.Neg().Dot(n); d < 0.9999 {
						t.Fatalf("%s, cells of %g: normal %v, ground %v (seed %d)", name, cell, ms[i].Normal, n, seed)
					}
					deepest = min(deepest, ms[i].deepest())
				}
				if geom.Abs(deepest+deep) > 2e-4 {
					t.Fatalf("%s, cells of %g: %g deep, want %g (seed %d)", name, cell, -deepest, deep, seed)
				}
			}
		}
	}
	alone := Must(st.AddMesh([]geom.Vec3{{}, {Z: 1}, {X: 1}}, [][3]uint32{{0, 1, 2}}))
	f, id := geom.FrameOf(geom.V3(-0.1, 0.38, 0.3), geom.Identity()), geom.FrameOf(geom.Vec3{}, geom.Identity())
	if ms := st.Contacts(shapes["sphere"], &f, alone, &id, 0.01, nil); len(ms) != 1 || ms[0].Normal.X < 0.1 {
		t.Errorf("over an open edge: %+v", ms)
	}
}

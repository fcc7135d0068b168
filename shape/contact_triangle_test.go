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
	for k := Sphere; k <= Box; k++ {
		var worst float64
		hits, pierced, missed, furthest := 0, 0, 0, 0.0
		for range 10_000 {
			var st *Store
			s := randomShape(r, k)
			f := geom.FrameOf(randomVec(r, 1), randomRot(r))
			tri := randomTriangle(r)
			margin := 0.1 * r.Float32()
			a, b := solidOf(st, s, &f), solidTriangle(&tri)
			d, _ := distance(&a, &b)
			if a.radius > 0 && d < 1e-4-a.radius {
				pierced++ // pushed out by the face, whatever the distance
				continue
			}
			var room boxRoom
			c := st.convexOf(&s, &f, &room)
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
	front := c.f.P.Sub(tri[0]).Dot(n)
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

package shape

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/geom"
)

// nasty is points that nearly lie in planes and lines or on each other, up to
// some noise, turned, and somewhere.
func nasty(r *rand.Rand) (pts []geom.Vec3) {
	n, kind, grid := 4+r.IntN(150), r.IntN(5), float32(1+r.IntN(6))
	noise := float32(math.Pow(10, -8+6*r.Float64()))
	f := geom.FrameOf(randomVec(r, float32(math.Pow(10, -2+4*r.Float64()))), randomRot(r))
	for range n {
		p := randomVec(r, 1)
		switch kind {
		case 0: // a lattice
			p = geom.V3(geom.Floor(p.X*grid)/grid, geom.Floor(p.Y*grid)/grid, geom.Floor(p.Z*grid)/grid)
		case 1: // a prism of about n sides
			y, x := math.Sincos(math.Floor(float64(p.X)*float64(n)) / float64(n) * math.Pi)
			p = geom.V3(float32(x), 1-2*float32(r.IntN(2)), float32(y))
		case 2: // a ball
			p = p.Norm()
		case 3: // a globe's quadrangles
			y, x := math.Sincos(float64(r.IntN(12)) * math.Pi / 6)
			h := float64(r.IntN(7)-3) / 3
			s := math.Sqrt(math.Max(0, 1-h*h))
			p = geom.V3(float32(x*s), float32(h), float32(y*s))
		case 4: // a thin wedge
			p.Y *= 0.02 * geom.Abs(p.X)
		}
		pts = append(pts, f.Point(p.MulAdd(randomVec(r, 1), noise)))
	}
	return pts
}

func TestHullOfNastyPoints(t *testing.T) {
	r := rng()
	flat := 0
	const tries = 250
	for range tries {
		pts := nasty(r)
		var st Store
		s, err := st.AddHull(pts)
		if errors.Is(err, errHullFlat) {
			flat++
			continue
		}
		if err != nil {
			t.Fatalf("%d points: %v (seed %d)", len(pts), err, seed)
		}
		h := &st.hulls[s.Ref]
		if len(h.verts) < maxHullVerts {
			checkHull(t, h, pts, 2e-3)
		}
		if m := st.Mass(s, 1); !(m.Mass > 0) || !m.Centre.Finite() || !(m.Inertia.X.X > 0 && m.Inertia.Y.Y > 0 && m.Inertia.Z.Z > 0) {
			t.Fatalf("%+v (seed %d)", m, seed)
		}
	}
	if flat > tries/50 {
		t.Errorf("%d of %d are flat", flat, tries)
	}
}

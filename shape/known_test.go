package shape

import (
	"math"
	"testing"

	"github.com/foretick/foretick/geom"
)

// bits32 is FNV-1a over the bits of floats and numbers.
type bits32 uint64

func (h *bits32) add(words ...uint32) {
	for _, w := range words {
		for range 4 {
			*h = (*h ^ bits32(w&255)) * 1099511628211
			w >>= 8
		}
	}
}

func (h *bits32) vec(v geom.Vec3) {
	h.add(math.Float32bits(v.X), math.Float32bits(v.Y), math.Float32bits(v.Z))
}

// TestKnownCasts holds the bits of casts at and overlaps with every kind
// of shape: they are the same on every processor.
func TestKnownCasts(t *testing.T) {
	const want = 0x9cfc1d884a5a2c16
	s := uint32(1)
	next := func() float32 {
		s = s*1664525 + 1013904223
		return float32(s>>8) / (1 << 24)
	}
	vec := func(size float32) geom.Vec3 {
		x, y, z := next(), next(), next()
		return geom.V3(float32((2*x-1)*size), float32((2*y-1)*size), float32((2*z-1)*size)) // not to be fused
	}
	var st Store
	var verts []geom.Vec3
	var tri [][3]uint32
	heights := make([]float32, 21*21)
	for i := range heights {
		heights[i] = 2 * next()
		verts = append(verts, geom.V3(float32(i%21)-10, heights[i], float32(i/21)-10))
		if q := uint32(i); i%21 < 20 && i/21 < 20 {
			tri = append(tri, [3]uint32{q, q + 21, q + 1}, [3]uint32{q + 1, q + 21, q + 22})
		}
	}
	points := make([]geom.Vec3, 30)
	for i := range points {
		points[i] = vec(1)
	}
	shapes := []Shape{
		Must(NewSphere(1)), Must(NewCapsule(0.5, 1)), Must(NewBox(geom.V3(1, 0.5, 2))), Must(st.AddHull(points)),
		Must(st.AddMesh(verts, tri)), Must(st.AddField(21, 21, 1, heights)),
	}
	h := bits32(14695981039346656037)
	hits := 0
	for i := range 6000 {
		sh := shapes[i%len(shapes)]
		q := geom.Quat{X: next() - 0.5, Y: next() - 0.5, Z: next() - 0.5, W: next()}
		f := geom.FrameOf(vec(5), q.Norm())
		c := Cast{Round: Round{A: f.P.Add(vec(6)), R: 0.1 + next()}, Ray: next() < 0.3}
		c.B = c.A.Add(vec(1))
		c.Move = f.P.Add(vec(2)).Sub(c.A).Mul(1.5)
		if x, ok := st.Cast(sh, &f, &c, 1); ok {
			hits++
			if !x.Point.Finite() || !x.Normal.Finite() {
				t.Errorf("%d: %+v", i, x)
			}
			h.add(math.Float32bits(x.Fraction), x.Feature)
			h.vec(x.Point)
			h.vec(x.Normal)
		}
		c.A = c.A.MulAdd(c.Move, 0.6)
		c.B = c.B.MulAdd(c.Move, 0.6)
		for _, x := range st.Overlaps(sh, &f, &c.Round, nil) {
			if !x.Point.Finite() || !x.Normal.Finite() || !geom.Finite(x.Depth) {
				t.Errorf("%d: %+v", i, x)
			}
			h.add(math.Float32bits(x.Depth), x.Feature)
			h.vec(x.Point)
			h.vec(x.Normal)
		}
	}
	if hits < 2000 {
		t.Errorf("%d hits", hits)
	}
	if h != want {
		t.Errorf("the casts have the hash %#x, want %#x", uint64(h), uint64(want))
	}
}

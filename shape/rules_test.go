package shape

import (
	"math"
	"testing"

	"github.com/foretick/foretick/geom"
)

// TestCastRules is the rules of CastHit, one by one.
func TestCastRules(t *testing.T) {
	var st Store
	box := Must(NewBox(geom.V3(1, 1, 1)))
	ball, pill := Must(NewSphere(1)), Must(NewCapsule(0.5, 1))
	// A triangle in the plane y = 0 that looks up, and a square one of two.
	tri := Must(st.AddMesh([]geom.Vec3{{X: -3, Z: -3}, {X: -3, Z: 3}, {X: 3, Z: 0}}, [][3]uint32{{0, 1, 2}}))
	twice := Must(st.AddMesh([]geom.Vec3{{X: -3, Z: -3}, {X: -3, Z: 3}, {X: 3, Z: 0}}, [][3]uint32{{2, 2, 0}, {0, 1, 2}, {0, 1, 2}}))
	f := geom.FrameOf(geom.Vec3{}, geom.Identity())
	v := geom.V3
	ray := func(from, move geom.Vec3) Cast { return Cast{Round: Round{A: from, B: from}, Move: move, Ray: true} }
	roll := func(r float32, from, move geom.Vec3) Cast {
		return Cast{Round: Round{A: from, B: from, R: r}, Move: move}
	}
	up, down := v(0, 1, 0), v(0, -1, 0)
	for _, c := range []struct {
		name  string
		shape Shape
		cast  Cast
		want  *CastHit // Point is not compared
	}{
		{"ray at a box", box, ray(v(0, 3, 0), v(0, -4, 0)), &CastHit{Fraction: 0.5, Normal: up}},
		{"ray that ends before it", box, ray(v(0, 3, 0), v(0, -1.9, 0)), nil},
		{"ray away from it", box, ray(v(0, 3, 0), v(0, 4, 0)), nil},
		{"ray from its face outwards", box, ray(v(0, 1, 0), v(0, 4, 0)), nil},
		{"ray from its face inwards", box, ray(v(0, 1, 0), v(0, -4, 0)), &CastHit{Normal: up}},
		{"ray from inside", box, ray(v(0.9, 0, 0), v(0, 9, 0)), &CastHit{Normal: v(1, 0, 0), Inside: true}},
		{"ray from inside a ball", ball, ray(v(0, -0.5, 0), v(0, 9, 0)), &CastHit{Normal: down, Inside: true}},
		{"ray from the middle of a ball", ball, ray(v(0, 0, 0), v(0, 9, 0)), &CastHit{Normal: up, Inside: true}},
		{"ray from inside a capsule", pill, ray(v(0, 1, 0.25), v(0, 9, 0)), &CastHit{Normal: v(0, 0, 1), Inside: true}},
		{"ray down a capsule", pill, ray(v(0, 3, 0), v(0, -3, 0)), &CastHit{Fraction: 0.5, Normal: up}},
		{"ray without a move outside", box, ray(v(0, 3, 0), v(0, 0, 0)), nil},
		{"ray without a move inside", box, ray(v(0, 0.5, 0), v(0, 0, 0)), &CastHit{Normal: up, Inside: true}},
		{"ray at a front", tri, ray(v(0, 2, 0), v(0, -4, 0)), &CastHit{Fraction: 0.5, Normal: up}},
		{"ray at a back", tri, ray(v(0, -2, 0), v(0, 4, 0)), &CastHit{Fraction: 0.5, Normal: down, Back: true}},
		{"ray within the plane", tri, ray(v(-9, 0, 0), v(18, 0, 0)), nil},
		{"ray that starts on a triangle", tri, ray(v(0, 0, 0), v(0, 1, 0)), &CastHit{Normal: down, Back: true}},
		{"ray that ends on a triangle", tri, ray(v(0, 1, 0), v(0, -1, 0)), &CastHit{Fraction: 1, Normal: up}},
		{"ray at one of two alike", twice, ray(v(0, 2, 0), v(0, -4, 0)), &CastHit{Fraction: 0.5, Normal: up, Feature: 1}},
		{"sphere at a box", box, roll(0.5, v(0, 3, 0), v(0, -3, 0)), &CastHit{Fraction: 0.5, Normal: up}},
		{"sphere from inside", box, roll(0.5, v(0, 1.25, 0), v(0, 9, 0)), &CastHit{Normal: up, Inside: true}},
		{"sphere in touch, inwards", box, roll(0.5, v(0, 1.5, 0), v(0, -9, 0)), &CastHit{Normal: up}},
		{"sphere in touch, along", box, roll(0.5, v(0, 1.5, 0), v(9, 0, 0)), nil},
		{"sphere in touch, away", box, roll(0.5, v(0, 1.5, 0), v(0, 9, 0)), nil},
		{"sphere past a corner", box, roll(0.5, v(-4, 1.36, 1.36), v(9, 0, 0)), nil},
		{"sphere at a front", tri, roll(0.5, v(0, 2.5, 0), v(0, -4, 0)), &CastHit{Fraction: 0.5, Normal: up}},
		{"sphere at a back", tri, roll(0.5, v(0, -2.5, 0), v(0, 4, 0)), &CastHit{Fraction: 0.5, Normal: down, Back: true}},
		{"sphere in a triangle", tri, roll(0.5, v(0, -0.25, 0), v(0, 4, 0)), &CastHit{Normal: down, Inside: true, Back: true}},
		{"sphere in the middle of one", tri, roll(0.5, v(0, 0, 0), v(0, 4, 0)), &CastHit{Normal: up, Inside: true}},
		{"sphere without a move", box, roll(0.5, v(0, 1.25, 0), v(0, 0, 0)), &CastHit{Normal: up, Inside: true}},
		{"sphere without a move or touch", box, roll(0.5, v(0, 1.75, 0), v(0, 0, 0)), nil},
		{"sphere at nothing", Shape{}, roll(0.5, v(0, 3, 0), v(0, -9, 0)), nil},
	} {
		h, ok := st.Cast(c.shape, &f, &c.cast, 1)
		if c.want == nil {
			if ok {
				t.Errorf("%s: %+v", c.name, h)
			}
			continue
		}
		c.want.Point = h.Point
		if math.Abs(float64(h.Fraction-c.want.Fraction)) < 1e-6 && h.Normal.Sub(c.want.Normal).Len() < 1e-6 {
			h.Fraction, h.Normal = c.want.Fraction, c.want.Normal
		}
		if !ok || h != *c.want {
			t.Errorf("%s: %v %+v, want %+v", c.name, ok, h, *c.want)
		}
		if h2, ok2 := st.Cast(c.shape, &f, &c.cast, c.want.Fraction-0.01); ok2 {
			t.Errorf("%s: beyond what counts: %+v", c.name, h2)
		}
	}
}

package sim

import (
	"math"
	"testing"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
)

type pose struct {
	D     float64   `net:"smooth"`
	Rot   geom.Quat `net:"smooth,tolerance=0.02"`
	Pos   geom.Vec2 `net:"smooth,tolerance=0.01"`
	Angle float32   `net:"angle,smooth,tolerance=0.01"`
	Team  int32
	Big   uint64 `net:"tolerance=10"`
	Wide  uint32 `net:"tolerance=10"`
	HP    int32  `net:"tolerance=1"`
}

var zAxis = geom.V3(0, 0, 1)

func TestBlend(t *testing.T) {
	p := planOf[pose]()
	a := pose{D: 1, Rot: geom.Identity(), Pos: geom.V2(1, 2), Angle: 3, Team: 1}
	b := pose{D: 3, Rot: geom.FromAxisAngle(zAxis, 1), Pos: geom.V2(3, 2), Angle: -3, Team: 2, Big: 5}
	var m pose
	p.Blend(ecs.BytesOf(&m), ecs.BytesOf(&a), ecs.BytesOf(&b), 0.5)
	if m.D != 2 || m.Pos != geom.V2(2, 2) || m.Team != 1 || m.Big != 0 {
		t.Errorf("half way: %+v", m)
	}
	if d := geom.Abs(m.Angle - geom.Pi); d > 1e-5 {
		t.Errorf("3 and -3 radians meet at %v, want pi", m.Angle)
	}
	if d := m.Rot.Dot(geom.FromAxisAngle(zAxis, 0.5)); d < 0.99999 {
		t.Errorf("rotation half way: %v", m.Rot)
	}
	p.Blend(ecs.BytesOf(&m), ecs.BytesOf(&a), ecs.BytesOf(&b), 0)
	if m != a {
		t.Errorf("at 0: %+v, want %+v", m, a)
	}
	p.Blend(ecs.BytesOf(&m), ecs.BytesOf(&a), ecs.BytesOf(&b), 1)
	m.Angle, b.Angle = 0, 0 // b's, but for whole turns
	if m != b {
		t.Errorf("at 1: %+v, want %+v", m, b)
	}
	// Ends are exact also where normalising would change the last bit.
	r := rng()
	for range 1000 {
		a.Rot, b.Rot = nudge(r, randomQuat(r), 2), nudge(r, randomQuat(r), 2)
		for k, want := range []geom.Quat{a.Rot, b.Rot} {
			if p.Blend(ecs.BytesOf(&m), ecs.BytesOf(&a), ecs.BytesOf(&b), float32(k)); m.Rot != want {
				t.Fatalf("seed %d: at %d: %v, want %v", seed, k, m.Rot, want)
			}
		}
	}
	in := b
	p.Blend(ecs.BytesOf(&in), ecs.BytesOf(&a), ecs.BytesOf(&in), 0.5)
	if in.Pos != geom.V2(2, 2) || in.D != 2 {
		t.Errorf("into b itself: %+v", in)
	}
}

func TestDistance(t *testing.T) {
	p := planOf[pose]()
	dist := func(a, b pose) float32 { return p.Distance(ecs.BytesOf(&a), ecs.BytesOf(&b)) }
	if d := dist(pose{Pos: geom.V2(1, 1)}, pose{Pos: geom.V2(4, 5), Team: 9, HP: 9}); d != 5 {
		t.Errorf("3 and 4 apart: %v", d)
	}
	if d := dist(pose{Angle: 3}, pose{Angle: -3}); geom.Abs(d-(2*math.Pi-6)) > 1e-5 {
		t.Errorf("angles 3 and -3: %v", d)
	}
	q := geom.FromAxisAngle(geom.V3(1, 2, 3), 1)
	for _, angle := range []float32{1e-4, 0.001, 0.1, 0.5} {
		r := geom.FromAxisAngle(zAxis, angle).Mul(q)
		if d := dist(pose{Rot: q}, pose{Rot: r}); geom.Abs(d-angle) > 0.02*angle {
			t.Errorf("rotations %v apart: %v", angle, d)
		}
		neg := geom.Quat{X: -r.X, Y: -r.Y, Z: -r.Z, W: -r.W}
		if dist(pose{Rot: q}, pose{Rot: neg}) != dist(pose{Rot: q}, pose{Rot: r}) {
			t.Error("q and -q are not the same rotation")
		}
	}
	if d := dist(pose{D: 2}, pose{D: -1}); d != 3 {
		t.Errorf("float64: %v", d)
	}
}

func TestDiffers(t *testing.T) {
	p := planOf[pose]()
	q := geom.Identity()
	nan := float32(math.NaN())
	for _, c := range []struct {
		name string
		a, b pose
		want bool
	}{
		{"same", pose{Rot: q}, pose{Rot: q}, false},
		{"within", pose{Pos: geom.V2(1, 0)}, pose{Pos: geom.V2(1.009, 0)}, false},
		{"beyond", pose{Pos: geom.V2(1, 0)}, pose{Pos: geom.V2(1.011, 0)}, true},
		{"NaN", pose{Pos: geom.V2(nan, 0)}, pose{}, true},
		{"exact", pose{D: 1}, pose{D: math.Nextafter(1, 2)}, true},
		{"-0", pose{D: math.Copysign(0, -1)}, pose{}, true},
		{"angle", pose{Angle: math.Pi - 0.002}, pose{Angle: -math.Pi + 0.002}, false},
		{"turned by little", pose{Rot: q}, pose{Rot: geom.FromAxisAngle(zAxis, 0.019)}, false},
		{"turned", pose{Rot: q}, pose{Rot: geom.FromAxisAngle(zAxis, 0.021)}, true},
		{"negated", pose{Rot: q}, pose{Rot: geom.Quat{W: -1}}, false},
		{"integer within", pose{HP: 7}, pose{HP: 8}, false},
		{"integer beyond", pose{HP: 7}, pose{HP: 9}, true},
		{"large integers", pose{HP: 1 << 30}, pose{HP: 1<<30 + 2}, true},
		{"high word", pose{Big: 1 << 32}, pose{Big: 2 << 32}, true},
		{"across the word", pose{Big: 1<<32 - 1}, pose{Big: 1<<32 + 1}, false},
		{"unsigned", pose{Wide: 1<<31 - 1}, pose{Wide: 1<<31 + 1}, false},
	} {
		if got := p.Differs(ecs.BytesOf(&c.a), ecs.BytesOf(&c.b)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A correction from one pose to another, shown in full at first (k = 1), is
// where the body was.
func TestAddOffset(t *testing.T) {
	p := planOf[pose]()
	old := pose{D: 1, Rot: geom.FromAxisAngle(geom.V3(1, 1, 0), 1), Pos: geom.V2(1, 2), Angle: 3, Team: 1, HP: 1}
	now := pose{D: 4, Rot: geom.FromAxisAngle(geom.V3(0, 1, 1), 2), Pos: geom.V2(5, 5), Angle: -3, Team: 2, HP: 5}
	show := func(k float32) pose {
		v := now
		p.AddOffset(ecs.BytesOf(&v), ecs.BytesOf(&old), ecs.BytesOf(&now), k)
		return v
	}
	if v := show(0); v.D != now.D || v.Pos != now.Pos || v.Angle != now.Angle || geom.Abs(v.Rot.Dot(now.Rot)) < 0.999999 {
		t.Errorf("k = 0: %+v", v)
	}
	v := show(1)
	if v.D != old.D || v.Pos.Dist(old.Pos) > 1e-6 || geom.Abs(v.Rot.Dot(old.Rot)) < 0.999999 {
		t.Errorf("k = 1: %+v", v)
	}
	if d := geom.Abs(wrapAngle(v.Angle - old.Angle)); d > 1e-5 {
		t.Errorf("k = 1: angle %v", v.Angle)
	}
	if v.Team != 2 || v.HP != 5 {
		t.Error("what is not smooth has moved")
	}
	if v := show(0.5); v.Pos.Dist(geom.V2(3, 3.5)) > 1e-6 || v.D != 2.5 {
		t.Errorf("k = 0.5: %+v", v)
	}
}

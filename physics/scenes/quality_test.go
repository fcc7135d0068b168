package scenes_test

import (
	"math"
	"slices"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
	"github.com/foretick/foretick/shape"
)

// stack starts a scene of a test from bodies, on the ground.
func stack(sleep bool, bodies ...scenes.Body) *run {
	s := &scenes.Scene{Name: "test", Config: physics.Config{Gravity: physics.Earth, NoSleep: !sleep}}
	s.Bodies = append(s.Bodies, scenes.Body{ID: 1,
		Def:   physics.NewDef(physics.Static, shape.Must(shape.NewBox(geom.V3(100, 1, 100)))),
		State: physics.At(geom.V3(0, -1, 0), geom.Identity())})
	for _, b := range bodies {
		b.ID = physics.ID(len(s.Bodies) + 1)
		s.Bodies = append(s.Bodies, b)
	}
	return begin(s)
}

func dynamic(s shape.Shape, pos geom.Vec3) scenes.Body {
	return scenes.Body{Def: physics.NewDef(physics.Dynamic, s), State: physics.At(pos, geom.Identity())}
}

func cube(half float32) shape.Shape { return shape.Must(shape.NewBox(geom.V3(half, half, half))) }

// top is the height of the highest centre; rms is of all speeds.
func top(w *physics.World) (y, rms float64) {
	y = math.Inf(-1)
	for _, st := range w.States() {
		y = max(y, float64(st.Pos.Y))
		rms += float64(st.Vel.Len2())
	}
	return y, math.Sqrt(rms / float64(len(w.States())))
}

func awake(w *physics.World) (n int) {
	for _, st := range w.States() {
		if st.Still != physics.Asleep {
			n++
		}
	}
	return n
}

// S1 and S2 are asleep by step 300, and 55 s later no bit has changed.
func TestPilesSleep(t *testing.T) {
	for _, name := range []string{"S1sleep", "S2sleep"} {
		r := begin(scenes.Named(name))
		first := -1
		for r.step < 300 {
			r.next()
			if n := awake(r.w); n == 0 && first < 0 {
				first = r.step
			} else if n > 0 {
				first = -1
			}
		}
		y, _ := top(r.w)
		t.Logf("%s sleeps from step %d on; its highest centre is at %.3f m", name, first, y)
		if n := awake(r.w); n > 0 {
			t.Errorf("%s: %d are awake at step 300", name, n)
		}
		before := slices.Clone(r.w.States())
		for r.step < 3600 {
			r.next()
		}
		for i, id := range r.w.Bodies() {
			if err := differState(id, &before[i], &r.w.States()[i]); err != nil {
				t.Fatalf("%s has moved by step 3600: %v", name, err)
			}
		}
	}
}

// S1 stands for a minute with sleep off.
func TestPyramidStands(t *testing.T) {
	r := begin(scenes.S1())
	steps := 600
	if long {
		steps = 3600
	}
	for r.step < steps {
		r.next()
		if r.step%600 == 0 {
			y, rms := top(r.w)
			t.Logf("step %d: top at %.3f m, %.4f m/s rms", r.step, y, rms)
		}
	}
	if y, rms := top(r.w); y < 19.3 || !(rms < 0.03) {
		t.Errorf("the top is at %v m, want 19.3; speeds are %v m/s rms, want 0.03", y, rms)
	}
}

// A heap's lowest cube has sunk in by less than 5 mm.
func TestHeapIsDense(t *testing.T) {
	r := begin(scenes.S2())
	steps := 200
	if long {
		steps = 600
	}
	for r.step < steps {
		r.next()
	}
	low := math.Inf(1)
	for _, st := range r.w.States() {
		low = min(low, float64(st.Pos.Y))
	}
	y, rms := top(r.w)
	t.Logf("lowest centre %.4f m, highest %.3f m, %.4f m/s rms", low, y, rms)
	if low < 0.495 {
		t.Errorf("the lowest centre is at %v m", low)
	}
}

func TestTowerStands(t *testing.T) {
	for _, sleep := range []bool{false, true} {
		var cubes []scenes.Body
		for i := range 10 {
			cubes = append(cubes, dynamic(cube(0.5), geom.V3(0, 0.5+float32(i), 0)))
		}
		r := stack(sleep, cubes...)
		for r.step < 3600 {
			r.next()
		}
		y, rms := top(r.w)
		p := r.w.States()[9].Pos
		aside := math.Hypot(float64(p.X), float64(p.Z))
		t.Logf("sleep %v: after 60 s the top is at %.4f m, %.1f mm aside, %.4f m/s rms", sleep, y, 1000*aside, rms)
		if y < 9.4 || y > 9.51 || !(aside < 0.1) {
			t.Errorf("sleep %v: the tower is at %v m, %v m aside", sleep, y, aside)
		}
	}
}

// slide lets a box lie on a slope for 10 s and returns how far it has slid.
func slide(half geom.Vec3, friction, angle float64) float64 {
	q := geom.FromAxisAngle(geom.V3(0, 0, 1), float32(angle))
	normal, down := q.Rotate(geom.V3(0, 1, 0)), q.Rotate(geom.V3(-1, 0, 0))
	slope := scenes.Body{ID: 1, Def: physics.NewDef(physics.Static, shape.Must(shape.NewBox(geom.V3(50, 1, 50)))),
		State: physics.At(normal.Mul(-1), q)}
	b := scenes.Body{ID: 2, Def: physics.NewDef(physics.Dynamic, shape.Must(shape.NewBox(half))), State: physics.At(normal.Mul(half.Y), q)}
	slope.Def.Friction, b.Def.Friction = float32(friction), float32(friction)
	r := begin(&scenes.Scene{Name: "slope", Config: physics.Config{Gravity: physics.Earth, NoSleep: true}, Bodies: []scenes.Body{slope, b}})
	for r.step < 600 {
		r.next()
	}
	return float64(r.w.States()[0].Pos.Sub(b.State.Pos).Dot(down))
}

// Half a degree under its friction angle a box lies, half a degree over it
// slides as it should.
func TestSlope(t *testing.T) {
	const g, half = 9.81, math.Pi / 360
	for _, friction := range []float64{0.3, 0.5, 0.8} {
		for _, size := range []geom.Vec3{{X: 0.5, Y: 0.5, Z: 0.5}, {X: 1, Y: 0.3, Z: 0.7}, {X: 0.1, Y: 0.1, Z: 0.1}} {
			limit := math.Atan(friction)
			rest := slide(size, friction, limit-half)
			a := limit + half
			want := 0.5 * g * (math.Sin(a) - friction*math.Cos(a)) * 100
			got := slide(size, friction, a)
			t.Logf("friction %.1f, box %v: creeps %.2f mm in 10 s, slides %.3f m instead of %.3f", friction, size, 1000*rest, got, want)
			if !(math.Abs(rest) < 0.005) || !(math.Abs(got/want-1) < 0.1) {
				t.Errorf("friction %.1f, box %v: creeps %v m, slides %v m, want %v", friction, size, rest, got, want)
			}
		}
	}
}

// A ball in the air goes where the integrator's sum says (substeps of h,
// velocity first), but for what float32 rounds off in thousands of sums.
func TestThrown(t *testing.T) {
	const g, share = -9.81, 1e-4
	for _, v := range []geom.Vec3{{}, {X: 7, Y: 12, Z: -3}} {
		b := dynamic(shape.Must(shape.NewSphere(0.5)), geom.V3(1, 400, 2))
		b.State.Vel = v
		r := stack(false, b)
		var off, offVel, way float64 // most, and where it was
		for r.step < 300 {
			r.next()
			const h = 1.0 / 60 / substeps
			n := float64(r.step * substeps)
			want := v3{1, 400 + g*h*h*n*(n+1)/2, 2}
			for c, x := range v64(v) {
				want[c] += x * n * h
			}
			st := r.w.States()[0]
			d := v64(st.Pos).sub(want)
			way += float64(st.Vel.Len()) / 60
			off = max(off, math.Sqrt(d.dot(d)))
			offVel = max(offVel, math.Abs(float64(st.Vel.Y)-(float64(v.Y)+g*n*h)))
		}
		end := float64(r.w.States()[0].Vel.Len())
		t.Logf("thrown at %v: at most %.2g mm off on %.0f m, %.2g mm/s at %.0f m/s", v, 1000*off, way, 1000*offVel, end)
		if off > share*way || offVel > share*end {
			t.Errorf("thrown at %v: %v m and %v m/s off", v, off, offVel)
		}
	}
}

// substeps of the integrator.
const substeps = 8

// Balls leave what they meet at their restitution's share of the speed.
func TestRestitution(t *testing.T) {
	for _, e := range []float64{0.2, 0.5, 0.8, 1} {
		for _, speed := range []float64{2, 5, 20} {
			for _, s := range []shape.Shape{shape.Must(shape.NewSphere(0.5)), cube(0.5), shape.Must(shape.NewCapsule(0.3, 0.4))} {
				b := dynamic(s, geom.V3(0, 2, 0))
				b.Def.Restitution, b.Def.Gravity = float32(e), 0
				b.State.Vel.Y = float32(-speed)
				r := stack(false, b)
				for r.step < 120 && r.w.States()[0].Vel.Y <= 0 {
					r.next()
				}
				r.next() // the contact is over
				got := float64(r.w.States()[0].Vel.Y) / speed
				if !(math.Abs(got/e-1) < 0.05) {
					t.Errorf("restitution %v at %v m/s, shape %v: %v", e, speed, s.Kind, got)
				}
			}
		}
	}
}

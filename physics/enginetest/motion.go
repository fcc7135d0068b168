package enginetest

import (
	"math"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

var motionChecks = []check{
	{"free fall follows the closed form", freeFall},
	{"what is thrown flies a parabola", thrown},
	{"without forces velocity and spin stay", inertia},
	{"an impulse changes velocity by p/m", impulse},
	{"an impulse off the centre turns", offCentre},
	{"Move teleports", teleport},
	{"the share of gravity", gravityShare},
	{"damping", damping},
	{"locks hold", locks},
	{"a kinematic body goes its way", kinematic},
	{"no state is ever without a number", alwaysNumbers},
}

const g = 9.81

func freeFall(x *exam) {
	x.start(physics.Config{Gravity: physics.Earth})
	x.loose(1, x.shapes.ball, 0, 0, 0)
	x.loose(2, x.shapes.cube, 5, 0, 0)
	for n := 1; n <= 120; n++ {
		x.Step()
		t := float64(n) * dt
		for id := physics.ID(1); id <= 2; id++ {
			s := x.state(id)
			x.near("the speed of a fall", float64(s.Vel.Y), -g*t, sameValue*g*t)
			// One step of Euler's takes half a step's way more than the parabola; a
			// finer one is between the two.
			low, high := -g*t*(float64(n+1)*dt)/2, -g*t*t/2
			if y := float64(s.Pos.Y); y < low*(1+sameValue) || y > high*(1-sameValue) {
				x.Errorf("after %d steps of free fall the height is %.5g, want %.5g to %.5g", n, y, low, high)
				return
			}
		}
	}
}

func thrown(x *exam) {
	x.start(physics.Config{Gravity: physics.Earth})
	s := physics.At(geom.V3(0, 10, 0), geom.Identity())
	s.Vel = geom.V3(5, 8, -3)
	x.add(1, physics.NewDef(physics.Dynamic, x.shapes.ball), s)
	x.run(1)
	got := x.state(1)
	x.near("x of a throw", float64(got.Pos.X), 5, 5*sameValue)
	x.near("z of a throw", float64(got.Pos.Z), -3, 3*sameValue)
	x.near("y of a throw", float64(got.Pos.Y), 10+8-g/2-g*dt/4, g*dt/4+0.01)
	x.nearVec("the velocity of a throw", got.Vel, geom.V3(5, 8-g, -3), 10*sameValue)
}

func inertia(x *exam) {
	x.start(physics.Config{})
	s := physics.State{Rot: geom.Identity(), Vel: geom.V3(1, 2, -3), Spin: geom.V3(0, math.Pi/2, 0)}
	x.add(1, physics.NewDef(physics.Dynamic, x.shapes.cube), s)
	x.run(1)
	got := x.state(1)
	x.nearVec("the velocity", got.Vel, s.Vel, sameValue)
	x.nearVec("the spin", got.Spin, s.Spin, sameValue)
	x.nearVec("the way", got.Pos, s.Vel, 3*sameValue)
	x.nearVec("where X turned", got.Rot.Rotate(geom.V3(1, 0, 0)), geom.V3(0, 0, -1), 2*sameValue)
}

func impulse(x *exam) {
	x.start(physics.Config{})
	x.loose(1, x.shapes.cube, 3, 0, 0) // 1000 kg
	d := physics.NewDef(physics.Dynamic, x.shapes.ball)
	d.Density = 500
	x.add(2, d, physics.At(geom.V3(-3, 0, 0), geom.Identity()))
	for id, m := range map[physics.ID]float64{1: 1000, 2: 500 * math.Pi / 6} {
		at := x.state(id).Pos
		for n := 1; n <= 2; n++ {
			if err := x.ApplyImpulse(id, geom.V3(0, 300, 40), at); err != nil {
				x.fatal("ApplyImpulse: %v", err)
			}
			got := x.state(id)
			x.near("the velocity up", float64(got.Vel.Y), float64(n)*300/m, sameValue)
			x.near("the velocity along", float64(got.Vel.Z), float64(n)*40/m, sameValue)
			x.nearVec("the spin of a push through the centre", got.Spin, geom.Vec3{}, 1e-5)
		}
		x.Step()
		x.near("the velocity a step later", float64(x.state(id).Vel.Y), 600/m, sameValue)
	}
}

func offCentre(x *exam) {
	x.start(physics.Config{})
	x.add(1, physics.NewDef(physics.Dynamic, x.shapes.cube), physics.At(geom.V3(0, 9, 0), quat(0, 0, 1, 0.7)))
	if err := x.ApplyImpulse(1, geom.V3(0, 0, 100), geom.V3(0.5, 9, 0)); err != nil {
		x.fatal("ApplyImpulse: %v", err)
	}
	want := geom.V3(0, -100*0.5/(1000.0/6), 0) // a cube's inertia is m/6 about any axis
	x.nearVec("the spin", x.state(1).Spin, want, sameValue)
	x.nearVec("the velocity", x.state(1).Vel, geom.V3(0, 0, 0.1), 1e-5)
	x.Step()
	x.nearVec("the spin a step later", x.state(1).Spin, want, sameValue)
}

func teleport(x *exam) {
	x.start(physics.Config{Gravity: physics.Earth, Past: 4})
	x.still(1, x.shapes.ground, 0, -1, 0)
	x.still(2, x.shapes.cube, 0, 5, 0)
	x.loose(3, x.shapes.ball, -5, 5, 0)
	x.Step()
	to, turned := geom.V3(5, 5, 0), quat(1, 0, 0, 0.5)
	if err := x.Move(3, to, turned); err != nil {
		x.fatal("Move: %v", err)
	}
	got := x.state(3)
	x.nearVec("the position after Move", got.Pos, to, 0)
	if got.Rot.Dot(turned) < 1-1e-6 {
		x.Errorf("the rotation after Move is %v, want %v", got.Rot, turned)
	}
	down := geom.V3(0, -20, 0)
	if h, ok := x.RayCast(geom.V3(5, 10, 0), down, nil); !ok || h.ID != 3 {
		x.Errorf("before the next step a ray meets %+v, not the body where it was moved", h)
	}
	if h, ok := x.RayCast(geom.V3(-5, 10, 0), down, nil); !ok || h.ID != 1 {
		x.Errorf("before the next step a ray meets %+v where the body was", h)
	}
	x.Step()
	x.nearVec("the position a step after Move", x.state(3).Pos, to, 0.02)
	x.nearVec("the static body on its way", x.state(2).Pos, geom.V3(0, 5, 0), 0)
	x.run(restTime)
	x.near("the height at which it lies", float64(x.state(3).Pos.Y), 0.5, restDepth)
}

func gravityShare(x *exam) {
	x.start(physics.Config{Gravity: geom.V3(2, -4, 0)})
	for id, share := range []float32{0, 0.5, 1, -1} {
		d := physics.NewDef(physics.Dynamic, x.shapes.ball)
		d.Gravity = share
		x.add(physics.ID(id+1), d, physics.At(geom.V3(0, 0, 5*float32(id)), geom.Identity()))
	}
	x.run(1)
	for id, share := range []float32{0, 0.5, 1, -1} {
		x.nearVec("the velocity", x.state(physics.ID(id+1)).Vel, geom.V3(2*share, -4*share, 0), 5*sameValue)
	}
}

func damping(x *exam) {
	x.start(physics.Config{})
	d := physics.NewDef(physics.Dynamic, x.shapes.ball)
	d.LinearDamping, d.AngularDamping = 1, 2
	x.add(1, d, physics.State{Rot: geom.Identity(), Vel: geom.V3(4, 0, 0), Spin: geom.V3(0, 4, 0)})
	x.run(1)
	s := x.state(1)
	x.near("the velocity after a second of damping by 1", float64(s.Vel.X), 4/math.E, 4*dampTo)
	x.near("the spin after a second of damping by 2", float64(s.Spin.Y), 4/math.E/math.E, 4*dampTo)
}

func locks(x *exam) {
	x.start(physics.Config{Gravity: geom.V3(3, -9, 6)})
	for i := range 6 {
		d := physics.NewDef(physics.Dynamic, x.shapes.cube)
		d.Lock = physics.LockX << i
		x.add(physics.ID(i+1), d, physics.At(geom.V3(0, 0, float32(i)*100), geom.Identity()))
	}
	for i := range 6 {
		id := physics.ID(i + 1)
		p := x.state(id).Pos
		for _, at := range []geom.Vec3{geom.V3(.5, 0, 0), geom.V3(0, .5, 0), geom.V3(0, 0, .5)} { // turns it about every axis
			if err := x.ApplyImpulse(id, geom.V3(100, 200, 300), p.Add(at)); err != nil {
				x.fatal("ApplyImpulse: %v", err)
			}
		}
		x.run(0.5)
		s := x.state(id)
		way := s.Pos.Sub(p)
		for n, v := range []float32{way.X, way.Y, way.Z, s.Spin.X, s.Spin.Y, s.Spin.Z} {
			switch {
			case n == i && geom.Abs(v) > 1e-6:
				x.Errorf("lock %d of 6 lets go: way %v, spin %v", i+1, way, s.Spin)
			case n != i && n < 3 && geom.Abs(v) < 0.1 || n != i && n >= 3 && geom.Abs(v) < 0.01:
				x.Errorf("lock %d of 6 holds more than its own: way %v, spin %v", i+1, way, s.Spin)
			}
		}
	}
}

func kinematic(x *exam) {
	x.start(physics.Config{Gravity: physics.Earth})
	x.still(1, x.shapes.cube, 3, 0, 0)
	s := physics.At(geom.Vec3{}, geom.Identity())
	s.Vel, s.Spin = geom.V3(2, 0, 0), geom.V3(0, math.Pi/2, 0)
	x.add(2, physics.NewDef(physics.Kinematic, x.shapes.cube), s)
	d := physics.NewDef(physics.Dynamic, x.shapes.ball)
	d.Gravity = 0
	x.add(3, d, physics.At(geom.V3(1.4, 0, 0), geom.Identity()))
	x.run(1)
	got := x.state(2)
	x.nearVec("the way of a kinematic body", got.Pos, geom.V3(2, 0, 0), 5*sameValue)
	x.nearVec("its velocity", got.Vel, s.Vel, sameValue)
	x.nearVec("where X turned", got.Rot.Rotate(geom.V3(1, 0, 0)), geom.V3(0, 0, -1), 5*sameValue)
	if pushed := x.state(3).Pos; pushed.X < 1.5 && geom.Abs(pushed.Z) < 0.1 && geom.Abs(pushed.Y) < 0.1 {
		x.Errorf("a kinematic body went through a ball, which is at %v", pushed)
	}
	x.run(1)
	x.nearVec("its way through a static body", x.state(2).Pos, geom.V3(4, 0, 0), 10*sameValue)
}

// alwaysNumbers lets many bodies start in one point.
func alwaysNumbers(x *exam) {
	x.start(physics.Config{Gravity: physics.Earth})
	x.still(1, x.shapes.ground, 0, -1, 0)
	for id := physics.ID(2); id < 40; id += 3 {
		x.loose(id, x.shapes.cube, 0, 2, 0)
		x.loose(id+1, x.shapes.ball, 0, 2, 0)
		x.loose(id+2, x.shapes.capsule, 0, 2, 0)
	}
	for range 120 {
		x.Step()
		for id := physics.ID(1); id < 41; id++ {
			if s := x.state(id); !s.Pos.Finite() || !s.Rot.Finite() || !s.Vel.Finite() || !s.Spin.Finite() {
				x.fatal("body %d is %v", id, s)
			}
			if q := x.state(id).Rot; geom.Abs(q.Dot(q)-1) > sameValue {
				x.fatal("the rotation of body %d is not of length 1: %v", id, q)
			}
		}
	}
}

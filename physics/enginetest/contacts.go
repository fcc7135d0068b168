package enginetest

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

var contactChecks = []check{
	{"what falls comes to rest", comesToRest},
	{"hulls and compounds come to rest", oddShapesRest},
	{"a stack stands", stackStands},
	{"friction stops a slide", friction},
	{"restitution throws back", restitution},
	{"layers touch where both sides agree", layersTouch},
	{"a sensor touches nothing", sensorTouchesNothing},
	{"what lies still sleeps and is woken", sleep},
	{"what is removed carries nothing", removedSupport},
}

func comesToRest(x *exam) {
	x.start(physics.Config{Gravity: physics.Earth})
	x.still(1, x.shapes.ground, 0, -1, 0)
	x.still(2, x.shapes.mesh, 100, 0, 0)
	id := physics.ID(10)
	var heights []float32
	for _, on := range []float32{0, 100} {
		for i, s := range []shape.Shape{x.shapes.ball, x.shapes.cube, x.shapes.capsule} {
			d := physics.NewDef(physics.Dynamic, s)
			h := float32(0.5)
			if s.Kind == shape.Capsule {
				d.Lock, h = physics.LockSpin, 0.9
			}
			x.add(id, d, physics.At(geom.V3(on+1.7, h+0.3, float32(float32(i)*2.5)-3.1), geom.Identity()))
			heights = append(heights, h)
			id++
		}
	}
	x.run(restTime)
	for i, h := range heights {
		s := x.state(physics.ID(10 + i))
		x.near("the height at which a body lies", float64(s.Pos.Y), float64(h), restDepth)
		x.near("its speed", float64(s.Vel.Len()), 0, restSpeed)
	}
}

// oddShapesRest: a hull lies on a face, 1 m under its centre; a dumbbell on its
// box and its ball, its rod level.
func oddShapesRest(x *exam) {
	x.start(physics.Config{Gravity: physics.Earth})
	x.still(1, x.shapes.ground, 0, -1, 0)
	tilt := geom.FromAxisAngle(v(1, 0, -1).Norm(), 0.9553166) // turns a diagonal to Y
	x.add(2, physics.NewDef(physics.Dynamic, x.shapes.hull), physics.At(v(0, 1.2, 0), tilt))
	x.loose(3, x.shapes.compound, 5, .8, 0)
	x.add(4, physics.NewDef(physics.Dynamic, x.shapes.compound), physics.At(v(10, .8, 0), quat(0, 1, 0, 1)))
	x.run(restTime)
	x.near("the height at which a hull lies", float64(x.state(2).Pos.Y), 1, restDepth)
	for id := physics.ID(2); id <= 4; id++ {
		s := x.state(id)
		x.near("its speed", float64(s.Vel.Len()), 0, restSpeed)
		if id > 2 {
			x.near("the height at which a dumbbell lies", float64(s.Pos.Y), .5, restDepth)
			x.near("how level it is", float64(s.Rot.Rotate(v(1, 0, 0)).Y), 0, restDepth)
		}
	}
}

func stackStands(x *exam) {
	x.start(physics.Config{Gravity: physics.Earth, NoSleep: true})
	x.still(1, x.shapes.ground, 0, -1, 0)
	const n = 5
	for i := range n {
		x.loose(physics.ID(i+2), x.shapes.cube, 0, float32(i)+0.5, 0)
	}
	x.run(5)
	for i := range n {
		s := x.state(physics.ID(i + 2))
		x.near("the height of a cube of the stack", float64(s.Pos.Y), float64(i)+0.5, 2*restDepth)
		x.near("its distance from the axis", float64(geom.V3(s.Pos.X, 0, s.Pos.Z).Len()), 0, 0.05)
		x.near("its speed", float64(s.Vel.Len()), 0, restSpeed)
	}
}

// friction: of a pair it is the root of the product.
func friction(x *exam) {
	x.start(physics.Config{Gravity: physics.Earth})
	d := physics.NewDef(physics.Static, x.shapes.ground)
	d.Friction = 0.25
	x.add(1, d, physics.At(geom.V3(0, -1, 0), geom.Identity()))
	for i, f := range []float32{1, 0.16, 0} {
		d := physics.NewDef(physics.Dynamic, shape.Must(shape.NewBox(geom.V3(1, .1, 1))))
		d.Friction = f
		s := physics.At(geom.V3(-20, 0.1, 5*float32(i)), geom.Identity())
		s.Vel = geom.V3(4, 0, 0)
		x.add(physics.ID(i+2), d, s)
	}
	x.run(5)
	for i, mu := range []float64{0.5, 0.2} {
		way := 16 / (2 * mu * g)
		x.near("how far a box slides", float64(x.state(physics.ID(i+2)).Pos.X)+20, way, slideTo*way)
	}
	x.near("how far a box slides without friction", float64(x.state(4).Pos.X)+20, 20, 20*slideTo)
}

// restitution: of a pair it is the larger.
func restitution(x *exam) {
	x.start(physics.Config{Gravity: physics.Earth})
	d := physics.NewDef(physics.Static, x.shapes.ground)
	d.Restitution = 0.3
	x.add(1, d, physics.At(geom.V3(0, -1, 0), geom.Identity()))
	for i, e := range []float32{0.8, 0} {
		d := physics.NewDef(physics.Dynamic, x.shapes.ball)
		d.Restitution = e
		x.add(physics.ID(i+2), d, physics.At(geom.V3(5*float32(i), 5.5, 0), geom.Identity()))
	}
	var top [2]float32
	down := [2]bool{}
	for range 150 {
		x.Step()
		for i := range top {
			s := x.state(physics.ID(i + 2))
			down[i] = down[i] || s.Vel.Y > 0
			if h := s.Pos.Y - 0.5; down[i] && h > top[i] {
				top[i] = h
			}
		}
	}
	x.near("how high a ball of 0.8 springs from 5 m", float64(top[0]), 5*0.64, 5*0.64*bounceTo)
	x.near("how high a ball springs from a ground of 0.3", float64(top[1]), 5*0.09, 5*0.64*bounceTo/2)
}

func layersTouch(x *exam) {
	x.start(physics.Config{Gravity: physics.Earth})
	floor := func(id physics.ID, at float32, layer uint8, mask uint32) {
		d := physics.NewDef(physics.Static, x.shapes.ground)
		d.Layer, d.Collides = layer, mask
		x.add(id, d, physics.At(geom.V3(at, -1, 0), geom.Identity()))
	}
	const all = ^uint32(0)
	cases := []struct {
		layer      uint8
		mask       uint32
		floorLayer uint8
		floorMask  uint32
		falls      bool
	}{
		{0, all, 0, all, false},
		{3, all, 5, all, false},
		{3, 1 << 5, 5, 1 << 3, false},
		{3, all &^ (1 << 5), 5, all, true},     // it does not want
		{3, all, 5, all &^ (1 << 3), true},     // the floor does not want
		{3, 1 << 5, 21, 1 << 3, true},          // 21 is not 5
		{19, all, 21, all &^ (1 << 19), true},  // nor is 19 3
		{19, 1 << 21, 21, 1 << 19, false},      //
		{3, 1 << 21, 21, 1 << 3, false},        //
		{31, 1 << 16, 16, 1 << 31, false},      //
		{31, all &^ (1 << 16), 16, all, true},  //
		{15, all &^ (1 << 31), 15, all, false}, // 31 is not 15
		{0, 0, 0, all, true},                   // nobody
	}
	for i, c := range cases {
		floor(physics.ID(2*i+1), 200*float32(i), c.floorLayer, c.floorMask)
		d := physics.NewDef(physics.Dynamic, x.shapes.ball)
		d.Layer, d.Collides = c.layer, c.mask
		x.add(physics.ID(2*i+2), d, physics.At(geom.V3(200*float32(i), 0.6, 0), geom.Identity()))
	}
	x.run(1)
	for i, c := range cases {
		if y := x.state(physics.ID(2*i + 2)).Pos.Y; (y < 0) != c.falls {
			x.Errorf("layer %d that touches %#x on layer %d that touches %#x: at %.3g, falls through should be %v",
				c.layer, c.mask, c.floorLayer, c.floorMask, y, c.falls)
		}
	}
}

func sensorTouchesNothing(x *exam) {
	x.start(physics.Config{Gravity: physics.Earth})
	d := physics.NewDef(physics.Static, x.shapes.ground)
	d.Flags = physics.Sensor
	x.add(1, d, physics.At(geom.V3(0, -1, 0), geom.Identity()))
	x.loose(2, x.shapes.ball, 0, 1, 0)
	x.run(1)
	x.near("the height after a second of fall through a sensor", float64(x.state(2).Pos.Y), 1-g/2, 0.1)
}

func sleep(x *exam) {
	for _, no := range []bool{false, true} {
		x.start(physics.Config{Gravity: physics.Earth, NoSleep: no})
		x.still(1, x.shapes.ground, 0, -1, 0)
		x.loose(2, x.shapes.cube, 0, 0.5, 0)
		x.run(sleepTime)
		if asleep := x.state(2).Still == physics.Asleep; asleep == no {
			x.Errorf("NoSleep %v: a cube that lies still is asleep: %v", no, asleep)
		}
		p := x.state(2).Pos
		if err := x.ApplyImpulse(2, geom.V3(0, 3000, 0), p); err != nil {
			x.fatal("ApplyImpulse: %v", err)
		}
		x.run(0.2)
		x.near("the height after a push up", float64(x.state(2).Pos.Y), float64(p.Y)+3*0.2-g*0.02, 0.05)
	}
}

func removedSupport(x *exam) {
	x.start(physics.Config{Gravity: physics.Earth})
	x.still(1, x.shapes.ground, 0, -1, 0)
	x.loose(2, x.shapes.cube, 0, 0.5, 0)
	x.loose(3, x.shapes.cube, 0, 1.5, 0)
	x.run(sleepTime)
	x.Remove(2)
	x.run(1.5)
	x.near("the height of what lay on a cube that was removed", float64(x.state(3).Pos.Y), 0.5, restDepth)
	x.Remove(1)
	x.run(1)
	if y := x.state(3).Pos.Y; y > -2 {
		x.Errorf("the ground was removed, and what lay on it is at %.3g", y)
	}
}

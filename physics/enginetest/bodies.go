package enginetest

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

var bodyChecks = []check{
	{"bodies come and go", comeAndGo},
	{"orphans are removed", orphans},
	{"ids that are wrong", wrongIDs},
	{"values that are wrong", wrongValues},
	{"rotations that are wrong", wrongRotations},
	{"shapes that are wrong", wrongShapes},
	{"kinds that are wrong", wrongKinds},
	{"a state is what was written", written},
	{"an id is used again", usedAgain},
}

func comeAndGo(x *exam) {
	x.start(physics.Config{})
	if x.Has(7) {
		x.Errorf("an empty engine has body 7")
	}
	if _, ok := x.State(7); ok {
		x.Errorf("an empty engine has a state of body 7")
	}
	if x.Remove(7) {
		x.Errorf("an empty engine removed body 7")
	}
	for _, id := range []physics.ID{7, 3, 1 << 31, 5} {
		x.loose(id, x.shapes.ball, float32(id%100)*3, 0, 0)
	}
	x.Step()
	if !x.Remove(3) || x.Remove(3) {
		x.Errorf("body 3 is removed once, and not twice")
	}
	x.Step()
	for id, want := range map[physics.ID]bool{7: true, 3: false, 1 << 31: true, 5: true, 6: false, 0: false} {
		if _, ok := x.State(id); ok != want || x.Has(id) != want {
			x.Errorf("body %d: Has %v, State %v, want %v", id, x.Has(id), ok, want)
		}
	}
	if _, ok := x.RayCast(geom.V3(9, 5, 0), geom.V3(0, -10, 0), nil); ok {
		x.Errorf("a ray meets a body that was removed")
	}
}

func orphans(x *exam) {
	x.start(physics.Config{})
	x.still(1, x.shapes.ground, 0, -1, 0)
	x.add(2, physics.NewDef(physics.Kinematic, x.shapes.cube), physics.At(geom.V3(-9, 5, 0), geom.Identity()))
	for id := physics.ID(3); id < 9; id++ {
		x.loose(id, x.shapes.ball, 4*float32(id), 5, 0)
	}
	x.Step()
	x.RemoveOrphans([]physics.ID{4, 5, 8, 100})
	for id, want := range map[physics.ID]bool{1: true, 2: true, 3: false, 4: true, 5: true, 6: false, 7: false, 8: true, 100: false} {
		if x.Has(id) != want {
			x.Errorf("after RemoveOrphans(4, 5, 8, 100): Has(%d) is %v", id, !want)
		}
	}
	x.Step()
	x.RemoveOrphans(nil)
	for id, want := range map[physics.ID]bool{1: true, 2: true, 4: false, 5: false, 8: false} {
		if x.Has(id) != want {
			x.Errorf("after RemoveOrphans(nil): Has(%d) is %v", id, !want)
		}
	}
}

func wrongIDs(x *exam) {
	x.start(physics.Config{})
	d, s := physics.NewDef(physics.Dynamic, x.shapes.ball), physics.At(geom.V3(1, 2, 3), geom.Identity())
	x.isErr("Add of id 0", x.Add(0, d, s), physics.ErrID)
	x.add(5, d, s)
	x.isErr("Add of an id that is there", x.Add(5, d, physics.At(geom.V3(9, 9, 9), geom.Identity())), physics.ErrExists)
	x.nearVec("the body that was there", x.state(5).Pos, s.Pos, 0)
	for _, id := range []physics.ID{0, 6} {
		x.isErr("Move of nobody", x.Move(id, s.Pos, s.Rot), physics.ErrUnknown)
		x.isErr("SetVelocity of nobody", x.SetVelocity(id, geom.Vec3{}, geom.Vec3{}), physics.ErrUnknown)
		x.isErr("ApplyImpulse to nobody", x.ApplyImpulse(id, geom.Vec3{}, geom.Vec3{}), physics.ErrUnknown)
	}
}

// bad are values that no engine takes.
var bad = []float32{nan, inf, -inf, 1e30}

func wrongValues(x *exam) {
	x.start(physics.Config{})
	def, at := physics.NewDef(physics.Dynamic, x.shapes.cube), physics.At(geom.V3(1, 2, 3), geom.Identity())
	x.add(1, def, at)
	before := x.state(1)
	for _, b := range bad {
		for i, where := range []string{"Pos.X", "Pos.Y", "Pos.Z", "Vel.X", "Vel.Y", "Vel.Z", "Spin.X", "Spin.Y", "Spin.Z", "Rot.X", "Rot.W"} {
			s := at
			p := []*float32{&s.Pos.X, &s.Pos.Y, &s.Pos.Z, &s.Vel.X, &s.Vel.Y, &s.Vel.Z, &s.Spin.X, &s.Spin.Y, &s.Spin.Z, &s.Rot.X, &s.Rot.W}[i]
			*p = b
			if i >= 9 && geom.Finite(b) { // a rotation is made of length 1
				continue
			}
			x.isErr("Add with bad "+where, x.Add(9, def, s), physics.ErrValue)
			switch i / 3 {
			case 0, 3:
				x.isErr("Move with bad "+where, x.Move(1, s.Pos, s.Rot), physics.ErrValue)
			default:
				x.isErr("SetVelocity with bad "+where, x.SetVelocity(1, s.Vel, s.Spin), physics.ErrValue)
			}
		}
		for i, where := range []string{"Density", "Friction", "Restitution", "LinearDamping", "AngularDamping", "Gravity"} {
			d := def
			*[]*float32{&d.Density, &d.Friction, &d.Restitution, &d.LinearDamping, &d.AngularDamping, &d.Gravity}[i] = b
			x.isErr("Add with bad "+where, x.Add(9, d, at), physics.ErrValue)
		}
		x.isErr("ApplyImpulse of a bad impulse", x.ApplyImpulse(1, geom.V3(0, b, 0), at.Pos), physics.ErrValue)
		x.isErr("ApplyImpulse at a bad point", x.ApplyImpulse(1, geom.V3(0, 1, 0), geom.V3(0, 0, b)), physics.ErrValue)
	}
	for _, f := range []func(*physics.Def){
		func(d *physics.Def) { d.Friction = -1 }, func(d *physics.Def) { d.Restitution = -1 }, func(d *physics.Def) { d.Density = -1 },
		func(d *physics.Def) { d.LinearDamping = -1 }, func(d *physics.Def) { d.AngularDamping = -1 }, func(d *physics.Def) { d.Layer = 32 },
	} {
		d := def
		f(&d)
		x.isErr("Add of a negative value, or layer 32", x.Add(9, d, at), physics.ErrValue)
	}
	if x.Has(9) || x.state(1) != before {
		x.Errorf("after errors: Has(9) is %v, body 1 is %v, was %v", x.Has(9), x.state(1), before)
	}
}

// wrongRotations are refused or made right.
func wrongRotations(x *exam) {
	x.start(physics.Config{})
	for i, q := range []geom.Quat{{}, {W: 5}, {X: 1e-3, W: 1e-3}, {X: 1e30}, {Y: 3e-30}, {X: 1, Y: 1, Z: 1, W: -1}} {
		id := physics.ID(i + 1)
		if err := x.Add(id, physics.NewDef(physics.Dynamic, x.shapes.cube), physics.At(geom.V3(9*float32(i), 0, 0), q)); err != nil {
			x.isErr("Add with a rotation that is not of length 1", err, physics.ErrValue)
			continue
		}
		for range 2 {
			r := x.state(id).Rot
			x.near("the length of a rotation", float64(r.Dot(r)), 1, sameValue)
			if l := q.Dot(q); geom.Finite(l) && l > 1e-20 && geom.Abs(r.Dot(q.Norm())) < 1-1e-5 {
				x.Errorf("the rotation %v became %v", q, r)
			}
			x.Step()
		}
	}
}

func wrongShapes(x *exam) {
	x.start(physics.Config{})
	at := physics.At(geom.Vec3{}, geom.Identity())
	for _, s := range []shape.Shape{x.shapes.mesh, x.shapes.field} {
		for _, k := range []physics.Kind{physics.Kinematic, physics.Dynamic} {
			x.isErr("Add of a mesh that moves", x.Add(1, physics.NewDef(k, s), at), physics.ErrShape)
		}
	}
	for _, k := range []shape.Kind{shape.Hull, shape.Compound, shape.Mesh, shape.Field} {
		s := shape.Shape{Kind: k, Ref: 77}
		x.isErr("Add of a shape that the store does not have", x.Add(1, physics.NewDef(physics.Static, s), at), physics.ErrShape)
	}
	x.isErr("Add of a shape of no kind", x.Add(1, physics.NewDef(physics.Static, shape.Shape{Kind: 99, A: 1, B: 1, C: 1}), at), physics.ErrShape)
	if x.Has(1) {
		x.Errorf("a body came of errors")
	}
}

func wrongKinds(x *exam) {
	x.start(physics.Config{})
	at := physics.At(geom.Vec3{}, geom.Identity())
	x.isErr("Add of kind 9", x.Add(1, physics.NewDef(9, x.shapes.cube), at), physics.ErrKind)
	x.still(1, x.shapes.cube, 0, 0, 0)
	x.add(2, physics.NewDef(physics.Kinematic, x.shapes.cube), physics.At(geom.V3(5, 0, 0), geom.Identity()))
	x.isErr("SetVelocity of a static body", x.SetVelocity(1, geom.V3(1, 0, 0), geom.Vec3{}), physics.ErrKind)
	x.isErr("ApplyImpulse to a static body", x.ApplyImpulse(1, geom.V3(1, 0, 0), geom.Vec3{}), physics.ErrKind)
	x.isErr("ApplyImpulse to a kinematic body", x.ApplyImpulse(2, geom.V3(1, 0, 0), geom.Vec3{}), physics.ErrKind)
}

func written(x *exam) {
	x.start(physics.Config{})
	s := physics.State{Pos: geom.V3(1, 2, 3), Rot: quat(0, 1, 0, 1), Vel: geom.V3(4, 5, 6), Spin: geom.V3(.1, .2, .3)}
	for id, k := range []physics.Kind{physics.Kinematic, physics.Dynamic} {
		x.add(physics.ID(id+1), physics.NewDef(k, x.shapes.cube), s)
		got := x.state(physics.ID(id + 1))
		x.nearVec("the position", got.Pos, s.Pos, 0)
		x.nearVec("the velocity", got.Vel, s.Vel, 0)
		x.nearVec("the spin", got.Spin, s.Spin, 0)
		if d := got.Rot.Dot(s.Rot); d < 1-1e-6 {
			x.Errorf("the rotation is %v, was %v", got.Rot, s.Rot)
		}
		if x.SetVelocity(physics.ID(id+1), geom.V3(7, 0, 0), geom.V3(0, 8, 0)) != nil {
			x.Errorf("SetVelocity gives an error")
		}
		got = x.state(physics.ID(id + 1))
		x.nearVec("the velocity", got.Vel, geom.V3(7, 0, 0), 0)
		x.nearVec("the spin", got.Spin, geom.V3(0, 8, 0), 0)
		x.nearVec("the position", got.Pos, s.Pos, 0)
	}
}

func usedAgain(x *exam) {
	x.start(physics.Config{})
	x.loose(1, x.shapes.cube, 0, 0, 0)
	if err := x.SetVelocity(1, geom.V3(30, 0, 0), geom.V3(0, 3, 0)); err != nil {
		x.fatal("SetVelocity: %v", err)
	}
	x.Step()
	x.Remove(1)
	x.loose(1, x.shapes.ball, 0, 50, 0)
	x.Step()
	s := x.state(1)
	x.nearVec("a new body of an old id", s.Pos, geom.V3(0, 50, 0), sameLen)
	x.nearVec("its velocity", s.Vel, geom.Vec3{}, sameLen)
	h, ok := x.RayCast(geom.V3(0.45, 60, 0.45), geom.V3(0, -20, 0), nil)
	if ok {
		x.Errorf("a ray past the ball meets the corner of the cube that is no more: %+v", h)
	}
}

package enginetest

import (
	"fmt"
	"math"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// Make returns an empty engine. The suite asks for many, with shapes of its own
// in the Config's Store.
type Make func(physics.Config) (physics.Engine, error)

// Test puts an engine to the whole suite.
func Test(t *testing.T, make Make) {
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) { c.on(t, make) })
	}
}

// TB is what a check needs of a test.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// check is one thing that an engine must do.
type check struct {
	name string
	do   func(x *exam)
}

var checks = concat(bodyChecks, motionChecks, contactChecks, castChecks, overlapChecks, pastChecks, orderChecks)

func concat(all ...[]check) (c []check) {
	for _, a := range all {
		c = append(c, a...)
	}
	return c
}

// stopped is what a check panics with that cannot go on.
type stopped struct{}

// on puts an engine to one check.
func (c check) on(t TB, make Make) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stopped); !ok {
				panic(r)
			}
		}
	}()
	c.do(&exam{TB: t, make: make})
}

// exam is one engine that is put to a check.
type exam struct {
	TB
	physics.Engine
	make   Make
	shapes shapes
}

// shapes are what the suite makes bodies of.
type shapes struct {
	store                       *shape.Store
	ball, cube, capsule, ground shape.Shape
	mesh, field                 shape.Shape
	hull, compound              shape.Shape
}

// start makes an engine without bodies.
func (x *exam) start(cfg physics.Config) {
	x.Helper()
	st := &shape.Store{}
	x.shapes = shapes{
		store: st,
		ball:  shape.Must(shape.NewSphere(0.5)), cube: shape.Must(shape.NewBox(geom.V3(.5, .5, .5))),
		capsule: shape.Must(shape.NewCapsule(0.4, 0.5)), ground: shape.Must(shape.NewBox(geom.V3(50, 1, 50))),
		// A square of 20 m at height 0 of two triangles that look up, 0 where x and
		// z are negative, 1 where they are positive.
		mesh: shape.Must(st.AddMesh(
			[]geom.Vec3{{X: -10, Z: -10}, {X: -10, Z: 10}, {X: 10, Z: -10}, {X: 10, Z: 10}},
			[][3]uint32{{0, 1, 2}, {2, 1, 3}})),
		// A slope from (0,0,0) on that climbs 1 m in 4 along X.
		field: shape.Must(st.AddField(5, 5, 4, []float32{
			0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4})),
		// Eight sides of which each is 1 m from the origin along a diagonal.
		hull: shape.Must(st.AddHull([]geom.Vec3{{X: root3}, {X: -root3}, {Y: root3}, {Y: -root3}, {Z: root3}, {Z: -root3}})),
	}
	x.shapes.compound = shape.Must(st.AddCompound([]shape.Piece{ // a dumbbell along X
		{Shape: x.shapes.cube, Pos: geom.V3(-1, 0, 0), Rot: geom.Identity()},
		{Shape: shape.Must(shape.NewCapsule(0.2, 0.8)), Rot: quat(0, 0, 1, math.Pi/2)},
		{Shape: x.shapes.ball, Pos: geom.V3(1, 0, 0), Rot: geom.Identity()},
	}))
	cfg.Shapes = st
	e, err := x.make(cfg)
	if err != nil {
		x.fatal("no engine: %v", err)
	}
	x.Engine = e
}

func (x *exam) fatal(format string, args ...any) {
	x.Helper()
	x.Errorf(format, args...)
	panic(stopped{})
}

// still adds a body that does not move of itself.
func (x *exam) still(id physics.ID, s shape.Shape, x0, y0, z0 float32) {
	x.Helper()
	x.add(id, physics.NewDef(physics.Static, s), physics.At(geom.V3(x0, y0, z0), geom.Identity()))
}

// loose adds a dynamic body.
func (x *exam) loose(id physics.ID, s shape.Shape, x0, y0, z0 float32) {
	x.Helper()
	x.add(id, physics.NewDef(physics.Dynamic, s), physics.At(geom.V3(x0, y0, z0), geom.Identity()))
}

func (x *exam) add(id physics.ID, d physics.Def, s physics.State) {
	x.Helper()
	if err := x.Add(id, d, s); err != nil {
		x.fatal("adding body %d: %v", id, err)
	}
}

// state returns the state of a body that must be there.
func (x *exam) state(id physics.ID) physics.State {
	x.Helper()
	s, ok := x.State(id)
	if !ok {
		x.fatal("body %d has no state", id)
	}
	return s
}

// run steps for some seconds.
func (x *exam) run(seconds float64) {
	for range int(math.Round(seconds / dt)) {
		x.Step()
	}
}

// near reports a value that is not within tol of what it should be.
func (x *exam) near(what string, got, want, tol float64) {
	x.Helper()
	if !(math.Abs(got-want) <= tol) {
		x.Errorf("%s is %.5g, want %.5g within %.2g", what, got, want, tol)
	}
}

// nearVec is near for each coordinate.
func (x *exam) nearVec(what string, got, want geom.Vec3, tol float64) {
	x.Helper()
	d := got.Sub(want)
	if !(float64(geom.Abs(d.X)) <= tol && float64(geom.Abs(d.Y)) <= tol && float64(geom.Abs(d.Z)) <= tol) {
		x.Errorf("%s is %v, want %v within %.2g", what, got, want, tol)
	}
}

// isErr reports an error that is not the one that physics names.
func (x *exam) isErr(what string, got, want error) {
	x.Helper()
	if got != want {
		x.Errorf("%s: error %q, want %q", what, fmt.Sprint(got), want)
	}
}

// quat is a rotation about an axis.
func quat(ax, ay, az, angle float32) geom.Quat {
	return geom.FromAxisAngle(geom.V3(ax, ay, az), angle).Norm()
}

const root3 = 1.7320508

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

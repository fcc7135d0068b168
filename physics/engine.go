package physics

import "github.com/foretick/foretick/geom"

// Engine is what a game asks of physics, so that client and server may run
// different engines. World is one; package physics/rapier has another; package
// physics/enginetest says what all must do.
//
// The order within a tick: SetTick, Add and Remove, states into bodies, Step
// or Move, then read-only systems that query.
type Engine interface {
	Has(id ID) bool
	Add(id ID, d Def, s State) error
	Remove(id ID) bool
	RemoveOrphans(alive []ID) // removes dynamic bodies that are not in alive, which is ascending

	State(id ID) (State, bool)
	Move(id ID, pos geom.Vec3, rot geom.Quat) error // teleports
	SetVelocity(id ID, vel, spin geom.Vec3) error
	ApplyImpulse(id ID, impulse, at geom.Vec3) error // newton seconds, at a point of the world

	SetTick(t uint32) // the tick that the present is; poses are kept under it, see Query.Behind
	Step()            // the present moves on by one time step, and is recorded
	Record()          // keeps where all is at this tick: for games that move bodies and do not step

	RayCast(from, move geom.Vec3, q *Query) (Hit, bool)
	SphereCast(radius float32, from, move geom.Vec3, q *Query) (Hit, bool)
	CapsuleCast(c Capsule, move geom.Vec3, q *Query) (Hit, bool)
	CapsuleOverlap(c Capsule, q *Query, out []Overlap) []Overlap
}

// Query says what a query looks at. The zero Query, and nil, look at all
// bodies but sensors, in the present.
type Query struct {
	Layers uint32  // bit n: bodies of layer n; 0: all layers
	Ignore []ID    // not these; a short list
	Behind float32 // ticks into the past, with a fraction; 0 or less: the present; see World.Knows
}

// Hit is where a cast met a body. Fraction is of the move.
//
// A ray meets triangles from both sides; the normal always points against the
// move. A cast that starts inside a convex shape, or a sphere or capsule that
// starts more than 0.01 mm in anything, has Fraction 0 and Inside set; Normal
// is then the way out. One that only touches at its start is stopped if it
// moves further in, and free to move along or away: see shape.CastHit.
type Hit struct {
	ID       ID
	Child    uint16 // piece of a compound
	Inside   bool
	Back     bool   // a triangle was met from behind
	Feature  uint32 // triangle of a mesh or field
	Point    geom.Vec3
	Normal   geom.Vec3
	Fraction float32
}

// Overlap is one convex piece or triangle that a shape touches.
type Overlap struct {
	ID      ID
	Child   uint16
	Feature uint32
	Point   geom.Vec3
	Normal  geom.Vec3 // unit, the way out for the shape that asked
	Depth   float32   // metres to go along Normal
}

// Capsule is one in space, along the Y of Rot. HalfHeight is that of the
// cylinder and may be 0.
type Capsule struct {
	Pos                geom.Vec3
	Rot                geom.Quat
	Radius, HalfHeight float32
}

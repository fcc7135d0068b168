package physics

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// Config is what holds for a whole World, for its life.
type Config struct {
	Gravity geom.Vec3    // m/s^2; the zero value is none, see Earth
	Dt      float32      // seconds a step; 0: 1/60
	NoSleep bool         // nothing falls asleep
	Past    int          // ticks of poses kept for queries into the past; 0: none
	Shapes  *shape.Store // may be nil where no body needs it
}

// Earth is the gravity of a game on the ground.
var Earth = geom.Vec3{Y: -9.81}

// table is bodies in order of id.
type table struct {
	ids  []ID
	st   []State
	defs []Def
	mass []mass
	// version names one list of ids, defs and masses: equal versions, equal
	// lists. It saves copying them and is never part of a result.
	version uint64
}

// mass is what a step needs of a Def and its shape.
type mass struct {
	inv        float32   // 1/kg, 0: cannot be pushed
	invInertia geom.Mat3 // about the centre, in the body's axes
	inertia    geom.Mat3
	centre     geom.Vec3 // of mass, in the body's axes
	core       float32   // radius of a ball about the centre that is inside the shape
	reach      float32   // no point of the shape is further from the origin
	round      bool      // inertia is the same about all axes
}

// World is a set of bodies. See the package comment.
type World struct {
	cfg    Config
	tick   uint32
	moving table // dynamic and kinematic
	fixed  table // static
}

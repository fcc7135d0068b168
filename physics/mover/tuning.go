package mover

import "github.com/foretick/foretick/geom"

const (
	// skin is how far inside its capsule the character's casts begin, and the
	// gap they leave, in metres. Float32 is good to 8 micrometres at 100 m, so
	// what is a hair off stays out of touch; 2 cm are not seen, and are the
	// most that the capsule is ever inside a surface that stands still.
	skin = 0.02

	// ahead is how much further than a move a cast looks, in metres.
	ahead = 6 * skin

	// kept is the gap that is restored where it was lost: less than skin, so
	// that a character at rest is left alone.
	kept = skin / 2

	// slop is added to a push so that it is not repeated for a rounding.
	slop = 0.001

	// A ground this much further than skin below an airborne character is
	// landed on; more would pull it down visibly.
	landing = 0.01

	// At rest the gap to the ground may be from a quarter of skin to twice skin.
	restLow, restHigh = skin / 4, skin * 2

	// An edge whose contact normal is flatter than this, in Y, is a wall's.
	edgeMinY = 0.05

	// Behind an edge that the foot is on a floor is looked for: a ball of
	// probeRadius falls from probeUp above, probeOut behind the edge. A slope
	// of 60 degrees rises 5 cm on the way.
	probeRadius = 0.01
	probeOut    = 0.03
	probeUp     = 0.1
	probeDown   = 0.17

	// The foot must be this far over the edge of a step to find it; a slower
	// walk is carried so far, in metres.
	stepReach = skin + 0.01

	// A step must bring the character this much further, in metres, than
	// sliding did.
	stepGain = 1e-3

	// stepOver is what an obstacle may exceed the step by: the rounding of its
	// height.
	stepOver = 0.005

	// A velocity above this, in m/s, is cut: 17 m a tick. Ground whose normal is
	// flatter than this in Y is no ground; slopes end at 80 degrees, 0.17.
	fastest  = 1000
	flattest = 0.1

	bumps     = 5 // surfaces met in one tick; a sixth ends it
	maxPlanes = 8 // held against at once; the latest are dropped
	sweeps    = 12

	// minMove is a move not worth a cast, in metres.
	minMove = 1e-5

	// parallel: a move this much into a plane, as a share of its length, is
	// along it. Skin outlasts a thousand of them.
	parallel = 1e-4
)

var up = geom.Vec3{Y: 1}

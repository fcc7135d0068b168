package physics

// What a game may ask.
const (
	maxDt      = 0.1   // s; longer steps are not physics
	maxCoord   = 1e5   // m; a float32 has 8 mm left there
	maxValue   = 1e6   // of anything else
	maxAccel   = 1e4   // m/s^2
	maxForce   = 1e12  // N, Nm
	maxMass    = 1e12  // kg
	minMass    = 1e-12 // kg, kg m^2
	maxInertia = 1e20  // kg m^2
	minDt      = 1e-5  // s

	maxSpeed  = 512 // m/s after a step: what travels
	maxSpin   = 256 // rad/s after a step
	unitSlack = 1e-5
)

// The solver. One setting for all scenes: docs/physics.md has what others gave.
const (
	substeps     = 8
	prePasses    = 4    // over velocities alone, after the first guess
	hertz        = 90.0 // stiffness of a contact; twice that against what cannot be pushed
	dampRatio    = 2.0
	maxPush      = 3.0   // m/s at which an overlap is pushed apart
	slop         = 0.001 // m of overlap that is left alone
	bounceSpeed  = 0.5   // m/s: slower impacts have no restitution
	bouncePasses = 4
)

// Energy, see energy.go.
const (
	energySlack = 2e-4  // share of an island's energy that is rounding
	fastTurn    = 0.001 // rad a step: slower bodies keep their inertia well enough
)

const spinPiece = 0.03 // rad that a body turns at once: the midpoint rule's error is of third order

// The first guess.
const (
	leastHold = 0.3   // cosine between up and the way a contact pushes: below, it holds nothing up
	guessSep  = 0.001 // m: contacts wider apart carry nothing yet
)

// What counts as near. Boxes are grown by nearness and by the way of this step,
// so that whatever touches in a step was a pair at its start.
const (
	nearness  = 0.01  // m
	touchSlop = 0.005 // m: as near as this is touching, for events
)

// A body with more than crowd pairs to higher ids keeps the deepest crowdKeep:
// 256 unit boxes do not fit around a body of ordinary size.
const (
	crowd     = 256
	crowdKeep = 16
)

// Swept collision, as shares of the ball that is inside a body.
const (
	sweepFrom = 0.5 // of its radius: a step that is shorter cannot take the middle through anything
	sweepCore = 0.5 // of its radius is swept: what rests in contact must not be inside from the start
)

// Sleep.
const (
	sleepTicks = 30   // still ticks until a body may sleep; with Asleep it fits into 5 bits
	stillSpeed = 0.05 // m/s of any point of a body; below, a tick is still

	settleSpeed = 0.1 // m/s: what is slower and does not slide is slowed further
	settleKeep  = 0.9 // share of its velocity that it keeps in a step
	slideShare  = 0.9 // share of the most friction from which on a contact slides
)

package enginetest

// How near an engine must come. Each is several times what the two engines of
// the house need, and far below what a fault of meaning would give.
const (
	sameLen    = 2e-3 // metres: where a cast ends, how deep an overlap is
	samePoint  = 1e-2 // metres: where a sphere or capsule touches; engines search for it
	sameNormal = 1e-2 // of a unit vector, by each coordinate
	sameValue  = 1e-3 // of a value that a formula gives

	restTime  = 3.0  // seconds until what fell a little lies still
	restSpeed = 0.02 // m/s of what lies still
	restDepth = 0.01 // metres that it may be off
	slideTo   = 0.10 // of the way that friction leaves
	bounceTo  = 0.15 // of the height after a bounce
	dampTo    = 0.03 // of a velocity that is damped for a second; integrators differ
	sleepTime = 10.0 // seconds until what lies still sleeps
	dt        = 1 / 60.0
)

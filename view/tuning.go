package view

// Distances are those of sim.Plan.Distance: metres, and radians for rotations.
const (
	// MaxExtrapolation, in ticks, is how far an entity goes on in a straight
	// line past the newest version (100 ms at 60 Hz). Longer bridges longer
	// losses, and is further off when the entity turned meanwhile.
	MaxExtrapolation = 6

	// TeleportDistance between two versions is a jump, unless motion explains
	// it. Less cuts fast motion into steps, more lets a teleport be seen flying.
	TeleportDistance = 8

	// An entity whose speed is known from the versions around is expected to go
	// at most teleportFactor times as fast, plus teleportSlack metres a tick (15
	// m/s at 60 Hz: what one can reach from rest). One of unknown speed may go
	// teleportSpeed metres a tick. They matter only where the versions are so far
	// apart that ordinary motion exceeds TeleportDistance.
	teleportFactor = 2
	teleportSlack  = 0.25
	teleportSpeed  = 1

	// SnapDistance and more of an error is shown at once: gliding that far
	// looks worse than a jump.
	SnapDistance = 2

	// snapSum times SnapDistance of errors that have piled up, each of them
	// smaller, is shown at once. At 1 a correction of centimetres would snap
	// because others came just before it.
	snapSum = 2

	// What is left of an error shown is decayPerStep after each of stepsPerSecond
	// parts of a second: 90 % of it is gone after 0.36 s.
	decayPerStep   = 0.9
	stepsPerSecond = 60

	// lnDecay is the natural logarithm of decayPerStep.
	lnDecay = -0.105360515657826301227500980839

	// leastLeft ends the decay: of an error just below SnapDistance half a
	// millimetre is left then, which is shown at once.
	leastLeft = 1.0 / 4096

	// MoveTicks: an effect of the same entity and kind this near in time is the
	// same one, moved. More hides real mistakes of games that repeat an effect
	// quickly; fewer cancels and shows again what was a tick or two off.
	MoveTicks = 4

	// MaxOpen is how many effects are predicted and unconfirmed at a time, and
	// how many confirmed ones wait to be shown. Beyond it the oldest predicted
	// ones are taken as true, and the oldest waiting ones are dropped.
	MaxOpen = 1024

	// MaxEntities is how many entities a Buffer keeps, dead ones not yet
	// trimmed included. More are refused.
	MaxEntities = 65535

	// firstEffects is the room for the effects of a frame at first: few frames
	// show more, so it seldom grows.
	firstEffects = 32

	minDepth, maxDepth = 4, 1024

	// keepBehind versions at or before Trim's tick stay: the one in force, and
	// two more that tell how fast it went there and whether it was a teleport.
	keepBehind = 3

	// goneKept, in ticks, is how long a dead entity is remembered after the view
	// passed its end, so that a late packet does not bring it back.
	goneKept = 128

	// maxSpan, in ticks, is the most two versions of an entity lie apart (4.8 h
	// at 60 Hz). Past that the order of ticks is in doubt: older is refused, newer
	// starts afresh.
	maxSpan = 1 << 20
)

package shape

const (
	minSize = 0.001 // metres; a smaller body turns unstable in float32
	maxSize = 10_000
)

const (
	maxHullVerts  = 64      // of a hull, and of a face; a power of two
	maxHullFaces  = 128     // 2*64 - 4 is possible; a power of two
	maxHullPoints = 1 << 16 // to make a hull of: a second's work

	hullNear  = 1e-5 // of a hull's size: points this near a plane are in it
	hullRound = 4e-7 // the same, of the coordinates: how finely float32 tells points apart
)

const (
	maxPieces = 256  // of a compound: two of them in one place are 65,536 pairs
	unitSlop  = 0.01 // how far a squared length may be from 1 for a rotation
)

// hullTries are the shares of the tolerance that are tried in turn.
var hullTries = [...]float64{1, 0.1, 10, 0.01, 0.001}

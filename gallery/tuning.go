package gallery

import "github.com/foretick/foretick/shape"

const (
	keepSteps = 600 // steps that can be gone back: ten seconds
	saveEvery = 10  // steps between saved states: a rewind takes up to as many again
	saves     = keepSteps/saveEvery + 2

	stepMs   = 1000.0 / 60 // of time, a step
	mostLate = 250.0       // ms that are caught up with after a frame that took long; the rest is skipped
	mostBusy = 40.0        // ms of steps in one frame: then the picture is due

	ballRadius  = 0.6     // m
	ballDensity = 2500    // kg/m^3: stone, so that something happens
	ballIDs     = 1 << 30 // the first ball's id, above all of a scene
	wall        = 40      // m, half the height of a box that is seen through

	mostBalls = 24 // the oldest one goes when there are more
)

var ballShape = shape.Must(shape.NewSphere(ballRadius))

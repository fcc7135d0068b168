package server

import "time"

const (
	// maxCatchUp is how many ticks are executed at once after a pause. More
	// would make a slow server slower; fewer, and a garbage collector's pause
	// would show.
	maxCatchUp = 5

	// lateTick: a tick that begins later than this after its time is counted
	// as late. The runtime's timers are up to a millisecond late by themselves.
	lateTick = 2 * time.Millisecond

	// eventQueue of signals from connections; watchers wait when it is full.
	eventQueue = 256

	// strangerTimeout: how long a connection may be without a player. It
	// covers a handshake at 25 % loss and the display of a refusal.
	strangerTimeout = 10 * time.Second

	// meterTicks is how many ticks the statistics look back: 17 s at 60 Hz.
	meterTicks = 1024
)

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

	// maxWatchers of the truth: a developer's tabs and a test. Each costs a
	// picture a tick.
	maxWatchers = 8

	// maxPicture, bytes: what is larger is not sent.
	maxPicture = 1 << 20

	// watcherWrite is how long a watcher may leave a picture unread.
	watcherWrite = 5 * time.Second

	// maxForm, bytes: a session and a number.
	maxForm = 256

	// meterTicks is how many ticks the statistics look back: 17 s at 60 Hz.
	meterTicks = 1024
)

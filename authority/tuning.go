package authority

import "time"

const (
	defaultPlayers = 16
	maxPlayers     = 1024 // players are found by walking a list

	// maxEvery, in ticks: the welcome has a byte for it.
	maxEvery = 255

	// defaultBudget in bytes a second: what QUIC's congestion control still
	// carries at 100 ms and 5 % loss without queueing.
	defaultBudget = 64_000

	// defaultTimeout: a tab that slept shorter comes back to its own puck.
	defaultTimeout = 10 * time.Second

	// minHistory in ticks: half a second at 60 Hz, twice the worst RTT that is
	// any fun.
	minHistory = 32

	// leastSeconds2 is the shortest history in half seconds. Half of it is how
	// far ahead inputs are taken: a client on a bad link runs ahead by half a
	// second, and what then comes early would be dropped.
	leastSeconds2 = 3

	// maxPerTick is how many packets of one client are read in a tick: a
	// client sends one, and a burst after a stall about a second's worth. A
	// flood costs no more than this.
	maxPerTick = 96

	// anewEvery is how long after a session began a hello on the same connection
	// may begin another, also if a bye or a resume from elsewhere has ended the
	// first: each costs up to a hundred kilobytes.
	anewEvery = time.Second

	// maxOut bounds packets waiting to be drained, should the shell forget.
	maxOut = 1 << 14

	// maxParts is how many packets one client's tick may take: as many as a
	// connection's mailbox holds.
	maxParts = 8

	// sentRing remembers what packets carried; it is link.Window.
	sentRing = 1024

	// effectTicks is how long effects are repeated for a client that does not
	// acknowledge: later they would only startle.
	effectTicks = 128

	// firstEffects is the room for the effects of a tick at first: few ticks
	// have more, so it seldom grows.
	firstEffects = 32

	// bareHead in bits is the longest head of a packet that tells neither
	// executed inputs nor effects, as all but a tick's first do: 98 of header,
	// and 170 for ticks, flags, margin and fill at their longest codes.
	bareHead = 4 + 98 + 170

	// effectBits is the most that effects take of a packet.
	effectBits = 2400

	// always is the importance of what a player predicts in any case: others are
	// never unsaid for so many ticks that they would go before it.
	always = 1 << 20

	// fresh is the run of holes of a player of whom nothing came yet.
	fresh = 1 << 20
)

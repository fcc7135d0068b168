package replica

import "time"

const (
	// helloEvery: often enough to be in within a second at 25 % loss, where a
	// hello and its answer both come through in 56 % of tries.
	helloEvery = 100 * time.Millisecond

	// probes of the server's clock before the first tick, and between them:
	// the least RTT of five is close to the path's.
	probes     = 5
	probeEvery = 30 * time.Millisecond
	// probeSlow: if the first twenty go unanswered the path is bad, not busy.
	probeSlow = 150 * time.Millisecond
	// probeWait is how long after the first answer the others may take.
	probeWait = 250 * time.Millisecond
	// pingEvery keeps the RTT known when acknowledgements come rarely.
	pingEvery = time.Second

	// catchUp is the most ticks that one frame samples, after a hitch, or an
	// eighth of a second's if that is more. Ticks
	// beyond it get no input: the player was not there (T1's spiral of death
	// ends here).
	catchUp = 8

	// stallMin, stallIntervals: without a snapshot for a second, or for three
	// snapshot intervals and a round trip if that is longer, a full state is
	// cheaper than reconciling.
	stallMin       = time.Second
	stallIntervals = 3

	// MaxInbox is how many packets wait for a frame: four seconds at 60 Hz, as
	// after a tab that slept. The oldest go first.
	MaxInbox = 256

	// versions the view keeps of an entity: a second at 60 Hz.
	versions = 64

	// trimSlack is how many ticks the view's time may still be found earlier
	// than it is now: the clocks stretch by 10 % at most.
	trimSlack = 8

	// viewSlack is how far, in 1/64 ticks, the view time that inputs carry may
	// be from the view clock's before it is changed: 1 ms at 60 Hz. An input
	// whose view time stays costs a bit.
	viewSlack = 4

	// unheard is the run of holes of a player of whom the server has nothing.
	unheard = 1 << 20

	// sentRing remembers which inputs a packet carried; it is link.Window.
	sentRing = 1024

	// mostTried is how many ticks are run again to find a cause: snapshots that
	// are further apart say too little of what happened in between.
	mostTried = 12

	// mostWaiting is how many corrections wait to be told late from lost.
	mostWaiting = 64

	// figuresEvery and figuresOver: figures are taken down so often, and rates
	// are over so many of those, a second and a half. Shorter shows the packets one
	// by one.
	figuresEvery = 100 * time.Millisecond
	figuresOver  = 15
)

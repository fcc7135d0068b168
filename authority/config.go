package authority

import (
	"time"

	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Config of an authority. Zero values mean the default.
type Config struct {
	Game *sim.Game
	Seed uint64 // of the match's randomness; clients are told

	// Secret and Secret2 make session numbers and resume tokens unguessable. A
	// shell draws them at random; a test fixes them.
	Secret, Secret2 uint64

	MaxPlayers    int           // default 16
	SnapshotEvery int           // ticks between snapshots to one client; default 1
	Budget        int           // bytes a second to one client; default 64,000
	History       int           // ticks of history; default two seconds
	InputAhead    int           // ticks ahead that inputs are buffered; default one second
	Timeout       time.Duration // silence after which a client has left; default 10 s

	// Approve, if set, decides over a join by the game's own payload. The
	// reason is shown to a player who is refused.
	Approve func(payload []byte) (ok bool, reason string)

	StartTick tick.Tick // first tick; tests start close to a wrap
	StartSeq  uint16    // first packet number of every connection
}

func (c *Config) fill() {
	c.Game.Seal()
	hz := c.Game.Hz()
	def(&c.MaxPlayers, defaultPlayers)
	def(&c.SnapshotEvery, 1)
	def(&c.Budget, defaultBudget)
	def(&c.History, 2*hz)
	def(&c.InputAhead, hz)
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	if c.MaxPlayers > maxPlayers {
		c.MaxPlayers = maxPlayers
	}
	if c.SnapshotEvery > maxEvery {
		c.SnapshotEvery = maxEvery
	}
	if c.History < minHistory {
		c.History = minHistory
	}
	if least := hz * leastSeconds2 / 2; c.History < least {
		c.History = least
	}
	if c.InputAhead > c.History/2 {
		c.InputAhead = c.History / 2
	}
}

func def(v *int, d int) {
	if *v <= 0 {
		*v = d
	}
}

package replica

import (
	"time"

	"github.com/foretick/foretick/link"
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
)

// Config of a replica. Zero values mean the default.
type Config struct {
	Game    *sim.Game
	Payload []byte  // the game's own, sent with the hello; at most 256 bytes
	Bot     sim.Bot // plays, if set; else inputs come from Sample
	Secret  uint64  // makes nonces unguessable; a shell draws it at random
	Token   uint64  // of an earlier session, whose place is taken again if the server still has it; see Replica.Token

	SendEvery int // ticks between input packets; default 1
	History   int // ticks of prediction kept; default two seconds

	// FixedLead and FixedDelay switch adaption off, if positive: the server's
	// input buffer and the view's delay, in ticks.
	FixedLead, FixedDelay float64

	StartSeq uint16 // first packet number; tests start close to a wrap

	// ForceRollback restores the state that many ticks ago before every tick
	// and replays. It must change nothing: it is how the laws are tested.
	ForceRollback int

	// Blind makes no picture: Frame returns an empty one. For bots.
	Blind bool

	// Inspect sees every misprediction before it is corrected, Decoded what
	// every snapshot packet said of entities. For the lab.
	Inspect func(*predict.Mismatch)
	Decoded func(*snapshot.Update)

	// Causes looks for the cause of each misprediction that own inputs do not
	// explain: a few ticks are run again, with the others as they really were.
	Causes bool

	Off Switches
}

// Switches turn techniques off, to see what each does. The zero value has all
// of them on, but others' prediction, which is Others.
type Switches struct {
	Prediction     bool // own inputs act when the server says so
	Reconciliation bool // the prediction is never corrected
	Redundancy     bool // each input is sent once
	Smoothing      bool // corrections are shown at once
	Interpolation  bool // others are shown as the newest snapshot has them, when it comes
	Others         bool // true: other players are predicted, not interpolated
}

func (c *Config) fill() {
	hz := c.Game.Seal().Hz()
	if c.SendEvery <= 0 {
		c.SendEvery = 1
	}
	if c.History <= 0 {
		c.History = 2 * hz
	}
}

// State is where a replica stands with its server.
type State uint8

const (
	Connecting State = iota // says hello until it is answered
	Syncing                 // in; reads the server's clock and waits for the world
	Playing
	Refused // the server said no: Reason tells why
	Closed  // the session ended: Reason tells why
)

// String names the state.
func (s State) String() string {
	return [...]string{"connecting", "syncing", "playing", "refused", "closed"}[s]
}

// Correction is what a rollback changed in the present: what a player could
// see of a misprediction.
type Correction struct {
	From     uint32 // tick the replay began at
	Why      predict.Reason
	Ticks    int     // replayed
	Own      float32 // how far what the player owns moved, over the smooth fields
	Largest  float32 // the same, of anything
	Entities int     // that moved at all
	Cause    Cause   // as far as is known by now; see Stats.Causes
}

// Stats is the state of a connection, live.
type Stats struct {
	State     State
	RTT       time.Duration
	Loss      float64       // of what was sent, 0 to 1
	Lead      float64       // ticks that inputs are to arrive early
	Margin    float64       // ticks that they do
	Jitter    time.Duration // mean deviation of the RTT
	Delay     float64       // ticks that the view trails the newest snapshot
	Fill      int           // inputs that wait on the server; negative: starved
	Jumps     int           // of the clock
	Down      link.Runs
	Predict   predict.Counters
	Counters  Counters
	Causes    [Causes]uint64 // corrections that moved something, by Cause
	Reconnect int
}

// Counters count since New.
type Counters struct {
	Ticks                  uint64 // predicted
	Packets, Bytes         uint64 // received
	SentPackets, SentBytes uint64
	Stranger               uint64 // not sealed for this session
	Malformed              uint64 // sealed, yet no message
	Snapshots              uint64 // ticks of which one came, packets of one tick counted once
	Overtaken              uint64 // snapshots too late for the baseline they need
	NoBaseline             uint64 // snapshots of a baseline never had: a bug
	Duplicate              uint64
	Overflow               uint64 // more packets than a frame takes
	Holes                  uint64 // sampled inputs that the server did not execute
	Unsampled              uint64 // ticks without a sample: the clock jumped
	Held                   uint64 // frames without prediction: nothing heard for too long
}

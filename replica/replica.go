// Package replica is the client as a state machine: packets, inputs and time
// in, packets and pictures out. It has no clock, no goroutine and no I/O; a
// browser frame, a game loop or the lab pumps it:
//
//	r.Receive(packet, now)            // whenever one comes
//	drives.Set(r, Drive{Move: stick})  // whenever the player moves
//	frame := r.Frame(now)             // once a frame
//	for _, p := range r.Drain() { send(p) }
//
// Its story is frame.go.
package replica

import (
	"slices"
	"time"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/internal/fault"
	"github.com/foretick/foretick/link"
	"github.com/foretick/foretick/pace"
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/view"
	"github.com/foretick/foretick/wire"
)

// Replica is one player's client. Not safe for concurrent use.
type Replica struct {
	cfg   Config
	g     *sim.Game
	state State
	code  wire.Code
	why   string

	player  sim.Player
	session uint64
	token   uint64
	seed    uint64
	every   int // ticks between snapshots
	nonce   uint64
	drawn   uint64
	resumes int
	resumed bool // this session continues the last one
	hello   timer
	sync    syncing

	link    *link.Link
	recv    *snapshot.Receiver
	lead    *pace.Lead
	playout *pace.Playout
	pred    *predict.Predictor
	buffer  *view.Buffer
	display *view.Display
	ledger  *view.Ledger
	roster  roster

	server   tick.Tick // newest state heard of
	heard    time.Duration
	whole    wholeTick
	execTold tick.Tick // executed feedback is known before this tick
	acked    tick.Tick // inputs are acknowledged up to and with this tick
	sent     [sentRing]sentInputs
	lastSend tick.Tick
	unacked  bool          // something came that no packet has acknowledged
	gone     []tick.Entity // ended, and the prediction does not know yet
	fill     int
	run      int // ticks in a row without a sample

	viewTick tick.Tick
	viewFrac float32
	behind   uint16

	sample *sim.Sample
	turn   sim.Turn
	before [2]*ecs.World
	fixed  []Correction
	modes  [32]asked
	vals   []predict.Value
	last   *view.Frame
	source view.Source

	inbox     []arrival
	out       [][]byte
	pool      [][]byte
	drained   bool
	w         bits.Writer
	rd        bits.Reader
	head      wire.SnapshotHead
	upd       snapshot.Update
	input     wire.Input
	inWords   []int32
	lastInput []byte
	efx       []sim.Effect
	count     Counters
	causes    causes
}

type arrival struct {
	data []byte
	at   time.Duration
}

type sentInputs struct {
	seq    uint16
	used   bool
	came   bool // the server has it
	oldest tick.Tick
	newest tick.Tick
}

// New makes a replica; it says hello with its first Frame.
func New(cfg Config) *Replica {
	cfg.fill()
	g := cfg.Game
	r := &Replica{cfg: cfg, g: g, sample: sim.NewSample(g), display: view.NewDisplay(g), ledger: view.NewLedger()}
	r.before[0], r.before[1] = g.NewWorld(), g.NewWorld()
	r.last = &view.Frame{World: g.NewWorld()}
	r.buffer = view.NewBuffer(g, versions)
	r.Switch(cfg.Off)
	r.turn.Input = r.sample
	r.lastInput = make([]byte, g.InputSize())
	r.token = cfg.Token
	r.redial()
	r.source.Predicted = r.shownAsPredicted
	return r
}

// Sample makes a replica a sim.Sampler.
func (r *Replica) Sample() *sim.Sample { return r.sample }

// State returns where the replica stands.
func (r *Replica) State() State { return r.state }

// Reason returns, after Refused or Closed, why, in words to be shown.
func (r *Replica) Reason() string {
	if r.why != "" {
		return r.why
	}
	return r.code.String()
}

// Code returns the code behind Reason.
func (r *Replica) Code() wire.Code { return r.code }

// Player returns the player this replica is, NoPlayer before it is in.
func (r *Replica) Player() sim.Player { return r.player }

// Session returns the number of the session, 0 before there is one. Only the
// server knows it besides.
func (r *Replica) Session() uint64 { return r.session }

// SnapshotEvery returns how many ticks apart snapshots are, as far as is known.
func (r *Replica) SnapshotEvery() int { return r.every }

// SetSnapshotEvery tells that the server was asked to send snapshots so many
// ticks apart from now on; see authority.Authority.SetSnapshotEvery.
func (r *Replica) SetSnapshotEvery(ticks int) {
	if ticks < 1 || r.playout == nil {
		return
	}
	r.every = ticks
	r.playout.SetInterval(ticks)
}

// Token names the session to the server, and to nobody else: who says hello with
// it gets the player's place. It is 0 before there is a session.
func (r *Replica) Token() uint64 { return r.token }

// Me returns the player's first entity, NoEntity while he has none.
func (r *Replica) Me() tick.Entity { return r.roster.ownedBy(uint16(r.player)) }

// Predictor returns the prediction, for reading. It is nil before Playing.
func (r *Replica) Predictor() *predict.Predictor { return r.pred }

// Receiver returns the baselines, for checks.
func (r *Replica) Receiver() *snapshot.Receiver { return r.recv }

// Buffer returns the view's versions, for checks.
func (r *Replica) Buffer() *view.Buffer { return r.buffer }

// Display returns what was shown, for checks.
func (r *Replica) Display() *view.Display { return r.display }

// Ledger returns the effects' ledger, for checks.
func (r *Replica) Ledger() *view.Ledger { return r.ledger }

// ServerTick returns the newest state heard of.
func (r *Replica) ServerTick() tick.Tick { return r.server }

// ViewTime returns the tick and fraction at which others were last shown.
func (r *Replica) ViewTime() (tick.Tick, float32) { return r.viewTick, r.viewFrac }

// Snapshot makes w the newest that was received of every entity, and returns
// the tick of the newest of all.
func (r *Replica) Snapshot(w *ecs.World) tick.Tick {
	w.Clear()
	for i, e := range r.roster.ids {
		if r.roster.list[i].gone || r.recv == nil {
			continue
		}
		if _, owner, mask, words, ok := r.recv.Newest(e); ok {
			v := predict.Value{Entity: e, Owner: owner, Mask: mask, Words: words}
			predict.Put(r.g, w, &v)
		}
	}
	return r.server
}

// Effects returns what to show and what to take back since the last call.
func (r *Replica) Effects() (show, cancel []sim.Effect) { return r.ledger.Drain() }

// Corrections returns what the rollbacks of the last Frame changed; valid until
// the next.
func (r *Replica) Corrections() []Correction { return r.fixed }

// Switch turns techniques off and on while playing.
func (r *Replica) Switch(s Switches) {
	r.cfg.Off = s
	r.buffer.MaxExtrapolation = view.MaxExtrapolation
	if s.Interpolation {
		r.buffer.MaxExtrapolation = 0 // what came is shown, and nothing made of it
	}
	r.refill()
}

// Switches returns what is off.
func (r *Replica) Switches() Switches { return r.cfg.Off }

// Stats returns the state of the connection.
func (r *Replica) Stats() Stats {
	s := Stats{State: r.state, Fill: r.fill, Counters: r.count, Causes: r.causes.count, Reconnect: r.resumes}
	if r.link != nil {
		s.RTT, s.Jitter, s.Loss, s.Down = r.link.RTT(), r.link.Jitter(), r.link.Loss(), r.link.Runs()
	}
	if r.lead != nil {
		s.Lead, s.Margin, s.Jumps = r.lead.Target(), r.lead.Mean(), r.lead.Jumps()
		s.Delay = r.playout.Delay()
		if r.cfg.Off.Interpolation {
			s.Delay = r.playout.Age(r.server)
		}
	}
	if r.pred != nil {
		s.Predict = r.pred.Counters()
	}
	return s
}

// Receive takes in a packet; the next Frame reads it. It copies.
func (r *Replica) Receive(packet []byte, now time.Duration) {
	r.count.Packets++
	r.count.Bytes += uint64(len(packet))
	if len(packet) > wire.MaxPacket {
		r.count.Malformed++
		return
	}
	if len(r.inbox) >= MaxInbox && !fault.Is("inv18") {
		r.count.Overflow++
		old := r.inbox[0].data
		copy(r.inbox, r.inbox[1:])
		r.inbox[MaxInbox-1] = arrival{append(old[:0], packet...), now}
		return
	}
	i := len(r.inbox)
	if r.inbox = slices.Grow(r.inbox, 1)[:i+1]; r.inbox[i].data == nil { // else its memory is used again
		r.inbox[i].data = make([]byte, 0, wire.MaxPacket)
	}
	r.inbox[i] = arrival{append(r.inbox[i].data[:0], packet...), now}
}

// Queued returns how many packets wait for the next Frame, at most MaxInbox.
func (r *Replica) Queued() int { return len(r.inbox) }

// Drain returns the packets to be sent since the last call, valid until the
// next Frame.
func (r *Replica) Drain() [][]byte {
	if r.drained {
		return nil
	}
	r.drained = true
	return r.out
}

// Redial says hello anew in the next Frame, to resume the session: for a shell
// whose connection broke and that has another one. Without it a stall is
// noticed by itself, only later.
func (r *Replica) Redial() {
	if r.state == Syncing || r.state == Playing {
		r.resumes++
		r.redial()
	}
}

func (r *Replica) emit(salt uint64) {
	if r.drained {
		r.out, r.drained = r.out[:0], false
	}
	if len(r.out) >= MaxInbox {
		return
	}
	i := len(r.out)
	if i == len(r.pool) {
		r.pool = append(r.pool, make([]byte, 0, wire.MaxPacket))
	}
	r.pool[i] = wire.Seal(r.pool[i][:0], salt, r.w.Bytes())
	r.out = append(r.out, r.pool[i])
	r.count.SentPackets++
	r.count.SentBytes += uint64(len(r.pool[i]))
}

// Close says goodbye; Drain has the packet.
func (r *Replica) Close() {
	if r.state == Syncing || r.state == Playing {
		m := wire.Bye{Code: wire.CodeLeft}
		r.w.Reset(r.w.Bytes()[:0])
		m.Append(&r.w)
		r.emit(wire.SessionSalt(r.session))
	}
	r.state, r.code = Closed, wire.CodeLeft
}

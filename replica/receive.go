package replica

import (
	"time"

	"github.com/foretick/foretick/internal/fault"
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/wire"
)

// open reads one packet.
func (r *Replica) open(packet []byte, now time.Duration) {
	if r.state == Refused || r.state == Closed {
		return
	}
	if r.link != nil && r.state != Connecting {
		if body, ok := wire.Open(packet, wire.SessionSalt(r.session)); ok {
			r.rd.Reset(body)
			switch wire.PeekKind(body) {
			case wire.KindSnapshot:
				r.takeSnapshot(now)
			case wire.KindPong:
				r.takePong(now)
			case wire.KindBye:
				r.takeBye()
			default:
				r.count.Malformed++
			}
			return
		}
	}
	if body, ok := wire.Open(packet, wire.ProtocolSalt); ok {
		r.takeHandshake(body, now)
		return
	}
	r.count.Stranger++
}

// takeSnapshot reads all of a packet before it acts on any of it, and
// acknowledges it only if all of it made sense.
func (r *Replica) takeSnapshot(now time.Duration) {
	h := &r.head
	if h.Parse(&r.rd) != nil {
		r.count.Malformed++
		return
	}
	if !r.link.Fresh(h.Seq) {
		r.count.Duplicate++
		return
	}
	n := tick.Widen(h.Tick, r.server)
	err := r.recv.Decode(&r.rd, n, &r.upd)
	if err == nil {
		err = r.rd.Done()
	}
	switch err {
	case nil:
	case snapshot.ErrLate:
		r.count.Overtaken++
		return
	case snapshot.ErrBaseline:
		r.count.NoBaseline++
		return
	default:
		r.count.Malformed++
		return
	}
	_, acked := r.link.Receive(h.Seq, h.Ack, h.HasAck, h.AckBits, now)
	for _, seq := range acked {
		if s := &r.sent[seq%sentRing]; s.used && s.seq == seq {
			s.came = true
			if s.newest.After(r.acked) {
				r.acked = s.newest
			}
		}
	}
	if r.cfg.Decoded != nil {
		r.cfg.Decoded(&r.upd)
	}
	r.heard, r.unacked = now, true
	r.causes.settle(r, n)
	if n.After(r.server) {
		r.count.Snapshots++
		r.server = n
		r.roster.forget(n)
	}
	r.feed(n)
	r.takeClock(h, n, now)
	r.takeState(h, n)
	r.takeEffects(h, n)
}

// feed gives the view and the roster what the packet says of entities.
func (r *Replica) feed(n tick.Tick) {
	r.roster.near = 0
	for i := range r.upd.Items {
		it := &r.upd.Items[i]
		if it.Kind == snapshot.Gone {
			r.buffer.Gone(n, it.Entity)
			r.roster.drop(it.Entity, n)
			r.gone = append(r.gone, it.Entity)
			continue
		}
		if !r.mayOnlySimulate(it.Owner, it.Mask) {
			r.buffer.Add(n, it.Entity, it.Owner, it.Mask, it.Words)
		}
		r.roster.note(it.Entity, it.Owner, it.Mask, n)
	}
}

// mayOnlySimulate reports whether an entity is simulated however the switch for
// others stands: then the view does not need its past.
func (r *Replica) mayOnlySimulate(owner uint16, mask uint64) bool {
	return !r.cfg.Off.Prediction && r.mode(owner, mask, false) == sim.Simulated
}

// refill gives the view the newest that is known of every entity: a switch has
// been thrown, and it may need what it did not need before.
func (r *Replica) refill() {
	if r.recv == nil {
		return
	}
	for i, e := range r.roster.ids {
		if t, owner, mask, words, ok := r.recv.Newest(e); ok && !r.roster.list[i].gone {
			r.buffer.Add(t, e, owner, mask, words)
		}
	}
}

// takeClock reads what the server says of when things arrive.
func (r *Replica) takeClock(h *wire.SnapshotHead, n tick.Tick, now time.Duration) {
	r.playout.Arrived(now, n)
	if r.sync.done {
		r.lead.Heard(now, n, r.link.RTT())
	}
	if h.HasInput {
		r.fill = int(h.Fill)
		if r.sync.done && !fault.Is("inv22") {
			r.lead.Feedback(now, tick.Widen(h.InputNewest, n), int(h.Margin))
		}
	}
}

// takeState repairs the input log and compares the prediction with state n.
func (r *Replica) takeState(h *wire.SnapshotHead, n tick.Tick) {
	r.gather(h, n)
	if !r.pred.Started() {
		if h.JoinDone || r.complete(n) {
			r.restart(n)
		}
		return
	}
	r.catchUp(n)
	if !r.cfg.Off.Reconciliation && r.pred.Passed(n) {
		r.replay()
	}
	r.repair(h)
	r.gatherValues()
	if r.cfg.Off.Reconciliation {
		r.gone = r.gone[:0]
		if n.After(r.pred.Now()) { // nothing to go on from
			r.restart(n)
			return
		}
		r.pred.Look(n, r.vals)
		return
	}
	r.causes.before(r, n)
	switch r.pred.Reconcile(n, r.vals) {
	case predict.TooNew:
		r.restart(n)
	case predict.Taken:
		r.gone = r.gone[:0]
		r.causes.differed(r, n)
	}
}

// gatherValues lists what the packet says of what this client simulates.
func (r *Replica) gatherValues() {
	r.vals = r.vals[:0]
	for _, e := range r.gone {
		r.vals = append(r.vals, predict.Value{Entity: e, Gone: true})
	}
	for i := range r.upd.Items {
		it := &r.upd.Items[i]
		if it.Kind != snapshot.Gone && r.simulates(it.Owner, it.Mask) {
			r.vals = append(r.vals, predict.Value{Entity: it.Entity, Owner: it.Owner, Mask: it.Mask,
				Words: it.Words, Rests: it.Kind == snapshot.Unchanged})
		}
	}
}

// catchUp runs the ticks up to n that a late frame has not come to. The server
// has executed them without this player, so they are holes.
func (r *Replica) catchUp(n tick.Tick) {
	if r.state != Playing || !n.After(r.pred.Now()) || int(n.Since(r.pred.Now())) > r.reach() {
		return
	}
	for r.pred.Now().Before(n) {
		r.tick(false)
	}
}

// repair mends the log of inputs by what the server says it executed.
func (r *Replica) repair(h *wire.SnapshotHead) {
	if len(h.Executed) == 0 {
		return
	}
	from := tick.Widen(h.ExecFrom, r.server)
	for i, how := range h.Executed {
		t := from.Add(int32(i))
		if t.Before(r.execTold) {
			continue
		}
		r.execTold = t + 1
		rec, ok := r.pred.Record(t)
		if ok && rec.Sampled && how != wire.AsSent {
			r.count.Holes++
			r.lead.Hole(r.heard, t)
		}
		if r.cfg.Off.Reconciliation {
			continue
		}
		r.causes.repaired(rec, t, sim.How(how))
		r.pred.Repair(t, sim.How(how))
	}
}

// gather notes which packets of tick n have come.
func (r *Replica) gather(h *wire.SnapshotHead, n tick.Tick) {
	w := &r.whole
	if w.tick != n || w.parts == 0 {
		if w.parts != 0 && n.Before(w.tick) {
			return
		}
		*w = wholeTick{tick: n}
	}
	if h.Part < 32 {
		w.parts |= 1 << h.Part
	}
	if h.Last {
		w.last = int(h.Part) + 1
	}
	w.all = h.All
}

// complete reports whether tick n has said something of every entity.
func (r *Replica) complete(n tick.Tick) bool {
	w := &r.whole
	return w.tick == n && w.all && w.last > 0 && w.last <= 32 && w.parts == 1<<uint(w.last)-1
}

// simulates is the mode of an entity for this client.
func (r *Replica) simulates(owner uint16, mask uint64) bool {
	if r.cfg.Off.Prediction {
		return false
	}
	return r.mode(owner, mask, r.cfg.Off.Others) == sim.Simulated
}

// asked is an answer of the game's on the mode of an entity.
type asked struct {
	owner  uint16
	me     sim.Player
	others bool
	known  bool
	mode   sim.Mode
	mask   uint64
}

// mode asks the game, or remembers: it depends on nothing else.
func (r *Replica) mode(owner uint16, mask uint64, others bool) sim.Mode {
	a := &r.modes[(uint64(owner)^mask)%uint64(len(r.modes))]
	if !a.known || a.owner != owner || a.mask != mask || a.me != r.player || a.others != others {
		m := r.g.ModeOfEntity(sim.Player(owner), r.player, mask, others)
		*a = asked{owner: owner, me: r.player, others: others, known: true, mode: m, mask: mask}
	}
	return a.mode
}

// restart begins the prediction anew at state n, from the newest that is known
// of every entity. Nothing is replayed.
func (r *Replica) restart(n tick.Tick) {
	r.run = unheard
	r.execTold = n
	r.gone = r.gone[:0]
	r.ledger.Reset(n - 1)
	r.vals = r.vals[:0]
	for i, e := range r.roster.ids {
		m := &r.roster.list[i]
		if m.gone || !r.simulates(m.owner, m.mask) {
			continue
		}
		if _, owner, mask, words, ok := r.recv.Newest(e); ok {
			r.vals = append(r.vals, predict.Value{Entity: e, Owner: owner, Mask: mask, Words: words})
		}
	}
	r.pred.Start(n, r.vals)
	r.vals = r.vals[:0]
	for i := range r.upd.Items {
		it := &r.upd.Items[i]
		if it.Kind != snapshot.Gone && r.simulates(it.Owner, it.Mask) {
			r.vals = append(r.vals, predict.Value{Entity: it.Entity, Owner: it.Owner, Mask: it.Mask, Words: it.Words})
		}
	}
	r.pred.Reconcile(n, r.vals)
	r.pred.Flush()
	if !r.resumed { // a new player's clicks are counted from his entity's
		r.pred.LastInput(r.lastInput)
		r.sample.SetCounters(r.lastInput)
		r.resumed = r.Me() != tick.NoEntity
	}
	r.begin()
}

func (r *Replica) takeEffects(h *wire.SnapshotHead, n tick.Tick) {
	if h.Part != 0 || !r.pred.Started() {
		return
	}
	through := tick.Widen(h.EffectsThrough, n)
	from := through - tick.Tick(h.EffectsThrough-h.EffectsFrom)
	r.efx = r.efx[:0]
	for i := range h.Effects {
		e := &h.Effects[i]
		r.efx = append(r.efx, sim.Effect{Tick: from + tick.Tick(e.After), Entity: e.Entity, Kind: e.Kind, Ordinal: e.Ordinal, Data: e.Data})
	}
	r.ledger.Confirmed(from, through, r.efx)
}

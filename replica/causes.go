package replica

import (
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Cause is why a prediction was corrected, as far as a client can tell while it
// plays. The lab, which has the server's truth, tells more.
type Cause uint8

const (
	Unknown       Cause = iota
	LateInput           // own input came after its tick
	LostInput           // own input never came
	ClockSlip           // a tick without a sample
	AnotherPlayer       // others were not where they were seen
	ServerOnly          // something that only the server decides
	Visibility          // an entity was not known
	causes_
)

// Causes is how many causes there are.
const Causes = int(causes_)

// String names the cause as the lab does.
func (c Cause) String() string {
	return [...]string{"unknown", "late input", "lost input", "clock slip", "another player", "server only",
		"visibility"}[c]
}

// causes finds them. Own inputs come first: the server says how it obtained
// each. Of the rest it is tried what the ticks would have come to had the
// others been seen where they were.
type causes struct {
	count [Causes]uint64

	from    tick.Tick // the newest state confirmed before the one compared now
	hasFrom bool

	found   Cause       // of the differences since the last replay
	input   tick.Tick   // first own input since then that was executed otherwise
	slip    bool        // it was not sampled
	any     bool        // there is such an input
	waiting []tick.Tick // own inputs late or lost, which is not known yet

	world *ecs.World      // of the trial
	mine  predict.Replace // own inputs
	swap  predict.Replace // and the others
	word  []byte
}

// restart forgets what belongs to a session that is over.
func (c *causes) restart() {
	c.hasFrom, c.any, c.found, c.waiting = false, false, Unknown, c.waiting[:0]
}

// repaired notes an own input that the server obtained otherwise.
func (c *causes) repaired(rec *predict.Record, t tick.Tick, how sim.How) {
	if rec != nil && rec.How != how && !c.any {
		c.input, c.slip, c.any = t, !rec.Sampled, true
	}
}

// before notes which state was confirmed before state n is compared.
func (c *causes) before(r *Replica, n tick.Tick) {
	if f, ok := r.pred.Reconciled(); ok && f != n {
		c.from, c.hasFrom = f, true
	}
}

// differed looks at what a snapshot packet of state n found wrong.
func (c *causes) differed(r *Replica, n tick.Tick) {
	m := r.pred.Mismatch()
	if len(m.List) == 0 || c.found != Unknown || c.any && !r.cfg.Causes {
		return
	}
	worst := &m.List[m.Worst]
	for i := range m.List {
		if m.List[i].Beyond && !worst.Beyond {
			worst = &m.List[i]
		}
	}
	if !worst.Beyond {
		return
	}
	for i := range r.vals {
		if r.vals[i].Entity == worst.Entity {
			c.found = c.whose(r, n, &r.vals[i])
			return
		}
	}
}

// whose tells what explains that v was predicted wrong. If own inputs do, as
// they were executed, it is Unknown here: note has them. Then come the others.
// If there are none the server alone does it.
func (c *causes) whose(r *Replica, n tick.Tick, v *predict.Value) Cause {
	switch {
	case v.Owner != uint16(sim.NoPlayer) && v.Owner != uint16(r.player):
		return AnotherPlayer // his inputs were not known
	case !c.any && !c.others(r):
		return ServerOnly
	case !r.cfg.Causes || !c.hasFrom:
		return Unknown
	}
	was, ok := r.pred.State(n)
	if !ok {
		return Unknown
	}
	before, _ := c.apart(r, was, v)
	if c.any {
		explained, ok := c.explains(r, n, v, &c.mine, before)
		if explained || !ok {
			return Unknown
		}
	}
	if explained, _ := c.explains(r, n, v, &c.swap, before); explained {
		return AnotherPlayer
	}
	return Unknown
}

// explains tries again with something replaced, and reports whether v comes out
// right, or at least much nearer than before; ok is false if it cannot be tried.
func (c *causes) explains(r *Replica, n tick.Tick, v *predict.Value, x *predict.Replace, before float32) (explained, ok bool) {
	if !c.tryAgain(r, n, x) {
		return false, false
	}
	after, same := c.apart(r, c.world, v)
	return same || 2*after < before, true
}

// others reports whether anybody else is known.
func (c *causes) others(r *Replica) bool {
	for i := range r.roster.list {
		if r.isOther(&r.roster.list[i]) {
			return true
		}
	}
	return false
}

func (r *Replica) isOther(m *member) bool {
	return !m.gone && m.owner != uint16(sim.NoPlayer) && m.owner != uint16(r.player)
}

// tryAgain runs the ticks since the last confirmed state again, up to state n,
// with something replaced: own inputs as executed, and then the others where the
// snapshots have them, too.
func (c *causes) tryAgain(r *Replica, n tick.Tick, x *predict.Replace) bool {
	st, ok := r.pred.State(c.from)
	if !ok || !c.from.Before(n) || n.Since(c.from) > mostTried {
		return false
	}
	if c.world == nil {
		c.world = r.g.NewWorld()
		c.mine.Mended, c.swap.Mended = true, true
		c.swap.Others = func(w *ecs.World, t tick.Tick) {
			for i, e := range r.roster.ids {
				if r.isOther(&r.roster.list[i]) {
					r.buffer.Sample(w, e, t, 0)
				}
			}
		}
		// They are not locked: they go on by the input that they carry.
		c.swap.OthersInput = func(*sim.Runner, tick.Tick) {}
	}
	c.world.CopyFrom(st)
	for t := c.from; t.Before(n); t++ {
		rec, ok := r.pred.Record(t)
		if !ok {
			return false
		}
		r.pred.Rerun(c.world, t, rec, x)
	}
	return true
}

// apart returns how far w has an entity from where the server has it, and
// whether nothing of it differs beyond tolerance.
func (c *causes) apart(r *Replica, w *ecs.World, v *predict.Value) (far float32, same bool) {
	same = true
	at := 0
	for i, col := range r.g.Wire() {
		if v.Mask>>uint(i)&1 == 0 {
			continue
		}
		p := r.g.Plan(col)
		if len(c.word) < p.Size {
			c.word = make([]byte, p.Size)
		}
		theirs := c.word[:p.Size]
		p.Dequantise(v.Words[at:at+p.Words], theirs)
		at += p.Words
		row, ok := w.Column(col).Row(v.Entity)
		if !ok || r.g.KindOf(col) != sim.KindPredicted {
			same = same && ok
			continue
		}
		mine := w.Column(col).Bytes(row)
		if d := p.Distance(mine, theirs); d > far {
			far = d
		}
		same = same && !p.Differs(mine, theirs)
	}
	return far, same
}

// note gives a correction its cause, and counts it if it moved something: own
// inputs later, when it is known whether they came too late or never.
func (c *causes) note(r *Replica, x *Correction) {
	switch {
	case x.Why&predict.Differed != 0 && c.found == AnotherPlayer:
		x.Cause = AnotherPlayer
	case x.Why&predict.Repaired != 0 && c.any && c.slip:
		x.Cause = ClockSlip
	case x.Why&predict.Repaired != 0 && c.any:
		x.Cause = c.lateOrLost(r, c.input)
	case x.Why&(predict.Appeared|predict.Vanished) != 0:
		x.Cause = Visibility
	case x.Why&predict.Differed != 0 && c.found != Unknown:
		x.Cause = c.found
	case x.Why&(predict.Replicated|predict.Changed) != 0:
		x.Cause = ServerOnly
	}
	input := c.input
	c.found, c.any = Unknown, false
	switch {
	case x.Entities == 0:
	case x.Cause == LateInput || x.Cause == LostInput:
		if len(c.waiting) >= mostWaiting {
			c.settleOne(r)
		}
		c.waiting = append(c.waiting, input)
	default:
		c.count[x.Cause]++
	}
}

// settle counts the inputs whose copies can no longer come, at state n.
func (c *causes) settle(r *Replica, n tick.Tick) {
	for len(c.waiting) > 0 && int(n.Since(c.waiting[0])) > r.g.Hz()/2 {
		c.settleOne(r)
	}
}

func (c *causes) settleOne(r *Replica) {
	c.count[c.lateOrLost(r, c.waiting[0])]++
	c.waiting = append(c.waiting[:0], c.waiting[1:]...)
}

// lateOrLost tells, of an input that the server did not have in time, whether a
// packet with it has come, as far as is known now.
func (c *causes) lateOrLost(r *Replica, t tick.Tick) Cause {
	for i := range r.sent {
		if s := &r.sent[i]; s.used && s.came && !t.Before(s.oldest) && !t.After(s.newest) {
			return LateInput
		}
	}
	return LostInput
}

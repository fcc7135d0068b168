package lab

import (
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Cause names why a prediction was wrong.
type Cause uint8

const (
	Unnamed        Cause = iota
	LateInput            // own input came after its tick
	LostInput            // own input never came
	ClockSlip            // the client's clock jumped: a tick without a sample
	AnotherPlayer        // others' states or inputs were not known
	ServerOnly           // systems that only the server runs
	Quantisation         // values were rounded on their way
	Visibility           // the client did not know of an entity
	Nondeterminism       // the same ingredients gave other bits: a bug
	causes_
)

// Causes is how many causes there are.
const Causes = int(causes_)

// String names the cause.
func (c Cause) String() string {
	return [...]string{"unnamed", "late input", "lost input", "clock slip", "another player", "server only",
		"quantisation", "visibility", "nondeterminism"}[c]
}

// Diagnosis is one snapshot tick at which a client's prediction differed from
// the server, and why.
type Diagnosis struct {
	Client   int
	Tick     tick.Tick // of the snapshot
	From     tick.Tick // last tick at which all was right
	Entity   tick.Entity
	Distance float32 // of the largest difference
	Entities int     // that differed
	Cause    Cause
	Input    tick.Tick // of the input behind it, if Cause is one of own input
}

// causes is one client's part of the search.
type causes struct {
	last    tick.Tick
	any     bool
	diag    int           // the last diagnosis
	of      []entityCause // recorded cause of each entity
	waiting []int         // diagnoses that wait to know late from lost
}

type entityCause struct {
	e    tick.Entity
	diag int
}

// levels of replacement, cumulative and in this order.
const (
	asPredicted = iota
	withState
	withInputs
	withOthers
	withServerSystems
	withExact
	levels
)

// diagnose finds the cause of a misprediction by counterfactual: the ticks
// since all was right are run again, with more and more of their ingredients
// replaced by the server's truth; what makes the prediction right is the cause.
func (l *Lab) diagnose(p *Peer, m *predict.Mismatch) {
	if m.Tick == p.causes.last && p.causes.any {
		// Another packet of the same tick: what it adds has the same cause.
		if n := len(l.report.Diagnoses); n > 0 {
			for _, x := range m.List {
				p.causes.set(x.Entity, p.causes.diag)
			}
		}
		return
	}
	p.causes.last, p.causes.any = m.Tick, true
	target, ok := l.truth.worlds.At(m.Tick)
	worst := m.List[m.Worst]
	d := Diagnosis{Client: p.index, Tick: m.Tick, Entity: worst.Entity, Distance: worst.Distance, Entities: len(m.List)}
	if !ok {
		l.report.add(p, d)
		return
	}
	from, clean := l.lastClean(p, m.Tick)
	d.From = from
	whole := true // every level could be run
	for level := asPredicted; level < levels; level++ {
		_, v := l.attempt(p, m, from, clean, level, target.w)
		if v == Same || v == StillWrong {
			continue
		}
		switch v {
		case Unknown:
			whole = false
		case OtherBits:
			d.Cause = Nondeterminism
		case Right:
			d.Cause = l.name(p, &d, level, clean)
		}
		break
	}
	if d.Cause == Unnamed && from != m.Tick && whole {
		// All of the truth, and still other bits than the server's.
		d.Cause = Nondeterminism
	}
	i := l.record(p, d, m)
	if l.report.Record != nil {
		l.tell(p, i, m, target.w, clean)
	}
}

// attempt runs the ticks again at a level of replacement, unless that is sure
// to change nothing, and says what it came to.
func (l *Lab) attempt(p *Peer, m *predict.Mismatch, from tick.Tick, clean bool, level int, target *ecs.World) (*ecs.World, Verdict) {
	if level == withState && clean && l.sameReplicated(p, from) && l.sameExactly(p, from) ||
		level == withInputs && l.ranAsExecuted(p, from, m.Tick) {
		return nil, Same
	}
	w, ok := l.rerun(p, from, m.Tick, level)
	if !ok {
		return nil, Unknown
	}
	if level == asPredicted {
		if mine, ok := p.Replica.Predictor().State(m.Tick); ok && (l.parted || !l.sameBits(w, mine, m)) {
			return w, OtherBits
		}
	}
	if same, _ := l.truth.same(w, target, m.List[m.Worst].Entity, p.Replica.Player()); !same {
		return w, StillWrong
	}
	return w, Right
}

func (l *Lab) name(p *Peer, d *Diagnosis, level int, clean bool) Cause {
	switch level {
	case asPredicted:
		return Nondeterminism // right when run again
	case withState:
		return l.inherit(p, d, clean)
	case withInputs:
		return l.whichInput(p, d)
	case withOthers:
		return AnotherPlayer
	case withServerSystems:
		return ServerOnly
	}
	return Quantisation
}

// inherit: the state was wrong already when the search begins. The difference
// has the cause that its entity had, or the client did not know of something.
func (l *Lab) inherit(p *Peer, d *Diagnosis, clean bool) Cause {
	if clean && !l.sameReplicated(p, d.From) {
		return ServerOnly
	}
	if clean && !l.sameExactly(p, d.From) {
		return Quantisation
	}
	if clean {
		return Visibility
	}
	best := Visibility
	for _, x := range p.causes.of {
		if x.e == d.Entity {
			d.Input = l.report.Diagnoses[x.diag].Input
			return l.report.Diagnoses[x.diag].Cause
		}
	}
	return best
}

// sameExactly reports whether what is predicted of the state at tick n is the
// server's also to the bit, and not only as far as it travels.
func (l *Lab) sameExactly(p *Peer, n tick.Tick) bool {
	mine, ok := p.Replica.Predictor().State(n)
	x, ok2 := l.truth.worlds.At(n)
	if !ok || !ok2 {
		return true
	}
	for _, col := range l.Game.Wire() {
		if l.Game.KindOf(col) != sim.KindPredicted || l.Game.Plan(col).Exact() {
			continue
		}
		a, b := mine.Column(col), x.w.Column(col)
		for row, e := range a.IDs() {
			other, ok := b.Row(e)
			if ok && l.simulates(p, mine, e) && string(a.Bytes(row)) != string(b.Bytes(other)) {
				return false
			}
		}
	}
	return true
}

// sameReplicated reports whether the client had, at tick n, what only the server
// writes of all that it simulates.
func (l *Lab) sameReplicated(p *Peer, n tick.Tick) bool {
	mine, ok := p.Replica.Predictor().State(n)
	x, ok2 := l.truth.worlds.At(n)
	if !ok || !ok2 {
		return true
	}
	for _, col := range l.Game.Wire() {
		if l.Game.KindOf(col) != sim.KindReplicated {
			continue
		}
		a, b := mine.Column(col), x.w.Column(col)
		for row, e := range a.IDs() {
			other, ok := b.Row(e)
			if !l.simulates(p, mine, e) {
				continue
			}
			if !ok || !l.truth.alike(l.Game.Plan(col), a.Bytes(row), b.Bytes(other)) {
				return false
			}
		}
	}
	return true
}

// whichInput finds the first own input that was not executed as predicted.
func (l *Lab) whichInput(p *Peer, d *Diagnosis) Cause {
	pr := p.Replica.Predictor()
	for t := d.From; t.Before(d.Tick); t++ {
		rec, ok := pr.Record(t)
		in, ok2 := l.truth.input(t, p.Replica.Player())
		if !ok || !ok2 || rec.Ran == in.how {
			continue
		}
		d.Input = t
		if !rec.Sampled {
			return ClockSlip
		}
		return LateInput // or lost: known once the history has passed
	}
	return Unnamed
}

// ranAsExecuted reports whether the server executed all of a client's own
// inputs from from to before to as they were predicted with.
func (l *Lab) ranAsExecuted(p *Peer, from, to tick.Tick) bool {
	for t := from; t.Before(to); t++ {
		rec, ok := p.Replica.Predictor().Record(t)
		in, ok2 := l.truth.input(t, p.Replica.Player())
		if !ok || !ok2 || rec.Ran != sim.AsSent || in.how != sim.AsSent || string(rec.Sent) != string(in.data) {
			return false
		}
	}
	return true
}

// lastClean returns the last tick before n at which everything that the client
// predicted was right, or the oldest that is known.
func (l *Lab) lastClean(p *Peer, n tick.Tick) (from tick.Tick, clean bool) {
	pr := p.Replica.Predictor()
	from = n
	for t := n - 1; n.Since(t) < truthTicks/2; t-- {
		mine, ok := pr.State(t)
		x, ok2 := l.truth.worlds.At(t)
		if !ok || !ok2 {
			return from, false
		}
		if _, ok := pr.Record(t); !ok {
			return from, false
		}
		from = t
		if l.allRight(p, mine, x.w) {
			return t, true
		}
	}
	return from, false
}

func (l *Lab) allRight(p *Peer, mine, server *ecs.World) bool {
	for _, e := range server.Entities() {
		if !l.simulates(p, server, e) {
			continue
		}
		if same, _ := l.truth.same(mine, server, e, p.Replica.Player()); !same {
			return false
		}
	}
	for _, e := range mine.Entities() {
		if !server.Alive(e) && l.simulates(p, mine, e) {
			return false
		}
	}
	return true
}

// simulates reports whether the client predicts e.
func (l *Lab) simulates(p *Peer, w *ecs.World, e tick.Entity) bool {
	off := p.Replica.Switches()
	if off.Prediction {
		return false
	}
	var mask uint64
	for i, col := range l.Game.Wire() {
		if w.Column(col).Has(e) {
			mask |= 1 << uint(i)
		}
	}
	return l.Game.ModeOfEntity(sim.Player(w.Owner(e)), p.Replica.Player(), mask, off.Others) == sim.Simulated
}

// sameBits reports whether a rerun gave the client's own bits.
func (l *Lab) sameBits(w, mine *ecs.World, m *predict.Mismatch) bool {
	for _, d := range m.List {
		if same, _ := l.truth.same(w, mine, d.Entity, sim.NoPlayer); !same {
			return false
		}
	}
	return true
}

// record files a diagnosis and gives its cause to all entities that differed.
func (l *Lab) record(p *Peer, d Diagnosis, m *predict.Mismatch) int {
	i := l.report.add(p, d)
	p.causes.diag = i
	if d.Cause == LateInput {
		p.causes.waiting = append(p.causes.waiting, i)
	}
	for _, x := range m.List {
		p.causes.set(x.Entity, i)
	}
	return i
}

func (c *causes) set(e tick.Entity, diag int) {
	for i := range c.of {
		if c.of[i].e == e {
			c.of[i].diag = diag
			return
		}
	}
	c.of = append(c.of, entityCause{e, diag})
}

// settle tells late inputs from lost ones once their copies can no longer come.
func (l *Lab) settle() {
	horizon := l.Server.Now().Add(-int32(l.Game.Hz()))
	for _, p := range l.Peers {
		w := p.causes.waiting
		for len(w) > 0 && l.report.Diagnoses[w[0]].Input.Before(horizon) {
			l.settleOne(p, w[0])
			w = w[1:]
		}
		p.causes.waiting = append(p.causes.waiting[:0], w...)
	}
}

func (l *Lab) settleAll() {
	for _, p := range l.Peers {
		for _, i := range p.causes.waiting {
			l.settleOne(p, i)
		}
		p.causes.waiting = p.causes.waiting[:0]
	}
}

func (l *Lab) settleOne(p *Peer, i int) {
	d := &l.report.Diagnoses[i]
	if e, ok := l.Server.Executed(p.Replica.Player(), d.Input); ok && !e.Late {
		l.report.rename(p, i, LostInput)
	}
}

package predict

import (
	"slices"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Verdict is what became of a snapshot.
type Verdict uint8

const (
	Taken   Verdict = iota // compared, and a replay is pending if it differed
	TooOld                 // older than what was taken in already, or than the history
	TooNew                 // the client is behind the server: Start anew at that tick
	Waiting                // not started
)

// Mismatch is a snapshot tick at which the prediction differed.
type Mismatch struct {
	Tick  tick.Tick
	List  []Difference
	Worst int // index of the largest
}

// Difference is one entity that differs at a snapshot's tick.
type Difference struct {
	Entity   tick.Entity
	Column   int     // of the first component that differs
	Distance float32 // how far apart, over the smooth fields
	Beyond   bool    // beyond tolerance
}

// pending is the replay that Flush is to make.
type pending struct {
	due   bool
	from  tick.Tick
	why   Reason
	dirty []tick.Entity // for a scoped replay, ascending
	whole bool          // structure changed: replay everything
}

// Reason is a set of reasons for a replay.
type Reason uint8

const (
	Differed   Reason = 1 << iota // a prediction differed: see Mismatch
	Repaired                      // the server executed another input than was sent
	Appeared                      // an entity was not known at that tick
	Vanished                      // the server ended an entity
	Changed                       // a component came or went, or the owner changed
	Replicated                    // a value that only the server writes
)

// compared sums up one snapshot tick, over all of its packets.
type compared struct {
	tick                       tick.Tick
	open, any, differs, beyond bool
}

// Reconcile takes in what the server says of state n. Values are of entities
// that this client simulates (the others belong to the view). Nothing is
// replayed before Flush, so that several packets of one tick cost one replay;
// see Passed.
func (p *Predictor) Reconcile(n tick.Tick, vals []Value) Verdict {
	switch {
	case !p.begun:
		return Waiting
	case n.After(p.now):
		return TooNew
	case p.have && n.Before(p.newest):
		p.count.TooOld++
		return TooOld
	}
	st, ok := p.hist.At(n)
	if !ok {
		p.count.TooOld++
		return TooOld
	}
	p.newest, p.have = n, true
	p.forget()
	p.compare(n, st.w, vals)
	return Taken
}

// Look compares as Reconcile does, and counts; it adopts nothing and asks for
// no replay. It shows what a prediction that is never corrected comes to.
func (p *Predictor) Look(n tick.Tick, vals []Value) {
	st, ok := p.hist.At(n)
	if !p.begun || !ok || n.After(p.now) || p.cmp.open && n.Before(p.cmp.tick) {
		return
	}
	p.openTick(n, st.w)
	r, ok := p.recs.At(n - 1)
	for i := range vals {
		v := &vals[i]
		if v.Gone || ok && r.poses.has(v.Entity) || !st.w.Alive(v.Entity) {
			continue
		}
		p.countTick()
		if c := p.against(v); c.Column >= 0 {
			p.differs(c.Difference)
		}
	}
	p.sum()
}

// Mismatch returns what differed at the snapshot packet compared last; valid
// until the next.
func (p *Predictor) Mismatch() *Mismatch { return &p.mis }

// Passed reports whether a replay is due for an earlier tick than n: then
// Flush comes before the Repairs and the Reconcile of snapshot n, so that it is
// compared with what the history became.
func (p *Predictor) Passed(n tick.Tick) bool {
	return p.pending.due && p.have && n.After(p.newest)
}

func (p *Predictor) compare(n tick.Tick, was *ecs.World, vals []Value) {
	p.openTick(n, was)
	r, ok := p.recs.At(n - 1)
	for i := range vals {
		v := &vals[i]
		// It was another's pose in the state before.
		p.compareOne(n, was, v, ok && r.poses.has(v.Entity))
	}
	p.sum()
	if len(p.mis.List) > 0 && p.cfg.Inspect != nil {
		p.cfg.Inspect(&p.mis)
	}
	for _, e := range p.released {
		p.release(e, n)
	}
	p.released = p.released[:0]
	p.adopt(n, vals)
}

// openTick begins to compare a packet of snapshot n.
func (p *Predictor) openTick(n tick.Tick, was *ecs.World) {
	if !p.cmp.open || p.cmp.tick != n {
		p.cmp = compared{tick: n, open: true}
	}
	p.mis = Mismatch{Tick: n, List: p.mis.List[:0]}
	p.look(was)
}

func (p *Predictor) countTick() {
	if !p.cmp.any {
		p.cmp.any = true
		p.count.Compared++
	}
}

func (p *Predictor) differs(d Difference) {
	p.mis.List = append(p.mis.List, d)
	if p.mis.List[p.mis.Worst].Distance < d.Distance {
		p.mis.Worst = len(p.mis.List) - 1
	}
}

// sum counts a tick once, however many packets carried it.
func (p *Predictor) sum() {
	c := &p.cmp
	for _, d := range p.mis.List {
		if !c.differs {
			c.differs = true
			p.count.Differing++
		}
		if d.Beyond && !c.beyond {
			c.beyond = true
			p.count.Mispredicted++
		}
		if !d.Beyond {
			p.count.Drift++
		}
	}
}

// compareOne looks for a difference between history and the server's word, and
// adopts that word: as the start of a replay if it differs, and else so that no
// later replay can leave it. A tolerated difference is left alone, and so is
// one below what travels.
func (p *Predictor) compareOne(n tick.Tick, was *ecs.World, v *Value, other bool) {
	switch {
	case v.Gone:
		if was.Alive(v.Entity) && !other {
			p.schedule(n, v.Entity, true, Vanished)
			p.turn(n, was.Owner(v.Entity), 0)
			p.kept = append(p.kept, v.Entity)
		}
		return
	case other || !was.Alive(v.Entity):
		p.schedule(n, v.Entity, true, Appeared)
		p.turn(n, was.Owner(v.Entity), v.Owner)
		p.released = append(p.released, v.Entity)
		p.kept = append(p.kept, v.Entity)
		return
	}
	p.countTick()
	c := p.against(v)
	if c.replicated {
		p.schedule(n, v.Entity, false, Replicated)
	}
	if c.changed || was.Owner(v.Entity) != v.Owner {
		p.schedule(n, v.Entity, true, Changed)
		p.turn(n, was.Owner(v.Entity), v.Owner)
		c.changed = true
	}
	replay := c.replicated || c.changed
	if c.Column >= 0 {
		p.differs(c.Difference)
		if c.Beyond || v.Rests {
			p.schedule(n, v.Entity, false, Differed)
			replay = true
		}
	}
	if replay || c.same {
		p.kept = append(p.kept, v.Entity)
	}
}

// against is one entity of the history against the server's word.
type against struct {
	Difference
	same       bool // to the byte: adopting the word changes nothing
	replicated bool // in what only the server writes
	changed    bool // a predicted component came or went
}

func (p *Predictor) against(v *Value) (c against) {
	c = against{Difference: Difference{Entity: v.Entity, Column: -1}, same: true}
	at := 0
	for i, col := range p.wire {
		x := &p.cols[i]
		theirs := x.scratch
		present := v.Mask>>uint(i)&1 == 1
		if present {
			x.plan.Dequantise(v.Words[at:at+x.plan.Words], theirs)
			at += x.plan.Words
		}
		column := x.was
		row, have := x.rows.Row(v.Entity)
		if have == present && (!have || string(column.Bytes(row)) == string(theirs)) {
			continue
		}
		c.same = false
		switch {
		case x.kind == sim.KindReplicated:
			c.replicated = true
		case x.kind == sim.KindInput && v.Owner == uint16(p.cfg.Me):
			// Own input is not predicted: it is repaired.
		case have != present:
			c.note(col, 0, true)
			c.changed = true
		case x.plan.Exact() || !p.sameWords(x.plan, column.Bytes(row), theirs):
			mine := column.Bytes(row)
			c.note(col, x.plan.Distance(mine, theirs), x.plan.Differs(mine, theirs))
		}
	}
	return c
}

// look makes ready to compare with a state. Rows are looked up in the world at
// Now where they are the same: that one is in the processor's cache.
func (p *Predictor) look(was *ecs.World) {
	for i, col := range p.wire {
		x := &p.cols[i]
		x.was = was.Column(col)
		if x.rows = p.world.Column(col); !x.rows.SameIDs(x.was) {
			x.rows = x.was
		}
	}
}

// release turns e from interpolated to simulated, from state n on.
func (p *Predictor) release(e tick.Entity, n tick.Tick) {
	for t := n; t.Before(p.now); t++ {
		if r, ok := p.recs.At(t); ok {
			r.poses.drop(e)
			if i := slices.Index(r.removed, e); i >= 0 {
				r.removed = slices.Delete(r.removed, i, i+1)
			}
		}
	}
	if i, ok := slices.BinarySearch(p.others, e); ok {
		p.others = slices.Delete(p.others, i, i+1)
	}
}

// sameWords reports whether two values are the same as far as they travel.
func (p *Predictor) sameWords(plan *sim.Plan, a, b []byte) bool {
	if cap(p.words) < 2*plan.Words {
		p.words = make([]int32, 2*plan.Words)
	}
	u, w := p.words[:plan.Words], p.words[plan.Words:2*plan.Words]
	plan.Quantise(a, u)
	plan.Quantise(b, w)
	return slices.Equal(u, w)
}

func (d *Difference) note(col int, distance float32, beyond bool) {
	if d.Column < 0 {
		d.Column = col
	}
	if distance > d.Distance {
		d.Distance = distance
	}
	d.Beyond = d.Beyond || beyond
}

// schedule asks for a replay from state n.
func (p *Predictor) schedule(n tick.Tick, e tick.Entity, whole bool, why Reason) {
	q := &p.pending
	if !q.due || n.Before(q.from) {
		q.from = n
	}
	q.due = true
	q.whole = q.whole || whole
	q.why |= why
	if i, ok := slices.BinarySearch(q.dirty, e); !ok && e != tick.NoEntity {
		q.dirty = slices.Insert(q.dirty, i, e)
	}
}

// adopt keeps the server's values for every replay of state n.
func (p *Predictor) adopt(n tick.Tick, vals []Value) {
	r := p.recordAt(n)
	k := 0
	for i := range vals {
		if k < len(p.kept) && p.kept[k] == vals[i].Entity {
			r.adopted.put(&vals[i])
			k++
		}
	}
	p.kept = p.kept[:0]
}

// recordAt returns the record of tick n, begun if n is Now.
func (p *Predictor) recordAt(n tick.Tick) *Record {
	if r, ok := p.recs.At(n); ok {
		return r
	}
	r := p.recs.Put(n)
	p.clean(r)
	return r
}

// clean makes a record that takes the place of an older one empty.
func (p *Predictor) clean(r *Record) {
	r.reset(p.g.InputSize())
	if n := len(p.spare); n > 0 && r.adopted.list == nil {
		r.adopted, p.spare = p.spare[n-1], p.spare[:n-1]
	}
}

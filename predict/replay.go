package predict

import (
	"slices"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Repair tells how the server obtained the input of tick t. If that is not
// what was predicted with, the record is mended and a replay from t is due.
// Call it in the order of ticks, before Reconcile of the same snapshot.
func (p *Predictor) Repair(t tick.Tick, how sim.How) {
	r, ok := p.Record(t)
	if !ok || r.How == how || how == sim.AsSent && !r.Sampled {
		return
	}
	p.count.Repairs++
	st, ok := p.hist.At(t)
	if !ok {
		r.How = how
		return
	}
	before := p.scratchInput(0)
	p.executed(st.w, r, r.How, before)
	frozen := r.How == sim.Frozen
	r.How = how
	after := p.scratchInput(1)
	p.executed(st.w, r, how, after)
	if string(before) == string(after) && !frozen && how != sim.Frozen {
		return
	}
	p.scheduleMine(t, st.w)
}

func (p *Predictor) scratchInput(i int) []byte {
	n := p.g.InputSize()
	if len(p.scratch[i]) < n {
		p.scratch[i] = make([]byte, n)
	}
	return p.scratch[i][:n]
}

func (p *Predictor) scheduleMine(t tick.Tick, w *ecs.World) {
	p.schedule(t, tick.NoEntity, false, Repaired)
	for _, e := range w.Entities() {
		if w.Owner(e) == uint16(p.cfg.Me) {
			p.schedule(t, e, false, Repaired)
		}
	}
}

// Due reports whether a replay is due.
func (p *Predictor) Due() bool { return p.pending.due }

// Flush makes the replay that is due and returns the tick it began at.
func (p *Predictor) Flush() (from tick.Tick, replayed bool) {
	if !p.pending.due {
		return 0, false
	}
	q := p.pending
	p.pending = pending{dirty: q.dirty[:0]}
	if _, ok := p.hist.At(q.from); !ok || q.from.After(p.now) {
		return 0, false
	}
	p.count.Rollbacks++
	p.why = q.why
	if p.g.Scoped() && !q.whole && !p.turnedSince(q.from) {
		p.replayScoped(q.from, p.withMine(q.from, q.dirty))
	} else {
		p.replay(q.from)
	}
	return q.from, true
}

// Why returns the reasons of the replay that Flush made last.
func (p *Predictor) Why() Reason { return p.why }

// turn notes that at state n an entity came to the player or left him. What
// fills a hole in his input is read from what he owns, so a replay from before
// that is one of everything.
func (p *Predictor) turn(n tick.Tick, was, is uint16) {
	if me := uint16(p.cfg.Me); (was == me) != (is == me) && (!p.hasTurned || n.After(p.turned)) {
		p.turned, p.hasTurned = n, true
	}
}

func (p *Predictor) turnedSince(from tick.Tick) bool {
	if p.hasTurned && int(p.now.Since(p.turned)) >= p.hist.Len() {
		p.hasTurned = false
	}
	return p.hasTurned && !from.After(p.turned)
}

// withMine adds all that the player owns, or owned at state from, if any of it
// is dirty.
func (p *Predictor) withMine(from tick.Tick, dirty []tick.Entity) []tick.Entity {
	st, _ := p.hist.At(from)
	mine := false
	for _, e := range dirty {
		mine = mine || p.mine(p.world, e) || p.mine(st.w, e)
	}
	if !mine {
		return dirty
	}
	for _, w := range [2]*ecs.World{p.world, st.w} {
		for _, e := range w.Entities() {
			if !p.mine(w, e) {
				continue
			}
			if i, ok := slices.BinarySearch(dirty, e); !ok {
				dirty = slices.Insert(dirty, i, e)
			}
		}
	}
	return dirty
}

func (p *Predictor) mine(w *ecs.World, e tick.Entity) bool { return w.Owner(e) == uint16(p.cfg.Me) }

// Force restores the state n ticks ago and replays to Now. It must change
// nothing; it is how the two laws are tested.
func (p *Predictor) Force(n int) {
	from := p.now.Add(-int32(n))
	if _, ok := p.hist.At(from); ok && p.begun {
		p.replay(from)
	}
}

// replay restores state from and replays everything to Now.
func (p *Predictor) replay(from tick.Tick) {
	st, _ := p.hist.At(from)
	p.world.CopyFrom(st.w)
	for t := from; ; t++ {
		if r, ok := p.recs.At(t); ok && len(r.adopted.list) > 0 {
			p.applyAdopted(p.world, r, nil)
		}
		p.save(t)
		if t == p.now {
			break
		}
		r, ok := p.recs.At(t)
		if !ok {
			r = p.recordAt(t)
		}
		p.runTick(p.world, t, r, nil, &Replace{})
		p.count.Replayed++
	}
}

// replayScoped replays only the entities of dirty; the rest of the world stays
// at Now, where no system of theirs can see it.
func (p *Predictor) replayScoped(from tick.Tick, dirty []tick.Entity) {
	st, _ := p.hist.At(from)
	for _, e := range dirty {
		p.world.CopyEntity(st.w, e)
	}
	for t := from; ; t++ {
		r, ok := p.recs.At(t)
		if ok && len(r.adopted.list) > 0 {
			p.applyAdopted(p.world, r, dirty)
		}
		if st, ok := p.hist.At(t); ok {
			for _, e := range dirty {
				st.w.CopyEntity(p.world, e)
			}
		}
		if t == p.now {
			break
		}
		if !ok {
			r = p.recordAt(t)
		}
		p.runTick(p.world, t, r, dirty, &Replace{})
		p.count.Replayed++
	}
}

func (p *Predictor) applyAdopted(w *ecs.World, r *Record, scope []tick.Entity) {
	for i := range r.adopted.list {
		v := r.adopted.at(i)
		if scope == nil || holds(scope, v.Entity) {
			Put(p.g, w, &v)
		}
	}
}

func holds(es []tick.Entity, e tick.Entity) bool {
	_, ok := slices.BinarySearch(es, e)
	return ok
}

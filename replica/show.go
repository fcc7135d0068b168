package replica

import (
	"time"

	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/view"
	"github.com/foretick/foretick/wire"
)

// show makes the picture.
func (r *Replica) show(now time.Duration, frac float64) *view.Frame {
	r.trim()
	if r.cfg.Blind {
		return r.hold(now)
	}
	s := &r.source
	p := r.pred.Now()
	s.Cur, s.Prev = r.pred.World(), nil
	if prev, ok := r.pred.State(p - 1); ok {
		s.Prev = prev
	}
	s.Alpha = float32(frac)
	s.Buffer, s.ViewTick, s.ViewFrac = r.buffer, r.viewTick, r.viewFrac
	s.Smooth, s.Now = !r.cfg.Off.Smoothing, now
	r.last = r.display.Frame(s)
	return r.last
}

// watch moves the view on: how far in the past others are seen.
func (r *Replica) watch(now time.Duration, p tick.Tick, frac float64) {
	v, vfrac := r.playout.Advance(now)
	if r.cfg.Off.Interpolation { // whole ticks, so that nothing is blended
		r.viewTick, r.viewFrac = r.server, 0
		r.behind = wholeBehind(p.Since(r.server))
		return
	}
	r.viewTick, r.viewFrac = v, float32(vfrac)
	r.behind = steady(r.behind, r.playout.Behind(p, frac))
}

// wholeBehind is a distance in ticks as inputs carry it.
func wholeBehind(ticks int32) uint16 {
	const most = (1<<16 - 1) / wire.ViewUnit
	if ticks < 0 {
		ticks = 0
	}
	if ticks > most {
		ticks = most
	}
	return uint16(ticks) * wire.ViewUnit
}

// hold shows what was shown: there is nothing to go on from.
func (r *Replica) hold(now time.Duration) *view.Frame {
	f := r.last
	f.Appeared, f.Gone, f.Teleported, f.Now = f.Appeared[:0], f.Gone[:0], f.Teleported[:0], now
	return f
}

// Predicts reports whether e is shown as predicted here, and not as snapshots
// had it.
func (r *Replica) Predicts(e tick.Entity) bool { return r.pred != nil && r.shownAsPredicted(e) }

// shownAsPredicted reports whether e is drawn from the prediction. What the
// prediction has destroyed stays destroyed, whatever the buffer has of it.
func (r *Replica) shownAsPredicted(e tick.Entity) bool {
	if r.pred.IsOther(e) {
		return false
	}
	m, ok := r.roster.find(e)
	return r.pred.World().Alive(e) || ok && r.simulates(m.owner, m.mask)
}

// trim lets the view forget what neither it nor a replay will read again.
func (r *Replica) trim() {
	oldest := r.pred.Now() - tick.Tick(r.behind/wire.ViewUnit) - trimSlack
	r.buffer.Trim(tick.Earlier(oldest, tick.Earlier(r.viewTick, r.server)))
}

// replay makes the replay that is due, tells the view what it changed, and
// has the effects of the replayed ticks judged anew.
func (r *Replica) replay() {
	if !r.pred.Due() {
		return
	}
	r.keep()
	from, ok := r.pred.Flush()
	if !ok {
		return
	}
	now := r.pred.Now()
	prev := r.pred.World()
	if st, ok := r.pred.State(now - 1); ok {
		prev = st
	}
	if !r.cfg.Blind {
		r.display.Corrected(r.before[0], r.before[1], prev, r.pred.World())
	}
	for t := from; t.Before(now); t++ {
		if rec, ok := r.pred.Record(t); ok {
			r.ledger.Predicted(t, rec.Effects)
		}
	}
	r.measure(from, now)
}

// measure notes how far the replay moved what the player sees.
func (r *Replica) measure(from, now tick.Tick) {
	c := Correction{From: uint32(from), Why: r.pred.Why(), Ticks: int(now.Since(from))}
	was, is := r.before[1], r.pred.World()
	for col := range r.g.Components() {
		p := r.g.Plan(col)
		if !p.Smooth() {
			continue
		}
		a, b := was.Column(col), is.Column(col)
		same := a.SameIDs(b)
		for row, e := range a.IDs() {
			other, ok := row, true
			if !same {
				other, ok = b.Row(e)
			}
			if !ok || string(a.Bytes(row)) == string(b.Bytes(other)) || r.pred.IsOther(e) {
				continue
			}
			d := p.Distance(a.Bytes(row), b.Bytes(other))
			if d == 0 {
				continue
			}
			c.Entities++
			if d > c.Largest {
				c.Largest = d
			}
			if is.Owner(e) == uint16(r.player) && d > c.Own {
				c.Own = d
			}
		}
	}
	r.causes.note(r, &c)
	r.fixed = append(r.fixed, c)
}

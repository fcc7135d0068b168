package view

import (
	"cmp"
	"slices"

	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// settle makes everything up to t final, what is predicted there being true,
// and returns how many effects that were.
func (l *Ledger) settle(t tick.Tick) int {
	n := 0
	for n < len(l.plan) && !l.plan[n].Tick.After(t) {
		n++
	}
	l.truth = append(l.truth, l.plan[:n]...)
	l.plan = slices.Delete(l.plan, 0, n)
	l.through, l.started = t, true
	l.trimTruth()
	return n
}

// trimTruth drops the oldest of too many.
func (l *Ledger) trimTruth() {
	if n := len(l.truth) - MaxOpen; n > 0 {
		l.Stats.Dropped += uint64(n)
		l.truth = slices.Delete(l.truth, 0, n)
	}
}

// matchSame finds the wanted effects that are on the screen under their key.
func (l *Ledger) matchSame() {
	i := 0
	for w := range l.want {
		for i < len(l.open) && compareKey(l.open[i].now, l.want[w]) < 0 {
			i++
		}
		if i < len(l.open) && !l.used[i] && sameKey(l.open[i].now, l.want[w]) {
			l.of[w], l.used[i] = int32(i), true
		}
	}
}

// matchMoved finds, for what is still wanted, something left over nearby:
// nearest first, then by the wanted key, then the same ordinal, then by the
// key it has.
func (l *Ledger) matchMoved() {
	for d := int32(0); d <= MoveTicks; d++ {
		lo := 0
		for w := range l.want {
			if l.of[w] >= 0 {
				continue
			}
			for lo < len(l.open) && l.open[lo].now.Tick.Since(l.want[w].Tick) < -d {
				lo++
			}
			if i := l.nearby(&l.want[w], lo, d); i >= 0 {
				l.of[w], l.used[i] = int32(i), true
				l.Stats.Moved++
			}
		}
	}
}

// nearby looks from open entry i on for one that is d ticks from w.
func (l *Ledger) nearby(w *sim.Effect, i int, d int32) int {
	best := -1
	for ; i < len(l.open); i++ {
		o := &l.open[i].now
		off := o.Tick.Since(w.Tick)
		if off > d {
			break
		}
		if off != d && off != -d || l.used[i] || o.Entity != w.Entity || o.Kind != w.Kind {
			continue
		}
		if o.Ordinal == w.Ordinal {
			return i
		}
		if best < 0 {
			best = i
		}
	}
	return best
}

// reopen shows what is wanted and not on the screen, and keeps open what is
// not final. It is called with of complete, when open has served.
func (l *Ledger) reopen() {
	final := len(l.truth)
	l.next = l.next[:0]
	for w := range l.want {
		e := entry{as: l.want[w], now: l.want[w]}
		if i := l.of[w]; i >= 0 {
			e.as = l.open[i].as
		} else {
			l.show = append(l.show, e.as)
			if w < final {
				l.Stats.Late++
			}
		}
		if w >= final {
			l.next = append(l.next, e)
		}
	}
	l.open, l.next = l.next, l.open
	l.truth = l.truth[:0]
}

func compareKey(a, b sim.Effect) int {
	if a.Tick != b.Tick {
		return int(a.Tick.Since(b.Tick))
	}
	return cmp.Or(cmp.Compare(a.Entity, b.Entity), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Ordinal, b.Ordinal))
}

func sameKey(a, b sim.Effect) bool {
	return a.Tick == b.Tick && a.Entity == b.Entity && a.Kind == b.Kind && a.Ordinal == b.Ordinal
}

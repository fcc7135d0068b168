package view

import (
	"slices"

	"github.com/foretick/foretick/internal/fault"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Ledger shows each effect once, however often its tick is replayed, and takes
// back once what turns out not to have happened.
//
// What is on the screen and unconfirmed is compared, once a frame, with what
// ought to be there: the server's list up to the last confirmed tick and the
// prediction after it. Same key (tick, entity, kind, ordinal): the same effect.
// Else the same entity and kind within MoveTicks: one that has moved, nearest
// first, one to one. What is then left over is shown or cancelled.
type Ledger struct {
	Stats LedgerStats

	through tick.Tick // up to here everything is final
	started bool

	open, next []entry      // shown, not yet final; by key
	plan       []sim.Effect // predicted after through; by key
	truth      []sim.Effect // final, not yet compared; by key

	want []sim.Effect // truth and plan, while Drain runs
	of   []int32      // which open entry it is, or -1
	used []bool       // of open

	show, cancel []sim.Effect
}

// LedgerStats counts effects.
type LedgerStats struct {
	Shown     uint64
	Cancelled uint64
	Moved     uint64 // neither shown again nor cancelled
	Late      uint64 // of those shown, only when the server said so
	Dropped   uint64 // for lack of room: see MaxOpen
}

// entry is an effect on the screen: as it was shown, and where it is by now.
type entry struct{ as, now sim.Effect }

// NewLedger makes an empty ledger.
func NewLedger() *Ledger {
	return &Ledger{show: make([]sim.Effect, 0, firstEffects), cancel: make([]sim.Effect, 0, firstEffects)}
}

// Predicted replaces what was predicted for tick t. For a tick the server has
// spoken about it does nothing.
func (l *Ledger) Predicted(t tick.Tick, effects []sim.Effect) {
	if l.started && !t.After(l.through) {
		return
	}
	lo := len(l.plan)
	for lo > 0 && !l.plan[lo-1].Tick.Before(t) {
		lo--
	}
	hi := lo
	for hi < len(l.plan) && l.plan[hi].Tick == t {
		hi++
	}
	n := len(effects)
	if n > sim.MaxEffects {
		l.Stats.Dropped += uint64(n - sim.MaxEffects)
		n = sim.MaxEffects
	}
	l.plan = slices.Replace(l.plan, lo, hi, effects[:n]...)
	for i := range l.plan[lo : lo+n] {
		l.plan[lo+i].Tick = t
	}
	slices.SortFunc(l.plan[lo:lo+n], compareKey)
	for len(l.plan) > MaxOpen {
		l.Stats.Dropped += uint64(l.settle(l.plan[0].Tick))
	}
}

// Confirmed takes the server's complete list for the ticks after from, up to
// and including through. Ticks that are final already are skipped. Those
// between the last list and from will never be heard of: what was predicted
// for them counts as true.
func (l *Ledger) Confirmed(from, through tick.Tick, effects []sim.Effect) {
	if !through.After(from) || l.started && !through.After(l.through) {
		return
	}
	if !l.started || from.After(l.through) {
		l.settle(from)
	}
	lo := len(l.truth)
	for i := range effects {
		if t := effects[i].Tick; t.After(l.through) && !t.After(through) {
			l.truth = append(l.truth, effects[i])
		}
	}
	slices.SortFunc(l.truth[lo:], compareKey)
	n := 0
	for n < len(l.plan) && !l.plan[n].Tick.After(through) {
		n++
	}
	l.plan = slices.Delete(l.plan, 0, n)
	l.through = through
	l.trimTruth()
}

// Drain returns what to show now and what to take back, both in order of their
// keys and valid until the next call. An effect is taken back under the key
// that it was shown with, even if it has moved since (and another may have been
// shown under that key). Call it once a frame.
func (l *Ledger) Drain() (show, cancel []sim.Effect) {
	l.truth = slices.CompactFunc(l.truth, sameKey)
	l.want = append(append(l.want[:0], l.truth...), l.plan...)
	l.used, l.of = l.used[:0], l.of[:0]
	for range l.open {
		l.used = append(l.used, false)
	}
	for range l.want {
		l.of = append(l.of, -1)
	}
	l.matchSame()
	l.matchMoved()
	l.show, l.cancel = l.show[:0], l.cancel[:0]
	for i := range l.open {
		if !l.used[i] {
			l.cancel = append(l.cancel, l.open[i].as)
		}
	}
	l.reopen()
	if fault.Is("inv24") && len(l.show) > 1 {
		l.show = append(l.show, l.show[0])
	}
	l.Stats.Shown += uint64(len(l.show))
	l.Stats.Cancelled += uint64(len(l.cancel))
	return l.show, l.cancel
}

// Reset forgets everything, shows and cancels nothing of it, and starts after
// tick at.
func (l *Ledger) Reset(at tick.Tick) {
	l.open, l.plan, l.truth = l.open[:0], l.plan[:0], l.truth[:0]
	l.show, l.cancel = l.show[:0], l.cancel[:0]
	l.through, l.started = at, true
}

package view

import (
	"slices"
	"testing"

	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

func fx(n int32, e tick.Entity, kind, ordinal uint8) sim.Effect {
	return sim.Effect{Tick: at(n), Entity: e, Kind: kind, Ordinal: ordinal}
}

// drained checks one Drain by ticks (and ordinals, in hundreds).
func drained(t *testing.T, l *Ledger, show, cancel []int) {
	t.Helper()
	flat := func(es []sim.Effect) (out []int) {
		for _, e := range es {
			out = append(out, int(e.Tick.Since(start))+100*int(e.Ordinal))
		}
		return out
	}
	s, c := l.Drain()
	if !slices.Equal(flat(s), show) || !slices.Equal(flat(c), cancel) {
		t.Errorf("shown %v, want %v; cancelled %v, want %v", flat(s), show, flat(c), cancel)
	}
}

func TestLedgerShowsOnce(t *testing.T) {
	l := NewLedger()
	one10 := []sim.Effect{fx(10, one, 1, 0)}
	l.Predicted(at(10), one10)
	drained(t, l, []int{10}, nil)
	l.Predicted(at(10), one10) // replayed
	drained(t, l, nil, nil)
	l.Predicted(at(10), nil) // vanished and back within a frame
	l.Predicted(at(10), one10)
	drained(t, l, nil, nil)
	l.Confirmed(at(0), at(10), one10)
	drained(t, l, nil, nil)
	l.Predicted(at(10), nil) // final by now
	l.Confirmed(at(5), at(10), nil)
	l.Confirmed(at(0), at(9), one10)
	drained(t, l, nil, nil)
	if l.Stats != (LedgerStats{Shown: 1}) {
		t.Errorf("%+v", l.Stats)
	}
}

func TestLedgerCancels(t *testing.T) {
	l := NewLedger()
	l.Predicted(at(10), []sim.Effect{fx(10, one, 1, 0), fx(10, one, 1, 1)})
	drained(t, l, []int{10, 110}, nil)
	l.Predicted(at(10), []sim.Effect{fx(10, one, 1, 0)}) // the replay has one less
	drained(t, l, nil, []int{110})
	l.Confirmed(at(0), at(20), []sim.Effect{fx(12, two, 1, 0)}) // the server has another
	drained(t, l, []int{12}, []int{10})
	drained(t, l, nil, nil)
	if l.Stats != (LedgerStats{Shown: 3, Cancelled: 2, Late: 1}) {
		t.Errorf("%+v", l.Stats)
	}
}

func TestLedgerMoves(t *testing.T) {
	for _, c := range []struct {
		name         string
		to           sim.Effect
		show, cancel []int
	}{
		{"four ticks later", fx(14, one, 1, 0), nil, nil},
		{"four ticks sooner, other ordinal", fx(6, one, 1, 3), nil, nil},
		{"five ticks", fx(15, one, 1, 0), []int{15}, []int{10}},
		{"another entity", fx(10, two, 1, 0), []int{10}, []int{10}},
		{"another kind", fx(10, one, 2, 0), []int{10}, []int{10}},
	} {
		for _, truth := range []bool{false, true} {
			l := NewLedger()
			l.Predicted(at(10), []sim.Effect{fx(10, one, 1, 0)})
			l.Drain()
			if truth {
				l.Confirmed(at(0), at(20), []sim.Effect{c.to})
			} else {
				l.Predicted(at(10), nil)
				l.Predicted(c.to.Tick, []sim.Effect{c.to})
			}
			drained(t, l, c.show, c.cancel)
			drained(t, l, nil, nil)
			if t.Failed() {
				t.Fatalf("%s, by the server %v", c.name, truth)
			}
		}
	}
	// One to one, nearest first: 10 and 13 become 12 and 9; 12 takes 13.
	l := NewLedger()
	l.Predicted(at(10), []sim.Effect{fx(10, one, 1, 0)})
	l.Predicted(at(13), []sim.Effect{fx(13, one, 1, 0)})
	l.Drain()
	l.Confirmed(at(0), at(20), []sim.Effect{fx(9, one, 1, 0), fx(12, one, 1, 0), fx(11, one, 1, 0)})
	drained(t, l, []int{11}, nil)
	// Moved twice, it is taken back under the key it was shown with.
	l = NewLedger()
	l.Predicted(at(10), []sim.Effect{fx(10, one, 1, 0)})
	l.Drain()
	for n := int32(11); n < 30; n++ {
		l.Predicted(at(n-1), nil)
		l.Predicted(at(n), []sim.Effect{fx(n, one, 1, 0)})
		drained(t, l, nil, nil)
	}
	l.Predicted(at(29), nil)
	drained(t, l, nil, []int{10})
}

func TestLedgerGapCountsAsPredicted(t *testing.T) {
	l := NewLedger()
	l.Confirmed(at(0), at(5), nil)
	l.Predicted(at(7), []sim.Effect{fx(7, one, 1, 0)})
	l.Predicted(at(12), []sim.Effect{fx(12, one, 1, 0)})
	drained(t, l, []int{7, 12}, nil)
	l.Confirmed(at(10), at(20), nil) // nothing is said about 6 to 10
	drained(t, l, nil, []int{12})
	l.Reset(at(100))
	l.Predicted(at(100), []sim.Effect{fx(100, one, 1, 0)})
	drained(t, l, nil, nil)
	l.Predicted(at(101), []sim.Effect{fx(101, one, 1, 0)})
	drained(t, l, []int{101}, nil)
	l.Reset(at(200))
	drained(t, l, nil, nil)
}

func TestLedgerIsBounded(t *testing.T) {
	l := NewLedger()
	many := make([]sim.Effect, sim.MaxEffects)
	for i := range many {
		many[i] = fx(0, one, 1, uint8(i))
	}
	for n := range int32(50) {
		for i := range many {
			many[i].Tick = at(n)
		}
		l.Predicted(at(n), many)
		show, cancel := l.Drain()
		if len(show) != len(many) || len(cancel) != 0 || len(l.open) > MaxOpen {
			t.Fatalf("tick %d: %d shown, %d cancelled, %d open", n, len(show), len(cancel), len(l.open))
		}
	}
	var list []sim.Effect
	for n := range int32(50) {
		for i := range many {
			many[i].Tick = at(100 + n)
		}
		list = append(list, many...)
	}
	l.Confirmed(at(49), at(200), list)
	if show, _ := l.Drain(); len(show) != MaxOpen || l.Stats.Dropped == 0 {
		t.Errorf("%d shown, %+v", len(show), l.Stats)
	}
}

// screen is what a player saw and heard: by key, shown minus cancelled. A key
// can be there twice when the first has moved away from it since.
type screen map[sim.Effect]int

func (s screen) apply(t *testing.T, show, cancel []sim.Effect) {
	for _, e := range show {
		s[e]++
	}
	for _, e := range cancel {
		if s[e]--; s[e] < 0 {
			t.Fatalf("%v cancelled without being shown", e)
		}
	}
}

// ledgerRun plays a match: a truth, predictions of it that are wrong at random
// and corrected by replays, lists that overlap, frames at random. It returns
// how often the ledger's answer differed from that of a naive one, and how many
// effects too many or too few were on the screen at the end.
func ledgerRun(t *testing.T, seed int64, spoil func(*Ledger)) (differs, wrong int) {
	r := newRand(t, seed)
	l, o := NewLedger(), &oracle{plan: map[int32][]sim.Effect{}}
	var truth []sim.Effect
	const ticks = 300
	for n := int32(1); n <= ticks; n++ {
		for _, e := range []tick.Entity{one, two} {
			for ord := range uint8(r.Intn(3)) {
				if r.Intn(3) == 0 {
					truth = append(truth, fx(n, e, uint8(r.Intn(2)), ord))
				}
			}
		}
	}
	truth = dedupe(truth)
	guess := func(n int32) (out []sim.Effect) {
		for _, e := range truth {
			if m := e.Tick.Since(start); m == n && r.Intn(6) > 0 {
				out = append(out, e)
			} else if m-n <= 5 && n-m <= 5 && r.Intn(20) == 0 {
				e.Tick = at(n)
				out = append(out, e)
			}
		}
		out = dedupe(out)
		r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		return out
	}
	seen, now, through := screen{}, int32(0), int32(0)
	for through < ticks {
		if now < ticks && now < through+40 {
			now++
			g := guess(now)
			l.Predicted(at(now), g)
			o.predicted(now, g)
		}
		if r.Intn(4) == 0 && now > through {
			from := through
			to := through + 1 + r.Int31n(now-through)
			if r.Intn(2) == 0 {
				from -= r.Int31n(10)
			}
			var list []sim.Effect
			for _, e := range truth {
				if m := e.Tick.Since(start); m > from && m <= to {
					list = append(list, e)
				}
			}
			l.Confirmed(at(from), at(to), list)
			o.confirmed(to, list)
			through = to
			if r.Intn(2) == 0 {
				for n := through - 2; n <= now; n++ {
					g := guess(n)
					l.Predicted(at(n), g)
					o.predicted(n, g)
				}
			}
		}
		if r.Intn(3) > 0 || through == ticks {
			spoil(l)
			show, cancel := l.Drain()
			s2, c2 := o.drain()
			if !slices.Equal(show, s2) || !slices.Equal(cancel, c2) {
				differs++
			}
			if differs == 0 {
				seen.apply(t, show, cancel)
			}
		}
	}
	// What moved keeps its entity and kind: of each there are as many as true.
	left := screen{}
	for e, n := range seen {
		left[sim.Effect{Entity: e.Entity, Kind: e.Kind}] += n
	}
	for _, e := range truth {
		left[sim.Effect{Entity: e.Entity, Kind: e.Kind}]--
	}
	for _, n := range left {
		wrong += max(n, -n)
	}
	return differs, wrong
}

func TestLedgerAgainstOracle(t *testing.T) {
	for seed := range int64(150) {
		if differs, wrong := ledgerRun(t, seed, func(*Ledger) {}); differs > 0 || wrong != 0 {
			t.Fatalf("seed %d: %d answers differ from the oracle's, %d effects wrong at the end", seed, differs, wrong)
		}
	}
	// The check must notice a ledger that forgets something on the screen.
	noticed := 0
	for seed := range int64(10) {
		done := false
		differs, _ := ledgerRun(t, seed, func(l *Ledger) {
			if !done && len(l.open) > 0 {
				l.open, done = l.open[1:], true
			}
		})
		if differs > 0 {
			noticed++
		}
	}
	if noticed == 0 {
		t.Error("a planted fault went unnoticed")
	}
}

// oracle does what Ledger says, by listing and sorting all pairs.
type oracle struct {
	through int32
	plan    map[int32][]sim.Effect
	truth   []sim.Effect
	open    []entry
}

func (o *oracle) predicted(n int32, es []sim.Effect) {
	if n > o.through {
		o.plan[n] = es
	}
}

func (o *oracle) confirmed(to int32, list []sim.Effect) {
	for _, e := range list {
		if e.Tick.Since(start) > o.through {
			o.truth = append(o.truth, e)
		}
	}
	for n := range o.plan {
		if n <= to {
			delete(o.plan, n)
		}
	}
	o.through = to
}

func (o *oracle) drain() (show, cancel []sim.Effect) {
	want := slices.Clone(o.truth)
	for _, es := range o.plan {
		want = append(want, es...)
	}
	slices.SortFunc(want, compareKey)
	type pair struct{ d, other, w, s int }
	var pairs []pair
	for w, a := range want {
		for s, b := range o.open {
			d := int(a.Tick.Since(b.now.Tick))
			p := pair{max(d, -d), 1, w, s}
			if a.Ordinal == b.now.Ordinal {
				if p.other = 0; d == 0 {
					p.d = -1
				}
			}
			if a.Entity == b.now.Entity && a.Kind == b.now.Kind && p.d <= 4 {
				pairs = append(pairs, p)
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return slices.Compare([]int{a.d, a.w, a.other, a.s}, []int{b.d, b.w, b.other, b.s})
	})
	of, used := map[int]int{}, map[int]bool{}
	for _, p := range pairs {
		if _, ok := of[p.w]; !ok && !used[p.s] {
			of[p.w], used[p.s] = p.s, true
		}
	}
	var next []entry
	for w, a := range want {
		e := entry{a, a}
		if s, ok := of[w]; ok {
			e.as = o.open[s].as
		} else {
			show = append(show, a)
		}
		if a.Tick.Since(start) > o.through {
			next = append(next, e)
		}
	}
	for s, e := range o.open {
		if !used[s] {
			cancel = append(cancel, e.as)
		}
	}
	o.open, o.truth = next, nil
	return show, cancel
}

func dedupe(es []sim.Effect) []sim.Effect {
	slices.SortFunc(es, compareKey)
	return slices.CompactFunc(es, sameKey)
}

func TestLedgerDoesNotAllocate(t *testing.T) {
	l := NewLedger()
	n := int32(0)
	list := make([]sim.Effect, 3)
	step := func() {
		n++
		for i := range list {
			list[i] = fx(n, one, 1, uint8(i))
		}
		l.Predicted(at(n), list)
		l.Predicted(at(n-3), list[:2])
		if n > 10 {
			for i := range list {
				list[i].Tick = at(n - 10)
			}
			l.Confirmed(at(n-11), at(n-10), list[1:])
		}
		l.Drain()
	}
	for range 100 {
		step()
	}
	if a := testing.AllocsPerRun(200, step); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

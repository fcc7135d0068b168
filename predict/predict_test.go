package predict

import (
	"slices"
	"testing"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// alone is a predictor with one own entity at 0 and a free one at 8, which has
// predicted ticks first..now-1 with inputs push.
func alone(t *testing.T, g *sim.Game, ticks int, push func(i int) float32) (*Predictor, *past, tick.Tick, tick.Tick) {
	t.Helper()
	const first = tick.Tick(1000)
	s := newPast(g, first)
	spawn(s.w, first, me, 0)
	spawn(s.w, first, 0, 8)
	s.keep()
	p := New(Config{Game: g, Seed: 7, Me: me, History: 64})
	var seed []Value
	for _, e := range s.w.Entities() {
		seed = append(seed, word(g, s.w, e))
	}
	p.Start(first, seed)
	for i := range ticks {
		predictOne(p, input(push(i), i/4))
	}
	return p, s, first, p.Now()
}

func predictOne(p *Predictor, in []byte) {
	r := p.Open()
	copy(r.Sent, in)
	r.Sampled, r.How = true, sim.AsSent
	p.Step(r)
}

func zigzag(i int) float32 { return float32(i%5)/4 - 0.5 }

// serve runs the server up to now, with the client's inputs but where how says
// otherwise.
func serve(p *Predictor, s *past, now tick.Tick, how map[tick.Tick]sim.How) {
	for s.now.Before(now) {
		r, _ := p.Record(s.now)
		s.step(slices.Clone(r.Sent), how[s.now])
	}
}

func equalNow(t *testing.T, p *Predictor, s *past, n tick.Tick) {
	t.Helper()
	ours, ok := p.State(n)
	if !ok {
		t.Fatalf("no state %d", n)
	}
	for _, e := range s.at(n).Entities() {
		x, y := word(p.g, ours, e), word(p.g, s.at(n), e)
		if x.Owner != y.Owner || x.Mask != y.Mask || !slices.Equal(x.Words, y.Words) {
			t.Fatalf("entity %#x at %d: %v, server %v", e, n, x, y)
		}
	}
}

// The server tells nothing but how it obtained inputs; that alone makes the
// prediction its own again.
func TestRepairAlone(t *testing.T) {
	for _, c := range []struct {
		name string
		g    *sim.Game
		how  map[int]sim.How
	}{
		{"one repeated", plain, map[int]sim.How{5: sim.Repeated}},
		{"three in a row", plain, map[int]sim.How{5: sim.Repeated, 6: sim.Repeated, 7: sim.Neutral}},
		{"neutral", plain, map[int]sim.How{4: sim.Neutral, 9: sim.Neutral}},
		{"frozen", frozen, map[int]sim.How{5: sim.Frozen, 6: sim.Frozen, 12: sim.Frozen}},
		{"from the first", plain, map[int]sim.How{0: sim.Repeated, 1: sim.Repeated}},
		{"none", plain, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s, first, now := alone(t, c.g, 20, zigzag)
			how := map[tick.Tick]sim.How{}
			for i, h := range c.how {
				how[first+tick.Tick(i)] = h
			}
			serve(p, s, now, how)
			for n := first; n.Before(now); n++ {
				p.Repair(n, how[n])
			}
			if p.Due() != (len(c.how) > 0) {
				t.Fatalf("due: %v", p.Due())
			}
			if from, did := p.Flush(); did {
				want := 20
				for i := range c.how {
					want = min(want, i)
				}
				if from != first+tick.Tick(want) {
					t.Errorf("replayed from %d, want %d", from-first, want)
				}
				if p.Why() != Repaired {
					t.Errorf("why: %b", p.Why())
				}
			}
			for n := first; !n.After(now); n++ {
				equalNow(t, p, s, n)
			}
			if got := p.Counters().Repairs; got != int64(len(c.how)) {
				t.Errorf("%d repairs", got)
			}
			// Said again, nothing is due.
			for n := first; n.Before(now); n++ {
				p.Repair(n, how[n])
			}
			if p.Due() {
				t.Error("the same news twice makes a replay")
			}
		})
	}
}

// Without its Repair the prediction stays wrong: what the tests above see.
func TestWithoutRepairItDiffers(t *testing.T) {
	p, s, first, now := alone(t, plain, 20, zigzag)
	serve(p, s, now, map[tick.Tick]sim.How{first + 5: sim.Neutral})
	if v := p.Reconcile(now, words(plain, s.w, s.w.Entities()...)); v != Taken || p.Counters().Differing != 1 {
		t.Fatal("an input that was not executed is not seen")
	}
}

// What a hole is filled with may be what was sent: then nothing is replayed.
func TestRepairWithTheSameInput(t *testing.T) {
	p, _, first, _ := alone(t, plain, 3, func(int) float32 { return 0.5 })
	p.Repair(first+2, sim.Repeated)
	if p.Due() || p.Counters().Repairs != 1 {
		t.Errorf("due %v, %+v", p.Due(), p.Counters())
	}
}

// A tick without a sample was predicted as a hole; the server found one too, or
// filled it otherwise. It cannot have found an input.
func TestRepairOfUnsampledTick(t *testing.T) {
	p, s, first, _ := alone(t, plain, 4, func(int) float32 { return 1 })
	r := p.Open()
	r.How = plain.FillHole(r.Sent, r.Sent, 1)
	p.Step(r)
	predictOne(p, input(-1, 1))
	hole := first + 4
	p.Repair(hole, sim.AsSent)
	p.Repair(hole, sim.Repeated)
	if p.Due() {
		t.Fatal("the hole was predicted right")
	}
	serve(p, s, p.Now(), map[tick.Tick]sim.How{hole: sim.Neutral})
	p.Repair(hole, sim.Neutral)
	p.Flush()
	equalNow(t, p, s, p.Now())
	if c := p.Counters(); c.Repairs != 1 {
		t.Errorf("%+v", c)
	}
}

func TestVerdicts(t *testing.T) {
	if v := New(Config{Game: plain, Me: me}).Reconcile(3, nil); v != Waiting {
		t.Errorf("not started: %v", v)
	}
	p, _, first, now := alone(t, plain, 100, zigzag)
	for _, c := range []struct {
		n    tick.Tick
		want Verdict
	}{
		{now + 1, TooNew}, {now.Add(5000), TooNew},
		{first, TooOld}, {now.Add(-64), TooOld}, // the history has 64
		{now.Add(-30), Taken}, {now.Add(-30), Taken}, {now.Add(-31), TooOld}, {now.Add(-20), Taken},
	} {
		before := p.Counters().TooOld
		if v := p.Reconcile(c.n, nil); v != c.want {
			t.Errorf("snapshot %d: %v, want %v", int32(c.n-now), v, c.want)
		}
		if got := p.Counters().TooOld - before; (got == 1) != (c.want == TooOld) {
			t.Errorf("snapshot %d counts %d", int32(c.n-now), got)
		}
	}
	if n, ok := p.Reconciled(); !ok || n != now.Add(-20) {
		t.Errorf("reconciled %d", n)
	}
}

func TestStartAnewForgets(t *testing.T) {
	p, s, first, now := alone(t, plain, 20, zigzag)
	serve(p, s, now, nil)
	p.Repair(first+1, sim.Neutral)
	p.Start(now+500, words(plain, s.w, s.w.Entities()[0]))
	if p.Due() || p.Now() != now+500 {
		t.Fatal("the old replay is still due")
	}
	if _, ok := p.State(now); ok {
		t.Error("an old state is still there")
	}
	if _, ok := p.Record(now - 1); ok {
		t.Error("an old record is still there")
	}
	if w, ok := p.State(now + 500); !ok || w.Len() != 1 || p.World().Len() != 1 {
		t.Error("the new world is not what it was started with")
	}
	if _, have := p.Reconciled(); have {
		t.Error("nothing was reconciled yet")
	}
	if _, did := p.Flush(); did {
		t.Error("nothing was due")
	}
}

// A difference below tolerance is drift: left alone, counted, and adopted when
// the entity rests.
func TestDriftIsAdoptedAtRest(t *testing.T) {
	p, s, first, now := alone(t, plain, 20, func(int) float32 { return 0 })
	e := s.w.Entities()[1]
	b, _ := bodies.Of(s.w, e)
	give(s.w, e, bodies, body{b.X + 0.005, b.V})
	s.keep()
	serve(p, s, now, nil)
	vals := words(plain, s.at(first+10), e)
	p.Reconcile(first+10, vals)
	if c := p.Counters(); p.Due() || c.Drift != 1 || c.Differing != 1 || c.Mispredicted != 0 {
		t.Fatalf("due %v, %+v", p.Due(), c)
	}
	vals = words(plain, s.at(first+12), e)
	vals[0].Rests = true
	p.Reconcile(first+12, vals)
	if from, did := p.Flush(); !did || from != first+12 {
		t.Fatal("it rests and is not adopted")
	}
	equalNow(t, p, s, now)
	was := window(p, first)
	p.Force(20) // also through the drift before
	sameWindow(t, "after", p, first, was)
}

// Two packets of one tick make one replay, and are one snapshot that differed.
func TestPartsMergeIntoOneReplay(t *testing.T) {
	p, s, first, now := alone(t, plain, 20, zigzag)
	for _, e := range s.w.Entities() {
		give(s.w, e, bodies, body{X: 3, V: 2})
	}
	s.keep()
	serve(p, s, now, nil)
	es := s.w.Entities()
	n := first + 8
	p.Reconcile(n, words(plain, s.at(n), es[0]))
	if p.Passed(n) || !p.Passed(n+1) {
		t.Error("the second packet of the tick is to come before the replay, that of the next not")
	}
	p.Reconcile(n, words(plain, s.at(n), es[1]))
	if _, did := p.Flush(); !did || p.Why() != Differed {
		t.Fatal("no replay")
	}
	if c := p.Counters(); c.Rollbacks != 1 || c.Replayed != 12 || c.Mispredicted != 1 || c.Compared != 1 {
		t.Errorf("%+v", c)
	}
	equalNow(t, p, s, now)
}

// Inspect sees what was predicted, before anything is mended.
func TestInspectSeesThePrediction(t *testing.T) {
	var seen []Mismatch
	var was []float32
	p, s, first, now := alone(t, plain, 20, zigzag)
	e := s.w.Entities()[0]
	p.cfg.Inspect = func(m *Mismatch) {
		w, _ := p.State(m.Tick)
		b, _ := bodies.Of(w, e)
		was = append(was, b.X)
		seen = append(seen, Mismatch{Tick: m.Tick, List: slices.Clone(m.List), Worst: m.Worst})
	}
	n := first + 7
	w, _ := p.State(n)
	b, _ := bodies.Of(w, e)
	predicted := b.X
	give(s.w, e, bodies, body{X: 30})
	s.keep()
	serve(p, s, now, nil)
	p.Reconcile(n, words(plain, s.at(n), s.w.Entities()...))
	p.Flush()
	if len(seen) != 1 || seen[0].Tick != n || was[0] != predicted {
		t.Fatalf("seen %v %v, predicted %v", seen, was, predicted)
	}
	d := seen[0].List[seen[0].Worst]
	if d.Entity != e || !d.Beyond || d.Column != bodies.Column() || d.Distance < 20 {
		t.Errorf("%+v", d)
	}
	p.Reconcile(n+1, words(plain, s.at(n+1), s.w.Entities()...))
	if len(seen) != 1 {
		t.Error("seen again after it was mended")
	}
}

// Each kind of news has its reason, and afterwards the client is the server.
func TestReasons(t *testing.T) {
	var e, own tick.Entity
	for _, c := range []struct {
		name string
		do   func(s *past)
		want Reason
	}{
		{"vanish", func(s *past) { s.w.Destroy(e, s.now) }, Vanished},
		{"own vanishes", func(s *past) { s.w.Destroy(own, s.now) }, Vanished},
		{"appear", func(s *past) { spawn(s.w, s.now, 0, 4) }, Appeared},
		{"own appears", func(s *past) { spawn(s.w, s.now, me, 4) }, Appeared},
		{"owner", func(s *past) { s.w.SetOwner(e, uint16(me)) }, Changed},
		{"component goes", func(s *past) { s.w.Column(bodies.Column()).Remove(e) }, Changed},
		{"component comes", func(s *past) { give(s.w, e, fuses, fuse{100}) }, Changed},
		{"fuse", func(s *past) { give(s.w, e, fuses, fuse{8}) }, Changed},
		{"replicated", func(s *past) { give(s.w, own, gains, gain{4}) }, Replicated},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s, first, now := alone(t, plain, 20, zigzag)
			own, e = s.w.Entities()[0], s.w.Entities()[1]
			serve(p, s, first+5, nil)
			c.do(s)
			s.keep()
			n := first + 6
			serve(p, s, now, nil)
			es := append(slices.Clone(s.at(n).Entities()), own, e)
			slices.Sort(es)
			p.Reconcile(n, words(plain, s.at(n), slices.Compact(es)...))
			if _, did := p.Flush(); !did || p.Why()&c.want == 0 {
				t.Fatalf("replayed %v, why %b, want %b", did, p.Why(), c.want)
			}
			equalNow(t, p, s, now)
			if p.World().Len() != s.w.Len() {
				t.Errorf("%d entities, server %d", p.World().Len(), s.w.Len())
			}
			was := window(p, n)
			p.Force(int(now.Since(n)))
			sameWindow(t, "after", p, n, was)
		})
	}
}

// A late packet of an older tick does not undo a newer one, and a value that
// was adopted holds in a replay that begins before it.
func TestAdoptedHoldsInLaterReplays(t *testing.T) {
	p, s, first, now := alone(t, plain, 20, zigzag)
	e := s.w.Entities()[0]
	serve(p, s, first+8, nil)
	give(s.w, e, bodies, body{X: 50, V: 1})
	s.keep()
	serve(p, s, now, nil)
	p.Reconcile(first+8, words(plain, s.at(first+8), e))
	p.Flush()
	if rec, _ := p.Record(first + 8); !rec.Adopted(e) || rec.Adopted(e+1) {
		t.Error("what was adopted is not told")
	}
	p.Repair(first+3, sim.Neutral) // which the jump at 8 makes unimportant
	if from, did := p.Flush(); !did || from != first+3 {
		t.Fatalf("replayed from %d", from-first)
	}
	equalNow(t, p, s, first+8)
	equalNow(t, p, s, now)
	if v := p.Reconcile(first+7, words(plain, s.at(first+7), e)); v != TooOld || p.Due() {
		t.Errorf("an older packet is %v", v)
	}
}

// What was said of state n holds in a replay from before it, also where it was
// what had been predicted.
func TestConfirmedHoldsInLaterReplays(t *testing.T) {
	p, s, first, now := alone(t, plain, 20, zigzag)
	serve(p, s, now, nil)
	p.Reconcile(first+8, words(plain, s.at(first+8), s.w.Entities()...))
	if p.Due() {
		t.Fatal("it was predicted right")
	}
	p.Repair(first+3, sim.Neutral)
	p.Flush()
	equalNow(t, p, s, first+8)
	equalNow(t, p, s, now)
	if x, y := word(plain, s.at(first+7), s.w.Entities()[0]), word(plain, p.at(first+7), s.w.Entities()[0]); slices.Equal(x.Words, y.Words) {
		t.Error("the repair did nothing")
	}
}

func (p *Predictor) at(n tick.Tick) *ecs.World { w, _ := p.State(n); return w }

// An entity that was shown in the past turns into one that is simulated, from
// the snapshot on that speaks of it, and back.
func TestModeTurnsInsideTheWindow(t *testing.T) {
	p, s, first, _ := alone(t, plain, 0, zigzag)
	e := s.w.Entities()[1]
	round := func(i int, shown bool) {
		r := p.Open()
		if shown {
			v := word(plain, s.at(tick.Later(first, p.Now()-5)), e)
			Put(plain, p.World(), &v)
			p.Pose(r, e)
		}
		copy(r.Sent, input(zigzag(i), 0))
		r.Sampled, r.How = true, sim.AsSent
		p.Step(r)
		s.step(r.Sent, sim.AsSent)
	}
	for i := range 20 {
		round(i, true)
	}
	if !p.IsOther(e) || !p.otherAt(p.now, e) {
		t.Fatal("it is not shown in the past")
	}
	n := first + 10
	p.Reconcile(n, words(plain, s.at(n), s.w.Entities()...))
	if _, did := p.Flush(); !did || p.Why()&Appeared == 0 || p.IsOther(e) {
		t.Fatalf("replayed %v, why %b", did, p.Why())
	}
	for u := n; !u.After(p.Now()); u++ {
		equalNow(t, p, s, u)
	}
	for i := range 5 {
		round(i, false)
	}
	equalNow(t, p, s, p.Now())
	for i := range 5 {
		round(i, true)
	}
	x, _ := bodies.Of(p.World(), e)
	if y, _ := bodies.Of(s.at(p.Now()-6), e); x != y {
		t.Errorf("shown at %v, want %v", x, y)
	}
	was := window(p, first)
	p.Force(30)
	sameWindow(t, "after", p, first, was)
}

// A steady client, with a rollback in every tick, allocates nothing.
func TestSteadyAllocations(t *testing.T) {
	for _, g := range []*sim.Game{plain, meet} {
		p, s, _, now := alone(t, g, 40, zigzag)
		serve(p, s, now, nil)
		vals := words(g, s.w, s.w.Entities()...)
		in := input(1, 3)
		lag := 10
		round := func() {
			predictOne(p, in)
			p.Repair(p.Now().Add(int32(-lag)), sim.Neutral)
			p.Reconcile(p.Now().Add(int32(-lag)), vals) // always differs
			p.Flush()
		}
		for range 200 {
			round()
		}
		before := p.Counters().Rollbacks
		if n := testing.AllocsPerRun(100, round); n != 0 {
			t.Errorf("%s: %v allocations a tick", g.Name(), n)
		}
		if p.Counters().Rollbacks-before < 100 {
			t.Error("it did not roll back")
		}
	}
}

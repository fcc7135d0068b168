package predict

import (
	"slices"
	"testing"

	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

const everyReason = Differed | Repaired | Appeared | Vanished | Changed | Replicated

func chaos(t *testing.T, seed int64, games ...*sim.Game) *rig {
	r := newRig(t, newRand(t, seed), games...)
	r.holes, r.skips, r.part = 0.15, 0.05, 0.3
	return r
}

// Whatever happens, a replay of any length gives the history's own bits. The
// rig starts 100 ticks before the ticks wrap.
func TestForcedRollbackChangesNothing(t *testing.T) {
	for _, g := range []*sim.Game{meet, single, frozen} {
		var reasons Reason
		for seed := range int64(3) {
			r := chaos(t, seed, g)
			p := r.preds[0]
			for range 600 {
				r.tick()
				k := 1 + r.rnd.Intn(40)
				from := p.Now().Add(int32(-k))
				was := window(p, from)
				before := p.Counters()
				p.Force(k)
				sameWindow(t, g.Name(), p, from, was)
				if p.Counters().Rollbacks != before.Rollbacks {
					t.Fatal("a forced rollback counts as one")
				}
			}
			reasons |= r.reasons
		}
		if reasons != everyReason {
			t.Errorf("%s: only reasons %b were seen", g.Name(), reasons)
		}
	}
}

// The check above sees one flipped bit.
func TestForcedRollbackSeesAFlippedBit(t *testing.T) {
	r := chaos(t, 1, meet)
	for range 50 {
		r.tick()
	}
	p := r.preds[0]
	p.flip()
	was := window(p, p.Now())
	p.Force(5)
	if _, ok := differs(was[1], p.World()); !ok {
		t.Error("a flipped bit is not seen")
	}
}

// A scoped replay and one of everything agree to the bit in every state, and
// in the effects of every tick.
func TestScopedAgreesWithWhole(t *testing.T) {
	var reasons Reason
	for seed := range int64(10) {
		r := chaos(t, seed, single, whole)
		a, b := r.preds[0], r.preds[1]
		if !single.Scoped() || whole.Scoped() {
			t.Fatal("the games are not what the test needs")
		}
		for i := range 800 {
			r.tick()
			from := a.Now().Add(-50)
			for n := from; !n.After(a.Now()); n++ {
				x, _ := a.State(n)
				y, _ := b.State(n)
				if x == nil || y == nil {
					continue
				}
				if d, ok := differs(x, y); ok {
					t.Fatalf("seed %d, tick %d: state %d: entity %#x, component %d, byte %d", seed, i, n, d.Entity, d.Component, d.Offset)
				}
			}
			if d, ok := differs(a.World(), b.World()); ok {
				t.Fatalf("seed %d, tick %d: entity %#x, component %d, byte %d", seed, i, d.Entity, d.Component, d.Offset)
			}
			for n := from; n.Before(a.Now()); n++ {
				if !slices.Equal(effectsOf(a, n), effectsOf(b, n)) {
					t.Fatalf("seed %d, tick %d: effects of %d differ:\n%v\n%v", seed, i, n, effectsOf(a, n), effectsOf(b, n))
				}
			}
		}
		reasons |= r.reasons
		if c := a.Counters(); c.Rollbacks < 100 || c.Repairs < 50 {
			t.Errorf("seed %d: too little happened: %+v", seed, c)
		}
	}
	if reasons != everyReason {
		t.Errorf("only reasons %b were seen", reasons)
	}
}

func effectsOf(p *Predictor, n tick.Tick) []sim.Effect {
	r, ok := p.Record(n)
	if !ok {
		return nil
	}
	out := slices.Clone(r.Effects)
	slices.SortFunc(out, func(a, b sim.Effect) int { return int(a.Entity) - int(b.Entity) })
	return out
}

// When nothing is lost and nobody meddles, the client is the server to the bit.
func TestQuietClientIsTheServer(t *testing.T) {
	r := chaos(t, 5, plain)
	for range 300 {
		r.tick()
	}
	r.quiet, r.holes, r.skips, r.part, r.free = true, 0, 0, 0, true
	for range 60 {
		r.tick()
	}
	p := r.preds[0]
	before := p.Counters()
	for range 100 {
		r.tick()
		n := r.s.now.Add(int32(-r.down))
		ours, _ := p.State(n)
		theirs := r.s.at(n)
		for _, e := range theirs.Entities() {
			if !r.simulates(theirs.Owner(e)) {
				continue
			}
			if x, y := word(plain, ours, e), word(plain, theirs, e); x.Owner != y.Owner || x.Mask != y.Mask || !slices.Equal(x.Words, y.Words) {
				t.Fatalf("%#x at %d: %v, server %v", e, n, x, y)
			}
		}
	}
	after := p.Counters()
	if after.Compared-before.Compared != 100 || after.Differing != before.Differing || after.Rollbacks != before.Rollbacks {
		t.Errorf("while quiet: %+v, before %+v", after, before)
	}
}

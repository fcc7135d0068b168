package scenes_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
)

// lawful are the scenes of the law, each with the steps that it takes without
// FORETICK_LONG, which takes all.
var lawful = []struct {
	name  string
	steps int
}{
	{"S1", 60}, {"S2", 30}, {"S2x", 110}, {"S2g", 50}, {"S3", 125}, {"S2sleep", 60}, {"S2gsleep", 100}, {"mixed", 400},
}

func stepsOf(s *scenes.Scene, some int) int {
	switch {
	case long:
		return s.Steps
	case testing.Short():
		return some / 4
	}
	return some
}

// rebuilt takes steps of a scene twice: uninterrupted, and torn down before
// every step and rebuilt. spoil may change the components on the way.
func rebuilt(s *scenes.Scene, steps int, spoil func(*part)) error {
	return rebuiltWith(begin(s), begin(s), steps, spoil)
}

func rebuiltWith(a, b *run, steps int, spoil func(*part)) error {
	r, s := rand.New(rand.NewPCG(1, 2)), a.s
	for i := range steps {
		ps := parts(b.w)
		for k := range ps {
			if spoil != nil {
				spoil(&ps[k])
			}
		}
		old := b.w
		if i%2 == 0 {
			old = nil
		}
		var err error
		if b.w, err = rebuild(old, s.Config, ps, r); err != nil {
			return fmt.Errorf("%s, step %d: %w", s.Name, i, err)
		}
		a.next()
		b.next()
		if err := differ(a.w, b.w); err != nil {
			return fmt.Errorf("%s, step %d: %w", s.Name, i, err)
		}
		if x, y := scenes.Hash(a.w), scenes.Hash(b.w); x != y {
			return fmt.Errorf("%s, step %d: scene hash %#x, want %#x", s.Name, i, y, x)
		}
	}
	return nil
}

// TestRebuilt is the law: a world that is made anew before every step, in
// another order and out of another past, goes on with the same bits and events.
func TestRebuilt(t *testing.T) {
	for _, l := range lawful {
		t.Run(l.name, func(t *testing.T) {
			s := scenes.Named(l.name)
			if err := rebuilt(s, stepsOf(s, l.steps), nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRebuiltSpoiled is the negative control: a rebuild that loses or changes
// a component a little is found.
func TestRebuiltSpoiled(t *testing.T) {
	for name, spoil := range map[string]func(*part){
		"still ticks lost":    func(p *part) { p.state.Still = 0 },
		"spin lost":           func(p *part) { p.state.Spin.X = 0 },
		"a velocity's bit":    func(p *part) { p.state.Vel.Y *= 1.0000002 },
		"the other sign of q": func(p *part) { p.state.Rot.W = 0 - p.state.Rot.W },
		"friction":            func(p *part) { p.def.Friction += 1e-6 },
	} {
		t.Run(name, func(t *testing.T) {
			if err := rebuilt(scenes.Mixed(), 150, spoil); err == nil {
				t.Error("it was not found")
			} else {
				t.Log(err)
			}
		})
	}
}

// haunted gives each step a share of what the step before made of velocities,
// kept where no component is: as an engine does that remembers impulses.
func haunted(s *scenes.Scene, share float32) *run {
	r := begin(s)
	var of *physics.World
	memory := map[physics.ID]geom.Vec3{}
	r.before = func() {
		if of != r.w { // a world that is built anew remembers nothing
			of = r.w
			clear(memory)
		}
		for i, id := range r.w.Bodies() {
			st := r.w.States()[i]
			m, ok := memory[id]
			if !ok {
				m = st.Vel
			}
			r.w.SetVelocity(id, st.Vel.MulAdd(st.Vel.Sub(m), share), st.Spin)
			memory[id] = st.Vel
		}
	}
	return r
}

// TestMemoryIsFound is the negative control: a world that remembers a
// hundred-thousandth of something beside its components breaks the law, and so
// it does when it is rolled back.
func TestMemoryIsFound(t *testing.T) {
	for _, name := range []string{"S1", "mixed"} {
		s := scenes.Named(name)
		for _, share := range []float32{1e-5, 0} {
			found := rebuiltWith(haunted(s, share), haunted(s, share), 60, nil)
			back := rolledBack(haunted(s, share), 60)
			t.Logf("%s, a share of %v: %v; %v", name, share, found, back)
			if (share > 0) != (found != nil) || (share > 0) != (back != nil) {
				t.Errorf("%s, a share of %v: rebuilt: %v; rolled back: %v", name, share, found, back)
			}
		}
	}
}

// record is what a run was like after a step.
type record struct {
	hash   uint64
	scene  uint64
	saved  physics.Saved
	parts  []part
	events []physics.Event
}

// TestRollback goes back by 1 to 20 ticks at random points and comes again,
// once from what Save kept, once from components that are put into an empty
// world, which stays in use.
func TestRollback(t *testing.T) {
	for _, l := range lawful {
		t.Run(l.name, func(t *testing.T) {
			s := scenes.Named(l.name)
			if err := rolledBack(begin(s), stepsOf(s, l.steps)); err != nil {
				t.Error(err)
			}
		})
	}
}

func rolledBack(a *run, steps int) error {
	const most = 20
	r, s := rand.New(rand.NewPCG(3, 4)), a.s
	ring := make([]record, most+1) // what was before step i is in i % len
	keep := func() {
		x := &ring[a.step%len(ring)]
		x.hash, x.scene = a.w.Hash(), scenes.Hash(a.w)
		a.w.Save(&x.saved)
		x.parts = parts(a.w)
		x.events = slices.Clone(a.w.Events())
	}
	check := func() error {
		x := &ring[a.step%len(ring)]
		if a.w.Hash() == x.hash && scenes.Hash(a.w) == x.scene && slices.Equal(a.w.Events(), x.events) && a.w.Equal(&x.saved) {
			return nil
		}
		return fmt.Errorf("%s: after a rollback step %d is another: %w", s.Name, a.step-1, differParts(x.parts, parts(a.w)))
	}
	keep()
	for back := 0; a.step < steps; back++ {
		for n := r.IntN(10) + 1; n > 0 && a.step < steps; n-- {
			a.next()
			keep()
		}
		to := a.step - min(a.step, 1+back%most)
		now := a.step
		if x := &ring[to%len(ring)]; r.IntN(2) == 0 {
			a.w.Restore(&x.saved)
			if a.w.Hash() != x.hash {
				return fmt.Errorf("%s: restored step %d has another hash", s.Name, to)
			}
		} else {
			var err error
			if a.w, err = rebuild(a.w, s.Config, x.parts, r); err != nil {
				return err
			}
		}
		for a.step = to; a.step < now; {
			a.next()
			if err := check(); err != nil {
				return err
			}
		}
	}
	return nil
}

func differParts(want, got []part) error {
	if len(want) != len(got) {
		return fmt.Errorf("%d bodies, want %d", len(got), len(want))
	}
	for i := range want {
		if want[i].id != got[i].id || want[i].def != got[i].def {
			return fmt.Errorf("body %#x, want %#x, or its Def", got[i].id, want[i].id)
		}
		if err := differState(want[i].id, &want[i].state, &got[i].state); err != nil {
			return err
		}
	}
	return fmt.Errorf("no component differs, but an event or a hash")
}

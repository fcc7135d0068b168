package scenes_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
)

// only takes one case of a random test again, as its failure printed it.
var only = flag.Int("only", -1, "the one case of a random test to run")

var long = os.Getenv("FORETICK_LONG") != ""

// count is how many cases a random test has: all of them with FORETICK_LONG.
func count(all int) int {
	switch {
	case long:
		return all
	case testing.Short():
		return all / 100
	}
	return all / 20
}

// each runs the cases of a random test, each with its own stream of numbers,
// and says how to repeat the first that fails.
func each(t *testing.T, n int, one func(i int, r *rand.Rand) error) {
	t.Helper()
	from, to := 0, n
	if *only >= 0 {
		from, to = *only, *only+1
	}
	failed := 0
	for i := from; i < to; i++ {
		err := one(i, rand.New(rand.NewPCG(uint64(i), 1)))
		if err == nil {
			continue
		}
		if failed++; failed <= 5 {
			t.Errorf("%v\nrepeat: go test ./physics/scenes -run '^%s$' -only %d", err, t.Name(), i)
		}
	}
	if failed > 0 {
		t.Errorf("%d of %d failed", failed, to-from)
	}
}

// run is a scene on its way.
type run struct {
	s    *scenes.Scene
	w    *physics.World
	d    scenes.Driver
	step int // to be taken next

	before func() // if it is set, is called before each step
}

func begin(s *scenes.Scene) *run { return &run{s: s, w: s.New()} }

func (r *run) next() {
	r.d.Drive(r.s, r.w, r.step)
	if r.before != nil {
		r.before()
	}
	r.w.Step()
	r.step++
}

// part is all that is known of one body: its components.
type part struct {
	id    physics.ID
	def   physics.Def
	state physics.State
}

// parts returns the components of a world, static bodies first.
func parts(w *physics.World) []part {
	var out []part
	for _, ids := range [...][]physics.ID{w.Statics(), w.Bodies()} {
		for _, id := range ids {
			out = append(out, partOf(w, id))
		}
	}
	return out
}

func partOf(w *physics.World, id physics.ID) part {
	d, _ := w.Def(id)
	st, _ := w.State(id)
	return part{id, d, st}
}

// rebuild makes a world from components alone, in shuffled order, out of one
// that had other bodies before: old, or if that is nil a new one.
func rebuild(old *physics.World, c physics.Config, ps []part, r *rand.Rand) (*physics.World, error) {
	w := old
	if w == nil {
		w = physics.New(c)
	} else {
		w.Clear()
	}
	// Another history: some of the same bodies elsewhere, under ids that come
	// before, between and after those to come, and a step with them.
	strange := rand.Perm(len(ps))[:min(len(ps), 5)]
	for n, i := range strange {
		p := ps[i]
		p.id += physics.ID(r.IntN(3)) + 1
		p.state.Pos.Y += float32(n)
		if w.Add(p.id, p.def, p.state) == nil && n == 0 {
			w.Step()
		}
	}
	for _, i := range strange {
		for k := range physics.ID(4) {
			w.Remove(ps[i].id + k)
		}
	}
	w.Step() // the touches that ended with them are told now
	ps = slices.Clone(ps)
	r.Shuffle(len(ps), func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
	for i := range ps {
		if err := w.Put(ps[i].id, ps[i].def, ps[i].state); err != nil {
			return nil, fmt.Errorf("body %#x: %w", ps[i].id, err)
		}
	}
	return w, nil
}

// fieldsOf names the values of a State, in bits.
func fieldsOf(s *physics.State) [14]uint32 {
	f := math.Float32bits
	return [14]uint32{
		f(s.Pos.X), f(s.Pos.Y), f(s.Pos.Z), f(s.Rot.X), f(s.Rot.Y), f(s.Rot.Z), f(s.Rot.W),
		f(s.Vel.X), f(s.Vel.Y), f(s.Vel.Z), f(s.Spin.X), f(s.Spin.Y), f(s.Spin.Z), s.Still,
	}
}

var fieldNames = [14]string{
	"Pos.X", "Pos.Y", "Pos.Z", "Rot.X", "Rot.Y", "Rot.Z", "Rot.W",
	"Vel.X", "Vel.Y", "Vel.Z", "Spin.X", "Spin.Y", "Spin.Z", "Still",
}

// differ returns the first body and field in which two worlds differ, events
// last, or nil. It compares bits.
func differ(want, got *physics.World) error {
	if want.Hash() == got.Hash() && slices.Equal(want.Events(), got.Events()) && slices.Equal(want.Bodies(), got.Bodies()) &&
		slices.Equal(want.States(), got.States()) {
		return nil
	}
	if a, b := want.Bodies(), got.Bodies(); !slices.Equal(a, b) {
		return fmt.Errorf("bodies %x, want %x", b, a)
	}
	as, bs := want.States(), got.States()
	for i, id := range want.Bodies() {
		if err := differState(id, &as[i], &bs[i]); err != nil {
			return err
		}
	}
	if a, b := want.Events(), got.Events(); !slices.Equal(a, b) {
		i := 0
		for i < min(len(a), len(b)) && a[i] == b[i] {
			i++
		}
		return fmt.Errorf("event %d of %d, want %d: %+v, want %+v", i, len(b), len(a), b[i:min(i+1, len(b))], a[i:min(i+1, len(a))])
	}
	if want.Hash() != got.Hash() {
		return fmt.Errorf("hash %#x, want %#x, although no field differs", got.Hash(), want.Hash())
	}
	return nil
}

func differState(id physics.ID, want, got *physics.State) error {
	a, b := fieldsOf(want), fieldsOf(got)
	for k := range a {
		if a[k] != b[k] {
			return fmt.Errorf("body %#x, %s: bits %#x, want %#x (%v, want %v)", id, fieldNames[k], b[k], a[k],
				math.Float32frombits(b[k]), math.Float32frombits(a[k]))
		}
	}
	return nil
}

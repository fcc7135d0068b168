package scenes_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
)

// splitter steps unions of interaction components alone.
type splitter struct {
	whole  *run
	ps     []part // before what is done
	labels []uint32
	parts  int // kinds of labels
}

// prepare takes the whole scene one step on, and keeps what it was before.
func (x *splitter) prepare() {
	r := x.whole
	x.ps = parts(r.w)
	r.d.Drive(r.s, r.w, r.step)
	x.labels = r.w.Components(x.labels[:0])
	seen := slices.Clone(x.labels)
	slices.Sort(seen)
	x.parts = len(slices.Compact(seen))
	r.w.Step()
	r.step++
}

// comesOrGoes says whether bodies are added, removed or put elsewhere before
// the next step: that wakes, and ends touches with, who is near at once, and
// Components only knows what comes after it.
func (x *splitter) comesOrGoes() bool {
	for _, a := range x.whole.s.Acts(x.whole.step, nil) {
		if a.Op == scenes.Place {
			return true
		}
	}
	for i := range x.whole.s.Bodies {
		if b := &x.whole.s.Bodies[i]; b.From == x.whole.step || b.Until == x.whole.step {
			return true
		}
	}
	return false
}

// split takes some components' bodies alone through the same step and compares.
func (x *splitter) split(r *rand.Rand) error {
	keep := map[uint32]bool{}
	share := r.Float64()
	for _, l := range x.labels {
		if _, ok := keep[l]; !ok {
			keep[l] = r.Float64() < share
		}
	}
	label := map[physics.ID]uint32{}
	for i, id := range x.whole.w.Bodies() {
		label[id] = x.labels[i]
	}
	in := func(id physics.ID) bool { l, moving := label[id]; return moving && keep[l] }
	var ps []part
	for _, p := range x.ps {
		if p.def.Kind == physics.Static || in(p.id) {
			ps = append(ps, p)
		}
	}
	w, err := rebuild(nil, x.whole.s.Config, ps, r)
	if err != nil {
		return err
	}
	var d scenes.Driver
	d.Drive(x.whole.s, w, x.whole.step-1)
	w.Step()
	for i, id := range w.Bodies() {
		want, _ := x.whole.w.State(id)
		if err := differState(id, &want, &w.States()[i]); err != nil {
			return fmt.Errorf("%s, step %d, %d of %d moving bodies alone: %w", x.whole.s.Name, x.whole.step-1,
				len(w.Bodies()), len(label), err)
		}
	}
	var want []physics.Event
	for _, e := range x.whole.w.Events() {
		if in(e.A) || in(e.B) {
			want = append(want, e)
		}
	}
	if !slices.Equal(want, w.Events()) {
		return fmt.Errorf("%s, step %d: alone the events are %+v, want %+v", x.whole.s.Name, x.whole.step-1, w.Events(), want)
	}
	return nil
}

// TestSplits: what is not connected in Components does not matter to each other,
// to the bit. Half of the splits are of the scenes, half of swarms of fast
// bodies that just miss or hit each other.
func TestSplits(t *testing.T) {
	n := count(10_000)
	starts := []struct {
		name string
		step int
	}{{"mixed", 0}, {"mixed", 120}, {"mixed", 230}, {"S3", 0}, {"S2g", 45}, {"S2x", 105}, {"S2gsleep", 130}}
	for i, st := range starts {
		name, from := st.name, st.step
		x := splitter{whole: settled(name, from)}
		r := rand.New(rand.NewPCG(5, uint64(i)))
		few := n/2/len(starts) + 1
		several := 0
		for done := 0; done < few; {
			if x.comesOrGoes() {
				x.whole.next()
				continue
			}
			if x.whole.step == x.whole.s.Steps {
				x.whole = settled(name, from)
			}
			x.prepare()
			if x.parts > 1 {
				several++
			}
			for range 10 {
				if err := x.split(r); err != nil {
					t.Fatal(err)
				}
				done++
			}
		}
		t.Logf("%s from step %d: %d splits; %d steps had several components", name, from, few, several)
	}
	swarms(t, n/2)
}

// TestSplitsOfRows is the negative control: parts that components do not respect
// are found, in scenes and in swarms.
func TestSplitsOfRows(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	found := 0
	for i := range 40 {
		x := splitter{whole: begin(swarm(r))}
		if i%4 == 0 {
			x = splitter{whole: settled("mixed", 20+i)}
		}
		for range 20 {
			x.prepare()
			for row := range x.labels {
				x.labels[row] = uint32(row)
			}
			if err := x.split(r); err != nil {
				found++
				break
			}
		}
	}
	t.Logf("%d of 40 were found", found)
	if found < 10 {
		t.Errorf("only %d of 40 wrong splits were found", found)
	}
}

func swarms(t *testing.T, n int) {
	components := 0
	each(t, n/10, func(i int, r *rand.Rand) error {
		x := splitter{whole: begin(swarm(r))}
		for range 5 {
			x.prepare()
			components += x.parts
			for range 2 {
				if err := x.split(r); err != nil {
					return err
				}
			}
		}
		return nil
	})
	t.Logf("%d swarms, %.1f components each", n/10, float64(components)/float64(max(n/10, 1)*5))
}

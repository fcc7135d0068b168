package view_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/view"
)

// match is states of pucks with eight players, in words and as worlds.
func match(b *testing.B, n int) (states []*ecs.World, h *snapshot.History) {
	g := pucks.Game
	r, w := sim.NewRunner(g, 1), g.NewWorld()
	h = snapshot.NewHistory(g, n)
	r.Begin(w, 0, sim.ServerSide)
	for p := range 8 {
		r.Join(sim.Player(p + 1))
	}
	sample := sim.NewSample(g)
	in := make([]byte, g.InputSize())
	for t := range tick.Tick(n) {
		r.Begin(w, t, sim.ServerSide)
		for p := range sim.Player(8) {
			pucks.Drives.Set(sample, pucks.Drive{Move: pucks.Script(t, p)})
			sample.Take(in)
			r.SetInput(p+1, in)
		}
		r.Systems()
		s := g.NewWorld()
		s.CopyFrom(w)
		states = append(states, s)
		h.Record(t+1, w)
	}
	return states, h
}

func BenchmarkFrame8(b *testing.B) {
	const n = 256
	g := pucks.Game
	states, h := match(b, n)
	buf, d := view.NewBuffer(g, 64), view.NewDisplay(g)
	for t := tick.Tick(1); t <= n; t++ {
		f, _ := h.At(t)
		for i, e := range f.IDs {
			if f.Owners[i] > 1 {
				buf.Add(t, e, f.Owners[i], f.Masks[i], f.Words(i))
			}
		}
	}
	src := view.Source{Buffer: buf, Smooth: true, Predicted: func(e tick.Entity) bool { return e.Index() == 1 || e.Index() > 8 }}
	k := 0
	for b.Loop() {
		i := n - 50 + k%40
		k++
		src.Prev, src.Cur, src.Alpha = states[i], states[i+1], 0.4
		src.ViewTick, src.ViewFrac = tick.Tick(i)-5, 0.3
		src.Now += time.Second / 60
		d.Frame(&src)
	}
}

func BenchmarkAdd8(b *testing.B) {
	const n = 64
	_, h := match(b, n)
	buf := view.NewBuffer(pucks.Game, 64)
	t := tick.Tick(0)
	for b.Loop() { // per entity
		f, _ := h.At(t%n + 1)
		buf.Add(t/8, f.IDs[t%8], f.Owners[t%8], f.Masks[t%8], f.Words(int(t%8)))
		if t%8 == 7 {
			buf.Trim(t/8 - 10)
		}
		t++
	}
}

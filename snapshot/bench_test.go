package snapshot_test

import (
	"testing"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
	"github.com/foretick/foretick/tick"
)

const benchTicks = 512

// match is the states 1..benchTicks of pucks with eight players.
func match() []*ecs.World {
	g := pucks.Game
	r, w := sim.NewRunner(g, 1), g.NewWorld()
	r.Begin(w, 0, sim.ServerSide)
	for p := range 8 {
		r.Join(sim.Player(p + 1))
	}
	sample := sim.NewSample(g)
	in := make([]byte, g.InputSize())
	var states []*ecs.World
	for t := range tick.Tick(200 + benchTicks) {
		r.Begin(w, t, sim.ServerSide)
		for p := range sim.Player(8) {
			pucks.Drives.Set(sample, pucks.Drive{Move: pucks.Script(t, p)})
			sample.Take(in)
			r.SetInput(p+1, in)
		}
		r.Systems()
		if t >= 200 {
			s := g.NewWorld()
			s.CopyFrom(w)
			states = append(states, s)
		}
	}
	return states
}

var benchOrder = func(f *snapshot.Frame, i int) (float32, bool) {
	return 1, pucks.Game.ModeOfEntity(sim.Player(f.Owners[i]), 1, f.Masks[i], true) == sim.Simulated
}

func BenchmarkRecord8(b *testing.B) {
	states := match()
	h := snapshot.NewHistory(pucks.Game, 64)
	t := tick.Tick(0)
	for b.Loop() {
		h.Record(t+1, states[t%benchTicks])
		t++
	}
}

// BenchmarkSend8 is Plan, Sent and Acked of one client; snapshots are
// acknowledged two ticks later.
func BenchmarkSend8(b *testing.B) {
	states := match()
	h := snapshot.NewHistory(pucks.Game, benchTicks)
	s := snapshot.NewSender(h)
	size := 0
	for t, n := tick.Tick(0), 0; b.Loop(); t, n = t+1, n+1 {
		if t%benchTicks == 0 { // a lap: as a new client
			b.StopTimer()
			h.Clear()
			s.Reset()
			for k, w := range states {
				h.Record(tick.Tick(k+1), w)
			}
			t = 0
			b.StartTimer()
		}
		f, _ := h.At(t + 1)
		s.Plan(f, benchOrder, []int{9000})
		s.Sent(0, uint16(t))
		size += s.Section(0).Len()
		s.Acked(uint16(t - 2))
	}
	b.ReportMetric(float64(size)/float64(b.N)/8, "bytes/tick")
}

func BenchmarkDecode8(b *testing.B) {
	h := snapshot.NewHistory(pucks.Game, 4)
	s := snapshot.NewSender(h)
	var packets [][]byte
	for k, w := range match() {
		f := h.Record(tick.Tick(k+1), w)
		s.Plan(f, benchOrder, []int{9000})
		s.Sent(0, uint16(k))
		packets = append(packets, append([]byte(nil), s.Section(0).Bytes()...))
		s.Acked(uint16(k - 2))
	}
	r := snapshot.NewReceiver(pucks.Game)
	var out snapshot.Update
	var rd bits.Reader
	for t := tick.Tick(0); b.Loop(); t++ {
		if t == benchTicks {
			r.Reset()
			t = 0
		}
		rd.Reset(packets[t])
		if err := r.Decode(&rd, t+1, &out); err != nil {
			b.Fatal(t, err)
		}
	}
}

// BenchmarkServer8 is a tick of the server with eight clients: Record, and for
// each Plan, Sent and Acked.
func BenchmarkServer8(b *testing.B) {
	states := match()
	h := snapshot.NewHistory(pucks.Game, 64)
	var clients []*snapshot.Sender
	for range 8 {
		clients = append(clients, snapshot.NewSender(h))
	}
	rooms := []int{9000}
	t := tick.Tick(0)
	for b.Loop() {
		t++
		f := h.Record(t, states[t%benchTicks])
		for i, s := range clients {
			s.Plan(f, benchOrder, rooms)
			s.Sent(0, uint16(t))
			s.Acked(uint16(t) - uint16(1+i/4))
		}
	}
}

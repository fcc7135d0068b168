package snapshot

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/tick"
)

// TestWhole: a plan that was written in one go is the plan that choosing makes,
// whatever the room, the losses, and who comes and goes.
func TestWhole(t *testing.T) {
	wrote := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 7))
		p := newPair(t, 4000)
		fast, slow := p.s, NewSender(p.s.h)
		order := func(f *Frame, i int) (float32, bool) { return float32(f.IDs[i]%5) + 1, f.IDs[i]%7 == 0 }
		now, seq := tick.Tick(0).Add(-200), uint16(65000)
		crowd(p.w, now, 1+rng.IntN(60))
		for range 400 {
			now = now.Add(int32(1 + rng.IntN(2)))
			seq++
			for _, e := range p.w.Entities() {
				if rng.IntN(3) == 0 {
					scramble(rng, p.w, colBody, e)
				}
			}
			if es := p.w.Entities(); rng.IntN(20) == 0 && len(es) > 0 {
				p.w.Destroy(es[rng.IntN(len(es))], now)
			}
			if rng.IntN(20) == 0 {
				crowd(p.w, now, 1)
			}
			f := p.s.h.Record(now, p.w)
			rooms := []int{rng.IntN(6000), rng.IntN(3000)}
			if rng.IntN(4) > 0 {
				rooms[0] = 9000
			}
			fast.over, slow.over = 0, 1
			n, all := fast.Plan(f, order, rooms)
			m, every := slow.Plan(f, order, rooms)
			if n != m || all != every {
				t.Fatalf("seed %d: %d parts, all %v; chosen %d, %v", seed, n, all, m, every)
			}
			if len(fast.heap) == 0 && n > 0 && len(slow.heap) == 0 && fast.used == 0 {
				wrote++
			}
			for k := range n {
				a, b := fast.Section(k), slow.Section(k)
				if a.Len() != b.Len() || !bytes.Equal(a.Bytes(), b.Bytes()) {
					t.Fatalf("seed %d, tick %d, part %d:\n%x chosen\n%x", seed, now, k, a.Bytes(), b.Bytes())
				}
				for _, s := range []*Sender{fast, slow} {
					s.Sent(k, seq+uint16(k)*20000)
				}
			}
			if rng.IntN(4) > 0 {
				ack := seq - uint16(rng.IntN(8))
				for k := range uint16(2) {
					fast.Acked(ack + k*20000)
					slow.Acked(ack + k*20000)
				}
			}
		}
		if fast.Counters() != slow.Counters() || fast.Joined() != slow.Joined() {
			t.Fatalf("seed %d: %+v chosen %+v", seed, fast.Counters(), slow.Counters())
		}
	}
	if wrote < 1000 {
		t.Errorf("only %d plans in one go", wrote)
	}
}

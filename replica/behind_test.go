package replica_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/replica"
)

// A client whose clock is behind the server's newest state, whatever made it
// so, gets ahead again: else all it sends are ticks it has not played, and the
// server has nothing to correct it by.
func TestBehindTheServer(t *testing.T) {
	for _, ahead := range []int{5, 20, 60, 300} {
		a := newArena(t, int64(ahead), authority.Config{})
		s := a.join(replica.Config{Bot: pucks.Bot}, 100*ms, 0)
		a.until(3*time.Second, s.playing)
		a.run(2 * time.Second)
		for range ahead { // the server's time leaps
			a.server.Tick(a.now)
			a.server.Drain()
		}
		a.run(4 * time.Second)
		before := s.Stats()
		a.run(2 * time.Second)
		after := s.Stats()
		if n := after.Counters.Holes + after.Counters.Unsampled - before.Counters.Holes - before.Counters.Unsampled; n > 2 || after.Fill < 1 {
			t.Errorf("%d ticks: %d holes in 2 s, fill %d", ahead, n, after.Fill)
		}
		if n := s.Predictor().Now().Since(s.ServerTick()); n < 6 || n > 30 {
			t.Errorf("%d ticks: %d ahead of the newest snapshot", ahead, n)
		}
		s.agrees("after the leap")
	}
}

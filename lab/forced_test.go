package lab_test

import (
	"testing"

	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/lab"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// predicted is the hash of what a client predicts, at each tick it came to.
type predicted struct {
	client int
	tick   tick.Tick
	hash   uint64
}

// hashes plays a match and takes down, after every frame, the world of every
// tick that it predicted anew. rollback is how many ticks are replayed before
// every tick.
func hashes(g *sim.Game, rollback int) (out []predicted, replayed int64) {
	var mask uint64
	for _, col := range g.Seal().Wire() {
		mask |= 1 << uint(col)
	}
	var next [8]tick.Tick
	r := lab.Run(g, lab.Match{Bot: pucks.Bot, Players: 8, Seconds: 20, Seed: 3,
		Link:    lab.Link{RTT: 150 * ms, Jitter: 10 * ms, Loss: 0.1},
		Replica: func(_ int, c *replica.Config) { c.ForceRollback = rollback },
		Watch: func(l *lab.Lab, e lab.Event, i int) {
			p := l.Peers[max(i, 0)]
			if e != lab.Framed || p.Replica.State() != replica.Playing {
				return
			}
			pr := p.Replica.Predictor()
			for n := tick.Later(next[i], pr.Now()-10); n.Before(pr.Now()); n++ {
				if w, ok := pr.State(n + 1); ok {
					out = append(out, predicted{i, n + 1, w.HashComponents(mask)})
				}
			}
			next[i] = pr.Now()
		}})
	for i := range r.Clients {
		replayed += r.Clients[i].Predict.Replayed
	}
	return out, replayed
}

// firstDifference returns where two matches part, -1 if nowhere.
func firstDifference(a, b []predicted) int {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	if len(b) > len(a) {
		return len(a)
	}
	return -1
}

// TestForcedRollback: a replay that nothing asked for changes nothing. The
// bots look at the world, so one bit would soon be other packets as well.
func TestForcedRollback(t *testing.T) {
	const back = 20
	plain, few := hashes(pucks.Game, 0)
	forced, many := hashes(pucks.Game, back)
	if len(plain) < 5000 || many < few+int64(len(plain))*back/2 {
		t.Fatalf("%d hashes, %d ticks replayed and %d", len(plain), few, many)
	}
	if i := firstDifference(plain, forced); i >= 0 {
		t.Errorf("hash %d of %d differs: %+v without, %+v with", i, len(plain), plain[i], forced[min(i, len(forced)-1)])
	}
	counting, _ := hashes(counted(pucks.Game), 0)
	again, _ := hashes(counted(pucks.Game), back)
	i := firstDifference(counting, again)
	if i < 0 {
		t.Error("the control, a game that counts its steps, gives the same hashes")
	}
	figures(t, "forced", "%d hashes of 8 clients in 20 s at 150 ms, 10 ms jitter and 10 %% loss are the same with %d ticks replayed as with %d."+
		" Control, a game that counts its steps: hash %d is another.", len(plain), many, few, i)
}

// counted is a game that remembers at package level, in effect, how often a
// client has stepped, and shows it after a while.
func counted(g *sim.Game) *sim.Game {
	steps := 0
	return g.Variant(g.Name()).ClientSystem("count", func(s *sim.Step) {
		es, _ := pucks.Bodies.All(s)
		if steps++; steps%1000 == 0 && len(es) > 0 {
			pucks.Bodies.Write(s, es[0]).Vel.X += 0.5
		}
	})
}

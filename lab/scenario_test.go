package lab_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/lab"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// These are faults that users of other netcode have met; the numbers are those
// of the list of scenarios.

// Rider goes round, or straight on.
type Rider struct {
	Pos geom.Vec2 `net:"exact,smooth"`
}

// Reins is its input.
type Reins struct {
	Pull float32
	Taps sim.Counter
	Pad  uint16
}

// Badge is what the server alone gives.
type Badge struct{ N uint32 }

// Sash is what both sides know how to give.
type Sash struct{ N uint32 }

// stable is a game of riders in which a test says what the server does.
type stable struct {
	*sim.Game
	riders sim.Comp[Rider]
	reins  sim.InputComp[Reins]
	badges sim.Comp[Badge]
	sashes sim.Comp[Sash]
	do     func(s *sim.Step, e tick.Entity) // the server, for every rider
	both   func(s *sim.Step, e tick.Entity) // both sides
}

func newStable(hz int) *stable {
	g := &stable{Game: sim.New("stable", hz)}
	g.riders, g.reins = sim.Predicted[Rider](g.Game), sim.Input[Reins](g.Game)
	g.badges, g.sashes = sim.Replicated[Badge](g.Game), sim.Predicted[Sash](g.Game)
	g.Join(func(s *sim.Step, p sim.Player) {
		e := s.Spawn(p)
		g.riders.Add(s, e, Rider{Pos: geom.V2(0, float32(p))})
		g.reins.Add(s, e, Reins{})
	})
	each := func(do *func(*sim.Step, tick.Entity)) func(*sim.Step) {
		return func(s *sim.Step) {
			es, _ := g.riders.All(s)
			for _, e := range es {
				if *do != nil {
					(*do)(s, e)
				}
			}
		}
	}
	g.System("ride", func(s *sim.Step) {
		es, _ := g.riders.All(s)
		for _, e := range es {
			in, _ := g.reins.Read(s, e)
			g.riders.Write(s, e).Pos.X += in.Pull
		}
	})
	g.System("both", each(&g.both))
	g.ServerSystem("do", each(&g.do))
	return g
}

// pull rides on at a quarter of a metre a tick; idle sits still.
func (g *stable) pull(t *sim.Turn) { g.reins.Set(t, Reins{Pull: 0.25}) }

func idle(*sim.Turn) {}

// knows asks every client that plays, what it predicts or shows of an entity.
func knows(l *lab.Lab, ask func(p *lab.Peer, w *ecs.World) bool) bool {
	for _, p := range l.Peers {
		if p.Frame == nil || p.Replica.State() != replica.Playing || !ask(p, p.Frame.World) {
			return false
		}
	}
	return true
}

// first returns the entity of player 1.
func first(w *ecs.World) tick.Entity {
	for _, e := range w.Entities() {
		if w.Owner(e) == 1 {
			return e
		}
	}
	return tick.NoEntity
}

// TestScenario1: every counter starts close to its wrap on both sides; an
// entity rests for more than half of what a tick on the wire can tell apart,
// and then changes.
func TestScenario1(t *testing.T) {
	const rest = 1<<15 + 1000
	for _, start := range []tick.Tick{1<<32 - 100, 1<<16 - 100} {
		g := newStable(60)
		moved := start + rest
		var resets []int64
		g.do = func(s *sim.Step, e tick.Entity) {
			if s.Tick == moved && s.Owner(e) == 1 {
				g.badges.Add(s, e, Badge{N: 7})
			}
		}
		l := lab.New(g.Game, lab.Match{Bot: idle, Players: 2, Seed: 1, StartTick: start, SnapshotHz: 10, FrameHz: 20,
			Server:  serverFrom(1<<16 - 100),
			Replica: func(_ int, c *replica.Config) { c.StartSeq, c.SendEvery = 1<<16-100, 6 }})
		has := func(p *lab.Peer, w *ecs.World) bool { b, ok := g.badges.Of(w, first(w)); return ok && b.N == 7 }
		l.Until(5 * time.Second)
		for _, p := range l.Peers { // on their way in they may start anew
			resets = append(resets, p.Replica.Stats().Predict.Resets)
		}
		l.Until(time.Duration(rest-60) * time.Second / 60)
		if !knows(l, func(_ *lab.Peer, w *ecs.World) bool { return first(w) != tick.NoEntity }) {
			t.Fatalf("from %d: somebody does not play", start)
		}
		if knows(l, has) {
			t.Fatalf("from %d: it is known before it happened", start)
		}
		l.Until(time.Duration(rest+60) * time.Second / 60)
		if !knows(l, has) {
			t.Errorf("from %d: the change is not known a second later", start)
		}
		for i, c := range l.Finish().Clients {
			if c.Predict.Compared < 5000 || c.Predict.Differing != 0 || c.Reconnects != 0 || c.Predict.Resets != resets[i] {
				t.Errorf("from %d, client %d: %+v, %d reconnects", start, i, c.Predict, c.Reconnects)
			}
		}
	}
}

// TestScenario2: one idles, one moves, snapshots at 10 Hz: one rollback a
// server tick at most, however many entities differ.
func TestScenario2(t *testing.T) {
	g := newStable(60)
	bot := func(t *sim.Turn) {
		if t.Player == 2 && uint32(t.Tick)%3 == 0 {
			g.reins.Set(t, Reins{Pull: float32(uint32(t.Tick) % 7)})
		}
	}
	run := func(others bool) (rollbacks, most int64) {
		var server tick.Tick
		l := lab.New(g.Game, lab.Match{Bot: bot, Players: 2, Seed: 1, SnapshotHz: 10, Link: lab.Link{RTT: 100 * ms},
			Replica: func(_ int, c *replica.Config) { c.Off.Others = others },
			Watch: func(l *lab.Lab, e lab.Event, i int) {
				if e != lab.Framed || l.Peers[i].Replica.Player() != 1 || l.Peers[i].Replica.State() != replica.Playing {
					return
				}
				r := l.Peers[i].Replica
				n, s := r.Stats().Predict.Rollbacks, r.ServerTick()
				if s == server && n > rollbacks {
					most = 100 // there was nothing new to roll back for
				}
				most = max(most, n-rollbacks)
				rollbacks, server = n, s
			}})
		l.Until(20 * time.Second)
		return rollbacks, most
	}
	if n, most := run(true); n < 100 || most != 1 {
		t.Errorf("%d rollbacks, %d in a tick; want many, one a tick", n, most)
	}
	// Control: who predicts only himself is never wrong.
	if n, _ := run(false); n != 0 {
		t.Errorf("%d rollbacks although the other is not predicted", n)
	}
}

// gift runs two clients on a clean link and looks at tick 400 for what was
// given to the first rider at tick 300.
func gift(t *testing.T, do func(g *stable) func(*sim.Step, tick.Entity), both bool,
	has func(g *stable, w *ecs.World, e tick.Entity) bool) (before, after bool) {
	t.Helper()
	g := newStable(60)
	act := do(g)
	at := func(s *sim.Step, e tick.Entity) {
		if s.Owner(e) == 1 {
			act(s, e)
		}
	}
	if both {
		g.both = at
	} else {
		g.do = at
	}
	l := lab.New(g.Game, lab.Match{Bot: g.pull, Players: 2, Seed: 1, Link: lab.Link{RTT: 60 * ms}, Causes: true})
	see := func(p *lab.Peer, w *ecs.World) bool { return first(w) != tick.NoEntity && has(g, w, first(w)) }
	l.Until(4 * time.Second)
	before = knows(l, see)
	l.Until(400 * time.Second / 60)
	after = knows(l, see)
	r := l.Finish()
	for _, d := range r.Diagnoses {
		if d.Cause == lab.Unnamed || d.Cause == lab.Nondeterminism {
			t.Errorf("a correction by %v", d.Cause)
		}
	}
	return before, after
}

// TestScenario3: the server adds a component to a live entity; it arrives, at
// its owner and at others.
func TestScenario3(t *testing.T) {
	for _, given := range []bool{true, false} {
		replicated := func(g *stable) func(*sim.Step, tick.Entity) {
			return func(s *sim.Step, e tick.Entity) {
				if s.Tick == 300 && given {
					g.badges.Add(s, e, Badge{N: 5})
				}
			}
		}
		predicted := func(g *stable) func(*sim.Step, tick.Entity) {
			return func(s *sim.Step, e tick.Entity) {
				if s.Tick == 300 && given {
					g.sashes.Add(s, e, Sash{N: 5})
				}
			}
		}
		badge := func(g *stable, w *ecs.World, e tick.Entity) bool { b, ok := g.badges.Of(w, e); return ok && b.N == 5 }
		sash := func(g *stable, w *ecs.World, e tick.Entity) bool { b, ok := g.sashes.Of(w, e); return ok && b.N == 5 }
		if before, after := gift(t, replicated, false, badge); before || after != given {
			t.Errorf("replicated, given %v: before %v, after %v", given, before, after)
		}
		if before, after := gift(t, predicted, false, sash); before || after != given {
			t.Errorf("predicted, given by the server, %v: before %v, after %v", given, before, after)
		}
		if before, after := gift(t, predicted, true, sash); before || after != given {
			t.Errorf("predicted, given %v: before %v, after %v", given, before, after)
		}
	}
}

// TestScenario8: a component is removed and added in one tick: it is there, and
// it is the new one. Without the add it is gone.
func TestScenario8(t *testing.T) {
	for _, again := range []bool{true, false} {
		swap := func(g *stable) func(*sim.Step, tick.Entity) {
			return func(s *sim.Step, e tick.Entity) {
				switch s.Tick {
				case 100:
					g.sashes.Add(s, e, Sash{N: 1})
					g.badges.Add(s, e, Badge{N: 1})
				case 300:
					g.sashes.Remove(s, e)
					g.badges.Remove(s, e)
					if again {
						g.sashes.Add(s, e, Sash{N: 2})
						g.badges.Add(s, e, Badge{N: 2})
					}
				}
			}
		}
		for _, both := range []bool{false, true} {
			n := uint32(0)
			before, after := gift(t, swap, both, func(g *stable, w *ecs.World, e tick.Entity) bool {
				s, ok := g.sashes.Of(w, e)
				b, _ := g.badges.Of(w, e)
				n = s.N
				return ok && (both || b.N == s.N)
			})
			if !before || after != again || again && n != 2 {
				t.Errorf("on both sides %v, added again %v: before %v, after %v with %d", both, again, before, after, n)
			}
		}
	}
}

// TestScenario11: a stall longer than the history, both ways. The client comes
// back by itself; without an end to the stall it does not.
func TestScenario11(t *testing.T) {
	for _, ends := range []bool{true, false} {
		g := newStable(60)
		d := 4 * time.Second
		if !ends {
			d = time.Hour
		}
		c := impair.Config{Delay: 30 * ms, Stalls: []impair.Stall{{From: 5 * time.Second, For: d}}}
		l := lab.New(g.Game, lab.Match{Bot: g.pull, Players: 2, Seed: 1, Links: []lab.Link{{Up: &c, Down: &c}}})
		l.Until(11 * time.Second)
		p := l.Peers[0]
		was, x := compared(p), rode(g, l, 1)
		l.Until(13 * time.Second)
		if got := compared(p)-was > 100 && rode(g, l, 1)-x > 25; got != ends {
			t.Errorf("the stall ends %v: %d ticks compared, %v m ridden in 2 s", ends, compared(p)-was, rode(g, l, 1)-x)
		}
		if n := l.Finish().Clients[1].Holes; n > 2 {
			t.Errorf("the other one has %d holes", n)
		}
	}
}

func compared(p *lab.Peer) int64 { return p.Replica.Stats().Predict.Compared }

// rode is how far a player's rider has come on the server.
func rode(g *stable, l *lab.Lab, player uint16) float32 {
	w := l.Server.World()
	for _, e := range w.Entities() {
		if w.Owner(e) == player {
			r, _ := g.riders.Of(w, e)
			return r.Pos.X
		}
	}
	return 0
}

func serverFrom(seq uint16) func(*authority.Config) {
	return func(c *authority.Config) { c.StartSeq = seq }
}

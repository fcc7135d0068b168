package lab_test

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/internal/changeling"
	"github.com/foretick/foretick/internal/fused"
	"github.com/foretick/foretick/lab"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// A small game to break: carts that a stick accelerates.
type cart struct {
	Pos geom.Vec2 `net:"exact,smooth"`
	Vel geom.Vec2 `net:"exact"`
}
type stick struct {
	Move geom.Vec2 `net:"step=1/127,min=-1,max=1"`
}
type fuel struct{ Left float32 }

type carts struct {
	*sim.Game
	carts sim.Comp[cart]
	stick sim.InputComp[stick]
	fuel  sim.Comp[fuel]
	query sim.Query2[stick, cart]
	puff  sim.EffectKind
}

// newCarts declares the game up to its systems.
func newCarts() *carts {
	g := &carts{Game: sim.New("carts", 60)}
	g.carts = sim.Predicted[cart](g.Game)
	g.stick = sim.Input[stick](g.Game)
	g.fuel = sim.ServerOnly[fuel](g.Game)
	g.query = sim.Where2(g.stick, g.carts)
	g.puff = g.Effect("puff")
	g.Join(func(s *sim.Step, p sim.Player) {
		e := s.Spawn(p)
		g.carts.Add(s, e, cart{Pos: geom.V2(float32(p), 0)})
		g.stick.Add(s, e, stick{})
		g.fuel.Add(s, e, fuel{1})
	})
	return g
}

func (g *carts) drive(s *sim.Step) {
	for e, m := range g.query.In(s) {
		c := g.carts.Write(s, e)
		c.Vel = c.Vel.MulAdd(m.A.Move, 4*s.Dt)
		c.Pos = c.Pos.MulAdd(c.Vel, s.Dt)
	}
}

func (g *carts) bot(t *sim.Turn) {
	g.stick.Set(t, stick{geom.V2(1, 0).Rotate(float32(t.Tick%63)/10 + float32(t.Player))})
}

// broken are the games, each with one law broken, and what Check has to say.
var broken = []struct {
	name  string
	field string
	by    []string // checks that have to find it
	build func(*carts)
}{
	{"a counter at package level", "cart.Vel.X", []string{lab.CheckRollback, lab.CheckClient, lab.CheckRebuild, lab.CheckInterleaved},
		func(g *carts) {
			steps := 0
			g.System("drive", g.drive).System("gust", func(s *sim.Step) {
				if steps++; steps%50 == 0 {
					for e := range g.query.In(s) {
						g.carts.Write(s, e).Vel.X++
					}
				}
			})
		}},
	{"a range over a map", "cart.Vel.Y", []string{lab.CheckRollback, lab.CheckClient},
		func(g *carts) {
			winds := map[int]float32{}
			for i := range 40 {
				winds[i] = 1 / float32(i*i*i+3)
			}
			g.System("drive", g.drive).System("wind", func(s *sim.Step) {
				for e := range g.query.In(s) {
					var sum float32
					for _, w := range winds {
						sum += w
					}
					g.carts.Write(s, e).Vel.Y += sum
				}
			})
		}},
	{"a cache from one tick to the next", "cart.Pos.X", []string{lab.CheckRollback, lab.CheckInterleaved},
		func(g *carts) {
			last := map[tick.Entity]geom.Vec2{}
			g.System("drive", g.drive).System("warm", func(s *sim.Step) {
				for e, m := range g.query.In(s) {
					c := g.carts.Write(s, e)
					c.Pos = c.Pos.MulAdd(last[e], 0.01)
					last[e] = m.B.Vel
				}
			})
		}},
	{"a write through a query", "cart.Vel.X", []string{lab.CheckReadOnly},
		func(g *carts) {
			g.System("drive", g.drive).System("brake", func(s *sim.Step) {
				for _, m := range g.query.In(s) {
					m.B.Vel.X -= 0.25
				}
			})
		}},
	{"a wrong ReadsOwn", "cart.Vel.X", []string{lab.CheckOwn},
		func(g *carts) {
			g.System("drive", g.drive, sim.ReadsOwn).System("follow", func(s *sim.Step) {
				es, cs := g.carts.All(s)
				for e := range g.query.In(s) {
					if e != es[0] {
						g.carts.Write(s, e).Vel.X += float32(cs[0].Vel.X * 0.01)
					}
				}
			}, sim.ReadsOwn)
		}},
	{"a write out of scope", "cart.Vel.Y", []string{lab.CheckOwn},
		func(g *carts) {
			g.System("drive", g.drive, sim.ReadsOwn).System("shake", func(s *sim.Step) {
				es, _ := g.carts.All(s)
				for _, e := range es {
					g.carts.Write(s, e).Vel.Y += 0.125
				}
			}, sim.ReadsOwn)
		}},
	{"a client that reads what it never has", "cart.Vel.X", []string{lab.CheckHidden},
		func(g *carts) {
			g.System("drive", g.drive).System("tank", func(s *sim.Step) {
				for e := range g.query.In(s) {
					if f, ok := g.fuel.Read(s, e); ok {
						g.carts.Write(s, e).Vel.X += f.Left
					}
				}
			})
		}},
	{"no number", "cart.Vel.X", []string{lab.CheckTravel},
		func(g *carts) {
			g.System("drive", g.drive).System("divide", func(s *sim.Step) {
				for e := range g.query.In(s) {
					if s.Tick == 300 {
						g.carts.Write(s, e).Vel.X = float32(math.Inf(1))
					}
				}
			})
		}},
	{"an effect that a counter decides", "effect puff", []string{lab.CheckRollback, lab.CheckRebuild},
		func(g *carts) {
			steps := 0
			g.System("drive", g.drive).System("puff", func(s *sim.Step) {
				steps++
				for e := range g.query.In(s) {
					if steps%50 == 0 {
						g.puff.Emit(s, e)
					}
				}
			})
		}},
}

func TestCheckNamesWhatIsBroken(t *testing.T) {
	for _, b := range broken {
		g := newCarts()
		b.build(g)
		found := lab.Check(g.Game, lab.Checks{Bot: g.bot})
		for _, check := range b.by {
			v, ok := of(found, check)
			if !ok || v.Field != b.field || v.Tick < 100 {
				t.Errorf("%s: %s says %q, want %s", b.name, check, v, b.field)
			}
		}
		if len(b.by) == 1 && len(found) != 1 {
			t.Errorf("%s: not %s alone: %v", b.name, b.by[0], found)
		}
		t.Logf("%s: %v", b.name, found[0])
	}
}

func of(all []lab.Breach, check string) (lab.Breach, bool) {
	for _, v := range all {
		if v.Check == check {
			return v, true
		}
	}
	return lab.Breach{}, false
}

func TestCheckPassesGoodGames(t *testing.T) {
	plain := newCarts()
	plain.System("drive", plain.drive)
	own := newCarts()
	own.System("drive", own.drive, sim.ReadsOwn)
	look := func() ([]string, error) {
		dir, err := filepath.Abs("..")
		if err != nil {
			return nil, err
		}
		found, err := fused.Look(dir, "./examples/pucks")
		var lines []string
		for _, f := range found {
			lines = append(lines, f.String())
		}
		return lines, err
	}
	for name, c := range map[string]struct {
		g *sim.Game
		c lab.Checks
	}{
		"carts":      {plain.Game, lab.Checks{Bot: plain.bot}},
		"own":        {own.Game, lab.Checks{Bot: own.bot}},
		"pucks":      {pucks.Game, lab.Checks{Bot: pucks.Bot, Players: 8, Fused: look}},
		"no pucks":   {pucks.NoFree, lab.Checks{Bot: pucks.Bot}},
		"changeling": {changeling.Game, lab.Checks{Bot: changeling.Bot, Players: 8, Ticks: 1000}},
		"no bot":     {pucks.Game, lab.Checks{Ticks: 100}},
		"one alone":  {pucks.Game, lab.Checks{Bot: pucks.Bot, Players: 1, Ticks: 100}},
	} {
		for _, v := range lab.Check(c.g, c.c) {
			t.Errorf("%s: %v", name, v)
		}
	}
}

// A game in which nobody ever is passes all else, because nothing happens.
func TestCheckTellsOfNoJoin(t *testing.T) {
	g := sim.New("empty", 60)
	sim.Predicted[cart](g)
	found := lab.Check(g, lab.Checks{Ticks: 20})
	if s := lab.Run(g, lab.Match{Players: 1, Seconds: 1}).String(); !strings.Contains(s, "nothing was compared\n") {
		t.Errorf("the report of a match without entities begins %.200q", s)
	}
	if len(found) != 1 || found[0].String() != "join: game empty has no Join: players get no entity" {
		t.Errorf("%v", found)
	}
}

func TestCheckTellsOfFused(t *testing.T) {
	found := lab.Check(pucks.NoFree, lab.Checks{Ticks: 10, Fused: func() ([]string, error) {
		return []string{"move.go:3: FMADDS"}, errors.New("no compiler")
	}})
	if len(found) != 2 || found[0].Check != lab.CheckFused || !strings.Contains(found[0].String(), "move.go:3") ||
		!strings.Contains(found[1].String(), "no compiler") {
		t.Errorf("%v", found)
	}
}

package lab_test

import (
	"strings"
	"testing"
	"time"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/lab"
	"github.com/foretick/foretick/sim"
)

// A predicted system that reads what only the server writes is corrected
// although every compared prediction was right: that has a name, too.
func TestReplicatedCorrectionsAreNamed(t *testing.T) {
	type Runner struct {
		X float32 `net:"exact,smooth"`
	}
	type Pace struct{ Of float32 }
	type Held struct {
		Move geom.Vec2 `net:"step=1/127,min=-1,max=1"`
	}
	game := func(changes bool) *sim.Game {
		g := sim.New("runners", 60)
		runners, paces, holds := sim.Predicted[Runner](g), sim.Replicated[Pace](g), sim.Input[Held](g)
		where := sim.Where3(holds, runners, paces)
		g.Join(func(s *sim.Step, p sim.Player) {
			e := s.Spawn(p)
			runners.Add(s, e, Runner{})
			holds.Add(s, e, Held{})
			paces.Add(s, e, Pace{1})
		})
		g.System("run", func(s *sim.Step) {
			for e, m := range where.In(s) {
				runners.Write(s, e).X += float32(m.C.Of * s.Dt)
			}
		})
		g.ServerSystem("pace", func(s *sim.Step) {
			for e := range where.In(s) {
				if changes && s.Tick%60 == 0 {
					paces.Write(s, e).Of = 1 + s.RandFloat(e, 0)
				}
			}
		})
		return g
	}
	run := func(changes bool, loss float64) *lab.Report {
		return lab.Run(game(changes), lab.Match{Seconds: 20, Seed: 1, Causes: true, Record: true, Bot: func(*sim.Turn) {},
			Link: lab.Link{RTT: 100 * time.Millisecond, Loss: loss}})
	}
	// With loss, what is predicted from a value not heard of in time differs.
	if by := run(true, 0.3).ByCause(); by[lab.ServerOnly] < 15 || by[lab.Visibility]+by[lab.Unnamed]+by[lab.Nondeterminism] != 0 {
		t.Errorf("30 %% loss: %v, want server only", by)
	}
	r := run(true, 0)
	by := r.ByCause()
	t.Logf("%v corrected %.4f", by, r.CorrectedTicks())
	if by[lab.ServerOnly] < 15 || r.CorrectedTicks() == 0 {
		t.Errorf("%d corrections named server only, %.4f of ticks corrected: want one a second", by[lab.ServerOnly], r.CorrectedTicks())
	}
	if by[lab.Unnamed]+by[lab.Nondeterminism] != 0 {
		t.Errorf("others: %v", by)
	}
	told := 0
	for _, x := range r.Record.Stories {
		if x.Reason == "the server wrote a value that only it writes" && x.Cause == lab.ServerOnly && len(x.Levels) == 0 {
			told++
		}
	}
	if text := parsed(t, r); told == 0 || told != len(r.Record.Stories) || strings.Count(text, "nothing that was compared differed") != told {
		t.Errorf("%d of %d stories tell of a value that only the server writes", told, len(r.Record.Stories))
	}
	if c := run(false, 0); c.CorrectedTicks() != 0 || len(c.Diagnoses) != 0 {
		t.Errorf("without changes: %.4f corrected, %v", c.CorrectedTicks(), c.Diagnoses)
	}
}

package lab_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/internal/plot"
	"github.com/foretick/foretick/lab"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// flipped is a game with memory at package level, in effect: once in a match,
// on a client, a mantissa bit turns, and in no replay.
func flipped(g *sim.Game) *sim.Game {
	done := false
	return g.Variant(g.Name()).ClientSystem("flip", func(s *sim.Step) {
		es, _ := pucks.Bodies.All(s)
		if done || s.Tick < 1000 || len(es) == 0 {
			return
		}
		done = true
		b := pucks.Bodies.Write(s, es[0])
		b.Pos.X = math.Float32frombits(math.Float32bits(b.Pos.X) ^ 1)
	})
}

// nudged is a game in which the server alone kicks every puck twice a second.
func nudged(g *sim.Game) *sim.Game {
	return g.Variant(g.Name()).ServerSystem("nudge", func(s *sim.Step) {
		if s.Tick%30 != 0 || s.Tick < 120 {
			return
		}
		es, _ := pucks.Bodies.All(s)
		for _, e := range es {
			pucks.Bodies.Write(s, e).Vel.X += 3
		}
	})
}

// dizzy turns its stick every tick, so that no input is like the one before.
func dizzy(t *sim.Turn) {
	pucks.Drives.Set(t, pucks.Drive{Move: geom.V2(1, 0).Rotate(float32(uint32(t.Tick)%61) * (2 * geom.Pi / 61))})
}

// everySecond does something to the one packet that the client sends for
// tick n, for one n in each second, and undoes it after that.
func everySecond(do, undo func(p *lab.Peer, n tick.Tick)) func(*lab.Lab, lab.Event, int) {
	var at tick.Tick
	on := false
	return func(l *lab.Lab, e lab.Event, i int) {
		p := l.Peers[0]
		if p.Replica.State() != replica.Playing || e == lab.Arrived {
			return
		}
		next := p.Replica.Predictor().Now()
		switch {
		case on && next != at:
			undo(p, at)
			on = false
		case !on && l.Now.Seconds() > 2 && next%60 == 30:
			do(p, next)
			at, on = next, true
		}
	}
}

// A plant is a match with one thing wrong in it.
type plant struct {
	cause   lab.Cause
	game    *sim.Game
	bot     sim.Bot
	players int
	bare    bool // each input is sent once
	watch   func(*lab.Lab, lab.Event, int)
	record  bool
}

func plants() []plant {
	alone := pucks.WithFree(0)
	set := func(loss, held float64) func(*lab.Peer, tick.Tick) {
		return func(p *lab.Peer, _ tick.Tick) {
			c := p.Up.Config()
			c.Loss, c.Reorder, c.ReorderBy = loss, held, 200*ms
			p.Up.Set(c)
		}
	}
	return []plant{
		{lab.LateInput, alone, dizzy, 1, true, everySecond(set(0, 1), set(0, 0)), false},
		{lab.LostInput, alone, dizzy, 1, true, everySecond(set(1, 0), set(0, 0)), false},
		// A tick that was simulated as if it had a sample, which there never was.
		{lab.ClockSlip, alone, dizzy, 1, true, everySecond(set(1, 0), func(p *lab.Peer, n tick.Tick) {
			set(0, 0)(p, n)
			if rec, ok := p.Replica.Predictor().Record(n); ok {
				rec.Sampled = false
			}
		}), false},
		{lab.AnotherPlayer, alone, pucks.Bot, 2, false, nil, false},
		{lab.ServerOnly, nudged(alone), dizzy, 1, false, nil, false},
		{lab.Quantisation, alone.Retag("Body", map[string]string{"Pos": "step=1/64,smooth", "Vel": "step=1/64"}), dizzy, 1, false, nil, false},
		{lab.Nondeterminism, flipped(alone), dizzy, 1, false, nil, false},
	}
}

func (p *plant) run() *lab.Report {
	return lab.Run(p.game, lab.Match{Bot: p.bot, Players: p.players, Seconds: 30, Seed: 1, Causes: true, Record: p.record,
		Link: lab.Link{RTT: 60 * ms}, Watch: p.watch,
		Replica: func(_ int, c *replica.Config) { c.Off.Redundancy = p.bare }})
}

func TestPlantedCauses(t *testing.T) {
	var table strings.Builder
	table.WriteString("| planted |")
	m := plot.Matrix{Title: "Differing ticks: one cause planted, and what was named", Row: "planted", Col: "named", Style: 1}
	for _, p := range plants() {
		m.Rows, m.Cols = append(m.Rows, p.cause.String()), append(m.Cols, p.cause.String())
		fmt.Fprintf(&table, " %v |", p.cause)
	}
	table.WriteString(" other |\n" + strings.Repeat("|---", len(plants())+2) + "|\n")
	for _, p := range plants() {
		r := p.run()
		by := r.ByCause()
		row(&table, p.cause, by)
		var cells []int
		rest := 0
		for _, n := range by {
			rest += n
		}
		for _, q := range plants() {
			cells, rest = append(cells, by[q.cause]), rest-by[q.cause]
		}
		m.Cells = append(m.Cells, append(cells, rest))
		for c, n := range by {
			switch {
			case lab.Cause(c) == p.cause && n == 0:
				t.Errorf("planted %v, not named", p.cause)
			case lab.Cause(c) != p.cause && n > 0:
				t.Errorf("planted %v, named %v %d times", p.cause, lab.Cause(c), n)
			}
		}
		if t.Failed() {
			for i := range min(len(r.Diagnoses), 5) {
				t.Logf("%+v %v", r.Diagnoses[i], r.Diagnoses[i].Cause)
			}
		}
	}
	for _, bare := range []bool{false, true} { // the control: nothing planted, nothing named
		p := plant{game: pucks.WithFree(0), bot: dizzy, players: 1, bare: bare}
		if r := p.run(); len(r.Diagnoses) > 0 {
			t.Errorf("nothing planted, and %+v", r.Diagnoses[0])
		}
	}
	m.Cols = append(m.Cols, "other")
	drawing(t, "planted", m.File())
	figures(t, "planted", "%s", strings.TrimSpace(table.String()))
}

// row writes what was named when one cause was planted.
func row(to *strings.Builder, planted lab.Cause, by [lab.Causes]int) {
	fmt.Fprintf(to, "| %v |", planted)
	other := 0
	for _, n := range by {
		other += n
	}
	for _, p := range plants() {
		fmt.Fprintf(to, " %d |", by[p.cause])
		other -= by[p.cause]
	}
	fmt.Fprintf(to, " %d |\n", other)
}

package lab_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/internal/plot"
	"github.com/foretick/foretick/lab"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// The experiments of docs/experiments.md: pucks at 60 Hz for 60 s, fixed
// seeds. Each has a control, a run in which the same check fails.

const ms = time.Millisecond

func bumps(l *lab.Lab) int {
	n := 0
	es, _ := l.Server.Effects(l.Server.Now() - 1)
	for i := range es {
		if es[i].Kind == pucks.Bump.ID() {
			n++
		}
	}
	return n
}

// alone is one client for a minute.
func alone(rtt time.Duration, loss float64) *lab.Report {
	return lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Seed: 1, Causes: true, Record: true, Link: lab.Link{RTT: rtt, Loss: loss}})
}

func TestAlonePerfect(t *testing.T) {
	run := func(g *sim.Game) (*lab.Report, int) {
		n := 0
		r := lab.Run(g, lab.Match{Bot: pucks.Bot, Seed: 1, Causes: true, Watch: func(l *lab.Lab, e lab.Event, _ int) {
			if e == lab.Ticked {
				n += bumps(l)
			}
		}})
		return r, n
	}
	r, n := run(pucks.Game)
	c := r.Clients[0].Predict
	if n < 100 || c.Compared < 3000 {
		t.Fatalf("%d bumps and %d ticks compared: nothing to see", n, c.Compared)
	}
	if c.Differing != 0 || len(r.Diagnoses) != 0 {
		t.Errorf("%d ticks differ: %+v", c.Differing, r.Diagnoses)
	}
	f, _ := run(flipped(pucks.Game))
	d := f.Clients[0].Predict.Differing
	if d == 0 {
		t.Error("the control, with one flipped bit, differs nowhere")
	}
	figures(t, "alone-perfect", "%d bumps, %d snapshots compared, %d with a differing bit. Control, one mantissa bit flipped once: %d.",
		n, c.Compared, c.Differing, d)
}

// executedLog is the server's own log: how each tick's input was obtained and
// whether a copy came later, read once no copy can come any more.
type executedLog map[tick.Tick]authority.Executed

func (x executedLog) watch(l *lab.Lab, e lab.Event, _ int) {
	if e != lab.Ticked {
		return
	}
	for n := l.Server.Now() - 100; n.Before(l.Server.Now()); n++ {
		if was, ok := l.Server.Executed(l.Peers[0].Replica.Player(), n); ok {
			x[n] = was
		}
	}
}

func TestAloneLossy(t *testing.T) {
	run := func(off replica.Switches, fixed float64) (*lab.Report, executedLog) {
		log := executedLog{}
		return lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Seed: 7, Causes: true, Record: true,
			Link:  lab.Link{RTT: 150 * ms, Jitter: 20 * ms, Loss: 0.1},
			Watch: log.watch,
			Replica: func(_ int, c *replica.Config) {
				c.Off, c.FixedLead = off, fixed
			}}), log
	}
	r, log := run(replica.Switches{}, 0)
	c := &r.Clients[0]
	if len(r.Diagnoses) != int(c.Predict.Differing) || c.Predict.Differing == 0 || c.Predict.Compared < 1500 {
		t.Fatalf("%d diagnoses of %d differing ticks among %d", len(r.Diagnoses), c.Predict.Differing, c.Predict.Compared)
	}
	for _, d := range r.Diagnoses {
		if !ownInput(d.Cause) {
			t.Errorf("named %v: %+v", d.Cause, d)
		}
		x := log[d.Input]
		if x.How == sim.AsSent || x.Late != (d.Cause == lab.LateInput) {
			t.Errorf("named %v, but the server's log says %+v", d.Cause, x)
		}
	}
	share, fill := differing(c), c.Fill.Value()
	if share >= 0.005 || fill > 5 {
		t.Errorf("%.2f %% differ, %.1f inputs wait on the server", 100*share, fill)
	}
	bare, _ := run(replica.Switches{Redundancy: true}, 0)
	deep, _ := run(replica.Switches{}, 8)
	if s, f := differing(&bare.Clients[0]), deep.Clients[0].Fill.Value(); s < 0.005 || f <= 5 {
		t.Errorf("controls pass: %.2f %% differ without redundancy, %.1f wait with a lead of 8", 100*s, f)
	}
	by := r.ByCause()
	figures(t, "alone-lossy", "%d of %d compared ticks differ (%.2f %%): late input %d, lost input %d, nothing else; on average %.1f inputs wait on the server."+
		" Controls: without redundancy %.1f %% differ; with a fixed lead of 8 ticks %.1f wait.",
		c.Predict.Differing, c.Predict.Compared, 100*share, by[lab.LateInput], by[lab.LostInput], fill,
		100*differing(&bare.Clients[0]), deep.Clients[0].Fill.Value())
	drawing(t, "alone", chart("Alone: snapshots that differ from the prediction", "time, s", "so far",
		soFar(bare, "150 ms, 10 % loss, without redundancy", 1), soFar(r, "150 ms, 10 % loss", 0), soFar(alone(0, 0), "perfect link", 3)).File())
	waits := func(p *lab.Point) float64 { return p.Fill }
	wait := chart("Alone: inputs that wait on the server", "time, s", "ticks",
		overTime(deep, "fixed lead of 8 ticks", 1, waits), overTime(r, "adaptive", 0, waits))
	wait.X.Max = 60
	drawing(t, "alone-buffer", wait.File())
}

func ownInput(c lab.Cause) bool { return c == lab.LateInput || c == lab.LostInput }

func differing(c *lab.ClientReport) float64 {
	return float64(c.Predict.Differing) / float64(c.Predict.Compared)
}

func TestDistance(t *testing.T) {
	repeat := pucks.WithFree(0)
	neutral := pucks.WithFree(0).Variant("neutral").Holes(sim.HolePolicy{})
	run := func(g *sim.Game, loss float64, bare bool) float64 {
		var way float64
		var was geom.Vec2
		lab.Run(g, lab.Match{Bot: pucks.Scripted, Seed: 1, Link: lab.Link{RTT: 150 * ms, Loss: loss},
			Replica: func(_ int, c *replica.Config) { c.Off.Redundancy = bare },
			Watch: func(l *lab.Lab, e lab.Event, _ int) {
				_, bs := pucks.Bodies.AllOf(l.Server.World())
				if e != lab.Ticked || len(bs) != 1 {
					return
				}
				if l.Now > 5*time.Second { // all are in, whatever was lost
					way += float64(bs[0].Pos.Dist(was))
				}
				was = bs[0].Pos
			}})
		return way
	}
	whole := run(repeat, 0, false)
	with, without := run(repeat, 0.25, false)/whole, run(neutral, 0.25, true)/whole
	sent, once := plot.Series{Name: "with redundancy"}, plot.Series{Name: "without, holes filled neutral", Style: 1}
	for _, loss := range []float64{0, 0.1, 0.25, 0.4, 0.5} {
		sent.X, sent.Y = append(sent.X, 100*loss), append(sent.Y, 100*run(repeat, loss, false)/whole)
		once.X, once.Y = append(once.X, 100*loss), append(once.Y, 100*run(neutral, loss, true)/whole)
	}
	c := chart("How much of its way the puck goes", "loss each way, %", "% of the way without loss", sent, once)
	c.Y.Max = 120
	drawing(t, "distance", c.File())
	if whole < 200 || with < 0.99 || without > 0.85 {
		t.Errorf("%.0f m; with redundancy %.3f of it, without %.3f", whole, with, without)
	}
	figures(t, "distance", "%.0f m without loss; at 25 %% loss %.1f %% of it with redundancy, %.1f %% without, holes filled neutral.",
		whole, 100*with, 100*without)
}

func TestEight(t *testing.T) {
	r := lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Players: 8, Seed: 1, Causes: true, Record: true,
		Link: lab.Link{RTT: 150 * ms, Loss: 0.1}})
	by := r.ByCause()
	var all int64
	for i := range r.Clients {
		all += r.Clients[i].Predict.Differing
	}
	sum, table := 0, ""
	for c, n := range by {
		sum += n
		if n > 0 {
			table += fmt.Sprintf(" %v %d,", lab.Cause(c), n)
		}
	}
	if int64(sum) != all || all < 1000 {
		t.Errorf("%d diagnoses of %d differing ticks", sum, all)
	}
	if by[lab.Unnamed] != 0 || by[lab.Nondeterminism] != 0 || by[lab.Quantisation] != 0 || by[lab.ClockSlip] != 0 {
		t.Errorf("by cause:\n%s", r)
	}
	figures(t, "eight", "%d differing ticks:%s unnamed %d.", all, table, by[lab.Unnamed])
	drawing(t, "eight", causesOverTime(r).File())
}

func TestSnapshotRate(t *testing.T) {
	rates := []float64{60, 30, 15, 6, 2}
	all, names := []float64{}, []string{}
	for _, hz := range rates {
		all = append(all, lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Players: 8, Seed: 1, SnapshotHz: hz,
			Link: lab.Link{RTT: 150 * ms}}).MeanCorrection())
		names = append(names, fmt.Sprintf("%.0f", hz))
	}
	mean := [3]float64{all[0], all[2], all[4]}
	if !rises(mean) {
		t.Errorf("mean corrections %v m", mean)
	}
	var same [3]float64
	for i := range same {
		same[i] = lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Players: 8, Seed: uint64(2 + i), Seconds: 15,
			Link: lab.Link{RTT: 150 * ms}}).MeanCorrection()
	}
	if rises(same) {
		t.Errorf("the control, the same rate three times, rises too: %v m", same)
	}
	figures(t, "snapshot-rate", "mean correction %.2f m at 60 Hz, %.2f m at 15 Hz, %.2f m at 2 Hz. Control, 60 Hz with three seeds: %.2f, %.2f, %.2f m.",
		mean[0], mean[1], mean[2], same[0], same[1], same[2])
	drawing(t, "snapshot-rate", bars(chart("How far a correction moves what it moves most", "snapshots a second", "mean, m",
		plot.Series{Name: "other seeds", Kind: plot.Dots, Style: 0, X: []float64{-0.28, 0.22, 0.3}, Y: same[:]}), names, all, 1).File())
}

func rises(m [3]float64) bool { return m[0] > 0 && m[1] > m[0] && m[2] > m[1] && m[2] >= 2*m[0] }

func TestSmoothing(t *testing.T) {
	run := func(off bool) []float32 {
		return lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Players: 8, Seed: 1, Link: lab.Link{RTT: 250 * ms, Loss: 0.1},
			Replica: func(_ int, c *replica.Config) { c.Off.Smoothing = off }}).Jumps(0.05, 2)
	}
	on, off := run(false), run(true)
	if len(on) < 100 || len(on) != len(off) {
		t.Fatalf("%d corrections, %d without smoothing", len(on), len(off))
	}
	a, b := p99(on), p99(off)
	if a > b/2 {
		t.Errorf("p99 of the jumps %.2f m, %.2f m without smoothing", a, b)
	}
	c := chart("Displayed jumps of one's own puck", "beyond its simulated motion, m", "% of corrections that jump further",
		beyond(off, "without smoothing", 1), beyond(on, "with smoothing", 0))
	c.Y.Log, c.Y.Min, c.Y.Max, c.X.Max = true, 0.02, 100, 2.5
	c.Marks = []plot.Mark{{At: 1, OfY: true, Label: "p99"}}
	drawing(t, "smoothing", c.File())
	figures(t, "smoothing", "%d corrections of a player's own puck by 5 cm to 2 m: the p99 displayed jump is %.2f m with smoothing, %.2f m without.", len(on), a, b)
}

func p99(sorted []float32) float32 { return sorted[len(sorted)*99/100] }

// zigzag steers left and right, a second each.
func zigzag(t *sim.Turn) {
	x := float32(1)
	if uint32(t.Tick)/60%2 == 1 {
		x = -1
	}
	pucks.Drives.Set(t, pucks.Drive{Move: geom.V2(x, 0)})
}

// inputToScreen is the mean time from the frame in which player 1 turns his
// stick to the frame in which player 2 sees it turned.
func inputToScreen(fixed float64, to *plot.Series) (time.Duration, int) {
	var turned, sum time.Duration
	var was, seen float32
	n := 0
	lab.Run(pucks.WithFree(0), lab.Match{Bot: zigzag, Players: 2, Seed: 1, Link: lab.Link{RTT: 40 * ms, Jitter: 5 * ms},
		Replica: func(_ int, c *replica.Config) { c.FixedLead, c.FixedDelay = fixed, fixed },
		Watch: func(l *lab.Lab, e lab.Event, i int) {
			if e != lab.Framed || l.Now < 10*time.Second {
				return
			}
			p := l.Peers[i]
			if i == 0 {
				if x := pucks.Drives.Get(p.Replica).Move.X; x != was {
					if was != 0 { // else it turned before we looked
						turned = l.Now
					}
					was = x
				}
				return
			}
			d, ok := pucks.Drives.Of(p.Frame.World, l.Peers[0].Replica.Me())
			if ok && d.Move.X*seen <= 0 {
				if seen != 0 && turned != 0 && d.Move.X*was > 0 {
					sum += l.Now - turned
					n++
					to.X, to.Y = append(to.X, l.Now.Seconds()), append(to.Y, float64((l.Now-turned).Microseconds())/1000)
				}
			}
			if ok && d.Move.X != 0 {
				seen = d.Move.X
			}
		}})
	return sum / time.Duration(max(n, 1)), n
}

func TestBuffers(t *testing.T) {
	a, f, h := plot.Series{Name: "adaptive buffers"}, plot.Series{Name: "fixed, 100 ms each", Style: 1}, plot.Series{Name: "fixed, 50 ms each", Style: 2}
	adaptive, n := inputToScreen(0, &a)
	fixed, m := inputToScreen(6, &f)
	less, k := inputToScreen(3, &h)
	if n < 40 || m < 40 || k < 40 {
		t.Fatalf("%d, %d and %d turns seen", n, m, k)
	}
	if fixed-adaptive < 100*ms {
		t.Errorf("input to screen %v with adaptive buffers, %v with fixed ones", adaptive, fixed)
	}
	if less-adaptive >= 100*ms {
		t.Errorf("the control, fixed buffers of 50 ms, is as slow: %v", less)
	}
	figures(t, "buffers", "from an input to another's screen %d ms with adaptive buffers, %d ms with fixed ones of 100 ms each. Control, 50 ms each: %d ms.",
		adaptive.Milliseconds(), fixed.Milliseconds(), less.Milliseconds())
	c := chart("From one player's input to another's screen", "time of the turn, s", "ms", f, h, a)
	for i := range c.Series {
		c.Series[i].Kind = plot.Dots
	}
	c.X.Min, c.X.Max, c.Y.Max = 10, 60, 300
	drawing(t, "buffers", c.File())
	if c.Series[2].Y[7] += 2; runtime.GOARCH == "amd64" && drawn("buffers", c.File()) == nil {
		t.Error("the control, one turn 2 ms later, is the same plot")
	}
}

// recorded reads a recording that nobody on the project made.
func recorded(t *testing.T, name string) *impair.Trace {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "shared", "data", "traces", name))
	if err != nil {
		if os.Getenv("CI_DATA") == "required" {
			t.Fatal(err)
		}
		t.Skipf("the recorded traces are not here: %v", err)
	}
	tr, err := impair.ParseMahimahi(data)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

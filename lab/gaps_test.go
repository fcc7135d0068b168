package lab_test

import (
	"math"
	"testing"
	"time"

	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/internal/plot"
	"github.com/foretick/foretick/lab"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// gaps watches a client through the gaps of its link.
type gaps struct {
	bodies *tick.Ring[pucks.Body] // what the server has of its puck

	count   [2]uint64 // packets delivered, up and down
	last    [2]time.Duration
	open    bool // a gap is over, and the client is not yet well
	ended   time.Duration
	n       int
	longest time.Duration // of the gaps
	slowest time.Duration // of the recoveries
	spans   []plot.Span   // of the gaps, in seconds
	off     plot.Series   // how far its puck was predicted from where the server has it, the furthest of each half second
	never   int           // gaps that ended more than recovery ago, with the client still not well
}

// silence: a gap is that long without a packet one way. recovery is how soon
// after it the client has to be well.
const (
	silence  = 250 * ms
	recovery = 2 * time.Second
)

func (g *gaps) watch(l *lab.Lab, e lab.Event, _ int) {
	p := l.Peers[0]
	for i, n := range []uint64{p.Up.Counters().Delivered, p.Down.Counters().Delivered} {
		if n == g.count[i] {
			continue
		}
		if d := l.Now - g.last[i]; d >= silence && l.Now > time.Second {
			g.n++
			g.longest = max(g.longest, d)
			g.spans = append(g.spans, plot.Span{From: g.last[i].Seconds(), To: l.Now.Seconds()})
			g.open, g.ended = true, l.Now
		}
		g.count[i], g.last[i] = n, l.Now
	}
	if e != lab.Ticked {
		return
	}
	if b, ok := pucks.Bodies.Of(l.Server.World(), p.Replica.Me()); ok {
		*g.bodies.Put(l.Server.Now()) = b
		g.measure(l, p, b)
	}
	if !g.open {
		return
	}
	switch {
	case l.Now-g.last[0] >= silence || l.Now-g.last[1] >= silence:
		g.ended = l.Now // the next gap has begun
	case g.well(l, p):
		g.slowest = max(g.slowest, l.Now-g.ended)
		g.open = false
	case l.Now-g.ended > recovery:
		g.never++
		g.open = false
	}
}

// measure takes down how far the prediction of now is off.
func (g *gaps) measure(l *lab.Lab, p *lab.Peer, b pucks.Body) {
	pr := p.Replica.Predictor()
	if pr == nil {
		return
	}
	w, ok := pr.State(l.Server.Now())
	if !ok {
		return
	}
	mine, ok := pucks.Bodies.Of(w, p.Replica.Me())
	if !ok {
		return
	}
	at, d := float64(l.Now/(500*ms))/2, float64(mine.Pos.Dist(b.Pos))
	n := len(g.off.X)
	if n > 0 && g.off.X[n-1] == at {
		g.off.Y[n-1] = max(g.off.Y[n-1], d)
		return
	}
	if n > 0 && at-g.off.X[n-1] > 0.5 {
		g.off.X, g.off.Y = append(g.off.X, at-0.5), append(g.off.Y, math.NaN())
	}
	g.off.X, g.off.Y = append(g.off.X, at), append(g.off.Y, d)
}

// well reports whether the server executes the client's own inputs, and the
// client has, of a moment ago, what the server has.
func (g *gaps) well(l *lab.Lab, p *lab.Peer) bool {
	x, ok := l.Server.Executed(p.Replica.Player(), l.Server.Now()-1)
	if !ok || x.How != sim.AsSent || p.Replica.State() != replica.Playing {
		return false
	}
	n, ok := p.Replica.Predictor().Reconciled()
	if !ok || l.Server.Now().Since(n) > 30 {
		return false
	}
	w, ok := p.Replica.Predictor().State(n)
	b, ok2 := g.bodies.At(n)
	if !ok || !ok2 {
		return false
	}
	mine, ok := pucks.Bodies.Of(w, p.Replica.Me())
	return ok && mine == *b
}

func TestRecordedGaps(t *testing.T) {
	up := impair.Config{Delay: 20 * ms, Trace: recorded(t, "mahimahi-ATT-LTE-driving-2016.up")}
	down := impair.Config{Delay: 20 * ms, Trace: recorded(t, "mahimahi-ATT-LTE-driving-2016.down")}
	run := func(off replica.Switches) (*gaps, *lab.Report) {
		g := &gaps{bodies: tick.NewRing[pucks.Body](256)}
		r := lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Seconds: 120, Seed: 1, Record: true, Link: lab.Link{Up: &up, Down: &down},
			Watch: g.watch, Replica: func(_ int, c *replica.Config) { c.Off = off }})
		return g, r
	}
	g, r := run(replica.Switches{})
	t.Logf("%d gaps\n%s", g.n, r)
	if g.n < 10 || g.longest < 2*time.Second {
		t.Fatalf("%d gaps, the longest %v: the trace has more", g.n, g.longest)
	}
	if g.never > 0 || g.open {
		t.Errorf("%d of %d gaps not recovered from", g.never, g.n)
	}
	c, _ := run(replica.Switches{Reconciliation: true})
	if c.never == 0 {
		t.Error("the control, without reconciliation, recovers too")
	}
	figures(t, "gaps", "%d gaps of 250 ms and more, the longest %.1f s; after each the client is right again by itself, at the latest %.2f s after it."+
		" Control, without reconciliation: %d gaps not recovered from.",
		g.n, g.longest.Seconds(), g.slowest.Seconds(), c.never)
	age := chart("A recorded LTE link: the age of the newest snapshot", "time, s", "ms",
		overTime(r, "age", 0, func(p *lab.Point) float64 { return p.Age }))
	off := chart("How far one's own puck is predicted from where it is", "time, s", "m, at most in half a second", c.off, g.off)
	off.Series[0].Name, off.Series[0].Style, off.Series[1].Name = "without reconciliation", 1, "with reconciliation"
	for _, x := range []*plot.Chart{age, off} {
		x.X.Max, x.Spans, x.Shade = 120, g.spans, "nothing comes through, one way or both"
	}
	age.Y.Log, age.Y.Min, age.Y.Max = true, 10, 10000
	drawing(t, "lte-age", age.File())
	drawing(t, "lte-recovery", off.File())
}

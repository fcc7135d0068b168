package lab_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/internal/changeling"
	"github.com/foretick/foretick/lab"
	"github.com/foretick/foretick/link"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/wire"
)

// TestScenario10: a tab sleeps. It resynchronises, nothing is replayed in a
// storm, nobody else notices.
func TestScenario10(t *testing.T) {
	for _, sleep := range []time.Duration{time.Second, 5 * time.Second, 15 * time.Second, time.Minute, time.Hour + time.Second} {
		l := lab.New(pucks.Game, lab.Match{Bot: pucks.Bot, Players: 3, Seed: 2, Link: lab.Link{RTT: 80 * ms}})
		l.Until(5 * time.Second)
		p := l.Peers[0]
		holes, resets := othersHoles(l), othersResets(l)
		l.Pause(p)
		woken := l.Now + sleep%time.Hour
		l.Until(woken)
		was := p.Replica.Stats().Predict
		if sleep < time.Hour { // the control never wakes
			l.Resume(p)
		}
		l.Until(woken + 2*time.Second)
		mid := p.Replica.Stats().Predict
		l.Until(woken + 4*time.Second)
		s := p.Replica.Stats()
		if s.Predict.Compared < mid.Compared {
			t.Errorf("%v: the counters went back", sleep)
		}
		back := p.Replica.State() == replica.Playing && s.Predict.Compared-mid.Compared > 100 && executes(l, p)
		if back != (sleep < time.Hour) {
			t.Errorf("%v: plays again: %v, %v, %d ticks compared in 2 s", sleep, back, p.Replica.State(), s.Predict.Compared-mid.Compared)
		}
		// Two seconds of catching up cost no more than twenty of playing would.
		if n := mid.Replayed - was.Replayed; n > 20*20*60 {
			t.Errorf("%v: %d ticks replayed in the 2 s after", sleep, n)
		}
		if n := othersHoles(l) - holes; n > 2 {
			t.Errorf("%v: the others have %d holes", sleep, n)
		}
		if n := othersResets(l) - resets; n != 0 {
			t.Errorf("%v: the others start anew %d times", sleep, n)
		}
	}
}

func othersHoles(l *lab.Lab) (n uint64) {
	for _, p := range l.Peers[1:] {
		n += l.Server.ClientCounters(p.Replica.Player()).Holes
	}
	return n
}

func othersResets(l *lab.Lab) (n int64) {
	for _, p := range l.Peers[1:] {
		n += p.Replica.Stats().Predict.Resets
	}
	return n
}

// executes reports whether the server executes a client's own inputs.
func executes(l *lab.Lab, p *lab.Peer) bool {
	for back := tick.Tick(1); back <= 20; back++ {
		if x, ok := l.Server.Executed(p.Replica.Player(), l.Server.Now()-back); !ok || x.How != sim.AsSent {
			return false
		}
	}
	return true
}

// forger is a client of the authority whose packets say what a test wants.
type forger struct {
	a       *authority.Authority
	g       *sim.Game
	link    *link.Link
	session uint64
	player  sim.Player
	w       bits.Writer
	now     time.Duration
}

func newForger(t *testing.T, g *sim.Game) *forger {
	t.Helper()
	f := &forger{a: authority.New(authority.Config{Game: g, Secret: 1}), g: g, link: link.New(0)}
	h := wire.Hello{Protocol: wire.Protocol, Nonce: 9, Game: g.Name(), Version: g.Version(), Hz: uint16(g.Hz())}
	for _, col := range g.Wire() {
		h.Components = append(h.Components, wire.Component{Name: g.Plan(col).Name, Hash: g.Plan(col).Hash})
	}
	h.Append(&f.w)
	f.a.Receive(1, wire.Seal(nil, wire.ProtocolSalt, f.w.Bytes()), 0)
	for _, p := range f.a.Drain() {
		body, ok := wire.Open(p.Data, wire.ProtocolSalt)
		var m wire.Welcome
		var rd bits.Reader
		rd.Reset(body)
		if ok && m.Parse(&rd) == nil {
			f.session, f.player = m.Session, sim.Player(m.Player)
		}
	}
	if f.session == 0 {
		t.Fatal("the forger is not in")
	}
	f.tick()
	return f
}

func (f *forger) tick() {
	f.now += time.Second / 60
	f.a.Tick(f.now)
	f.a.Drain()
}

// say sends one input with a label that is so far ahead of the next tick.
func (f *forger) say(ahead int32, value int32) {
	var m wire.Input
	words := make([]int32, f.g.InputWords())
	words[0] = value
	m.Newest, m.Entries = f.a.Now().Add(ahead).Wire(), []wire.InputEntry{{Sampled: true, Words: words}}
	m.Seq, m.Ack, m.HasAck, m.AckBits = f.link.Send(f.now)
	f.w.Reset(nil)
	m.Append(&f.w, f.g.InputWords())
	f.a.Receive(1, wire.Seal(nil, wire.SessionSalt(f.session), f.w.Bytes()), f.now)
}

// TestScenario12: inputs labelled a million ticks in the past or 30,000 in the
// future, and copies, are dropped and counted; what is in its place executes.
func TestScenario12(t *testing.T) {
	f := newForger(t, pucks.NoFree.Seal())
	f.say(0, 10)
	f.tick()
	for range 50 {
		was := f.a.Counters()
		f.say(-1_000_000, 77) // on the wire these are 16 bits, so as far back as those tell
		f.say(30_000, 77)
		f.say(61, 77)
		f.say(0, 20)
		f.say(0, 77)
		f.say(-1, 77)
		c := f.a.Counters()
		for _, x := range []struct {
			name      string
			got, want uint64
		}{
			{"ahead", c.InputAhead - was.InputAhead, 2}, {"old", c.InputOld - was.InputOld, 2},
			{"duplicate", c.InputDuplicate - was.InputDuplicate, 1}, {"late", c.InputLate - was.InputLate, 0},
			{"malformed", c.Malformed - was.Malformed, 0}, {"bad", c.InputBad - was.InputBad, 0},
		} {
			if x.got != x.want {
				t.Fatalf("%s: %d, want %d", x.name, x.got, x.want)
			}
		}
		f.tick()
		if got := f.executed(t); got != 20 {
			t.Fatalf("tick %d executed %v, want 20", f.a.Now()-1, got)
		}
	}
	f.say(1, 30) // control: one tick early is in time, and executes then, not before
	f.tick()
	f.tick()
	if got := f.executed(t); got != 30 {
		t.Errorf("executed %v, want 30", got)
	}
}

// executed returns the first word of the input that was executed last.
func (f *forger) executed(t *testing.T) int32 {
	t.Helper()
	if x, ok := f.a.Executed(f.player, f.a.Now()-1); !ok || x.How != sim.AsSent {
		t.Fatalf("executed %+v", x)
	}
	in, words := make([]byte, f.g.InputSize()), make([]int32, f.g.InputWords())
	f.a.Runner().LastInput(f.a.World(), f.player, in)
	f.g.QuantiseInput(in, words)
	return words[0]
}

// swings counts how often a lead crosses what it aims at by more than two
// ticks, once on either side.
func swings(of []float64) (n int) {
	side := 0
	for _, d := range of {
		switch {
		case d > 2 && side <= 0, d < -2 && side >= 0:
			n++
			side = 1
			if d < 0 {
				side = -1
			}
		}
	}
	return n
}

// TestScenario14: the clock drifts by 500 ppm and every few seconds 200 ms of
// packets come at once. The lead follows and does not oscillate.
func TestScenario14(t *testing.T) {
	for _, ppm := range []float64{500, -500} {
		burst := impair.Config{Delay: 40 * ms, StallEvery: 6 * time.Second, StallFor: 200 * ms}
		var off []float64
		var fill lab.Mean
		m := lab.Match{Bot: pucks.Bot, Seed: 3, DriftPPM: ppm, Link: lab.Link{Up: &burst, Down: &burst}}
		m.Watch = func(l *lab.Lab, e lab.Event, _ int) {
			if p := l.Peers[0]; e == lab.Ticked && l.Now > 10*time.Second {
				s := p.Replica.Stats()
				off = append(off, s.Margin-s.Lead)
				fill.Add(float64(l.Server.Fill(p.Replica.Player())))
			}
		}
		l := lab.New(pucks.NoFree, m)
		l.Until(2 * time.Minute)
		s := l.Peers[0].Replica.Stats()
		c := l.Finish().Clients[0]
		// A burst of 200 ms is 12 ticks without input; nothing else may be a hole.
		t.Logf("%v ppm: %d swings, mean buffer %.1f, %d holes, %d jumps, lead %.1f", ppm, swings(off), fill.Value(), c.Holes, s.Jumps, s.Lead)
		if n := swings(off); n > 20 { // there are 18 bursts
			t.Errorf("%v ppm: the lead swings %d times", ppm, n)
		}
		if s.Jumps != 0 || fill.Value() > 14 || c.Holes > 18*12 {
			t.Errorf("%v ppm: %d jumps, a mean of %.1f inputs wait, %d holes", ppm, s.Jumps, fill.Value(), c.Holes)
		}
	}
	if n := swings([]float64{0, 3, -3, 3, 0, -3, 1, 3}); n != 5 {
		t.Errorf("control: %d swings", n)
	}
}

// frozen counts the frames, after the first seconds, in which a rider who
// never rests is shown where he was in the frame before.
func frozen(hz int, rate, frames float64, delay float64) (still, of int) {
	g := newStable(hz)
	last := float32(0)
	m := lab.Match{Bot: g.pull, Players: 2, Seed: 1, SnapshotHz: rate, FrameHz: frames,
		Link:    lab.Link{RTT: 60 * ms, Jitter: 3 * ms},
		Replica: func(_ int, c *replica.Config) { c.FixedDelay = delay },
		Watch: func(l *lab.Lab, e lab.Event, i int) {
			if e != lab.Framed || i != 0 || l.Now < 8*time.Second {
				return
			}
			w := l.Peers[0].Frame.World
			for _, e := range w.Entities() {
				if r, ok := g.riders.Of(w, e); ok && sim.Player(w.Owner(e)) != l.Peers[0].Replica.Player() {
					if of++; r.Pos.X <= last {
						still++
					}
					last = r.Pos.X
				}
			}
		}}
	l := lab.New(g.Game, m)
	l.Until(20 * time.Second)
	return still, of
}

// TestScenario15: whatever the rate of snapshots, one equal to that of the
// display included, interpolation never freezes.
func TestScenario15(t *testing.T) {
	for _, c := range []struct{ rate, frames float64 }{
		{1, 60}, {2, 60}, {4, 60}, {8, 75}, {16, 60}, {32, 60}, {64, 64}, {64, 60}, {64, 144}, {16, 20}, {32, 32},
	} {
		if still, of := frozen(64, c.rate, c.frames, 0); still != 0 || of < int(11*c.frames) {
			t.Errorf("%v Hz shown at %v: %d of %d frames are frozen", c.rate, c.frames, still, of)
		}
	}
	if still, _ := frozen(64, 2, 60, 2); still == 0 { // control: a delay that is too short
		t.Error("with a delay of two ticks at 2 Hz nothing freezes")
	}
}

// TestScenario16: a client reconnects ten times. Its world equals that of a
// fresh client, and its inputs work at once.
func TestScenario16(t *testing.T) {
	var resting bool
	bot := func(t *sim.Turn) {
		if resting {
			t.Input.Rest()
		} else {
			changeling.Bot(t)
		}
	}
	l := lab.New(changeling.Game, lab.Match{Bot: bot, Players: 3, Seed: 5, Link: lab.Link{RTT: 70 * ms, Loss: 0.02}})
	p := l.Peers[0]
	l.Until(3 * time.Second)
	player := p.Replica.Player()
	for i := range 10 {
		l.Reconnect(p, i%2 == 0)
		from := l.Now
		for p.Replica.State() != replica.Playing || l.Now == from {
			l.Until(l.Now + 10*ms)
			if l.Now > from+2*time.Second {
				t.Fatalf("%d: not back in 2 s: %v", i, p.Replica.State())
			}
		}
		was := l.Server.ClientCounters(p.Replica.Player()).Holes
		l.Until(l.Now + time.Second)
		if n := l.Server.ClientCounters(p.Replica.Player()).Holes - was; n > 12 {
			t.Errorf("%d: %d of the first 60 inputs are holes", i, n)
		}
		if p.Replica.Player() != player || !executes(l, p) {
			t.Errorf("%d: player %d, was %d; inputs do not work", i, p.Replica.Player(), player)
		}
	}
	fresh := l.Join()
	l.Until(l.Now + 4*time.Second)
	moving := same(l, p, fresh)
	resting = true
	l.Until(l.Now + 8*time.Second)
	if !same(l, p, fresh) {
		t.Error("its world is not that of a fresh client")
	}
	if moving {
		t.Error("control: the worlds are equal even while all move") // the two are shown others at different times
	}
}

// same compares what two clients draw, component by component.
func same(l *lab.Lab, a, b *lab.Peer) bool {
	if a.Frame == nil || b.Frame == nil || a.Frame.World.Len() != l.Server.World().Len() {
		return false
	}
	return equalShown(l.Game, a.Frame.World, b.Frame.World)
}

func equalShown(g *sim.Game, a, b *ecs.World) bool {
	if a.Len() != b.Len() {
		return false
	}
	for _, e := range a.Entities() {
		if !b.Alive(e) || a.Owner(e) != b.Owner(e) {
			return false
		}
		for _, col := range g.Wire() {
			x, okX := a.Column(col).Row(e)
			y, okY := b.Column(col).Row(e)
			if okX != okY || okX && string(a.Column(col).Bytes(x)) != string(b.Column(col).Bytes(y)) {
				return false
			}
		}
	}
	return true
}

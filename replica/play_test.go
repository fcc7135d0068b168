package replica_test

import (
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
)

func (s *seat) vel() geom.Vec2 {
	b, _ := pucks.Bodies.Of(s.Predictor().World(), s.Me())
	return b.Vel
}

// What the player does acts in the very frame, and on the server in the same
// tick.
func TestInputActsAtOnce(t *testing.T) {
	a := newArena(t, 1, authority.Config{})
	s := a.join(replica.Config{}, 200*ms, 0)
	a.until(time.Second, s.playing)
	a.run(time.Second)
	if s.vel() != (geom.Vec2{}) {
		t.Fatal("it moves already")
	}
	n := s.Predictor().Now()
	s.steer(1, 0)
	a.until(50*ms, func() bool { return s.Predictor().Now() != n })
	if s.vel().X <= 0 {
		t.Error("the stick did not act in the tick after it was moved")
	}
	a.until(time.Second, func() bool { return a.server.Now() == n+1 })
	if b, _ := pucks.Bodies.Of(a.server.World(), s.Me()); b.Vel.X <= 0 {
		t.Errorf("not on the server in tick %d", n)
	}
	if c := s.Stats().Predict; c.Differing != 0 {
		t.Errorf("%d snapshots differ", c.Differing)
	}
	s.Switch(replica.Switches{Prediction: true}) // the control: it acts a round trip later
	a.run(time.Second)
	s.steer(0, 1)
	n = s.Predictor().Now()
	a.until(100*ms, func() bool { return s.Predictor().Now().Since(n) >= 2 })
	if s.vel().Y != 0 {
		t.Error("without prediction it acts at once, too")
	}
}

// Every dash is shown once, whatever was lost and replayed, and none is taken
// back but to be shown as another.
func TestEffectsOnce(t *testing.T) {
	replays := int64(0)
	for seed := range int64(5) {
		a := newArena(t, seed, authority.Config{})
		s := a.join(replica.Config{}, 150*ms, 0.1)
		for range 5 {
			a.join(replica.Config{Bot: pucks.Bot, Blind: true}, 60*ms, 0)
		}
		s.jitter = 30 * ms
		a.until(3*time.Second, s.playing)
		a.run(time.Second)
		truth := 0
		last := a.server.Now()
		a.each = func() {
			if a.server.Now() == last {
				return
			}
			last = a.server.Now()
			es, _ := a.server.Effects(last - 1)
			for _, e := range es {
				if e.Kind == pucks.Dash.ID() && e.Entity == s.Me() {
					truth++
				}
			}
		}
		s.fresh, s.taken = nil, nil
		for i := range 30 {
			s.steer(float32(i%3)-1, float32(i%2)*2-1)
			a.run(time.Duration(200+a.rnd.Intn(300)) * ms)
			s.dash()
		}
		a.run(2 * time.Second)
		shown, taken := s.dashes(s.fresh), s.dashes(s.taken)
		if shown-taken != truth || truth < 10 {
			t.Errorf("seed %d: %d shown, %d taken back, %d happened", seed, shown, taken, truth)
		}
		replays += s.Stats().Predict.Rollbacks
	}
	if replays == 0 {
		t.Error("nothing was replayed")
	}
}

func (s *seat) dashes(es []sim.Effect) (n int) {
	for _, e := range es {
		if e.Kind == pucks.Dash.ID() && e.Entity == s.Me() {
			n++
		}
	}
	return n
}

// Whatever the display's rate, the match runs at its own.
func TestFrameRates(t *testing.T) {
	for _, fps := range []int{10, 24, 30, 59, 60, 61, 75, 144, 240} {
		a := newArena(t, int64(fps), authority.Config{})
		s := a.join(replica.Config{Bot: pucks.Bot}, 100*ms, 0)
		s.every = time.Second / time.Duration(fps)
		a.until(2*time.Second, s.playing)
		a.run(3 * time.Second)
		n, tick, before := s.Predictor().Now(), a.server.Now(), s.Stats()
		a.run(10 * time.Second)
		after := s.Stats()
		ran, served := s.Predictor().Now().Since(n), a.server.Now().Since(tick)
		if d := ran - served; d > 12 || d < -12 {
			t.Errorf("%d fps: %d ticks while the server made %d", fps, ran, served)
		}
		if after.Predict.Resets != before.Predict.Resets || after.Jumps != before.Jumps || after.Reconnect != 0 {
			t.Errorf("%d fps: %+v", fps, after)
		}
		if holes := a.server.ClientCounters(s.Player()).Holes; holes > 120 {
			t.Errorf("%d fps: %d holes", fps, holes)
		}
		if h := after.Counters.Holes - before.Counters.Holes; h > 20 {
			t.Errorf("%d fps: %d holes in 10 s", fps, h)
		}
		if after.Counters.Held != before.Counters.Held || after.Counters.Unsampled-before.Counters.Unsampled > 20 {
			t.Errorf("%d fps: %+v", fps, after.Counters)
		}
	}
}

// Two frames of one moment are one, and a clock that goes back makes no tick
// twice.
func TestClockStandsOrGoesBack(t *testing.T) {
	a := newArena(t, 7, authority.Config{})
	s := a.join(replica.Config{Bot: pucks.Bot}, 80*ms, 0)
	a.until(time.Second, s.playing)
	a.run(time.Second)
	for range 300 {
		a.step()
		s.Frame(a.now)
		for _, d := range s.Drain() {
			s.carry(&s.up, d)
		}
		n, h := s.Predictor().Now(), s.Predictor().World().Hash()
		for _, at := range []time.Duration{a.now, a.now - ms, a.now - time.Hour, a.now} {
			s.Frame(at)
			if len(s.Drain()) != 0 || s.Predictor().Now() != n || s.Predictor().World().Hash() != h {
				t.Fatalf("a frame at %v after one at %v does something", at, a.now)
			}
		}
	}
	s.agrees("after frames in the past")
	if s.Stats().Reconnect != 0 || s.Stats().Jumps != 0 {
		t.Errorf("%+v", s.Stats())
	}
}

// A blind client is the same client without pictures.
func TestBlind(t *testing.T) {
	run := func(blind bool) (h []uint64) {
		a := newArena(t, 8, authority.Config{})
		s := a.join(replica.Config{Bot: pucks.Bot, Blind: blind}, 120*ms, 0.1)
		a.join(replica.Config{Bot: pucks.Bot}, 60*ms, 0)
		a.until(3*time.Second, s.playing)
		for range 300 {
			a.run(20 * ms)
			h = append(h, s.Predictor().World().Hash())
		}
		f := s.Frame(a.now)
		if blind != (f.World.Len() == 0) {
			t.Errorf("blind %v, and %d entities in the picture", blind, f.World.Len())
		}
		return h
	}
	if !slices.Equal(run(true), run(false)) {
		t.Error("the picture changes the prediction")
	}
}

// Every technique can be switched off and on in a running match, which goes on.
func TestSwitchesLive(t *testing.T) {
	for _, c := range []struct {
		name string
		off  replica.Switches
	}{
		{"prediction", replica.Switches{Prediction: true}},
		{"reconciliation", replica.Switches{Reconciliation: true}},
		{"redundancy", replica.Switches{Redundancy: true}},
		{"smoothing", replica.Switches{Smoothing: true}},
		{"others", replica.Switches{Others: true}},
		{"all", replica.Switches{Prediction: true, Reconciliation: true, Redundancy: true, Smoothing: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newArena(t, 9, authority.Config{})
			s := a.join(replica.Config{Bot: pucks.Bot}, 100*ms, 0.05)
			a.join(replica.Config{Bot: pucks.Bot}, 60*ms, 0)
			a.until(3*time.Second, s.playing)
			for round := range 3 {
				for _, off := range []replica.Switches{c.off, {}} {
					s.Switch(off)
					n, before := s.Predictor().Now(), s.Stats()
					a.run(4 * time.Second)
					after := s.Stats()
					if ran := s.Predictor().Now().Since(n); ran < 200 || after.Counters.Held > before.Counters.Held+1 || after.Reconnect != 0 {
						t.Fatalf("round %d, off %+v: %d ticks, %d frames held, %d reconnects", round, off, ran,
							after.Counters.Held-before.Counters.Held, after.Reconnect)
					}
					if w := s.Frame(a.now).World; w.Len() != 2 {
						t.Errorf("round %d, off %+v: %d of 2 in the picture", round, off, w.Len())
					}
					s.Drain()
				}
				s.agrees(c.name)
			}
		})
	}
}

// A server that says anything: nothing breaks, and what it may fill is bounded.
func TestHostileServer(t *testing.T) {
	rnd := rand.New(rand.NewSource(10))
	t.Log("seed 10")
	a := newArena(t, 10, authority.Config{Game: pucks.Game})
	s := a.join(replica.Config{Game: pucks.Game, Bot: pucks.Bot}, 40*ms, 0)
	a.until(time.Second, s.playing)
	var seen [][]byte
	for range 1500 {
		a.step()
		for _, l := range s.down {
			if len(seen) < 400 && rnd.Intn(3) == 0 {
				seen = append(seen, slices.Clone(l.data))
			}
		}
		if len(seen) == 0 {
			continue
		}
		for range 3 {
			p := slices.Clone(seen[rnd.Intn(len(seen))])
			switch rnd.Intn(4) {
			case 0:
				p = p[:rnd.Intn(len(p))]
			case 1:
				p = append(p, make([]byte, rnd.Intn(2000))...)
			default:
				p[rnd.Intn(len(p))] ^= 1 << rnd.Intn(8)
			}
			s.Receive(p, a.now)
		}
	}
	if !s.playing() || s.Stats().Reconnect != 0 {
		t.Errorf("%v, %d reconnects", s.State(), s.Stats().Reconnect)
	}
	if c := s.Stats().Counters; c.Stranger+c.Malformed < 2000 || c.NoBaseline != 0 {
		t.Errorf("%+v", c)
	}
}

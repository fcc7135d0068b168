package replica_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/link"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
	"github.com/foretick/foretick/tick"
)

// Rates are what happened over about a second and a half, whenever they are
// asked for.
func TestMeter(t *testing.T) {
	for _, hz := range []int{60, 10, 4} { // calls a second, for five
		var m replica.Meter
		var s replica.Stats
		for i := range 5 * hz {
			for k := 60 * i / hz; k < 60*(i+1)/hz; k++ {
				s.Counters.SentBytes += 20
				s.Counters.Bytes += 100
				s.Counters.Ticks++
				s.Causes[replica.LostInput] += uint64(k % 6 / 5) // 10 a second
				s.Predict.Compared++
				s.Down.Judged++
				if k%10 < 2 {
					s.Down.Lost++
				}
				if k%10 == 0 {
					s.Down.Runs++
				}
			}
			f := m.Read(&s, 7, time.Duration(i)*time.Second/time.Duration(hz))
			if i < 2*hz {
				continue
			}
			for _, x := range []struct {
				name      string
				got, want float64
			}{
				{"up", f.Up, 1200}, {"down", f.Down, 6000}, {"ticks", f.Ticks, 60}, {"compared", f.Compared, 60},
				{"lost input", f.Corrections[replica.LostInput], 10}, {"loss", f.DownLoss, 0.2}, {"run", f.DownRun, 2}, {"ahead", f.Ahead, 7},
				{"another player", f.Corrections[replica.AnotherPlayer], 0},
			} {
				if math.Abs(x.got-x.want) > 0.15*x.want {
					t.Errorf("%d calls a second, call %d: %s: %v, want %v", hz, i, x.name, x.got, x.want)
				}
			}
		}
	}
	var m replica.Meter
	s := replica.Stats{}
	s.Counters.SentBytes = 1000
	m.Read(&s, 0, 5*time.Second)
	s = replica.Stats{Down: link.Runs{Judged: 1}} // a new session counts from nothing
	if f := m.Read(&s, 0, 6*time.Second); f.Up != 0 || f.DownLoss != 0 || f.DownRun != 0 {
		t.Errorf("set back: %+v", f)
	}
	if f := new(replica.Meter).Read(&s, 0, 0); f.Up != 0 || f.Ticks != 0 {
		t.Errorf("at once: %+v", f)
	}
}

// A link's loss down is seen with its run length.
func TestDownLossIsSeen(t *testing.T) {
	a := newArena(t, 3, authority.Config{})
	s := a.join(replica.Config{}, 60*ms, 0.2)
	a.until(5*time.Second, s.playing)
	a.run(30 * time.Second)
	r := s.Stats().Down
	loss, run := float64(r.Lost)/float64(r.Judged), float64(r.Lost)/float64(r.Runs)
	if loss < 0.17 || loss > 0.23 || run < 1.1 || run > 1.4 { // 1/(1-loss)
		t.Errorf("%+v: loss %.3f in runs of %.2f", r, loss, run)
	}
}

// Without interpolation others are shown as the newest snapshot has them, in
// whole ticks, and no later; with it they trail.
func TestInterpolationOff(t *testing.T) {
	for _, off := range []bool{false, true} {
		a := newArena(t, 5, authority.Config{SnapshotEvery: 6})
		s := a.join(replica.Config{Off: replica.Switches{Interpolation: off}}, 60*ms, 0.05)
		s.jitter = 10 * ms
		other := a.join(replica.Config{Bot: pucks.Bot, Blind: true}, 20*ms, 0)
		a.until(3*time.Second, func() bool { return s.playing() && other.playing() })
		a.run(2 * time.Second)
		var steps []float64
		var last geom.Vec2
		frames, newest := 0, 0
		for i := range 600 {
			n := s.frames
			a.until(100*ms, func() bool { return s.frames != n })
			frames++
			if v, frac := s.ViewTime(); v == s.ServerTick() && frac == 0 {
				newest++
			}
			at, ok := a.shown(s, other.Me())
			if !ok {
				t.Fatal("the other is not shown")
			}
			if i > 0 {
				steps = append(steps, float64(at.Sub(last).Len()))
			}
			last = at
		}
		still := 0
		for _, d := range steps {
			if d == 0 {
				still++
			}
		}
		delay := s.Stats().Delay
		t.Logf("off %v: %d of %d frames show the newest, %d stand still, delay %.1f", off, newest, frames, still, delay)
		if off && (newest != frames || still < frames/2 || delay > 6) {
			t.Errorf("off: %d of %d frames show the newest, %d stand still, delay %.1f", newest, frames, still, delay)
		}
		if !off && (newest > frames/10 || still > frames/4 || delay < 6) {
			t.Errorf("on: %d of %d frames show the newest, %d stand still, delay %.1f", newest, frames, still, delay)
		}
	}
}

// shown is where s sees an entity.
func (a *arena) shown(s *seat, e tick.Entity) (geom.Vec2, bool) {
	b, ok := pucks.Bodies.Of(s.seen.World, e)
	return b.Pos, ok
}

// Without reconciliation it is still known how wrong the prediction is, and
// nothing is done about it.
func TestUncorrectedIsCompared(t *testing.T) {
	for _, off := range []bool{false, true} {
		a := newArena(t, 9, authority.Config{})
		s := a.join(replica.Config{Bot: pucks.Bot, Off: replica.Switches{Reconciliation: off}}, 150*ms, 0)
		for range 3 {
			a.join(replica.Config{Bot: pucks.Bot, Blind: true}, 60*ms, 0)
		}
		a.until(3*time.Second, s.playing)
		a.run(10 * time.Second)
		p := s.Stats().Predict
		t.Logf("off %v: %+v", off, p)
		if p.Compared < 500 {
			t.Errorf("off %v: %d ticks compared", off, p.Compared)
		}
		if off && (p.Rollbacks != 0 || p.Mispredicted < p.Compared*3/4) || !off && (p.Rollbacks == 0 || p.Mispredicted > p.Compared/2) {
			t.Errorf("off %v: %+v", off, p)
		}
		if !off {
			continue
		}
		s.Switch(replica.Switches{}) // and on again: all is right at once
		a.run(time.Second)
		s.agrees("on again")
	}
}

// nudged has a rule that only the server knows: now and then pucks jump aside.
var nudged = pucks.NoFree.Variant("nudged").ServerSystem("nudge", func(s *sim.Step) {
	es, _ := pucks.Bodies.All(s)
	for _, e := range es {
		if uint32(s.Tick)%20 == 0 {
			b := pucks.Bodies.Write(s, e)
			b.Pos.X += 0.5 - b.Pos.X/10
		}
	}
}).Seal()

// restless moves the stick all the time, so that no hole is filled rightly.
func restless(b *sim.Turn) {
	n := float32(b.Step.Tick%16) / 8
	pucks.Drives.Set(b.Input, pucks.Drive{Move: geom.V2(n-1, 1-n)})
}

// A client names what it can know, and not what it cannot.
func TestCauses(t *testing.T) {
	type want map[replica.Cause]float64 // least share
	for _, c := range []struct {
		name   string
		g      *sim.Game
		others int
		loss   float64
		cfg    replica.Config
		want   want
	}{
		{"nothing is wrong", nil, 0, 0, replica.Config{}, nil},
		{"lost", nil, 0, 0.2, replica.Config{Off: replica.Switches{Redundancy: true}}, want{replica.LostInput: 0.9}},
		{"late", nil, 0, 0.3, replica.Config{FixedLead: 1}, want{replica.LateInput: 0.9}},
		{"others", nil, 4, 0, replica.Config{Causes: true}, want{replica.AnotherPlayer: 0.6}},
		{"others, not looked into", nil, 4, 0, replica.Config{}, want{replica.Unknown: 0.9}},
		{"others, predicted", nil, 4, 0, replica.Config{Off: replica.Switches{Others: true}}, want{replica.AnotherPlayer: 0.9}},
		{"server", nudged, 0, 0, replica.Config{}, want{replica.ServerOnly: 0.9}},
		{"server, with others", nudged, 2, 0, replica.Config{Causes: true}, want{replica.Unknown: 0.06, replica.AnotherPlayer: 0.7}}, // 60 nudges among many bumps
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := c.cfg
			cfg.Game = c.g
			cfg.Bot = restless
			if c.others > 0 {
				cfg.Bot = pucks.Bot
			}
			a := newArena(t, 21, authority.Config{Game: c.g})
			s := a.join(cfg, 120*ms, c.loss)
			s.jitter = 10 * ms
			for range c.others {
				a.join(replica.Config{Game: c.g, Bot: pucks.Bot, Blind: true}, 60*ms, 0)
			}
			a.until(5*time.Second, s.playing)
			a.run(time.Second)
			before := s.Stats().Causes
			a.run(20 * time.Second)
			got, sum := s.Stats().Causes, 0.0
			for i := range got {
				got[i] -= before[i]
				sum += float64(got[i])
			}
			t.Log(got)
			if c.want == nil && sum != 0 || c.want != nil && sum < 10 {
				t.Errorf("%v corrections: %v", sum, got)
			}
			for cause, least := range c.want {
				if share := float64(got[cause]) / sum; !(share >= least) {
					t.Errorf("%v: %.2f of the corrections, want %.2f: %v", cause, share, least, got)
				}
			}
		})
	}
}

// The newest snapshot's world is the server's at that tick, and the rate asked
// for is known.
func TestSnapshotWorld(t *testing.T) {
	a := newArena(t, 4, authority.Config{})
	s := a.join(replica.Config{Bot: pucks.Bot}, 60*ms, 0)
	a.join(replica.Config{Bot: pucks.Bot, Blind: true}, 60*ms, 0)
	if n := s.Snapshot(pucks.NoFree.NewWorld()); n != 0 {
		t.Errorf("before there is any: tick %d", n)
	}
	a.until(3*time.Second, s.playing)
	a.run(3 * time.Second)
	w := pucks.NoFree.NewWorld()
	n := s.Snapshot(w)
	truth, ok := a.server.History().At(n)
	var f snapshot.Frame
	f.Build(pucks.NoFree, n, w, nil)
	if !ok || n != s.ServerTick() || len(f.IDs) != 2 || len(truth.IDs) != 2 {
		t.Fatalf("tick %d: %d entities, the server %d", n, len(f.IDs), len(truth.IDs))
	}
	for i := range f.IDs {
		if f.IDs[i] != truth.IDs[i] || !slices.Equal(f.Words(i), truth.Words(i)) {
			t.Errorf("entity %d is not as the server had it", f.IDs[i])
		}
	}
	if !a.server.SetSnapshotEvery(s.Session(), 6) {
		t.Fatal("not its session")
	}
	s.SetSnapshotEvery(6)
	a.run(2 * time.Second)
	was := s.Stats().Counters.Snapshots
	a.run(2 * time.Second)
	if got := s.Stats().Counters.Snapshots - was; got < 19 || got > 21 || s.SnapshotEvery() != 6 {
		t.Errorf("%d snapshots in 2 s, every %d", got, s.SnapshotEvery())
	}
	a.run(20 * time.Second) // the view adapts in its own time
	if d := s.Stats().Delay; d < 6 || d > 10 {
		t.Errorf("the view is %.1f ticks behind snapshots that are 6 apart", d)
	}
	s.Redial() // the rate is the session's: it is known after a resume
	a.run(3 * time.Second)
	if !s.playing() || s.SnapshotEvery() != 6 {
		t.Errorf("%v, every %d", s.State(), s.SnapshotEvery())
	}
}

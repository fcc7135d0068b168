package pace

import (
	"math"
	"testing"
	"time"

	"github.com/foretick/foretick/tick"
)

func TestSyncAndAdvance(t *testing.T) {
	l := NewLead(LeadConfig{Hz: 60})
	if n, f, j := l.Advance(time.Second); n != 0 || f != 0 || j != 0 || l.Synced() {
		t.Error("runs before Sync")
	}
	l.Feedback(0, 1, 16)
	l.Sync(time.Second, 1<<32-2, 0.5, 100*ms)
	n, f, _ := l.Advance(time.Second)
	if got := float64(n.Since(1<<32-2)) + f; math.Abs(got-9.5) > 1e-9 { // 0.5 + 6 in the RTT + 3
		t.Errorf("%v ticks ahead, want 9.5", got)
	}
	n2, f2, _ := l.Advance(2 * time.Second)
	if got := float64(n2.Since(n)) + f2 - f; math.Abs(got-60) > 1e-9 {
		t.Errorf("%v ticks in a second", got)
	}
	if n3, f3, _ := l.Advance(time.Second); n3 != n2 || f3 != f2 {
		t.Error("went back with the clock")
	}
}

// feed gives feedback that the newest tick came margin ticks early.
func feed(l *Lead, from, to time.Duration, margin float64) (jumped int) {
	for now := from; now < to; now += time.Second / 60 {
		n, _, j := l.Advance(now)
		jumped += j
		l.Feedback(now, n, int(margin*16))
	}
	return jumped
}

func TestJumps(t *testing.T) {
	l := NewLead(LeadConfig{Hz: 60})
	l.Sync(0, 100, 0, 0)
	if j := feed(l, 0, time.Second, -60); j < 55 || l.Jumps() < 1 {
		t.Errorf("a second late: jumped %d in %d", j, l.Jumps())
	}
	l.Sync(0, 100, 0, 0)
	if j := feed(l, 0, 200*ms, -60); j != 0 {
		t.Errorf("jumped %d before the measurements agreed", j)
	}
	l.Sync(0, 100, 0, 0)
	before := l.Jumps()
	if j := feed(l, 0, 350*ms, -5); j != 0 || l.Jumps() != before || l.Stretch() < 0.09 {
		t.Errorf("5 ticks late: jumped %d, stretch %.3f", j, l.Stretch())
	}
	l.Sync(0, 100, 0, 0)
	if j := feed(l, 0, 300*ms, 60); j > -50 {
		t.Errorf("a second early: jumped %d", j)
	}
}

func TestHostileFeedback(t *testing.T) {
	l := NewLead(LeadConfig{Hz: 60})
	l.Sync(0, 1000, 0, 0)
	for i := range 200 {
		now := time.Duration(i) * 10 * ms
		n, _, _ := l.Advance(now)
		l.Feedback(now, n+5, math.MaxInt)    // never begun
		l.Feedback(now, n-5000, math.MinInt) // long gone
	}
	if l.Mean() != 0 || l.Jumps() != 0 {
		t.Errorf("took labels that it never sent: mean %v", l.Mean())
	}
	n, _, _ := l.Advance(3 * time.Second)
	l.Feedback(3*time.Second, n, math.MinInt)
	if m := l.Mean(); m < -maxMargin*60-1 || math.IsNaN(m) {
		t.Errorf("mean %v", m)
	}
	m := l.Mean()
	l.Feedback(3*time.Second, n, 16) // the same label again
	if l.Mean() != m {
		t.Error("a label counted twice")
	}
}

func TestHoleRaisesAndFades(t *testing.T) {
	l := NewLead(LeadConfig{Hz: 60})
	l.Sync(0, 100, 0, 0)
	feed(l, 0, 5*time.Second, 1.15)
	calm := l.Target()
	l.Hole(5*time.Second, l.begun+1) // never sampled
	l.Hole(5*time.Second, l.begun-5000)
	if l.boost.v != 0 {
		t.Error("a hole that was never sampled counted")
	}
	for i := range 10 {
		l.Hole(5*time.Second+time.Duration(i)*ms, l.begun-1) // one event
	}
	feed(l, 5*time.Second, 6*time.Second, 1.15)
	if d := l.Target() - calm; d < 0.4 || d > 0.6 {
		t.Errorf("target rose by %.2f, want 0.5", d)
	}
	feed(l, 6*time.Second, 60*time.Second, 1.15)
	if d := l.Target() - calm; d > 0.1 {
		t.Errorf("still %.2f up after a minute", d)
	}
	for i := range 1000 {
		l.Hole(time.Minute+time.Duration(i)*time.Second/4, l.begun)
	}
	feed(l, 310*time.Second, 320*time.Second, 1.15)
	if l.Target() > calm+maxBoost {
		t.Errorf("target %v", l.Target())
	}
}

func TestFixed(t *testing.T) {
	l := NewLead(LeadConfig{Hz: 60, Fixed: 6})
	l.Sync(0, 100, 0, 0)
	l.Hole(0, 103)
	feed(l, 0, 5*time.Second, 2)
	if l.Target() != 6 {
		t.Errorf("target %v", l.Target())
	}
	p := NewPlayout(PlayoutConfig{Hz: 60, Fixed: 100 * ms})
	for i := range tick.Tick(600) {
		now := time.Duration(i) * time.Second / 60
		p.Arrived(now, i)
		p.Advance(now)
	}
	if p.Target() != 6 || math.Abs(p.Delay()-6) > 0.2 {
		t.Errorf("view: target %v delay %v", p.Target(), p.Delay())
	}
}

func TestPlayoutStart(t *testing.T) {
	p := NewPlayout(PlayoutConfig{Hz: 60, Interval: 1})
	if p.Advance(time.Second); p.Started() {
		t.Error("started without a snapshot")
	}
	p.Arrived(0, 3)
	if v, f := p.Advance(0); v.Since(3) != -6 || f > 1e-6 { // 100 ms, across the wrap
		t.Errorf("view at %d + %v", v.Since(3), f)
	}
	p = NewPlayout(PlayoutConfig{Hz: 60, Interval: 30})
	p.Arrived(0, 100)
	if p.Advance(0); p.Delay() < 30 {
		t.Errorf("delay %v under an interval", p.Delay())
	}
}

// TestPlayoutStall: nothing for a second, then all at once.
func TestPlayoutStall(t *testing.T) {
	p := NewPlayout(PlayoutConfig{Hz: 60})
	step := func(i tick.Tick) time.Duration { return time.Duration(i) * time.Second / 60 }
	last := -1e9
	for i := range tick.Tick(1200) {
		now := step(i)
		switch {
		case i < 600 || i > 660:
			p.Arrived(now, i)
		case i == 660:
			for j := tick.Tick(600); j <= 660; j++ {
				p.Arrived(now, j)
			}
		}
		v, f := p.Advance(now)
		pos := float64(v.Since(0)) + f
		if pos < last {
			t.Fatalf("view went back at %d", i)
		}
		last = pos
		if i == 599 && (p.Delay() > 2 || p.Starved() != 0) {
			t.Errorf("calm: delay %.2f, starved %d", p.Delay(), p.Starved())
		}
	}
	if p.Starved() != 1 || p.Jumps() != 0 || p.Delay() > 2.5 || p.Delay() < 1 {
		t.Errorf("starved %d, jumps %d, delay %.2f", p.Starved(), p.Jumps(), p.Delay())
	}
}

func TestPlayoutJumps(t *testing.T) {
	p := NewPlayout(PlayoutConfig{Hz: 60})
	last := -1e9
	for i := range tick.Tick(1200) {
		now := time.Duration(i) * time.Second / 60
		label := i
		if i >= 300 {
			label += 60 // the path became a second shorter
		}
		if i >= 700 {
			label -= 40 // and longer again
		}
		p.Arrived(now, label)
		v, f := p.Advance(now)
		pos := float64(v.Since(0)) + f
		if pos < last {
			t.Fatalf("view went back at %d", i)
		}
		if i == 500 && (p.Jumps() != 1 || p.Delay() > 3) {
			t.Errorf("after the first: %d jumps, delay %.2f", p.Jumps(), p.Delay())
		}
		last = pos
	}
	if p.Jumps() != 2 || p.Delay() > 4 || p.Delay() < 1 {
		t.Errorf("%d jumps, delay %.2f", p.Jumps(), p.Delay())
	}
}

func TestBehind(t *testing.T) {
	p := NewPlayout(PlayoutConfig{Hz: 60, Start: 100 * ms})
	p.Arrived(0, 1<<32-3)
	p.Advance(0)
	for _, c := range []struct {
		t    tick.Tick
		frac float64
		want uint16
	}{{1<<32 - 3, 0, 6 * 64}, {2, 0.5, 11*64 + 32}, {1<<32 - 20, 0, 0}, {5000, 0, 65535}} {
		if got := p.Behind(c.t, c.frac); got != c.want {
			t.Errorf("%d + %v: %d, want %d", c.t, c.frac, got, c.want)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	l, p := NewLead(LeadConfig{Hz: 60}), NewPlayout(PlayoutConfig{Hz: 60})
	l.Sync(0, 1<<32-50, 0, 50*ms)
	now := time.Duration(0)
	if n := testing.AllocsPerRun(2000, func() {
		now += 16 * ms
		tk, f, _ := l.Advance(now)
		l.Feedback(now, tk, 20)
		l.Hole(now, tk)
		p.Arrived(now, tk)
		p.Advance(now)
		p.Behind(tk, f)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

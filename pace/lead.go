// Package pace steers the client's two clocks. Lead says which tick the client
// simulates now: it runs ahead of the server so that inputs arrive a little
// before they are due. Playout says which moment of the rest of the world is on
// the screen: it trails the snapshots so that there is one on either side.
//
// Both measure the path over a window, want the least distance that its jitter
// allows, and get there by running at most 10 % faster or slower; they jump
// only when hopelessly off. The invariant that keeps them from oscillating: a
// measurement is stored without the corrections made since the clock started,
// so a correction still on its way counts at once and none counts twice.
//
// Times are the local clock's, since any fixed moment, and must not go back.
// Plain data, one goroutine, no allocation after New.
package pace

import (
	"math"
	"time"

	"github.com/foretick/foretick/tick"
)

// LeadConfig sets up a Lead. Zero values mean the defaults.
type LeadConfig struct {
	Hz         int     // ticks per second, required
	Start      float64 // ticks early after Sync; 3
	Min, Max   float64 // clamps of the target; 1 tick and half a second
	Fixed      float64 // a target in ticks that never adapts; 0 adapts
	MaxStretch float64 // 0.1
	JumpTicks  float64 // 10
	SendTicks  int     // ticks per input packet; 1

	blind bool // a test's fault: take every measurement as current
}

// Lead is the client's tick clock.
type Lead struct {
	cfg    LeadConfig
	hz     float64
	synced bool
	now    time.Duration

	base tick.Tick // position is base + frac
	frac float64

	shift   float64 // all corrections since Sync, in ticks
	stretch float64
	target  float64
	jumps   int

	begun  tick.Tick        // newest tick begun
	notes  *tick.Ring[note] // by tick
	frames float64          // ticks from one Advance to the next, smoothed
	heard  bool
	label  tick.Tick // newest label measured
	w      window
	boost  boost
}

// note is what a tick's arrival is judged by.
type note struct {
	shift float64 // corrections made when it was sampled
	late  float64 // ticks from its begin to that frame
}

// NewLead makes a clock that waits for Sync.
func NewLead(cfg LeadConfig) *Lead {
	hz := float64(max(cfg.Hz, 1))
	orElse(&cfg.Start, leadStart)
	orElse(&cfg.Min, leadMin)
	orElse(&cfg.Max, maxLead*hz)
	cfg.Max = max(cfg.Max, cfg.Min)
	orElse(&cfg.MaxStretch, maxStretch)
	orElse(&cfg.JumpTicks, jumpTicks)
	cfg.SendTicks = max(cfg.SendTicks, 1)
	return &Lead{cfg: cfg, hz: hz, notes: tick.NewRing[note](shiftRing)}
}

func orElse(v *float64, def float64) {
	if !(*v > 0) {
		*v = def
	}
}

// Sync sets the clock from one answered probe: the server was at serverTick
// plus frac when it answered, and the answer came in now, rtt after the probe
// left. Of several probes the one with the least rtt is the best. It may be
// called again, after a resume: everything measured is forgotten.
func (l *Lead) Sync(now time.Duration, serverTick tick.Tick, frac float64, rtt time.Duration) {
	l.now, l.synced = now, true
	l.target = l.cfg.Start
	if l.cfg.Fixed > 0 {
		l.target = l.cfg.Fixed
	}
	l.base, l.frac = serverTick, 0
	// Half the round trip since it answered, and half until an input is there.
	l.move(frac + float64(rtt.Seconds()*l.hz) + l.target)
	l.shift, l.stretch, l.heard = 0, 0, false
	l.w.clear()
	l.frames = 1
	l.boost = boost{}
	l.notes.Clear()
	l.begun = l.base
	*l.notes.Put(l.begun) = note{late: l.frac}
}

// Spread, right after Sync, tells how far apart the RTTs of its probes were. The
// inputs begin that much earlier: the first of them would be late by the jitter
// that nothing has measured yet, and the best probe's offset is off by up to half.
func (l *Lead) Spread(rtts time.Duration) {
	if !l.synced || l.cfg.Fixed > 0 {
		return
	}
	more := clamp(float64(rtts.Seconds()*l.hz), 0, maxSpread*l.hz)
	l.target += more
	l.move(more)
	l.begun = l.base
	l.notes.Clear()
	*l.notes.Put(l.begun) = note{late: l.frac}
}

// Synced reports whether Sync was called.
func (l *Lead) Synced() bool { return l.synced }

// move adds ticks to the position.
func (l *Lead) move(ticks float64) {
	f := l.frac + ticks
	whole := math.Floor(f)
	l.base = l.base.Add(int32(whole))
	l.frac = f - whole
}

// Advance moves the clock on and returns its position: the tick that is being
// simulated and the share of it that has passed. Jumped is the number of ticks
// by which it jumped just now: forward, they were skipped; backward, the ticks
// already simulated are not simulated again, the caller waits for the next one.
func (l *Lead) Advance(now time.Duration) (t tick.Tick, frac float64, jumped int) {
	if !l.synced {
		return 0, 0, 0
	}
	elapsed := (now - l.now).Seconds()
	if elapsed < 0 {
		elapsed = 0
	} else {
		l.now = now
	}
	if elapsed > 0 && elapsed < maxFrame {
		l.frames += float64((float64(elapsed*l.hz) - l.frames) * frameGain)
	}
	l.w.expire(now)
	l.aim(elapsed)
	extra := float64(elapsed * l.hz * l.stretch)
	l.move(float64(elapsed*l.hz) + extra)
	l.shift += extra
	jumped = l.jump()
	l.begin()
	return l.base, l.frac, jumped
}

// late returns how long after its tick's begin an input is sampled on average.
// Measured lateness would not do: where frames and ticks have the same rate it
// moves with the clock, and the clock would chase it.
func (l *Lead) late() float64 { return clamp(l.frames, 0, 1) / 2 }

// packets returns the ticks from one input packet to the next.
func (l *Lead) packets() float64 {
	n := float64(l.cfg.SendTicks)
	if l.frames > n {
		return l.frames
	}
	return n
}

// aim updates target and stretch.
func (l *Lead) aim(elapsed float64) {
	l.boost.fade(elapsed)
	if l.cfg.Fixed <= 0 && l.w.n >= minSamples {
		every := l.packets() // the oldest input of a packet waited for the others
		want := leadBase + every - 1 + l.w.wanted() + float64(l.boost.v*every)
		l.target = follow(l.target, clamp(want, l.cfg.Min, l.cfg.Max), elapsed)
	}
	l.stretch = 0
	if l.w.n > 0 {
		l.stretch = stretch(l.target-l.Mean(), l.hz, l.cfg.MaxStretch)
	}
}

func (l *Lead) jump() int {
	if l.w.n < 2 || l.w.span() < jumpSpan {
		return 0
	}
	err := l.target - l.Mean()
	back := l.cfg.JumpTicks
	if b := float64(jumpBack * l.hz); b > back {
		back = b
	}
	if err <= l.cfg.JumpTicks && err >= -back {
		return 0
	}
	n := math.Round(err)
	l.move(n)
	l.shift += n
	l.jumps++
	return int(n)
}

// begin notes for every tick that has begun the corrections made so far and how
// late in it this frame is. A tick that a jump back repeats keeps its first
// note: its input was sampled then.
func (l *Lead) begin() {
	n := l.base.Since(l.begun)
	if n <= 0 {
		return
	}
	if n > shiftRing {
		l.begun = l.base.Add(-shiftRing)
	}
	for l.begun != l.base {
		l.begun = l.begun.Add(1)
		*l.notes.Put(l.begun) = note{l.shift, float64(l.base.Since(l.begun)) + l.frac}
	}
}

// Feedback takes the server's word: of the input packet whose newest input was
// label, that input arrived sixteenths/16 ticks before it was due (negative:
// late). Repeated and older labels, and ones that were never begun or begun too
// long ago, are ignored.
func (l *Lead) Feedback(now time.Duration, label tick.Tick, sixteenths int) {
	if !l.synced || l.heard && !label.After(l.label) {
		return
	}
	at, ok := l.notes.At(label)
	if !ok {
		return
	}
	l.heard, l.label = true, label
	limit := float64(maxMargin * l.hz)
	v := clamp(float64(sixteenths)/16, -limit, limit) + at.late
	if !l.cfg.blind {
		v -= at.shift
	}
	l.w.add(now, v, false)
}

// Heard notes that state label has come. If the clock is not even there yet it
// is hopelessly behind, and Feedback would never tell: what it has sent by now it
// has not begun. So the clock is set anew, as by a probe that was answered then.
func (l *Lead) Heard(now time.Duration, label tick.Tick, rtt time.Duration) {
	if !l.synced {
		return
	}
	passed := float64((now - l.now).Seconds() * l.hz)
	if passed < 0 {
		passed = 0
	}
	if float64(label.Since(l.base)) <= l.frac+passed {
		return
	}
	l.Sync(now, label, 0, rtt)
	l.jumps++
}

// Hole takes the server's word that it had to fill input label. If the client
// had sampled it, and has not moved ahead since then anyway, the target rises:
// by half an interval between input packets, at most once in 200 ms.
func (l *Lead) Hole(now time.Duration, label tick.Tick) {
	if !l.synced {
		return
	}
	if at, ok := l.notes.At(label); ok && l.shift-at.shift < holeShift {
		l.boost.raise(now)
	}
}

// Target returns how many ticks early inputs are to arrive.
func (l *Lead) Target() float64 { return l.target }

// Mean returns how many ticks early an input sampled now would arrive on
// average, 0 while nothing is known.
func (l *Lead) Mean() float64 {
	if l.w.n == 0 {
		return 0
	}
	if l.cfg.blind {
		return l.w.mean - l.late()
	}
	return l.w.mean + l.shift - l.late()
}

// Stretch returns the current correction: 0.05 is 5 % fast.
func (l *Lead) Stretch() float64 { return l.stretch }

// Jumps returns how often the clock has jumped.
func (l *Lead) Jumps() int { return l.jumps }

// Steady reports whether the buffer is at its target: within a tick and the
// deviation of the arrivals, closer than which few of them cannot tell.
func (l *Lead) Steady() bool {
	d := math.Abs(l.target - l.Mean())
	return l.w.n >= minSamples && d < 1+l.w.dev
}

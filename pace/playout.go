package pace

import (
	"math"
	"time"

	"github.com/foretick/foretick/tick"
)

// PlayoutConfig sets up a Playout. Zero values mean the defaults.
type PlayoutConfig struct {
	Hz         int           // ticks per second, required
	Interval   int           // ticks from one snapshot to the next; 1
	Start      time.Duration // first delay; 100 ms, at least an interval
	Fixed      time.Duration // a delay that never adapts; 0 adapts
	MaxStretch float64       // 0.1
	JumpTicks  float64       // 10
}

// Playout is the client's view clock. It never goes back.
type Playout struct {
	cfg      PlayoutConfig
	hz       float64
	interval float64

	started bool
	ref     tick.Tick     // positions below are ticks since ref
	refNow  time.Duration // when it arrived
	newest  float64
	arrived float64 // local time of the newest, in ticks
	view    float64
	now     time.Duration

	stretch, target float64
	holding         bool
	dry             bool    // the view is past the newest snapshot
	dryAt           float64 // the newest snapshot when the target was last raised for it
	jumps, starved  int
	w               window
	boost           boost
}

// NewPlayout makes a clock that starts with the first snapshot.
func NewPlayout(cfg PlayoutConfig) *Playout {
	orElse(&cfg.MaxStretch, maxStretch)
	orElse(&cfg.JumpTicks, jumpTicks)
	if cfg.Start <= 0 {
		cfg.Start = playStart
	}
	p := &Playout{cfg: cfg, hz: float64(max(cfg.Hz, 1))}
	p.SetInterval(cfg.Interval)
	return p
}

// SetInterval changes the ticks from one snapshot to the next.
func (p *Playout) SetInterval(ticks int) { p.interval = float64(max(ticks, 1)) }

// ticks returns the local time in ticks since the first snapshot arrived.
func (p *Playout) ticks(now time.Duration) float64 {
	return float64((now - p.refNow).Seconds() * p.hz)
}

// Arrived notes a snapshot of state label. Only one newer than all before
// counts; those that arrive in one heap after a stall count as one.
func (p *Playout) Arrived(now time.Duration, label tick.Tick) {
	if !p.started {
		p.started = true
		p.ref, p.refNow, p.now = label, now, now
		p.target = p.start()
		p.view = -p.target
		p.w.add(now, 0, false)
		return
	}
	pos := float64(label.Since(p.ref))
	if pos <= p.newest {
		return
	}
	at := p.ticks(now)
	p.w.add(now, pos-at, at-p.arrived < p.interval/4)
	p.newest, p.arrived = pos, at
}

func (p *Playout) start() float64 {
	if p.cfg.Fixed > 0 {
		return float64(p.cfg.Fixed.Seconds() * p.hz)
	}
	s := float64(p.cfg.Start.Seconds() * p.hz)
	if least := p.interval + playBase; s < least {
		return least
	}
	return s
}

// Started reports whether a snapshot has arrived.
func (p *Playout) Started() bool { return p.started }

// Advance moves the view on and returns it: state t and the share of the way
// to state t+1.
func (p *Playout) Advance(now time.Duration) (t tick.Tick, frac float64) {
	if !p.started {
		return 0, 0
	}
	elapsed := (now - p.now).Seconds()
	if elapsed < 0 {
		elapsed = 0
	} else {
		p.now = now
	}
	p.w.expire(now)
	p.boost.fade(elapsed)
	if p.cfg.Fixed <= 0 && p.w.n >= minSamples {
		want := p.interval + playBase + p.w.wanted() + float64(p.boost.v*p.interval)
		want = clamp(want, 0, float64(maxDelay*p.hz)+float64(maxBoost*p.interval))
		p.target = follow(p.target, want, float64(elapsed*p.interval))
	}
	p.run(elapsed)
	p.checkDry(now)
	return p.View()
}

// checkDry raises the target when the view runs past the newest snapshot: once
// in a stall, again and again while snapshots come and are always too late.
func (p *Playout) checkDry(now time.Duration) {
	dry := p.view > p.newest
	if dry && !p.dry {
		p.starved++
	}
	if dry && (!p.dry || p.newest != p.dryAt) && p.boost.raise(now) {
		p.dryAt = p.newest
	}
	p.dry = dry
}

// run moves the view: on by the stretched clock, forward by a jump, or not at
// all while it is hopelessly early.
func (p *Playout) run(elapsed float64) {
	p.stretch = 0
	step := float64(elapsed * p.hz)
	if p.w.n == 0 {
		p.view += step
		return
	}
	err := p.Delay() - step - p.target // positive: the view will be late
	back := p.cfg.JumpTicks
	if b := float64(jumpBack * p.hz); b > back {
		back = b
	}
	switch {
	case p.holding && err < 0:
		return
	case err > p.cfg.JumpTicks && p.jumpable():
		p.view += err
		p.jumps++
	case err < -back && p.jumpable():
		p.holding = true
		p.jumps++
		return
	default:
		p.stretch = stretch(err, p.hz, p.cfg.MaxStretch)
		p.view += step + float64(step*p.stretch)
	}
	p.holding = false
}

func (p *Playout) jumpable() bool { return p.w.n >= 2 && p.w.span() >= jumpSpan }

// View returns what Advance returned last.
func (p *Playout) View() (t tick.Tick, frac float64) {
	whole := math.Floor(p.view)
	return p.ref.Add(int32(whole)), p.view - whole
}

// Newest returns the newest snapshot's tick.
func (p *Playout) Newest() tick.Tick { return p.ref.Add(int32(p.newest)) }

// Behind returns how far the view is behind a prediction at tick t plus frac,
// in 1/64 ticks, from 0 to 65,535.
func (p *Playout) Behind(t tick.Tick, frac float64) uint16 {
	d := float64(t.Since(p.ref)) + frac - p.view
	return uint16(clamp(math.Floor(float64(d*64)+0.5), 0, 65535))
}

// Target returns the wanted delay in ticks.
func (p *Playout) Target() float64 { return p.target }

// Delay returns how many ticks the view is behind the state that a snapshot
// arriving now on average would bring.
func (p *Playout) Delay() float64 {
	if p.w.n == 0 {
		return p.target
	}
	return p.ticks(p.now) + p.w.mean - p.view
}

// Age returns how many ticks old state t is, as Delay counts.
func (p *Playout) Age(t tick.Tick) float64 {
	if p.w.n == 0 {
		return 0
	}
	return p.ticks(p.now) + p.w.mean - float64(t.Since(p.ref))
}

// Stretch returns the current correction: 0.05 is 5 % fast.
func (p *Playout) Stretch() float64 { return p.stretch }

// Jumps returns how often the view jumped forward or was held.
func (p *Playout) Jumps() int { return p.jumps }

// Starved returns how often the view ran past the newest snapshot. Each time
// the target rises by half an interval, at most once in 200 ms.
func (p *Playout) Starved() int { return p.starved }

package pace

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/tick"
)

const ms = time.Millisecond

// loop is a client and a server in simulated time: the client samples inputs
// by its Lead and sends each packet with the inputs before it; the server
// executes one a tick, whatever has come, and reports in its snapshots.
type loop struct {
	hz       int
	every    int     // ticks between snapshots
	drift    float64 // the client's clock runs this much fast
	frame    time.Duration
	base     tick.Tick // server's tick at time 0
	up, down *impair.Link
	lead     *Lead
	play     *Playout

	at       time.Duration // true time
	frameAt  time.Duration
	executed tick.Tick // the next input to execute
	got      *tick.Ring[bool]
	newest   tick.Tick // newest label that came in
	anyInput bool
	first    tick.Tick // first label sampled
	margin   int
	holes    uint32
	lastHole tick.Tick

	sampled  tick.Tick // newest tick the client has sampled
	sampling bool
	toldHole uint32
	lastView tick.Tick
	lastFrac float64
	viewed   bool

	s stats
}

// stats are since the last reset.
type stats struct {
	ticks, holes int
	margins      []float64
	leads        []float64 // client's position against the server's, each frame
	stretches    []float64
	delays       []float64
	viewBack     int
	viewDry      int
	frames       int
	jumps        int
	maxLead      float64
	minLead      float64
}

func newLoop(hz, every int, up, down impair.Config, seed uint64, cfg LeadConfig) *loop {
	cfg.Hz = hz
	base := tick.Tick(0)
	base -= 100 // 100 short of the wrap
	return &loop{hz: hz, every: every, frame: time.Second / 60, base: base, executed: base + 1,
		up: impair.New(up, seed), down: impair.New(down, seed+1),
		lead: NewLead(cfg), play: NewPlayout(PlayoutConfig{Hz: hz, Interval: every}),
		got: tick.NewRing[bool](1024)}
}

// local is the client's clock.
func (l *loop) local() time.Duration { return time.Duration(float64(l.at) * (1 + l.drift)) }

// server is the server's position in ticks since base.
func (l *loop) server() float64 { return l.at.Seconds() * float64(l.hz) }

// sync gives the client a first probe that is wrong by off ticks.
func (l *loop) sync(rtt time.Duration, off float64) {
	pos := l.server() - rtt.Seconds()/2*float64(l.hz) + off
	whole := math.Floor(pos)
	l.lead.Sync(l.local(), l.base.Add(int32(whole)), pos-whole, rtt)
}

func (l *loop) run(d time.Duration) {
	for end := l.at + d; l.at < end; l.at += ms {
		l.receiveInputs()
		for l.executed.Since(l.base) <= int32(l.server()) {
			l.execute()
		}
		l.receiveSnapshots()
		if l.at >= l.frameAt {
			l.frameAt += l.frame
			l.clientFrame()
		}
	}
}

const repeats = 16 // inputs per packet

func (l *loop) receiveInputs() {
	for p, ok := l.up.Deliver(l.at); ok; p, ok = l.up.Deliver(l.at) {
		label := tick.Tick(binary.LittleEndian.Uint32(p))
		for i := range tick.Tick(repeats) {
			if n := label - i; !n.Before(l.executed) {
				*l.got.Put(n) = true
			}
		}
		if !l.anyInput || label.After(l.newest) {
			l.anyInput, l.newest = true, label
			m := float64(label.Since(l.base)) - l.server()
			l.margin = int(math.Floor(m * 16))
			l.s.margins = append(l.s.margins, m)
		}
	}
}

func (l *loop) execute() {
	n := l.executed
	l.executed++
	l.s.ticks++
	if _, ok := l.got.At(n); !ok && l.sampling && !n.Before(l.first) {
		l.s.holes++
		l.holes++
		l.lastHole = n
	}
	if int(uint32(n))%l.every == 0 {
		var b [20]byte
		binary.LittleEndian.PutUint32(b[0:], uint32(n+1))
		binary.LittleEndian.PutUint32(b[4:], uint32(l.newest))
		binary.LittleEndian.PutUint32(b[8:], uint32(int32(l.margin)))
		binary.LittleEndian.PutUint32(b[12:], l.holes)
		binary.LittleEndian.PutUint32(b[16:], uint32(l.lastHole))
		l.down.Send(b[:], l.at)
	}
}

func (l *loop) receiveSnapshots() {
	for p, ok := l.down.Deliver(l.at); ok; p, ok = l.down.Deliver(l.at) {
		label := tick.Tick(binary.LittleEndian.Uint32(p))
		l.play.Arrived(l.local(), label)
		if l.anyInput {
			l.lead.Feedback(l.local(), tick.Tick(binary.LittleEndian.Uint32(p[4:])), int(int32(binary.LittleEndian.Uint32(p[8:]))))
		}
		if h := binary.LittleEndian.Uint32(p[12:]); int32(h-l.toldHole) > 0 {
			l.toldHole = h
			l.lead.Hole(l.local(), tick.Tick(binary.LittleEndian.Uint32(p[16:])))
		}
	}
}

func (l *loop) clientFrame() {
	t, frac, jumped := l.lead.Advance(l.local())
	if jumped != 0 {
		l.s.jumps++
	}
	if l.lead.Synced() {
		if !l.sampling || t.After(l.sampled) {
			if !l.sampling {
				l.first = t
			}
			l.sampling, l.sampled = true, t
			var b [4]byte
			binary.LittleEndian.PutUint32(b[:], uint32(t))
			l.up.Send(b[:], l.at)
		}
		lead := float64(t.Since(l.base)) + frac - l.server()
		if len(l.s.leads) == 0 {
			l.s.maxLead, l.s.minLead = lead, lead
		}
		l.s.maxLead, l.s.minLead = math.Max(l.s.maxLead, lead), math.Min(l.s.minLead, lead)
		l.s.leads = append(l.s.leads, lead)
		l.s.stretches = append(l.s.stretches, l.lead.Stretch())
	}
	if !l.play.Started() {
		return
	}
	v, f := l.play.Advance(l.local())
	if l.viewed && (v.Before(l.lastView) || v == l.lastView && f < l.lastFrac) {
		l.s.viewBack++
	}
	l.viewed, l.lastView, l.lastFrac = true, v, f
	l.s.frames++
	if !v.Before(l.play.Newest()) && f > 0 {
		l.s.viewDry++
	}
	l.s.delays = append(l.s.delays, float64(l.play.Newest().Since(v))-f)
}

func (l *loop) reset() { l.s = stats{} }

func mean(xs []float64) float64 {
	s := 0.0
	for _, x := range xs {
		s += x
	}
	return s / float64(len(xs))
}

func deviation(xs []float64) float64 {
	m, s := mean(xs), 0.0
	for _, x := range xs {
		s += (x - m) * (x - m)
	}
	return math.Sqrt(s / float64(len(xs)))
}

// swings counts how often the clock changed between clearly fast and clearly
// slow.
func swings(stretches []float64) int {
	n, side := 0, 0
	for _, s := range stretches {
		now := side
		if s > 0.02 {
			now = 1
		} else if s < -0.02 {
			now = -1
		}
		if side != 0 && now != side {
			n++
		}
		side = now
	}
	return n
}

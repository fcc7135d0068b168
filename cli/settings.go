package cli

import (
	"math"
	"time"
)

// settings are the numbers that the page's panel sets.
type settings struct {
	link      link
	snapshots float64 // a second; 0: one each tick
}

// asked are the panel's numbers as they come: anything at all.
type asked struct {
	rtt, jitter float64 // ms
	loss        float64 // share
	burst       float64 // mean packets of a run of losses
	snapshots   float64 // a second
}

// The most that the page may ask of its link, as the sliders have it.
const (
	mostRTT    = 2000 // ms
	mostJitter = 500  // ms
	mostBurst  = 100  // packets
)

// use takes over numbers, held within what makes sense; what is no number is 0.
func (s *settings) use(a asked, hz int) {
	ms := func(v, most float64) time.Duration {
		return time.Duration(within(v, most) * float64(time.Millisecond))
	}
	s.link = link{rtt: ms(a.rtt, mostRTT), jitter: ms(a.jitter, mostJitter), loss: within(a.loss, 1)}
	if s.link.loss > 0 {
		if s.link.burst = within(a.burst, mostBurst); s.link.burst <= 1 {
			s.link.burst = 0
		}
	}
	s.snapshots = within(a.snapshots, float64(hz))
}

// within holds v between 0 and most.
func within(v, most float64) float64 {
	if !(v > 0) { // NaN too
		return 0
	}
	return math.Min(v, most)
}

// every is how many ticks apart snapshots are to be.
func (s *settings) every(hz int) int {
	if s.snapshots <= 0 {
		return 1
	}
	n := math.Round(float64(hz) / s.snapshots)
	return int(math.Max(1, math.Min(n, float64(hz))))
}

package pace

import (
	"math"
	"time"
)

// window holds the last measurements of a path's offset and says their mean
// and deviation.
type window struct {
	at        [windowLen]time.Duration
	v         [windowLen]float64
	head, n   int // oldest, count
	mean, dev float64
}

func (w *window) index(i int) int { return (w.head + i) % windowLen }

func (w *window) clear() { w.head, w.n, w.mean, w.dev = 0, 0, 0, 0 }

// add enters one measurement; one that replaces the last was made so close to
// it that both are of one event.
func (w *window) add(now time.Duration, v float64, replace bool) {
	if replace && w.n > 0 {
		w.n--
	}
	if w.n == windowLen {
		w.head = w.index(1)
		w.n--
	}
	i := w.index(w.n)
	w.at[i], w.v[i] = now, v
	w.n++
	w.split()
	w.mean, w.dev = w.stats(w.n)
}

// expire drops measurements that are too old.
func (w *window) expire(now time.Duration) {
	old := false
	for w.n > 0 && now-w.at[w.head] > windowAge {
		w.head = w.index(1)
		w.n--
		old = true
	}
	if old {
		w.mean, w.dev = w.stats(w.n)
	}
}

// parts returns the n oldest measurements, in order.
func (w *window) parts(n int) (a, b []float64) {
	if end := w.head + n; end > windowLen {
		return w.v[w.head:], w.v[:end-windowLen]
	}
	return w.v[w.head : w.head+n], nil
}

// average returns the mean of the n oldest.
func (w *window) average(n int) float64 {
	a, b := w.parts(n)
	sum := 0.0
	for _, v := range a {
		sum += v
	}
	for _, v := range b {
		sum += v
	}
	return sum / float64(n)
}

// stats returns the mean and the deviation of the n oldest.
func (w *window) stats(n int) (mean, dev float64) {
	if n <= 0 {
		return 0, 0
	}
	mean = w.average(n)
	a, b := w.parts(n)
	sq := 0.0
	for _, v := range a {
		sq += float64((v - mean) * (v - mean))
	}
	for _, v := range b {
		sq += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(sq / float64(n))
}

// span returns the time from the oldest to the newest measurement.
func (w *window) span() time.Duration {
	if w.n == 0 {
		return 0
	}
	return w.at[w.index(w.n-1)] - w.at[w.head]
}

// split throws the older measurements away if the newest all lie to one side.
func (w *window) split() {
	run := shiftRun
	if w.n > 1 && w.span().Seconds() > float64(shiftGap*float64(w.n-1)) {
		run = shiftSlow
	}
	if w.n < 2*run {
		return
	}
	if mean := w.average(w.n - run); !w.aside(run, mean, shiftTicks) {
		return // as nearly always, however large the deviation
	}
	mean, dev := w.stats(w.n - run)
	if w.aside(run, mean, float64(shiftDevs*dev)+shiftTicks) {
		w.head = w.index(w.n - run)
		w.n = run
	}
}

// aside reports whether all of the newest run lie beyond a limit from mean, on
// one side of it.
func (w *window) aside(run int, mean, limit float64) bool {
	above, below := 0, 0
	for i := w.n - run; i < w.n; i++ {
		switch d := w.v[w.index(i)] - mean; {
		case d > limit:
			above++
		case d < -limit:
			below++
		}
	}
	return above == run || below == run
}

// wanted is the deviation that a target pays for; few measurements know it
// badly, so they pay more.
func (w *window) wanted() float64 {
	return float64(devs * w.dev * (1 + 2/float64(w.n)))
}

// boost is the part of a target that was learnt the hard way.
type boost struct {
	v    float64
	last time.Duration
	any  bool
}

func (b *boost) raise(now time.Duration) bool {
	if b.any && now-b.last < raiseEvery {
		return false
	}
	b.any, b.last = true, now
	b.v = clamp(b.v+raise, 0, maxBoost)
	return true
}

func (b *boost) fade(seconds float64) {
	b.v = clamp(b.v-float64((decay+float64(decayShare*b.v))*seconds), 0, maxBoost)
}

// follow moves a target towards what is wanted.
func follow(target, wanted, seconds float64) float64 {
	return target + clamp(wanted-target, -float64(targetDown*seconds), float64(targetUp*seconds))
}

// stretch returns the clock's correction for an error in ticks: a share of the
// rate, proportional to what exceeds the dead band.
func stretch(err, hz, limit float64) float64 {
	switch {
	case err > deadBand:
		err -= deadBand
	case err < -deadBand:
		err += deadBand
	default:
		return 0
	}
	return clamp(err/float64(settle*hz), -limit, limit)
}

func clamp(x, lo, hi float64) float64 {
	if x < lo {
		return lo
	}
	if x > hi {
		return hi
	}
	return x
}

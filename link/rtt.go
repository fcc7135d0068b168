package link

import "time"

// rtt smooths round trips as RFC 6298 does, except that the deviation starts
// at zero: it describes the path here and arms no timer.
type rtt struct {
	smooth, deviation time.Duration
	mins              [minSlots]time.Duration // 0: no sample
	slot              time.Duration           // number of the newest slot
	any               bool
}

func (r *rtt) add(d, now time.Duration) {
	if d < 0 {
		return
	}
	if d == 0 {
		d = 1 // zero means "no sample"
	}
	if !r.any {
		r.any, r.smooth, r.slot = true, d, now/minSlot
	} else {
		diff := d - r.smooth
		r.smooth += diff / rttGain
		if diff < 0 {
			diff = -diff
		}
		r.deviation += (diff - r.deviation) / jitterGain
	}
	r.turn(now / minSlot)
	if m := &r.mins[mod(r.slot)]; *m == 0 || d < *m {
		*m = d
	}
}

// turn clears the slots between the newest one and the one of now.
func (r *rtt) turn(slot time.Duration) {
	if slot-r.slot > minSlots {
		r.slot = slot - minSlots
	}
	for r.slot < slot {
		r.slot++
		r.mins[mod(r.slot)] = 0
	}
}

func mod(slot time.Duration) int { return int((slot%minSlots + minSlots) % minSlots) }

func (r *rtt) min() time.Duration {
	var least time.Duration
	for _, m := range r.mins {
		if m != 0 && (least == 0 || m < least) {
			least = m
		}
	}
	return least
}

// loss is a running mean that becomes an exponential one after lossSpan.
type loss struct {
	estimate float64
	n        float64
}

func (l *loss) add(lost bool) {
	if l.n < lossSpan {
		l.n++
	}
	x := 0.0
	if lost {
		x = 1
	}
	l.estimate += (x - l.estimate) / l.n
}

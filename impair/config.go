package impair

import "time"

// Config says what one direction does to packets. Times are one way. The zero
// Config delivers at once, everything, in order.
type Config struct {
	// Delay and Jitter are mean and standard deviation of a normal
	// distribution, cut at zero and at three deviations. Packets may overtake.
	Delay, Jitter time.Duration

	Loss      float64 // share of packets lost, each by itself, 0 to 1
	BurstLoss float64 // chance that a packet starts a burst of losses (Gilbert-Elliott)
	BurstLen  float64 // mean length of a burst in packets, at least 1
	Duplicate float64 // share of packets delivered twice, the copy with a delay of its own

	Reorder   float64       // share of packets held back by ReorderBy
	ReorderBy time.Duration // beyond the delay; exempt from InOrder

	// Bandwidth in bytes/s, 0 for no limit. Packets that wait for it form a
	// queue of QueueLimit bytes that drops the newest; 0 means half a second.
	Bandwidth  int
	QueueLimit int

	// In a stall nothing is delivered; what is due waits and comes at its end.
	// Stalls are at given times; StallEvery puts one more, StallFor long, at a
	// random place in every period.
	Stalls     []Stall
	StallEvery time.Duration
	StallFor   time.Duration

	InOrder bool // nothing overtakes

	// WiFi replaces the normal jitter by a model of Wi-Fi with the same Jitter
	// parameter, in order: Poisson(1) ms less a fraction of one, and with
	// probability (Jitter - 1 ms)/90 ms a spike of Poisson(12) x 7.5 ms.
	WiFi bool

	// Trace lets packets pass at the recorded opportunities, in place of
	// Bandwidth. Its queue is QueueLimit bytes, 0 for as deep as MaxInFlight.
	// TraceStart is where in the recording (of Trace and Pings) time 0 lies.
	Trace      *Trace
	TraceStart time.Duration

	// Pings adds half the recorded round trip, and loses what was lost. A
	// recorded loss does not say in which direction: with the same recording
	// both ways and one TraceStart the losses coincide, as they were.
	Pings *Pings
}

// Stall is one span of time in which nothing is delivered.
type Stall struct{ From, For time.Duration }

// RTT returns a link that takes half of d each way and does nothing else.
func RTT(d time.Duration) Config { return Config{Delay: d / 2} }

// plan is a Config made ready: chances as thresholds, nonsense removed.
type plan struct {
	Config
	loss, burst, burstOn, duplicate, reorder, spike chance
}

func newPlan(c Config) plan {
	for _, d := range []*time.Duration{&c.Delay, &c.Jitter, &c.ReorderBy, &c.StallEvery, &c.StallFor, &c.TraceStart} {
		*d = min(max(*d, 0), maxTime)
	}
	if c.Trace != nil && c.Trace.period <= 0 {
		c.Trace = nil
	}
	if c.Pings != nil && (len(c.Pings.rtt) == 0 || c.Pings.interval <= 0) {
		c.Pings = nil
	}
	c.Bandwidth = max(c.Bandwidth, 0)
	if c.Bandwidth > 0 && c.QueueLimit <= 0 && c.Trace == nil {
		c.QueueLimit = max(c.Bandwidth/2, minQueue)
	}
	c.InOrder = c.InOrder || c.WiFi
	p := plan{Config: c,
		loss: newChance(c.Loss), burst: newChance(c.BurstLoss),
		duplicate: newChance(c.Duplicate), reorder: newChance(c.Reorder),
		spike: newChance(float64(c.Jitter-wifiFloor) / float64(wifiScale)),
	}
	if c.BurstLen > 1 {
		p.burstOn = newChance(1 - 1/c.BurstLen)
	}
	return p
}

// unstall returns t, or the end of the stall that t lies in. It never puts one
// time before an earlier one, so it keeps the order of delivery.
func (p *plan) unstall(t time.Duration, seed uint64) time.Duration {
	for moved, left := true, 1+len(p.Stalls); moved && left > 0; left-- {
		moved = false
		if s, ok := p.periodic(t, seed); ok && t >= s.From && t < s.From+s.For {
			t, moved = s.From+s.For, true
		}
		for _, s := range p.Stalls {
			if t >= s.From && t < s.From+s.For {
				t, moved = s.From+s.For, true
			}
		}
	}
	return t
}

// periodic returns the stall of the period that t lies in. Its place is a
// function of seed and period, so it needs no memory.
func (p *plan) periodic(t time.Duration, seed uint64) (Stall, bool) {
	if p.StallEvery <= 0 || p.StallFor <= 0 || t < 0 {
		return Stall{}, false
	}
	k := t / p.StallEvery
	s := Stall{From: k * p.StallEvery, For: min(p.StallFor, p.StallEvery)}
	if room := p.StallEvery - s.For; room > 0 {
		r := newStream(seed^stallStream, uint64(k))
		s.From += time.Duration(r.next() % uint64(room))
	}
	return s, true
}

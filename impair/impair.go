// Package impair simulates one direction of a bad network, on packets given
// and times given: delay, jitter, loss, bursts, duplication, reordering,
// bandwidth, stalls and recorded traces, from a seed.
//
//	l := impair.New(impair.Config{Delay: 75 * time.Millisecond, Loss: 0.1}, seed)
//	l.Send(packet, now)
//	for p, ok := l.Deliver(now); ok; p, ok = l.Deliver(now) { ... }
//
// The invariant: the same configuration, seed and calls give the same packets
// at the same times on every machine. A packet first passes the queue
// (bandwidth or trace), then may be lost, doubled or held back, then travels;
// stalls hold up what arrives. Times given must not go back. A Link is plain
// data for one goroutine, holds at most MaxInFlight packets, and once its
// buffers have grown allocates nothing.
package impair

import "time"

// Counters count packets since New.
type Counters struct {
	Sent       uint64 // given to Send
	Lost       uint64 // lost on the way: random, burst or recorded
	QueueDrops uint64 // did not fit the queue, MaxInFlight or MaxPacket
	Duplicated uint64 // copies made
	Delivered  uint64 // given out by Deliver, copies included
	Reordered  uint64 // delivered after a packet that was sent later
}

// Link is one direction. Call New.
type Link struct {
	plan  plan
	seed  uint64
	order uint64 // ordinal of the next packet
	burst bool   // in a burst of losses
	last  time.Duration

	queue   queue
	heap    []flight // by (at, n)
	made    uint64   // flights so far, breaks ties
	bufs    [][]byte
	free    []int32
	lent    int32 // buffer that Deliver gave out, or -1
	highest uint64
	n       Counters
}

// flight is one packet on its way.
type flight struct {
	at    time.Duration
	n     uint64
	order uint64
	buf   int32
}

// New makes a link.
func New(cfg Config, seed uint64) *Link {
	return &Link{plan: newPlan(cfg), seed: mix(seed ^ golden), lent: -1}
}

// Set changes the configuration for packets sent from now on. Stalls apply to
// those on their way too.
func (l *Link) Set(cfg Config) {
	l.plan = newPlan(cfg)
	l.queue.restart()
}

// Config returns the configuration in force, out of range values corrected.
func (l *Link) Config() Config { return l.plan.Config }

// Counters returns the counts so far.
func (l *Link) Counters() Counters { return l.n }

// InFlight returns the number of packets on their way.
func (l *Link) InFlight() int { return len(l.heap) }

// Send gives the link one packet, which it copies.
func (l *Link) Send(packet []byte, now time.Duration) {
	l.n.Sent++
	order := l.order
	l.order++
	if len(packet) > MaxPacket || len(l.heap) >= MaxInFlight {
		l.n.QueueDrops++
		return
	}
	depart, ok := l.queue.pass(&l.plan, len(packet), now)
	if !ok {
		l.n.QueueDrops++
		return
	}
	s := newStream(l.seed, order)
	if l.lose(&s, depart) {
		l.n.Lost++
		return
	}
	double, held := s.hit(l.plan.duplicate), s.hit(l.plan.reorder)
	l.fly(packet, order, depart, &s, held)
	if double && len(l.heap) < MaxInFlight {
		l.n.Duplicated++
		s = newStream(l.seed^copyStream, order)
		l.fly(packet, order, depart, &s, false)
	}
}

// lose decides whether a packet is lost. Every packet draws the same numbers.
func (l *Link) lose(s *stream, depart time.Duration) bool {
	lost := s.hit(l.plan.loss)
	start, on := s.hit(l.plan.burst), s.hit(l.plan.burstOn)
	if l.burst || start {
		lost = true
		l.burst = on
	}
	if p := l.plan.Pings; p != nil {
		if _, ok := p.at(depart + l.plan.TraceStart); !ok {
			lost = true
		}
	}
	return lost
}

func (l *Link) fly(packet []byte, order uint64, depart time.Duration, s *stream, held bool) {
	at := depart + l.plan.delay(s)
	if p := l.plan.Pings; p != nil {
		rtt, _ := p.at(depart + l.plan.TraceStart)
		at += rtt / 2
	}
	if held {
		at += l.plan.ReorderBy
	} else {
		if l.plan.InOrder && at < l.last {
			at = l.last
		}
		l.last = max(l.last, at)
	}
	var b int32
	if n := len(l.free); n > 0 {
		b, l.free = l.free[n-1], l.free[:n-1]
	} else {
		b = int32(len(l.bufs))
		l.bufs = append(l.bufs, nil)
	}
	l.bufs[b] = append(l.bufs[b][:0], packet...)
	l.push(flight{at: at, n: l.made, order: order, buf: b})
	l.made++
}

// Next returns the time of the earliest delivery, or false if nothing is on
// its way.
func (l *Link) Next() (at time.Duration, ok bool) {
	if len(l.heap) == 0 {
		return 0, false
	}
	return l.plan.unstall(l.heap[0].at, l.seed), true
}

// Deliver returns the next packet that is due by now, in order of arrival and,
// at one time, of sending. The packet is valid until the next call of Deliver.
func (l *Link) Deliver(now time.Duration) (packet []byte, ok bool) {
	if l.lent >= 0 {
		l.free = append(l.free, l.lent)
		l.lent = -1
	}
	if at, some := l.Next(); !some || at > now {
		return nil, false
	}
	f := l.pop()
	l.lent = f.buf
	l.n.Delivered++
	if f.order < l.highest {
		l.n.Reordered++
	}
	l.highest = max(l.highest, f.order)
	return l.bufs[f.buf], true
}

func (a *flight) before(b *flight) bool {
	return a.at < b.at || a.at == b.at && a.n < b.n
}

func (l *Link) push(f flight) {
	l.heap = append(l.heap, f)
	i := len(l.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if l.heap[up].before(&f) {
			break
		}
		l.heap[i] = l.heap[up]
		i = up
	}
	l.heap[i] = f
}

func (l *Link) pop() flight {
	top := l.heap[0]
	n := len(l.heap) - 1
	f := l.heap[n]
	l.heap = l.heap[:n]
	i := 0
	for {
		down := 2*i + 1
		if down >= n {
			break
		}
		if down+1 < n && l.heap[down+1].before(&l.heap[down]) {
			down++
		}
		if f.before(&l.heap[down]) {
			break
		}
		l.heap[i] = l.heap[down]
		i = down
	}
	if n > 0 {
		l.heap[i] = f
	}
	return top
}

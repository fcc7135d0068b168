// Package link keeps the acknowledgements and the round trip time of one
// connection. It numbers packets, answers for the packets that came in, says
// once of each sent packet that it was received, and drops copies.
//
// The invariant: acknowledgements never go back and never exceed the highest
// packet received; each sent packet is reported at most once, and only if it
// was sent. Sequence numbers are 16 bits, wrap, and may start anywhere.
//
// A Link is plain data: one goroutine at a time, no clock, no allocation after
// New. Acknowledgement by number and bit field follows Glenn Fiedler's
// "Reliability and Congestion Avoidance over UDP".
package link

import (
	mathbits "math/bits"
	"time"

	"github.com/foretick/foretick/internal/fault"
)

// Counters count packets since New.
type Counters struct {
	Sent       uint64 // packets numbered by Send
	Received   uint64 // fresh packets
	Duplicate  uint64 // copies of a packet already received
	Old        uint64 // packets out of the window, either way
	Acked      uint64 // sent packets known to be received
	AckInvalid uint64 // headers that acknowledged something never sent
	AckOld     uint64 // acknowledgements of packets no longer remembered
}

type sent struct {
	at    time.Duration
	seq   uint16
	used  bool
	acked bool
}

// Link is one end of a connection. The zero Link is not usable; call New.
type Link struct {
	next    uint16 // sequence of the next packet to send
	started bool   // received anything yet
	highest uint16 // highest sequence received
	seen    [Window / 64]uint64

	ring     [Window]sent
	known    [Window / 64]uint64 // which of ring are acked
	hasAcked bool
	newest   uint16 // highest sent sequence known to be received
	acked    [AckBits + 1]uint16

	rtt  rtt
	loss loss
	down runs
	n    Counters
}

// New returns a link whose first packet has the given sequence number.
func New(startSeq uint16) *Link { return &Link{next: startSeq} }

// Next returns the sequence number that the next Send will give out.
func (l *Link) Next() uint16 { return l.next }

// Send numbers a packet sent now and returns what its header says about the
// packets received: ack is the highest one, bit i of ackBits says that
// ack-1-i was received too. Without hasAck nothing was received yet.
func (l *Link) Send(now time.Duration) (seq, ack uint16, hasAck bool, ackBits uint64) {
	seq = l.next
	l.next++
	l.n.Sent++
	l.ring[seq%Window] = sent{at: now, seq: seq, used: true}
	l.known[seq%Window/64] &^= 1 << (seq % 64)
	if !l.started {
		return seq, 0, false, 0
	}
	ack = l.highest
	if fault.Is("inv3") && l.n.Sent%64 == 0 {
		ack++
	}
	return seq, ack, true, l.bits()
}

// bits gathers the 64 receive bits below highest.
func (l *Link) bits() uint64 { return below(&l.seen, l.highest) }

// below returns the 64 bits of m below seq: bit i is that of seq-1-i.
func below(m *[Window / 64]uint64, seq uint16) uint64 {
	from := seq - 64
	i, shift := from%Window/64, from%64
	b := m[i] >> shift
	if shift != 0 {
		b |= m[(i+1)%(Window/64)] << (64 - shift)
	}
	return mathbits.Reverse64(b)
}

func (l *Link) seenBit(seq uint16) uint64 {
	return l.seen[seq%Window/64] >> (seq % 64) & 1
}

// Receive takes the header of a packet that came in now. Fresh is false for
// copies and packets out of the window: the caller drops them. Acked lists the
// sent packets newly known to be received, each exactly once, oldest first; it
// is valid until the next call.
func (l *Link) Receive(seq, ack uint16, hasAck bool, ackBits uint64, now time.Duration) (fresh bool, acked []uint16) {
	if !l.accept(seq) {
		return false, nil
	}
	l.n.Received++
	if !hasAck {
		return true, nil
	}
	return true, l.take(ack, ackBits, now)
}

// accept enters seq into the replay window, or refuses it.
func (l *Link) accept(seq uint16) bool {
	if !l.started {
		l.started, l.highest = true, seq
		l.mark(seq)
		return true
	}
	ahead := seq - l.highest
	switch {
	case ahead == 0:
		l.n.Duplicate++
		return false
	case ahead < maxAhead:
		l.forget(ahead)
		l.highest = seq
		l.mark(seq)
		l.judge(ahead)
		return true
	case -ahead < Window:
		if l.seenBit(seq) != 0 {
			l.n.Duplicate++
			return false
		}
		l.mark(seq)
		return true
	}
	l.n.Old++
	return false
}

func (l *Link) mark(seq uint16) { l.seen[seq%Window/64] |= 1 << (seq % 64) }

// forget clears the bits that the next ahead numbers reuse.
func (l *Link) forget(ahead uint16) {
	if ahead >= Window {
		clear(l.seen[:])
		return
	}
	for i := uint16(1); i <= ahead; i++ {
		s := l.highest + i
		l.seen[s%Window/64] &^= 1 << (s % 64)
	}
}

// take works through one acknowledgement header.
func (l *Link) take(ack uint16, bits uint64, now time.Duration) []uint16 {
	if !l.wasSent(ack) {
		l.n.AckInvalid++
		return nil
	}
	out := l.acked[:0]
	// If the oldest was sent, so were the others.
	if oldest := ack - uint16(mathbits.Len64(bits)); bits != 0 && !l.wasSent(oldest) {
		l.n.AckInvalid++ // a number from before the first packet: the peer lies
		return nil
	}
	if l.next-1-ack < Window-AckBits { // else some may be forgotten
		bits &^= below(&l.known, ack)
	}
	for ; bits != 0; bits &^= 1 << (mathbits.Len64(bits) - 1) {
		if seq := ack - uint16(mathbits.Len64(bits)); l.confirm(seq) {
			out = append(out, seq)
		}
	}
	if l.confirm(ack) {
		out = append(out, ack)
		if !l.hasAcked || int16(ack-l.newest) > 0 {
			l.rtt.add(now-l.ring[ack%Window].at, now)
		}
	}
	l.advance(ack)
	return out
}

// wasSent reports whether seq is one of the numbers given out, as far as 16
// bits can tell.
func (l *Link) wasSent(seq uint16) bool {
	age := uint64(l.next - 1 - seq)
	return age < 1<<15 && age < l.n.Sent
}

// confirm marks a sent packet received, and reports whether that is news.
func (l *Link) confirm(seq uint16) bool {
	s := &l.ring[seq%Window]
	if !s.used || s.seq != seq {
		l.n.AckOld++
		return false
	}
	if s.acked {
		return false
	}
	s.acked = true
	l.known[seq%Window/64] |= 1 << (seq % 64)
	l.n.Acked++
	return true
}

// advance moves the newest acknowledged packet on, never back, and judges the
// packets that no later header can answer for.
func (l *Link) advance(ack uint16) {
	if !l.hasAcked {
		l.hasAcked, l.newest = true, ack
		// Packets before the first acknowledged one are judged as it moves on.
		return
	}
	step := ack - l.newest
	if step == 0 || step >= 1<<15 {
		return
	}
	if step > Window {
		step = Window
	}
	for i := step; i > 0; i-- {
		seq := ack - AckBits - i
		if s := &l.ring[seq%Window]; s.used && s.seq == seq {
			l.loss.add(!s.acked)
		}
	}
	l.newest = ack
}

// Counters returns the counts so far.
func (l *Link) Counters() Counters { return l.n }

// Highest returns the highest sequence received, or false before the first.
func (l *Link) Highest() (seq uint16, ok bool) { return l.highest, l.started }

// Loss estimates the share of sent packets that were lost, 0 to 1, over about
// the last 128 that a header could answer for. A packet counts as lost once the
// acknowledgement has moved 64 packets past it, so the estimate is that much
// behind; when the peer sends so rarely that its bits skip packets, it is high.
func (l *Link) Loss() float64 { return l.loss.estimate }

// RTT returns the smoothed round trip, 0 before the first sample. It is from
// Send to the acknowledgement's arrival, so it includes the time the peer held
// the acknowledgement until it next sent a packet: half its interval on average.
func (l *Link) RTT() time.Duration { return l.rtt.smooth }

// Jitter returns the smoothed mean deviation of the round trip.
func (l *Link) Jitter() time.Duration { return l.rtt.deviation }

// MinRTT returns the least round trip of about the last ten seconds in which
// there were samples, 0 before the first.
func (l *Link) MinRTT() time.Duration { return l.rtt.min() }

// AddRTTSample adds a round trip measured elsewhere, such as by a ping that was
// answered at once. Negative samples are ignored.
func (l *Link) AddRTTSample(d, now time.Duration) { l.rtt.add(d, now) }

// Fresh reports whether Receive would accept seq. It changes nothing: a packet
// can be read first and, if it makes no sense, never be acknowledged.
func (l *Link) Fresh(seq uint16) bool {
	if !l.started {
		return true
	}
	ahead := seq - l.highest
	return ahead != 0 && (ahead < maxAhead || -ahead < Window && l.seenBit(seq) == 0)
}

package lab

import (
	"strconv"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/wire"
)

// session is what the checker knows of the packets of one client's session.
type session struct {
	id   uint64
	up   direction // from the client
	down direction
	rd   bits.Reader
	in   wire.Input
	head wire.SnapshotHead
	sent [bytesWindow]int // bytes of snapshots in each of the last ticks
	at   int
	sum  int
}

// bytesWindow is how many ticks the budget is looked at over, at most.
const bytesWindow = 256

// direction is the packets from one end to the other.
type direction struct {
	came   [1 << 10]uint64 // bit per sequence number: it has arrived
	ack    uint16          // of packets the other way, as it was said last
	hasAck bool
}

func (d *direction) mark(seq uint16)     { d.came[seq>>6] |= 1 << (seq & 63) }
func (d *direction) has(seq uint16) bool { return d.came[seq>>6]>>(seq&63)&1 == 1 }

// tick moves the window of the budget on.
func (s *session) tick(l *Lab) {
	n := min(l.Game.Hz(), bytesWindow)
	s.at = (s.at + 1) % n
	s.sum -= s.sent[s.at]
	s.sent[s.at] = 0
}

// tap sees every packet.
func (c *checker) tap(p *Peer, w way, packet []byte) {
	if c.bad != nil {
		return
	}
	x := c.of(p)
	switch w {
	case sentUp:
		x.up.add(packet)
	case sentDown:
		x.down.add(packet)
	}
	if w == sentUp || w == sentDown {
		if c.checks[16]++; len(packet) > wire.MaxPacket {
			c.fail(16, p.index, "a packet of "+strconv.Itoa(len(packet))+" bytes")
		}
	}
	s := &x.wire
	if w == sentDown {
		if body, ok := wire.Open(packet, wire.ProtocolSalt); ok && wire.PeekKind(body) == wire.KindWelcome {
			var m wire.Welcome
			s.rd.Reset(body)
			if m.Parse(&s.rd) == nil && m.Session != s.id {
				*s = session{id: m.Session}
			}
			return
		}
	}
	body, ok := wire.Open(packet, wire.SessionSalt(s.id))
	if !ok || s.id == 0 {
		return
	}
	s.rd.Reset(body)
	if up := w == sentUp || w == cameUp; up && wire.PeekKind(body) == wire.KindInput {
		if s.in.Parse(&s.rd, c.s.lab.Game.InputWords()) == nil {
			c.header(x, w, &s.in.Header, &s.up, &s.down)
		}
	} else if !up && wire.PeekKind(body) == wire.KindSnapshot && s.head.Parse(&s.rd) == nil {
		c.header(x, w, &s.head.Header, &s.down, &s.up)
		if w == sentDown {
			c.budget(x, len(packet))
			through := tick.Widen(s.head.EffectsThrough, c.s.lab.Server.Now())
			x.effects.told(through-tick.Tick(s.head.EffectsThrough-s.head.EffectsFrom), c.s.lab.Server.Now()-1)
		}
	}
}

// header: acknowledgements never go back and never exceed what was received.
func (c *checker) header(x *watched, w way, h *wire.Header, mine, other *direction) {
	if w == cameUp || w == cameDown {
		mine.mark(h.Seq)
		return
	}
	if !h.HasAck {
		c.check(!mine.hasAck, 3, x.p.index, "an acknowledgement was taken back")
		return
	}
	if c.checks[3]++; mine.hasAck && int16(h.Ack-mine.ack) < 0 {
		c.fail(3, x.p.index, "acknowledgements went back from "+strconv.Itoa(int(mine.ack))+" to "+strconv.Itoa(int(h.Ack)))
	}
	mine.ack, mine.hasAck = h.Ack, true
	for i := range uint16(65) {
		if seq := h.Ack - i; (i == 0 || h.AckBits>>(i-1)&1 == 1) && !other.has(seq) {
			c.fail(3, x.p.index, "packet "+strconv.Itoa(int(seq))+" is acknowledged and never came")
		}
	}
}

// budget: bytes per second stay within what was set, a burst of a quarter of a
// second beyond it included.
func (c *checker) budget(x *watched, n int) {
	s := &x.wire
	s.sent[s.at] += n
	s.sum += n
	most := c.s.plan.budget + c.s.plan.budget/4 + wire.MaxPacket
	if s.sum > most {
		c.fail(16, x.p.index, strconv.Itoa(s.sum)+" bytes in a second, with a budget of "+strconv.Itoa(c.s.plan.budget))
	}
}

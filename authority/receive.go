package authority

import (
	"time"

	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/wire"
)

// Receive takes in one packet. Whatever it holds, it is read within bounds and
// counted; it changes nothing but its own sender's session.
func (a *Authority) Receive(conn Conn, packet []byte, now time.Duration) {
	a.count.Packets++
	a.count.Bytes += uint64(len(packet))
	c := a.byConn(conn)
	if c != nil {
		if c.read++; c.read > maxPerTick {
			a.count.Flood++
			return
		}
		if body, ok := wire.Open(packet, wire.SessionSalt(c.session)); ok {
			a.message(c, body, now)
			return
		}
	}
	body, ok := wire.Open(packet, wire.ProtocolSalt)
	if !ok || wire.PeekKind(body) != wire.KindHello {
		a.count.Stranger++
		return
	}
	a.r.Reset(body)
	a.greet(conn, c, a.hello.Parse(&a.r), now)
}

func (a *Authority) message(c *client, body []byte, now time.Duration) {
	a.r.Reset(body)
	switch wire.PeekKind(body) {
	case wire.KindInput:
		a.takeInput(c, now)
	case wire.KindPing:
		a.pong(c, now)
	case wire.KindBye:
		var m wire.Bye
		if m.Parse(&a.r) != nil {
			a.count.Malformed++
			return
		}
		a.drop(c)
	default:
		a.count.Malformed++
	}
}

func (a *Authority) pong(c *client, now time.Duration) {
	var ping wire.Ping
	if ping.Parse(&a.r) != nil {
		a.count.Malformed++
		return
	}
	c.heard = now
	t, frac := a.position(now)
	pong := wire.Pong{ID: ping.ID, Time: ping.Time, Tick: uint32(t), Frac: frac}
	a.w.Reset(a.w.Bytes()[:0])
	pong.Append(&a.w)
	a.emit(c.conn, wire.SessionSalt(c.session))
}

// takeInput reads an input packet: first all of it, then acts on it.
func (a *Authority) takeInput(c *client, now time.Duration) {
	m := &a.in
	if m.Parse(&a.r, a.g.InputWords()) != nil {
		a.count.Malformed++
		return
	}
	if !c.link.Fresh(m.Seq) {
		a.count.Duplicate++
		return
	}
	for i := range m.Entries {
		if e := &m.Entries[i]; e.Sampled && !a.g.DequantiseInput(e.Words, a.input) {
			a.count.InputBad++
			return
		}
	}
	_, acked := c.link.Receive(m.Seq, m.Ack, m.HasAck, m.AckBits, now)
	c.heard = now
	for _, seq := range acked {
		c.acknowledged(seq)
	}
	if len(m.Entries) == 0 {
		return // an acknowledgement
	}
	newest := tick.Widen(m.Newest, a.now)
	for i := range m.Entries {
		a.store(c, newest.Add(int32(i-len(m.Entries)+1)), &m.Entries[i])
	}
	a.measure(c, newest, now)
}

// store keeps one input for its tick. Input n executes at tick n or never.
func (a *Authority) store(c *client, t tick.Tick, e *wire.InputEntry) {
	switch ahead := t.Since(a.now); {
	case ahead < 0:
		a.storeLate(c, t, e)
		return
	case int(ahead) > a.cfg.InputAhead:
		a.count.InputAhead++
		return
	}
	if in, ok := c.inputs.At(t); ok && (!in.hole || !e.Sampled) {
		a.count.InputDuplicate++
		return
	}
	in := c.inputs.Put(t)
	in.hole, in.view = !e.Sampled, e.View
	if !e.Sampled {
		return
	}
	if len(in.data) != a.g.InputSize() {
		in.data = make([]byte, a.g.InputSize())
	}
	a.g.DequantiseInput(e.Words, in.data)
	c.hasInput = true
}

func (a *Authority) storeLate(c *client, t tick.Tick, e *wire.InputEntry) {
	x, ok := c.executed.At(t)
	if !ok || x.How == sim.AsSent || !e.Sampled {
		a.count.InputOld++
		return
	}
	if !x.Late {
		a.count.InputLate++
	}
	x.Late = true
}

// measure notes how early the packet came for its newest input.
func (a *Authority) measure(c *client, newest tick.Tick, now time.Duration) {
	at, frac := a.position(now)
	ahead := newest.Since(at)
	if ahead > marginLimit || ahead < -marginLimit {
		return
	}
	c.hasInput, c.label = true, newest
	c.margin = int(ahead)*wire.MarginUnit - int(frac)*wire.MarginUnit/65536
}

// marginLimit in ticks: past it a packet says nothing about the clock.
const marginLimit = 1000

// acknowledged takes note that a packet arrived.
func (c *client) acknowledged(seq uint16) {
	c.sender.Acked(seq)
	s := &c.sent[seq%sentRing]
	if !s.used || s.seq != seq {
		return
	}
	if s.exec && s.execNext.After(c.execTold) {
		c.execTold = s.execNext
	}
	if s.effects && s.effectsTo.After(c.effects) {
		c.effects = s.effectsTo
	}
}

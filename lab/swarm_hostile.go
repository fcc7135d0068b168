package lab

import (
	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/link"
	"github.com/foretick/foretick/wire"
)

const (
	strangers = authority.Conn(1 << 20) // connections of strangers, and one each
	liars     = authority.Conn(1 << 24)
	floodOf   = 400 // packets at once: more than a server or a client reads
	kept      = 32  // packets of each direction that an attacker has captured
)

// capture is the last packets of one direction.
type capture struct {
	ring [kept][]byte
	n    int
}

func (c *capture) add(packet []byte) {
	i := c.n % kept
	c.ring[i] = append(c.ring[i][:0], packet...)
	c.n++
}

// any returns one of them, or nil.
func (c *capture) any(r uint64) []byte {
	n := min(c.n, kept)
	if n == 0 {
		return nil
	}
	return c.ring[r%uint64(n)]
}

// attack does something to one client's connection, at either end.
func (s *swarm) attack(p *Peer, x *deed) {
	d := dice(x.n)
	w := s.of(p)
	times := 1 + d.below(8)
	if x.what == flood {
		times = floodOf
	}
	up := d.chance(0.5)
	for range times {
		from := &w.down
		if up {
			from = &w.up
		}
		packet := append([]byte(nil), from.any(d.next())...)
		kind := x.what
		if kind == flood {
			kind = garbage + what(d.below(3))
		}
		switch {
		case kind == garbage || len(packet) == 0:
			packet = noise(&d)
		case kind == flip:
			for range 1 + d.below(4) {
				i := d.below(len(packet) * 8)
				packet[i/8] ^= 1 << (i % 8)
			}
		}
		s.inject(p, up, packet)
	}
}

// inject delivers a packet as if it had come over the wire.
func (s *swarm) inject(p *Peer, up bool, packet []byte) {
	l := s.lab
	if up {
		l.see(p, cameUp, packet)
		l.Server.Receive(p.Conn, packet, l.Now)
		l.flush()
		s.watch(l, Arrived, p.index)
		return
	}
	l.see(p, cameDown, packet)
	p.Replica.Receive(packet, p.Local(l.Now))
	s.watch(l, Arrived, p.index)
}

func noise(d *dice) []byte {
	b := make([]byte, d.below(wire.MaxPacket+100))
	for i := range b {
		b[i] = byte(d.next())
	}
	return b
}

// stranger sends to the server over a connection of his own: noise, and what
// he captured of others.
func (s *swarm) stranger(x *deed) {
	d := dice(x.n)
	conn := strangers + authority.Conn(d.below(4))
	for range 1 + d.below(20) {
		packet := noise(&d)
		if w := &s.peers[d.below(len(s.peers))]; d.chance(0.7) {
			if got := w.up.any(d.next()); got != nil && !isHello(got) {
				packet = append(packet[:0], got...)
			}
		}
		s.lab.Server.Receive(conn, packet, s.lab.Now)
		s.lab.flush()
	}
}

// isHello: who captures a hello with its token may resume the session from
// elsewhere. That it does not leak is the transport's work.
func isHello(packet []byte) bool {
	_, ok := wire.Open(packet, wire.ProtocolSalt)
	return ok
}

// liar is a player whose packets are in order and whose words are not.
type liar struct {
	s       *swarm
	d       dice
	conn    authority.Conn
	link    *link.Link
	session uint64
	nonce   uint64
	done    bool
	w       bits.Writer
	in      wire.Input
	words   [wire.MaxInputs][]int32
}

func newLiar(s *swarm, n uint64) *liar {
	return &liar{s: s, d: dice(n), conn: liars, nonce: n}
}

func (x *liar) stop() { x.done = true }

func (x *liar) send(salt uint64) {
	x.s.lab.Server.Receive(x.conn, wire.Seal(nil, salt, x.w.Bytes()), x.s.lab.Now)
	x.s.lab.flush()
}

// turn is once a tick.
func (x *liar) turn() {
	g := x.s.lab.Game
	x.w.Reset(x.w.Bytes()[:0])
	switch {
	case x.done:
		return
	case x.session == 0:
		if x.s.lab.ticks%30 == 0 {
			h := wire.Hello{Protocol: wire.Protocol, Nonce: x.nonce, Game: g.Name(), Version: g.Version(), Hz: uint16(g.Hz())}
			for _, col := range g.Wire() {
				h.Components = append(h.Components, wire.Component{Name: g.Plan(col).Name, Hash: g.Plan(col).Hash})
			}
			h.Append(&x.w)
			x.send(wire.ProtocolSalt)
		}
		return
	}
	for range x.d.below(3) {
		x.lie()
	}
}

// lie sends inputs of any label, in the past, now and far ahead, valid and not.
func (x *liar) lie() {
	g, m := x.s.lab.Game, &x.in
	now := x.s.lab.Server.Now()
	ahead := []int{2, 5, 40, 100, 1000, 30_000, -1, -3, -100, -1_000_000}[x.d.below(10)]
	m.Newest = now.Add(int32(ahead)).Wire()
	m.Entries = m.Entries[:0]
	for i := range 1 + x.d.below(wire.MaxInputs) {
		e := wire.InputEntry{Sampled: x.d.chance(0.9), View: uint16(x.d.next())}
		if !e.Sampled {
			e.View = 0
			m.Entries = append(m.Entries, e)
			continue
		}
		if len(x.words[i]) != g.InputWords() {
			x.words[i] = make([]int32, g.InputWords())
		}
		e.Words = x.words[i]
		for k := range e.Words {
			e.Words[k] = 0
			if x.d.chance(0.3) {
				e.Words[k] = int32(x.d.next()) >> x.d.below(32)
			}
		}
		m.Entries = append(m.Entries, e)
	}
	m.Seq, m.Ack, m.HasAck, m.AckBits = x.link.Send(x.s.lab.Now)
	x.w.Reset(x.w.Bytes()[:0])
	m.Append(&x.w, g.InputWords())
	x.send(wire.SessionSalt(x.session))
}

// stray takes in what the server says to a connection that is no peer's.
func (s *swarm) stray(conn authority.Conn, packet []byte) {
	x := s.liar
	if x == nil || conn != x.conn || x.session != 0 {
		return
	}
	body, ok := wire.Open(packet, wire.ProtocolSalt)
	if !ok || wire.PeekKind(body) != wire.KindWelcome {
		return
	}
	var rd bits.Reader
	var m wire.Welcome
	rd.Reset(body)
	if m.Parse(&rd) == nil && m.Nonce == x.nonce {
		x.session, x.link = m.Session, link.New(s.plan.startSeq)
	}
}

package authority_test

import (
	"strings"
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/link"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/wire"
)

type spot struct{ X, V float32 }
type lever struct {
	Aim  float32 // exact: its words may be no number
	Push float32 `net:"step=1/64,min=-2,max=2"`
	Hit  sim.Counter
	Spin uint16
}
type tally struct {
	Last sim.Counter
	N    uint16
}
type age struct{ N int32 } // the server's

var (
	yard    = sim.New("yard", 60)
	spots   = sim.Predicted[spot](yard)
	levers  = sim.Input[lever](yard)
	tallies = sim.Predicted[tally](yard)
	ages    = sim.Replicated[age](yard)
	knock   = yard.Effect("knock")
	pulled  = sim.Where3(levers, spots, tallies)

	neutral, freeze, crowd, empty *sim.Game
)

func init() {
	yard.Join(func(s *sim.Step, p sim.Player) {
		e := s.Spawn(p)
		spots.Add(s, e, spot{})
		levers.Add(s, e, lever{})
		tallies.Add(s, e, tally{})
		ages.Add(s, e, age{})
	})
	yard.System("pull", func(s *sim.Step) {
		for e, m := range pulled.In(s) {
			b, t := spots.Write(s, e), tallies.Write(s, e)
			b.V = m.A.Push
			b.X += float32(b.V * s.Dt)
			n := m.A.Hit.Since(t.Last, 10)
			t.Last = m.A.Hit
			t.N += uint16(n)
			if n > 0 {
				knock.Emit(s, e, float32(n))
			}
		}
	})
	yard.ServerSystem("age", func(s *sim.Step) {
		es, _ := ages.All(s)
		for _, e := range es {
			ages.Write(s, e).N++
		}
	})
	neutral = yard.Variant("neutral").Holes(sim.HolePolicy{}).Seal()
	freeze = yard.Variant("freeze").Holes(sim.HolePolicy{Freeze: true}).Seal()
	empty = yard.Variant("empty").Join(func(*sim.Step, sim.Player) {}).Seal()
	crowd = yard.Variant("crowd").ServerSystem("fill", func(s *sim.Step) {
		for i := range 20 {
			if len(s.Entities()) < 600 {
				spots.Add(s, s.Spawn(sim.NoPlayer), spot{X: float32(i)})
			}
		}
		for _, e := range s.Entities() {
			if b := spots.Write(s, e); b != nil && uint32(e.Index())%3 == uint32(s.Tick)%3 {
				b.X += s.RandFloat(e, 1)
			}
		}
	}).Seal()
}

// court is an authority and hand-made peers, close to every wrap.
type court struct {
	t     *testing.T
	a     *authority.Authority
	peers []*peer
	now   time.Duration
	lost  func(c authority.Conn) bool
	most  int // bytes of the largest packet
}

const (
	startTick = tick.Tick(1<<32 - 50)
	startSeq  = 1<<16 - 30
)

func newCourt(t *testing.T, cfg authority.Config) *court {
	cfg.StartTick, cfg.StartSeq, cfg.Secret, cfg.Secret2 = startTick, startSeq, 11, 12
	if cfg.Game == nil {
		cfg.Game = yard
	}
	return &court{t: t, a: authority.New(cfg)}
}

// peer speaks the protocol by hand.
type peer struct {
	c      *court
	g      *sim.Game
	conn   authority.Conn
	nonce  uint64
	token  uint64
	sess   uint64
	player sim.Player
	link   *link.Link
	recv   *snapshot.Receiver
	mute   bool // acknowledges nothing
	deaf   bool // decodes nothing

	welcomes int
	refusals []wire.Refuse
	byes     []wire.Bye
	heads    []wire.SnapshotHead
	ticks    []tick.Tick // of the heads
	sizes    []int
	how      map[tick.Tick]sim.How
	items    int
}

func (c *court) dial(g *sim.Game) *peer {
	p := &peer{c: c, g: g, conn: authority.Conn(len(c.peers) + 1), nonce: uint64(1000 + len(c.peers)), how: map[tick.Tick]sim.How{}}
	c.peers = append(c.peers, p)
	return p
}

// join says hello and expects to be let in.
func (c *court) join(g *sim.Game) *peer {
	p := c.dial(g)
	p.greet()
	c.deliver()
	if p.sess == 0 {
		c.t.Fatalf("not let in: %v", p.refusals)
	}
	return p
}

func (p *peer) hello() wire.Hello {
	m := wire.Hello{Protocol: wire.Protocol, Nonce: p.nonce, Token: p.token, Game: p.g.Name(), Version: p.g.Version(), Hz: uint16(p.g.Hz())}
	for _, col := range p.g.Wire() {
		m.Components = append(m.Components, wire.Component{Name: p.g.Plan(col).Name, Hash: p.g.Plan(col).Hash})
	}
	return m
}

func (p *peer) greet() { m := p.hello(); p.say(&m) }

func (p *peer) say(m *wire.Hello) {
	var w bits.Writer
	m.Append(&w)
	p.c.a.Receive(p.conn, wire.Seal(nil, wire.ProtocolSalt, w.Bytes()), p.c.now)
}

func (c *court) tick() {
	c.now += time.Second / 60
	c.a.Tick(c.now)
	c.deliver()
}

func (c *court) deliver() {
	for _, pk := range c.a.Drain() {
		c.most = max(c.most, len(pk.Data))
		if c.lost != nil && c.lost(pk.Conn) {
			continue
		}
		if i := int(pk.Conn) - 1; i < len(c.peers) {
			c.peers[i].take(pk.Data)
		}
	}
}

func (p *peer) take(data []byte) {
	if body, ok := wire.Open(data, wire.ProtocolSalt); ok {
		p.answered(body)
		return
	}
	body, ok := wire.Open(data, wire.SessionSalt(p.sess))
	if !ok {
		p.c.t.Fatalf("connection %d got a packet that is not for its session", p.conn)
	}
	var r bits.Reader
	r.Reset(body)
	switch wire.PeekKind(body) {
	case wire.KindBye:
		var m wire.Bye
		if m.Parse(&r) != nil {
			p.c.t.Fatal("a bye that does not parse")
		}
		p.byes = append(p.byes, m)
	case wire.KindSnapshot:
		p.snapshot(&r, len(data))
	}
}

func (p *peer) answered(body []byte) {
	var r bits.Reader
	r.Reset(body)
	switch wire.PeekKind(body) {
	case wire.KindWelcome:
		var m wire.Welcome
		if m.Parse(&r) != nil || m.Nonce != p.nonce {
			p.c.t.Fatal("a welcome that is not for this hello")
		}
		p.welcomes++
		if p.sess != m.Session {
			p.sess, p.player, p.token = m.Session, sim.Player(m.Player), m.Token
			p.link, p.recv = link.New(startSeq+7), snapshot.NewReceiver(p.g)
		}
	case wire.KindRefuse:
		var m wire.Refuse
		if m.Parse(&r) != nil {
			p.c.t.Fatal("a refusal that does not parse")
		}
		p.refusals = append(p.refusals, m)
	}
}

func (p *peer) snapshot(r *bits.Reader, size int) {
	var h wire.SnapshotHead
	if err := h.Parse(r); err != nil {
		p.c.t.Fatalf("snapshot head: %v", err)
	}
	n := tick.Widen(h.Tick, p.c.a.Now())
	if n != p.c.a.Now() {
		p.c.t.Fatalf("snapshot of %d at %d", n, p.c.a.Now())
	}
	p.heads, p.ticks, p.sizes = append(p.heads, h), append(p.ticks, n), append(p.sizes, size)
	from := tick.Widen(h.ExecFrom, n)
	for i, x := range h.Executed {
		p.how[from.Add(int32(i))] = sim.How(x)
	}
	if p.deaf {
		return
	}
	var u snapshot.Update
	if err := p.recv.Decode(r, n, &u); err != nil || r.Done() != nil {
		p.c.t.Fatalf("section: %v", err)
	}
	p.items += len(u.Items)
	if !p.mute {
		p.link.Receive(h.Seq, h.Ack, h.HasAck, h.AckBits, p.c.now)
	}
}

func (p *peer) last() *wire.SnapshotHead { return &p.heads[len(p.heads)-1] }

// send gives inputs of consecutive ticks, the last for newest, to the server.
func (p *peer) send(newest tick.Tick, ins ...lever) {
	p.c.a.Receive(p.conn, p.packet(newest, ins...), p.c.now)
}

func (p *peer) packet(newest tick.Tick, ins ...lever) []byte {
	m := wire.Input{Newest: newest.Wire()}
	for _, in := range ins {
		m.Entries = append(m.Entries, wire.InputEntry{Sampled: true, Words: leverWords(in)})
	}
	return p.seal(&m)
}

func (p *peer) seal(m *wire.Input) []byte {
	m.Seq, m.Ack, m.HasAck, m.AckBits = p.link.Send(p.c.now)
	var w bits.Writer
	m.Append(&w, yard.InputWords())
	return wire.Seal(nil, wire.SessionSalt(p.sess), w.Bytes())
}

func leverWords(in lever) []int32 {
	yard.Seal()
	w := make([]int32, yard.InputWords())
	yard.QuantiseInput(ecs.BytesOf(&in), w)
	return w
}

// me returns the player's entity.
func (p *peer) me() tick.Entity {
	w := p.c.a.World()
	for _, e := range w.Entities() {
		if w.Owner(e) == uint16(p.player) {
			return e
		}
	}
	return tick.NoEntity
}

func (p *peer) spot() spot   { v, _ := spots.Of(p.c.a.World(), p.me()); return v }
func (p *peer) tally() tally { v, _ := tallies.Of(p.c.a.World(), p.me()); return v }

func has(t *testing.T, s string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(s, p) {
			t.Errorf("%q does not name %q", s, p)
		}
	}
}

func body(m interface{ Append(*bits.Writer) }) []byte {
	var w bits.Writer
	m.Append(&w)
	return w.Bytes()
}

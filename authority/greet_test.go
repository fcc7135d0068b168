package authority_test

import (
	"math/rand"
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/wire"
)

// Whoever cannot play is told why, by name, and takes nothing.
func TestRefusals(t *testing.T) {
	for _, x := range []struct {
		name  string
		hello func(*wire.Hello)
		code  wire.Code
		says  []string
	}{
		{"protocol", func(h *wire.Hello) { h.Protocol = 9 }, wire.CodeProtocol, []string{"9", "1"}},
		{"game", func(h *wire.Hello) { h.Game = "chess" }, wire.CodeWrongGame, []string{"yard", "chess"}},
		{"rate", func(h *wire.Hello) { h.Hz = 30 }, wire.CodeRate, []string{"60", "30"}},
		{"missing", func(h *wire.Hello) { h.Components = append(h.Components[:1:1], h.Components[2:]...) }, wire.CodeComponents, []string{"client lacks", "lever"}},
		{"missing first", func(h *wire.Hello) { h.Components = h.Components[1:] }, wire.CodeComponents, []string{"client lacks", "age"}},
		{"missing last", func(h *wire.Hello) { h.Components = h.Components[:3] }, wire.CodeComponents, []string{"client lacks", "tally"}},
		{"none", func(h *wire.Hello) { h.Components = nil }, wire.CodeComponents, []string{"client lacks"}},
		{"extra", func(h *wire.Hello) {
			h.Components = append([]wire.Component{{Name: "aaa"}}, h.Components...)
		}, wire.CodeComponents, []string{"server lacks", "aaa"}},
		{"extra last", func(h *wire.Hello) {
			h.Components = append(h.Components, wire.Component{Name: "zzz"})
		}, wire.CodeComponents, []string{"server lacks", "zzz"}},
		{"different", func(h *wire.Hello) { h.Components[2].Hash++ }, wire.CodeComponents, []string{"spot", "differently"}},
		{"version", func(h *wire.Hello) { h.Version++ }, wire.CodeVersion, []string{"rules differ"}},
		{"payload", func(h *wire.Hello) { h.Payload = []byte("no") }, wire.CodeNotAllowed, []string{"bad ticket"}},
		{"none wrong", func(h *wire.Hello) {}, wire.CodeNone, nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := newCourt(t, authority.Config{Approve: func(p []byte) (bool, string) { return string(p) != "no", "bad ticket" }})
			p := c.dial(yard)
			h := p.hello()
			x.hello(&h)
			p.say(&h)
			c.deliver()
			if x.code == wire.CodeNone {
				if p.sess == 0 || len(p.refusals) != 0 {
					t.Fatal("the control is not let in")
				}
				return
			}
			if len(p.refusals) != 1 || p.refusals[0].Code != x.code || p.refusals[0].Nonce != p.nonce {
				t.Fatalf("%+v", p.refusals)
			}
			has(t, p.refusals[0].Reason, x.says...)
			if c.most > wire.MinHello {
				t.Errorf("the answer has %d bytes, the question may have %d", c.most, wire.MinHello)
			}
			c.tick()
			if n := c.a.Players(); n != 0 || c.a.World().Len() != 0 {
				t.Errorf("%d players", n)
			}
		})
	}
}

func TestFull(t *testing.T) {
	c := newCourt(t, authority.Config{MaxPlayers: 2})
	c.join(yard)
	second := c.join(yard)
	c.tick()
	third := c.dial(yard)
	third.greet()
	c.deliver()
	if len(third.refusals) != 1 || third.refusals[0].Code != wire.CodeFull {
		t.Fatalf("%+v", third.refusals)
	}
	has(t, third.refusals[0].Reason, "2")
	c.a.Kick(second.player, "rude")
	third.greet() // his place is free only after the next tick: no answer yet
	c.deliver()
	if third.sess != 0 || len(third.refusals) != 1 {
		t.Error("answered although the place is about to be free")
	}
	c.tick()
	third.greet()
	c.deliver()
	if third.player != second.player {
		t.Errorf("player %d, want the free place %d", third.player, second.player)
	}
}

// A hello is repeated until answered: the same one gets the same answer, older
// ones none.
func TestHelloRepeats(t *testing.T) {
	c := newCourt(t, authority.Config{})
	p := c.join(yard)
	sess, player := p.sess, p.player
	for range 5 {
		p.greet()
		c.tick()
	}
	if p.welcomes != 6 || p.sess != sess || c.a.Players() != 1 {
		t.Fatalf("%d welcomes, session %x and %x, %d players", p.welcomes, sess, p.sess, c.a.Players())
	}
	old := p.hello()
	for range 100 {
		c.tick()
	}
	p.nonce += 1000 // a new session of the same player
	p.greet()
	c.deliver()
	if p.sess == sess || p.player != player || c.a.Players() != 1 {
		t.Fatalf("player %d of %d, session %x and %x", p.player, c.a.Players(), sess, p.sess)
	}
	sess = p.sess
	for range 100 {
		c.tick()
	}
	before := p.welcomes
	p.say(&old) // a late copy, with no token
	c.tick()
	if p.welcomes != before || c.a.Players() != 1 || c.a.Counters().Resumes != 1 {
		t.Errorf("an old hello is answered: %+v", c.a.Counters())
	}
	p.send(c.a.Now()+1, lever{Push: 1})
	c.tick()
	c.tick()
	if p.spot().V != 1 || p.sess != sess {
		t.Error("the session did not survive an old hello")
	}
}

// Hellos cost no more than a few players' memory, and no more bytes than came.
func TestHelloFlood(t *testing.T) {
	c := newCourt(t, authority.Config{MaxPlayers: 4})
	c.join(yard)
	c.tick()
	rnd := newRand(t, 1)
	for range 100 {
		for range 100 {
			p := *c.peers[0]
			p.nonce = rnd.Uint64()
			p.greet()
		}
		c.now += time.Second / 60
		c.a.Tick(c.now)
		c.a.Drain()
	}
	if n := c.a.Players(); n != 1 {
		t.Errorf("%d players from one connection", n)
	}
	x := c.a.Counters()
	if x.Joins > 4 || x.SentBytes > x.Bytes {
		t.Errorf("%+v", x)
	}
	for conn := range authority.Conn(1000) {
		p := *c.peers[0]
		p.conn, p.nonce, p.token = conn+10, rnd.Uint64(), 0
		p.greet()
	}
	if n := c.a.Players(); n > 4 {
		t.Errorf("%d players of at most 4", n)
	}
}

// With his token a player goes on, on another connection, with nothing of the
// old session but his place.
func TestResume(t *testing.T) {
	c := newCourt(t, authority.Config{})
	a, other := c.join(yard), c.join(yard)
	for i := range 10 {
		a.send(c.a.Now()+1, lever{Push: 1, Hit: sim.Counter(i)})
		c.tick()
	}
	e, at := a.me(), a.spot()
	if _, _, ok := c.a.Sender(a.player).Baseline(e); !ok {
		t.Fatal("the test needs a baseline")
	}
	left := c.a.Now() + 5
	a.send(left, lever{Push: -1}) // dies with its session
	b := c.dial(yard)
	b.token = a.token
	b.greet()
	c.deliver()
	if b.player != a.player || b.sess == a.sess || c.a.Players() != 2 || c.a.Counters().Resumes != 1 {
		t.Fatalf("player %d of %d, was %d", b.player, c.a.Players(), a.player)
	}
	if len(a.byes) != 1 || a.byes[0].Code != wire.CodeReplaced {
		t.Errorf("the old connection was told %+v", a.byes)
	}
	if len(other.byes) != 0 {
		t.Error("the other player was told something")
	}
	if _, _, ok := c.a.Sender(b.player).Baseline(e); ok {
		t.Error("a baseline of the old session is left")
	}
	a.send(c.a.Now(), lever{Push: -2}) // the old session has no say
	a.send(c.a.Now()+1, lever{Push: -2})
	c.tick()
	if c.a.Counters().Stranger < 2 || b.me() != e || b.spot().X < at.X {
		t.Errorf("%+v", c.a.Counters())
	}
	b.send(c.a.Now()+1, lever{Push: 2})
	c.tick()
	c.tick()
	if b.spot().V != 2 {
		t.Error("the new session's input does not act")
	}
	heads := len(a.heads)
	a.greet() // a late copy of the hello that began the first session
	for range 3 {
		c.tick()
	}
	if len(a.heads) != heads || a.welcomes != 1 || c.a.Players() != 2 {
		t.Errorf("an old hello on the old connection makes %d players, %d welcomes", c.a.Players(), a.welcomes)
	}
	b.send(c.a.Now()+1, lever{Push: 1})
	c.tick()
	c.tick()
	if b.spot().V != 1 {
		t.Error("the resumed session is gone")
	}
	if x, ok := c.a.Executed(b.player, left); !ok || x.How == sim.AsSent {
		t.Errorf("an input of the old session was executed: %+v", x)
	}
}

// A player whose connection broke before the answer came says the same hello
// on another one, and is not there twice.
func TestSameHelloOnAnotherConnection(t *testing.T) {
	c := newCourt(t, authority.Config{})
	a := c.join(yard)
	b := c.dial(yard)
	b.nonce = a.nonce
	c.a.Closed(a.conn)
	b.greet()
	c.deliver()
	if c.a.Players() != 1 || b.player != a.player || c.a.Player(a.conn) != sim.NoPlayer {
		t.Errorf("%d players, %d and %d", c.a.Players(), a.player, b.player)
	}
}

// A wrong token is no token.
func TestWrongToken(t *testing.T) {
	c := newCourt(t, authority.Config{})
	a := c.join(yard)
	b := c.dial(yard)
	b.token = a.token + 1
	b.greet()
	c.deliver()
	if b.player == a.player || c.a.Players() != 2 || len(a.byes) != 0 {
		t.Errorf("player %d and %d", a.player, b.player)
	}
	if a.token == b.token || a.sess == b.sess || a.token == a.sess {
		t.Error("tokens and sessions are not told apart")
	}
}

func TestLeaving(t *testing.T) {
	for _, x := range []struct {
		name string
		do   func(c *court, p *peer)
		code wire.Code
		says string
		at   int // ticks until he is out
	}{
		{"bye", func(c *court, p *peer) {
			w := body(&wire.Bye{Code: wire.CodeLeft})
			c.a.Receive(p.conn, wire.Seal(nil, wire.SessionSalt(p.sess), w), c.now)
		}, wire.CodeNone, "", 1},
		{"kick", func(c *court, p *peer) { c.a.Kick(p.player, "rude") }, wire.CodeKicked, "rude", 1},
		{"silence", func(c *court, p *peer) {}, wire.CodeTimeout, "nothing was heard", 61},
		{"closed", func(c *court, p *peer) { c.a.Closed(p.conn) }, wire.CodeTimeout, "nothing was heard", 61},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := newCourt(t, authority.Config{Timeout: time.Second})
			stays, p := c.join(yard), c.join(yard)
			c.tick()
			e := p.me()
			p.send(c.a.Now()+1, lever{})
			x.do(c, p)
			for i := range 70 {
				stays.send(c.a.Now()+1, lever{})
				c.tick()
				if out := !c.a.World().Alive(e); out != (i+1 >= x.at) {
					t.Fatalf("tick %d: out is %v", i+1, out)
				}
			}
			if x.code != wire.CodeNone {
				if len(p.byes) != 1 || p.byes[0].Code != x.code {
					t.Fatalf("told %+v", p.byes)
				}
				has(t, p.byes[0].Reason, x.says)
			}
			if n := c.a.Counters(); n.Leaves != 1 || n.Joins != 2 || c.a.Players() != 1 || c.a.World().Len() != 1 {
				t.Errorf("%+v", n)
			}
			n := len(p.heads)
			p.send(c.a.Now()+1, lever{})
			c.tick()
			if len(p.heads) != n {
				t.Error("he is still sent snapshots")
			}
		})
	}
}

func TestShutdown(t *testing.T) {
	c := newCourt(t, authority.Config{})
	a, b := c.join(yard), c.join(yard)
	c.tick()
	c.a.Shutdown("back at noon")
	c.deliver()
	for _, p := range []*peer{a, b} {
		if len(p.byes) != 1 || p.byes[0].Code != wire.CodeShutdown || p.byes[0].Reason != "back at noon" {
			t.Errorf("told %+v", p.byes)
		}
	}
	c.tick()
	if c.a.Players() != 0 || c.a.World().Len() != 0 {
		t.Error("somebody is left")
	}
}

func newRand(t *testing.T, seed int64) *rand.Rand {
	t.Helper()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewSource(seed))
}

package authority_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/wire"
)

// A server that stood still has heard nobody, and drops nobody for it. Who is
// silent while it runs is dropped.
func TestServerStandsStill(t *testing.T) {
	c := newCourt(t, authority.Config{Timeout: 2 * time.Second})
	c.join(yard)
	c.join(yard)
	for range 60 {
		c.tick()
	}
	c.now += time.Minute
	for range 30 {
		c.tick()
	}
	if n := c.a.Players(); n != 2 {
		t.Fatalf("%d players after the server's own pause", n)
	}
	for range 120 {
		c.tick()
	}
	if n := c.a.Players(); n != 0 {
		t.Errorf("%d silent players are still there", n)
	}
}

// A hello costs memory, so one connection begins one session a second, and
// saying bye in between does not get it more. Two that share a token do not
// either.
func TestSessionsOfOneConnection(t *testing.T) {
	c := newCourt(t, authority.Config{})
	p := c.join(yard)
	for range 500 {
		p.bye()
		p.nonce++
		p.greet()
		c.deliver()
	}
	if p.welcomes != 1 {
		t.Errorf("%d sessions at once", p.welcomes)
	}
	c.now += 2 * time.Second
	p.greet()
	c.deliver()
	if p.welcomes != 2 {
		t.Error("not let in again")
	}
	q := *p
	q.conn, q.mute = 2, true
	c.peers = append(c.peers, &q)
	before := c.a.Counters().Resumes
	for i := range 500 {
		x := []*peer{p, &q}[i%2]
		x.token, x.nonce = p.token, uint64(5000+i)
		x.greet()
		c.a.Drain()
	}
	if n := c.a.Counters().Resumes - before; n > 2 {
		t.Errorf("%d resumes at once", n)
	}
}

func (p *peer) bye() {
	var w bits.Writer
	m := wire.Bye{Code: wire.CodeLeft}
	m.Append(&w)
	p.c.a.Receive(p.conn, wire.Seal(nil, wire.SessionSalt(p.sess), w.Bytes()), p.c.now)
}

// However long no tick came, a pong says that the clock went on, to a limit.
func TestClockAfterHours(t *testing.T) {
	c := newCourt(t, authority.Config{})
	p := c.join(yard)
	c.tick()
	for _, d := range []time.Duration{time.Minute, 40 * time.Minute, time.Hour, 1000 * time.Hour, -time.Hour} {
		var w bits.Writer
		m := wire.Ping{ID: 1}
		m.Append(&w)
		c.a.Receive(p.conn, wire.Seal(nil, wire.SessionSalt(p.sess), w.Bytes()), c.now+d)
		want := uint32(c.a.Now() - 1)
		if d > 0 {
			want += 63
		}
		for _, pk := range c.a.Drain() {
			body, _ := wire.Open(pk.Data, wire.SessionSalt(p.sess))
			var r bits.Reader
			r.Reset(body)
			var pong wire.Pong
			if err := pong.Parse(&r); err != nil || pong.Tick != want && pong.Tick != want+1 {
				t.Errorf("%v: %v, tick %d, want %d", d, err, pong.Tick, want)
			}
		}
	}
}

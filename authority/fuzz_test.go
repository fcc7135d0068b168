package authority_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/examples/hello"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/wire"
)

// pair is a server with two clients of the smallest game, playing.
type pair struct {
	server  *authority.Authority
	clients [2]*replica.Replica
	session [2]uint64
	bodies  [][]byte // what the first one sent, opened
	ticks   int
}

func newPair(t testing.TB) *pair {
	p := &pair{server: authority.New(authority.Config{Game: hello.Game, Secret: 1})}
	for i := range p.clients {
		p.clients[i] = replica.New(replica.Config{Game: hello.Game, Secret: uint64(i)})
	}
	for range 60 {
		p.tick()
	}
	for i := range p.clients {
		if p.clients[i].State() != replica.Playing || p.session[i] == 0 {
			t.Fatalf("client %d does not play", i)
		}
	}
	return p
}

func (p *pair) now() time.Duration { return time.Duration(p.ticks) * time.Second / 60 }

func (p *pair) tick() {
	for i, c := range p.clients {
		c.Frame(p.now())
		for _, packet := range c.Drain() {
			p.server.Receive(authority.Conn(i+1), packet, p.now())
			if i > 0 {
				continue
			}
			for _, salt := range []uint64{wire.ProtocolSalt, wire.SessionSalt(p.session[0])} {
				if body, ok := wire.Open(packet, salt); ok {
					p.bodies = append(p.bodies, append([]byte(nil), body...))
				}
			}
		}
	}
	p.ticks++
	p.server.Tick(p.now())
	for _, out := range p.server.Drain() {
		p.clients[out.Conn-1].Receive(out.Data, p.now())
		var m wire.Welcome
		if body, ok := wire.Open(out.Data, wire.ProtocolSalt); ok {
			var r bits.Reader
			if r.Reset(body); m.Parse(&r) == nil {
				p.session[out.Conn-1] = m.Session
			}
		}
	}
}

// FuzzReceive has the first client send any bytes, sealed as his own or as a
// stranger's. The server goes on, and the other player notices nothing.
func FuzzReceive(f *testing.F) {
	p := newPair(f)
	for i, b := range p.bodies {
		f.Add(b, i%2 == 0)
		if len(b) > 2 {
			b := append([]byte(nil), b...)
			b[len(b)/2] ^= 0x40
			f.Add(b, true)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, own bool) {
		p := newPair(t)
		salt := uint64(wire.ProtocolSalt)
		if own {
			salt = wire.SessionSalt(p.session[0])
		}
		n, other := p.server.Now(), p.server.Player(2)
		packet := wire.Seal(nil, salt, body)
		p.server.Receive(1, packet, p.now())
		p.server.Receive(1, packet, p.now()) // and again
		for range 4 {
			p.tick()
		}
		if p.server.Now() != n+4 {
			t.Errorf("tick %d after %d and 4 more", p.server.Now(), n)
		}
		if p.server.Player(2) != other || p.clients[1].State() != replica.Playing {
			t.Error("the other player is out")
		}
		if c := p.server.ClientCounters(other); c.Holes != 0 {
			t.Errorf("the other player missed %d inputs", c.Holes)
		}
	})
}

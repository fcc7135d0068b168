package replica_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/examples/hello"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/wire"
)

// single is a server and one client of the smallest game, playing.
type single struct {
	server  *authority.Authority
	client  *replica.Replica
	session uint64
	bodies  [][]byte // what the server sent, opened
	ticks   int
}

func newSingle(t testing.TB) *single {
	s := &single{server: authority.New(authority.Config{Game: hello.Game, Secret: 1}),
		client: replica.New(replica.Config{Game: hello.Game})}
	for range 60 {
		s.tick()
	}
	if s.client.State() != replica.Playing || s.session == 0 {
		t.Fatal("the client does not play")
	}
	return s
}

func (s *single) now() time.Duration { return time.Duration(s.ticks) * time.Second / 60 }

func (s *single) tick() {
	s.client.Frame(s.now())
	for _, packet := range s.client.Drain() {
		s.server.Receive(1, packet, s.now())
	}
	s.ticks++
	s.server.Tick(s.now())
	for _, out := range s.server.Drain() {
		s.client.Receive(out.Data, s.now())
		var m wire.Welcome
		var r bits.Reader
		if body, ok := wire.Open(out.Data, wire.ProtocolSalt); ok {
			if r.Reset(body); m.Parse(&r) == nil {
				s.session = m.Session
			}
		} else if body, ok := wire.Open(out.Data, wire.SessionSalt(s.session)); ok {
			s.bodies = append(s.bodies, append([]byte(nil), body...))
		}
	}
}

// FuzzReceive has a server say anything, sealed with the session. The client
// may believe it, or be sent away, but it neither breaks nor stops making
// frames.
func FuzzReceive(f *testing.F) {
	s := newSingle(f)
	for i, b := range s.bodies {
		if i%4 != 0 {
			continue
		}
		f.Add(b)
		if len(b) > 2 {
			b := append([]byte(nil), b...)
			b[len(b)/2] ^= 0x40
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		s := newSingle(t)
		packet := wire.Seal(nil, wire.SessionSalt(s.session), body)
		s.client.Receive(packet, s.now())
		s.client.Receive(packet, s.now())
		for range 4 {
			s.tick()
		}
		frame := s.client.Frame(s.now())
		if frame == nil || frame.World == nil {
			t.Fatal("no frame")
		}
		if c := s.client.Stats().Counters; c.Packets < 60 {
			t.Errorf("only %d packets were counted", c.Packets)
		}
	})
}

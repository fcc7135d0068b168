package replica_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/replica"
)

// Once buffers have grown, a frame of a client, receiving, rollbacks and the
// view included, allocates nothing: alone, among eight, and with one packet in
// ten lost.
func TestSteadyFrameAllocatesNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, c := range []struct {
		name                string
		players, lose, warm int
		others              bool // predicted too
	}{ // alone it takes two minutes until every puck has moved once
		{"alone", 1, 0, 7200, false}, {"among eight", 8, 0, 1800, false},
		{"lossy", 8, 10, 1800, false}, {"others predicted", 8, 10, 1800, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMatch(c.players, c.lose, replica.Switches{Others: c.others})
			m.play(c.warm)
			before := m.stats()
			for range 300 {
				m.tick(m.counted)
			}
			after := m.stats()
			t.Logf("%d packets, %d rollbacks", after.Counters.Packets-before.Counters.Packets,
				after.Predict.Rollbacks-before.Predict.Rollbacks)
			if after.State != replica.Playing || after.Counters.Packets-before.Counters.Packets < 250 {
				t.Errorf("the client does not play: %+v", after)
			}
			if c.lose > 0 && after.Predict.Rollbacks == before.Predict.Rollbacks {
				t.Error("nothing was replayed")
			}
			if m.allocs != 0 {
				t.Errorf("%d allocations in 300 frames of %d clients", m.allocs, c.players)
			}
			m.allocs = 0
			if m.counted(func() { sink = make([]byte, 64) }); m.allocs == 0 {
				t.Error("an allocation is not seen")
			}
		})
	}
}

var sink []byte

// match is a server and its clients in one loop, over a link that loses one in
// so many packets.
type match struct {
	server  *authority.Authority
	clients []*replica.Replica
	ticks   int
	lose    int // 0: none
	sent    int
	allocs  uint64 // by the clients
}

func newMatch(players, lose int, off replica.Switches) *match {
	m := &match{server: authority.New(authority.Config{Game: pucks.Game}), lose: lose}
	for i := range players {
		m.clients = append(m.clients, replica.New(replica.Config{Game: pucks.Game, Bot: pucks.Bot, Secret: uint64(i), Off: off}))
	}
	return m
}

func (m *match) stats() replica.Stats { return m.clients[0].Stats() }

func (m *match) lost() bool {
	m.sent++
	return m.lose > 0 && m.sent%m.lose == 0
}

func (m *match) tick(count func(func())) {
	now := time.Duration(m.ticks) * time.Second / 60
	m.ticks++
	count(func() {
		for _, c := range m.clients {
			c.Frame(now)
			c.Effects()
		}
	})
	for i, c := range m.clients {
		for _, p := range c.Drain() {
			if !m.lost() {
				m.server.Receive(authority.Conn(i+1), p, now)
			}
		}
	}
	m.server.Tick(now)
	packets := m.server.Drain()
	count(func() {
		for _, p := range packets {
			if !m.lost() {
				m.clients[p.Conn-1].Receive(p.Data, now)
			}
		}
	})
}

func (m *match) play(ticks int) {
	for range ticks {
		m.tick(func(f func()) { f() })
	}
}

// counted adds up what f allocates.
func (m *match) counted(f func()) {
	var a, b runtime.MemStats
	runtime.ReadMemStats(&a)
	f()
	runtime.ReadMemStats(&b)
	m.allocs += b.Mallocs - a.Mallocs
}

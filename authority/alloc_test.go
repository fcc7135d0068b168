package authority_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/replica"
)

// match is a server and its clients in one loop, over a link that loses one in
// so many packets.
type match struct {
	server  *authority.Authority
	clients []*replica.Replica
	ticks   int
	lose    int // 0: none
	sent    int
	allocs  uint64 // by the server
	bytes   int    // from it
}

func newMatch(players, lose int) *match {
	m := &match{server: authority.New(authority.Config{Game: pucks.Game, MaxPlayers: 64}), lose: lose}
	for i := range players {
		m.clients = append(m.clients, replica.New(replica.Config{Game: pucks.Game, Bot: pucks.Bot, Secret: uint64(i)}))
	}
	return m
}

func (m *match) lost() bool {
	m.sent++
	return m.lose > 0 && m.sent%m.lose == 0
}

func (m *match) now() time.Duration { return time.Duration(m.ticks) * time.Second / 60 }

// frames lets every client make a frame and gives the server what they send.
func (m *match) frames(count func(func())) {
	for _, c := range m.clients {
		c.Frame(m.now())
	}
	count(func() {
		for i, c := range m.clients {
			for _, p := range c.Drain() {
				if !m.lost() {
					m.server.Receive(authority.Conn(i+1), p, m.now())
				}
			}
		}
	})
}

func (m *match) tick(count func(func())) {
	m.ticks++
	count(func() { m.server.Tick(m.now()) })
	for _, p := range m.server.Drain() {
		m.bytes += len(p.Data)
		if !m.lost() {
			m.clients[p.Conn-1].Receive(p.Data, m.now())
		}
	}
}

func plain(f func()) { f() }

func (m *match) play(ticks int) {
	for range ticks {
		m.frames(plain)
		m.tick(plain)
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

// Once buffers have grown, on a perfect link or with one packet in ten lost, a
// tick of the server, receiving included, allocates nothing.
func TestSteadyTickAllocatesNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, lose := range []int{0, 10} {
		m := newMatch(8, lose)
		m.play(1800)
		if n := m.server.Players(); n != 8 {
			t.Fatalf("%d players", n)
		}
		executed := m.server.Counters().Packets
		for range 300 {
			m.frames(m.counted)
			m.tick(m.counted)
		}
		if n := m.server.Counters().Packets - executed; n < 300*7 {
			t.Errorf("only %d packets came", n)
		}
		if m.allocs != 0 {
			t.Errorf("one packet in %d is lost: %d allocations in 300 ticks", lose, m.allocs)
		}
		before := m.allocs
		m.counted(func() { m.server.Players(); sink = make([]byte, 64) })
		if m.allocs == before {
			t.Error("an allocation is not seen")
		}
	}
}

var sink []byte

func benchmarkTick(b *testing.B, players int) {
	m := newMatch(players, 0)
	m.play(300)
	m.bytes = 0
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		b.StopTimer()
		m.frames(plain)
		b.StartTimer()
		m.tick(plain)
		n++
	}
	b.ReportMetric(float64(m.bytes)/float64(n)*60/float64(players), "B/client/s")
}

// A tick of the server with pucks: step, record, and a snapshot to each.
func BenchmarkTick8(b *testing.B)  { benchmarkTick(b, 8) }
func BenchmarkTick16(b *testing.B) { benchmarkTick(b, 16) }

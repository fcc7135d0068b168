package authority_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/wire"
)

// A world that does not fit: the budget holds in every second, no packet is
// too large, several leave in a tick, and each of them is of use without the
// others (the peer fails the test if one does not decode).
func TestBudgetHolds(t *testing.T) {
	for _, budget := range []int{3_000, 20_000, 64_000, 200_000} {
		c := newCourt(t, authority.Config{Game: crowd, Budget: budget})
		p := c.join(crowd)
		rnd := newRand(t, int64(budget))
		c.lost = func(authority.Conn) bool { return rnd.Intn(4) == 0 }
		var sent []uint64
		parts := 0
		for range 600 {
			n := c.a.ClientCounters(p.player).Snapshots
			c.tick()
			p.send(c.a.Now()+1, lever{})
			parts = max(parts, int(c.a.ClientCounters(p.player).Snapshots-n))
			sent = append(sent, c.a.ClientCounters(p.player).Bytes)
		}
		if c.most > wire.MaxPacket {
			t.Errorf("budget %d: a packet of %d bytes", budget, c.most)
		}
		// A second's worth, and what may be saved up before it.
		most := uint64(budget) + uint64(max(budget/4, wire.MaxPacket)) + wire.MaxPacket
		for i := 60; i < len(sent); i++ {
			if n := sent[i] - sent[i-60]; n > most {
				t.Fatalf("budget %d: %d bytes in the second up to tick %d", budget, n, i)
			}
		}
		if total := sent[len(sent)-1]; total > uint64(budget)*10+most || budget <= 20_000 && total < uint64(budget)*9 {
			t.Errorf("budget %d: %d bytes in 10 s", budget, total)
		}
		if parts > 8 || budget > 60_000 && parts < 2 {
			t.Errorf("budget %d: %d packets in a tick", budget, parts)
		}
		if p.items < 600 {
			t.Errorf("budget %d: told of %d entities only", budget, p.items)
		}
	}
}

// Even a budget that no packet's header fits in at once gets through: one
// packet, when enough is saved up.
func TestSmallestBudget(t *testing.T) {
	c := newCourt(t, authority.Config{Budget: 500})
	p := c.join(yard)
	for i := range 1200 {
		p.send(c.a.Now()+1, lever{Hit: sim.Counter(i)}) // an effect in each tick
		if i%3 == 0 {
			p.send(c.a.Now()+1, lever{})
		}
		c.tick()
	}
	late := 0
	for _, n := range p.ticks {
		if n.Since(startTick) > 600 {
			late++
		}
	}
	if late == 0 || c.a.ClientCounters(p.player).Bytes > 500*20+2*wire.MaxPacket {
		t.Errorf("%d snapshots in the second half, %+v", late, c.a.ClientCounters(p.player))
	}
}

func TestSnapshotEvery(t *testing.T) {
	c := newCourt(t, authority.Config{SnapshotEvery: 4})
	var ps []*peer
	for range 4 {
		ps = append(ps, c.join(yard))
	}
	phases := map[tick.Tick]bool{}
	for range 100 { // across the wrap
		c.tick()
	}
	for _, p := range ps {
		if len(p.heads) != 25 {
			t.Errorf("%d snapshots in 100 ticks", len(p.heads))
		}
		for i := 1; i < len(p.ticks); i++ {
			if d := p.ticks[i].Since(p.ticks[i-1]); d != 4 {
				t.Fatalf("%d ticks between snapshots", d)
			}
		}
		phases[p.ticks[0]%4] = true
	}
	if len(phases) != 4 {
		t.Errorf("four players take %d turns", len(phases))
	}
}

// One session's rate is its own, whatever is asked for, and lasts.
func TestSetSnapshotEvery(t *testing.T) {
	c := newCourt(t, authority.Config{SnapshotEvery: 2})
	one, other := c.join(yard), c.join(yard)
	if c.a.SetSnapshotEvery(one.sess^1, 5) || c.a.SetSnapshotEvery(0, 5) {
		t.Error("a session was named that there is not")
	}
	for _, x := range []struct{ ask, get int }{{6, 6}, {0, 1}, {-1 << 62, 1}, {1 << 62, 60}, {1, 1}} {
		if !c.a.SetSnapshotEvery(one.sess, x.ask) {
			t.Fatal("no such session")
		}
		mine, others := len(one.heads), len(other.heads)
		for range 120 {
			c.tick()
		}
		if n := len(one.heads) - mine; n != 120/x.get {
			t.Errorf("every %d: %d snapshots in 120 ticks", x.ask, n)
		}
		if n := len(other.heads) - others; n != 60 {
			t.Errorf("every %d for one: %d snapshots for the other", x.ask, n)
		}
	}
}

// Effects are told until acknowledged, each with its tick, and not for ever.
func TestEffectsAreToldUntilAcknowledged(t *testing.T) {
	c := newCourt(t, authority.Config{})
	p := c.join(yard)
	p.mute = true
	c.tick()
	at := c.a.Now()
	p.send(at, lever{Hit: 3})
	told := func() (n int) {
		for _, e := range p.last().Effects {
			from := tick.Widen(p.last().EffectsFrom, c.a.Now())
			if from+tick.Tick(e.After) == at && e.Entity == p.me() && e.Kind == knock.ID() && e.Data[0] == 3*64 {
				n++
			}
		}
		return n
	}
	for range 20 {
		c.tick()
		p.send(c.a.Now()+1, lever{Hit: 3})
		if told() != 1 {
			t.Fatalf("told %d times in a packet: %+v", told(), p.last().Effects)
		}
	}
	p.mute = false
	for range 2 {
		c.tick()
		p.send(c.a.Now()+1, lever{Hit: 3})
	}
	c.tick()
	if told() != 0 {
		t.Error("told after it was acknowledged")
	}
	p.mute, p.deaf = true, true
	for i := range 400 { // a click in every tick, never acknowledged
		p.send(c.a.Now(), lever{Hit: sim.Counter(4 + i)})
		c.tick()
		h := p.last()
		if n := h.EffectsThrough - h.EffectsFrom; n > 128 || len(h.Effects) > wire.MaxEffects {
			t.Fatalf("%d effects of %d ticks", len(h.Effects), n)
		}
	}
	if c.most > wire.MaxPacket {
		t.Errorf("a packet of %d bytes", c.most)
	}
}

// A tick moves the tick on by one, whatever the clock says.
func TestTickIsOne(t *testing.T) {
	c := newCourt(t, authority.Config{})
	p := c.join(yard)
	for i, now := range []time.Duration{0, 0, 1, time.Hour, time.Second, -time.Hour, 1 << 60, -1 << 60, time.Minute} {
		p.send(c.a.Now(), lever{})
		c.a.Tick(now)
		if got := c.a.Now(); got != startTick+tick.Tick(i+1) {
			t.Fatalf("at %v tick %d, want %d", now, got-startTick, i+1)
		}
		w := body(&wire.Ping{ID: 1, Time: 5})
		c.a.Receive(p.conn, wire.Seal(nil, wire.SessionSalt(p.sess), w), now-time.Hour)
		c.a.Receive(p.conn, wire.Seal(nil, wire.SessionSalt(p.sess), w), now+time.Hour)
		for _, pk := range c.a.Drain() {
			if b, ok := wire.Open(pk.Data, wire.SessionSalt(p.sess)); ok && wire.PeekKind(b) == wire.KindPong {
				var m wire.Pong
				var r bits.Reader
				r.Reset(b)
				if m.Parse(&r) != nil || m.Tick-uint32(c.a.Now()-1) > 64 {
					t.Fatalf("the clock is told as %d", m.Tick)
				}
			}
		}
		c.now = now
	}
}

// A game without entities has players, acknowledgements and a clock.
func TestEmptyWorld(t *testing.T) {
	c := newCourt(t, authority.Config{Game: empty})
	p := c.join(empty)
	for range 20 {
		p.send(c.a.Now()+1, lever{})
		c.tick()
	}
	if len(p.heads) != 20 || !p.last().JoinDone || !p.last().All || !p.last().Last {
		t.Errorf("%d snapshots, %+v", len(p.heads), p.last())
	}
}

// Whoever sends what, memory stays where it is.
func TestMemoryIsBounded(t *testing.T) {
	rnd := newRand(t, 9)
	c := newCourt(t, authority.Config{MaxPlayers: 8, Timeout: 1 << 40})
	p := c.join(yard)
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	flood := func(rounds int) {
		for range rounds {
			for range 50 {
				q := *p
				q.conn, q.nonce, q.token = authority.Conn(rnd.Uint32()), rnd.Uint64(), rnd.Uint64()
				q.greet()
				c.a.Receive(p.conn, p.packet(c.a.Now()+tick.Tick(rnd.Intn(65536)), lever{Push: 1}), c.now)
				c.a.Receive(authority.Conn(rnd.Uint32()), mutate(rnd, p.packet(c.a.Now(), lever{})), c.now)
			}
			c.now += time.Second / 60
			c.a.Tick(c.now)
			c.a.Drain()
		}
	}
	flood(1200)
	before := heap()
	flood(1200)
	if after := heap(); after > before+1<<20 {
		t.Errorf("%d kB after 1200 ticks of flood, %d before", after>>10, before>>10)
	}
	if n := c.a.Players(); n != 8 {
		t.Errorf("%d players", n)
	}
	runtime.KeepAlive(c)
}

// A shell that never drains does not fill the memory.
func TestNobodyDrains(t *testing.T) {
	c := newCourt(t, authority.Config{Timeout: 1 << 40})
	c.join(yard)
	for range 20_000 {
		c.now += time.Second / 60
		c.a.Tick(c.now)
	}
	if n := len(c.a.Drain()); n > 1<<14 || c.a.Counters().Unsent == 0 {
		t.Errorf("%d packets wait", n)
	}
	if c.a.Drain() != nil {
		t.Error("the same packets twice")
	}
}

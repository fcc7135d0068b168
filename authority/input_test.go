package authority_test

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/wire"
)

// Input n executes at tick n, whatever order inputs come in.
func TestInputExecutesAtItsTick(t *testing.T) {
	c := newCourt(t, authority.Config{})
	p := c.join(yard)
	c.tick()
	n := c.a.Now()
	for _, i := range []int{3, 1, 0, 2} {
		p.send(n+tick.Tick(i), lever{Push: float32(i+1) / 4})
	}
	for i := range 4 {
		c.tick()
		if v := p.spot().V; v != float32(i+1)/4 {
			t.Errorf("tick %d: pushed by %v", i, v)
		}
		if x, ok := c.a.Executed(p.player, n+tick.Tick(i)); !ok || x.How != sim.AsSent || x.Late {
			t.Errorf("tick %d: %+v", i, x)
		}
	}
}

// Everything that is not an input for a coming tick is dropped and counted,
// each under its own name.
func TestInputsThatDoNotCount(t *testing.T) {
	type counts = authority.Counters
	for _, x := range []struct {
		name string
		do   func(c *court, p *peer)
		want counts
	}{
		{"a copy of a packet", func(c *court, p *peer) {
			pk := p.packet(c.a.Now()+2, lever{Push: 1})
			c.a.Receive(p.conn, pk, c.now)
			c.a.Receive(p.conn, pk, c.now)
		}, counts{Duplicate: 1, InputDuplicate: 1}}, // its input is there already
		{"the same input in another packet", func(c *court, p *peer) {
			p.send(c.a.Now()+2, lever{Push: 1})
			p.send(c.a.Now()+2, lever{Push: -1})
		}, counts{InputDuplicate: 2}},
		{"after its tick", func(c *court, p *peer) {
			p.send(c.a.Now()-1, lever{Push: 1}) // was a hole
			p.send(c.a.Now()-1, lever{Push: 1})
			p.send(c.a.Now()-3, lever{Push: 1}) // was executed
		}, counts{InputLate: 1, InputOld: 1}},
		{"a million ticks ago", func(c *court, p *peer) { p.send(c.a.Now().Add(-1_000_000), lever{Push: 1}) }, counts{InputOld: 1}},
		{"30,000 ahead", func(c *court, p *peer) { p.send(c.a.Now()+30_000, lever{Push: 1}) }, counts{InputAhead: 1}},
		{"61 ahead", func(c *court, p *peer) { p.send(c.a.Now()+61, lever{Push: 1}) }, counts{InputAhead: 1}},
		{"not a number", func(c *court, p *peer) {
			p.c.a.Receive(p.conn, p.words(c.a.Now(), int32(0x7fc00000), 0, 0, 0), c.now)
		}, counts{InputBad: 1}},
		{"infinity", func(c *court, p *peer) {
			p.c.a.Receive(p.conn, p.words(c.a.Now(), int32(math.Float32bits(float32(math.Inf(1)))), 0, 0, 0), c.now)
		}, counts{InputBad: 1}},
		{"out of range", func(c *court, p *peer) { p.c.a.Receive(p.conn, p.words(c.a.Now(), 0, 129, 0, 0), c.now) }, counts{InputBad: 1}},
		{"counter of 17 bits", func(c *court, p *peer) { p.c.a.Receive(p.conn, p.words(c.a.Now(), 0, 0, 1<<16, 0), c.now) }, counts{InputBad: 1}},
		{"too many words", func(c *court, p *peer) {
			p.c.a.Receive(p.conn, p.words(c.a.Now(), 5, 5, 5, 5, 5, 5, 5, 5), c.now)
		}, counts{Malformed: 1}},
		{"a snapshot", func(c *court, p *peer) {
			c.a.Receive(p.conn, wire.Seal(nil, wire.SessionSalt(p.sess), body(&wire.SnapshotHead{})), c.now)
		}, counts{Malformed: 1}},
		{"another session's", func(c *court, p *peer) {
			p.sess++
			p.send(c.a.Now(), lever{Push: 1})
			p.sess--
		}, counts{Stranger: 1}},
		{"too long", func(c *court, p *peer) { c.a.Receive(p.conn, make([]byte, 5000), c.now) }, counts{Stranger: 1}},
		{"nothing", func(c *court, p *peer) { c.a.Receive(p.conn, nil, c.now) }, counts{Stranger: 1}},
	} {
		t.Run(x.name, func(t *testing.T) {
			run := func(do bool) (*court, counts, uint64) {
				c := newCourt(t, authority.Config{})
				p := c.join(yard)
				c.tick()
				p.send(c.a.Now()+1, lever{Push: 0.5}, lever{Push: 0.5})
				c.tick()
				c.tick()
				c.tick() // a hole
				before := c.a.Counters()
				p.send(c.a.Now()+2, lever{Push: 1}, lever{Push: 1}, lever{Push: 1})
				if do {
					x.do(c, p)
				}
				for range 3 {
					c.tick()
				}
				n := c.a.Counters()
				return c, counts{Duplicate: n.Duplicate - before.Duplicate, InputDuplicate: n.InputDuplicate,
					InputLate: n.InputLate, InputOld: n.InputOld, InputAhead: n.InputAhead, InputBad: n.InputBad,
					Malformed: n.Malformed, Stranger: n.Stranger}, c.a.World().Hash()
			}
			_, none, hash := run(false)
			if none != (counts{}) {
				t.Fatalf("the control counts %+v", none)
			}
			c, got, hash2 := run(true)
			if got != x.want {
				t.Errorf("%+v, want %+v", got, x.want)
			}
			if hash != hash2 {
				t.Error("it changed the world")
			}
			if c.a.Players() != 1 {
				t.Error("he is out")
			}
		})
	}
}

func (p *peer) words(newest tick.Tick, words ...int32) []byte {
	m := wire.Input{Newest: newest.Wire(), Entries: []wire.InputEntry{{Sampled: true, Words: words}}}
	m.Seq, m.Ack, m.HasAck, m.AckBits = p.link.Send(p.c.now)
	var w bits.Writer
	m.Append(&w, len(words))
	return wire.Seal(nil, wire.SessionSalt(p.sess), w.Bytes())
}

// Holes are filled as the game says, told as they were filled, and never touch
// a counter.
func TestHoles(t *testing.T) {
	for _, x := range []struct {
		g      *sim.Game
		how    []sim.How // of 12 holes in a row
		pushed int       // ticks of motion in them
	}{
		{yard, holes(8, sim.Repeated, 4, sim.Neutral), 8},
		{neutral, holes(12, sim.Neutral, 0, 0), 0},
		{freeze, holes(12, sim.Frozen, 0, 0), 0},
	} {
		t.Run(x.g.Name(), func(t *testing.T) {
			c := newCourt(t, authority.Config{Game: x.g})
			p := c.join(x.g)
			for i := range 4 {
				c.tick()
				p.send(c.a.Now(), lever{Push: 1, Hit: sim.Counter(i)})
			}
			c.tick()
			at, was, age, first := p.spot(), p.tally(), years(p), c.a.Now()
			moved := 0
			for i, how := range x.how {
				before := p.spot()
				c.tick()
				if p.spot().X != before.X {
					moved++
				}
				if e, _ := c.a.Executed(p.player, first+tick.Tick(i)); e.How != how {
					t.Errorf("hole %d: %v, want %v", i, e.How, how)
				}
			}
			if moved != x.pushed {
				t.Errorf("moved in %d ticks of the hole, want %d", moved, x.pushed)
			}
			if x.g == freeze && p.spot() != at {
				t.Error("frozen, and not the same to the bit")
			}
			if now := p.tally(); now != was {
				t.Errorf("clicks %v, were %v", now, was)
			}
			if got := years(p) - age; got != len(x.how) {
				t.Errorf("server systems ran %d times on him, want %d", got, len(x.how))
			}
			if n := c.a.ClientCounters(p.player); n.Holes != uint64(len(x.how)) {
				t.Errorf("%d holes counted", n.Holes)
			}
			p.send(c.a.Now(), lever{Push: 1, Hit: 5}) // two clicks since
			c.tick()
			if now := p.tally(); now.N != was.N+2 || p.spot().V != 1 {
				t.Errorf("after the hole: %v, was %v", now, was)
			}
			for i, how := range x.how {
				if p.how[first+tick.Tick(i)] != how {
					t.Errorf("told %v of hole %d, want %v", p.how[first+tick.Tick(i)], i, how)
				}
			}
		})
	}
}

func years(p *peer) int { v, _ := ages.Of(p.c.a.World(), p.me()); return int(v.N) }

func holes(n int, a sim.How, m int, b sim.How) (out []sim.How) {
	for range n {
		out = append(out, a)
	}
	for range m {
		out = append(out, b)
	}
	return out
}

// What was executed is told until a packet that told it is acknowledged, and
// then no more.
func TestExecutedIsToldUntilAcknowledged(t *testing.T) {
	c := newCourt(t, authority.Config{})
	p := c.join(yard)
	p.mute = true
	for range 40 {
		c.tick()
		p.send(c.a.Now()+1, lever{})
	}
	h := p.last()
	if len(h.Executed) != 40 || h.ExecFrom != startTick.Wire() {
		t.Fatalf("%d told from %d", len(h.Executed), h.ExecFrom)
	}
	for range 200 {
		c.tick()
		p.send(c.a.Now()+1, lever{})
	}
	if n := len(p.last().Executed); n > wire.MaxExecuted {
		t.Errorf("%d told", n)
	}
	p.mute = false
	c.tick()
	p.send(c.a.Now()+1, lever{})
	c.tick()
	if n := len(p.last().Executed); n != 1 {
		t.Errorf("after the acknowledgement %d are told", n)
	}
}

// A client that sends in bursts after a stall is read in full; a flood is cut
// off, counted, and acts no further.
func TestFlood(t *testing.T) {
	c := newCourt(t, authority.Config{})
	p, honest := c.join(yard), c.join(yard)
	c.tick()
	for range 3 {
		before := c.a.Counters()
		for range 96 {
			p.send(c.a.Now()+1, lever{Push: 1})
		}
		if n := c.a.Counters().Flood - before.Flood; n != 0 {
			t.Fatalf("%d of 96 cut off", n)
		}
		for range 1000 {
			p.send(c.a.Now()+1, lever{Push: -1})
		}
		if n := c.a.Counters().Flood - before.Flood; n != 1000 {
			t.Fatalf("%d of 1000 cut off", n)
		}
		honest.send(c.a.Now()+1, lever{Push: 1})
		c.tick()
		c.tick()
		if p.spot().V != 1 || honest.spot().V != 1 {
			t.Error("the flood acted")
		}
	}
}

// An attacker, with a session of his own or without, changes nothing for the
// others: they are, to the bit, where they are without him.
func TestAttackChangesNothing(t *testing.T) {
	type honest struct {
		spot  spot
		tally tally
		years int
	}
	run := func(attack bool) ([2]honest, authority.Counters) {
		rnd, quiet := newRand(t, 3), newRand(t, 4)
		c := newCourt(t, authority.Config{Timeout: 1 << 40})
		a, b, evil := c.join(yard), c.join(yard), c.join(yard)
		stranger := c.dial(yard)
		var seen [][]byte
		for i := range 400 {
			c.tick()
			for _, p := range []*peer{a, b} {
				in := lever{Push: float32(quiet.Intn(200)-100) / 64, Hit: sim.Counter(i / 7)}
				pk := p.packet(c.a.Now()+2, in, in, in)
				if quiet.Intn(8) > 0 {
					c.a.Receive(p.conn, pk, c.now)
				}
				seen = append(seen, pk)
			}
			if !attack {
				continue
			}
			for range 5 {
				old := seen[rnd.Intn(len(seen))]
				c.a.Receive(evil.conn, old, c.now) // others' packets
				c.a.Receive(stranger.conn, old, c.now)
				c.a.Receive(evil.conn, mutate(rnd, old), c.now)
				own := evil.packet(c.a.Now().Add(int32(61+rnd.Intn(30000))), lever{Push: 2})
				c.a.Receive(evil.conn, mutate(rnd, own), c.now)
				c.a.Receive(evil.conn, own[:rnd.Intn(len(own))], c.now)
				c.a.Receive(evil.conn, evil.words(c.a.Now()+1, int32(0x7fc00000+rnd.Intn(1000)), 0, 0, 0), c.now)
				junk := make([]byte, rnd.Intn(1200))
				rnd.Read(junk)
				c.a.Receive(stranger.conn, junk, c.now)
				// sealed, and nonsense inside
				c.a.Receive(evil.conn, wire.Seal(nil, wire.SessionSalt(evil.sess), mutate(rnd, old[wire.SealSize:])), c.now)
			}
		}
		of := func(p *peer) honest { return honest{p.spot(), p.tally(), years(p)} }
		return [2]honest{of(a), of(b)}, c.a.Counters()
	}
	with, n := run(true)
	without, _ := run(false)
	if with != without {
		t.Errorf("the attack changed the others: %v, without %v", with, without)
	}
	if n.Stranger < 1000 || n.Malformed < 100 || n.InputBad < 100 || n.InputAhead < 1 {
		t.Errorf("the attack was not one: %+v", n)
	}
}

// mutate flips bits, cuts or lengthens.
func mutate(rnd *rand.Rand, p []byte) []byte {
	q := slices.Clone(p)
	for range 1 + rnd.Intn(3) {
		switch rnd.Intn(4) {
		case 0:
			q = q[:rnd.Intn(len(q)+1)]
		case 1:
			q = append(q, byte(rnd.Intn(256)))
		default:
			if len(q) > 0 {
				q[rnd.Intn(len(q))] ^= 1 << rnd.Intn(8)
			}
		}
	}
	return q
}

package snapshot

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

var seedFlag = flag.Uint64("seed", 0, "repeat a random test with this seed alone")

type body struct{ X, Y, Z float32 }
type spin struct {
	A float32 `net:"step=1/128,min=-4,max=4"`
	B uint32
}
type tag struct{}
type score struct {
	N uint16
	L uint8 `net:"min=0,max=10"`
	K uint8
}
type secret struct{ S uint32 }

// testGame has components of every shape: exact, quantised, a tag, one that
// does not travel.
func testGame() *sim.Game {
	g := sim.New("test", 60)
	sim.Predicted[body](g)
	sim.ServerOnly[secret](g)
	sim.Replicated[spin](g)
	sim.Replicated[tag](g)
	sim.Input[score](g)
	return g.Seal()
}

const (
	colBody = iota
	colSecret
	colSpin
	colTag
	colScore
	columns
)

// scramble gives e new values in a column, or nearly the old ones.
func scramble(rng *rand.Rand, w *ecs.World, col int, e tick.Entity) {
	c := w.Column(col)
	r := c.Add(e)
	switch col {
	case colBody:
		b := ecs.At[body](c, r)
		b.X += rng.Float32() - 0.5
		if rng.IntN(4) == 0 {
			b.Y = 1000 * (rng.Float32() - 0.5)
		}
	case colSecret:
		ecs.At[secret](c, r).S = rng.Uint32()
	case colSpin:
		*ecs.At[spin](c, r) = spin{A: 10 * (rng.Float32() - 0.5), B: rng.Uint32()}
	case colScore:
		*ecs.At[score](c, r) = score{N: uint16(rng.Uint32()), L: uint8(rng.UintN(20)), K: uint8(rng.UintN(256))}
	}
}

// mutate is a tick of a restless world.
func mutate(rng *rand.Rand, w *ecs.World, t tick.Tick, churn float64) {
	for _, e := range append([]tick.Entity(nil), w.Entities()...) {
		if rng.Float64() < churn/20 {
			w.Destroy(e, t)
			continue
		}
		if rng.Float64() < churn/10 {
			w.SetOwner(e, uint16(rng.UintN(5)))
		}
		for col := range columns {
			c := w.Column(col)
			switch x := rng.Float64(); {
			case x < churn/10:
				c.Remove(e)
			case x < churn/5: // added, or removed and added again
				c.Remove(e)
				scramble(rng, w, col, e)
			case c.Has(e) && e.Index()%3 != 0 && x < 0.7:
				scramble(rng, w, col, e)
			}
		}
	}
	for rng.Float64() < churn && w.Len() < 60 {
		e, ok := w.Create(t)
		if !ok {
			return
		}
		w.SetOwner(e, uint16(rng.UintN(3)))
		for col := range columns {
			if rng.IntN(2) == 0 {
				scramble(rng, w, col, e)
			}
		}
	}
}

// crowd makes n entities with bodies; every other one is also tagged.
func crowd(w *ecs.World, t tick.Tick, n int) {
	for i := range n {
		e, _ := w.Create(t)
		w.Column(colBody).Add(e)
		*ecs.At[body](w.Column(colBody), w.Column(colBody).Len()-1) = body{X: float32(i), Y: 2}
		if i%2 == 0 {
			w.Column(colTag).Add(e)
		}
	}
}

func sameImportance(*Frame, int) (float32, bool) { return 1, false }

// pair is a server and a client without a network.
type pair struct {
	t    testing.TB
	g    *sim.Game
	w    *ecs.World
	h    *History
	s    *Sender
	r    *Receiver
	f    *Frame
	seq  uint16
	room []int
	out  Update
}

func newPair(t testing.TB, room ...int) *pair {
	g := testGame()
	h := NewHistory(g, 128)
	return &pair{t: t, g: g, w: g.NewWorld(), h: h, s: NewSender(h), r: NewReceiver(g), room: room}
}

func (p *pair) plan(t tick.Tick) (int, bool) {
	p.f = p.h.Record(t, p.w)
	return p.s.Plan(p.f, sameImportance, p.room)
}

// bytes are those of a part, as sent.
func (p *pair) bytes(part int) []byte {
	var w bits.Writer
	w.Append(p.s.Section(part))
	if w.Len() > p.room[part] {
		p.t.Fatalf("part %d has %d bits, room is %d", part, w.Len(), p.room[part])
	}
	return append([]byte(nil), w.Bytes()...)
}

func (p *pair) decode(b []byte, t tick.Tick) error {
	var rd bits.Reader
	rd.Reset(b)
	if err := p.r.Decode(&rd, t, &p.out); err != nil {
		return err
	}
	return rd.Done()
}

// exchange is one tick on a perfect link, but that acks come at once.
func (p *pair) exchange(t tick.Tick) (parts int, all bool) {
	p.t.Helper()
	parts, all = p.plan(t)
	for k := range parts {
		p.seq++
		p.s.Sent(k, p.seq)
		if err := p.decode(p.bytes(k), t); err != nil {
			p.t.Fatalf("tick %d part %d: %v", t, k, err)
		}
		p.s.Acked(p.seq)
	}
	return parts, all
}

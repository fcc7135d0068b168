package predict

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

type body struct {
	X float32 `net:"tolerance=0.01,smooth"`
	V float32 `net:"tolerance=0.01"`
}
type heat struct {
	T float32 `net:"step=1/16,tolerance=0.001"` // rounded only when it travels
}
type stick struct {
	Push float32 `net:"step=1/64,min=-2,max=2"`
	Hit  sim.Counter
	Mode uint16
}
type taps struct {
	Last sim.Counter
	N    uint16
}
type gain struct{ K float32 } // the server's
type fuse struct{ Left int32 }
type seen struct{ N int32 } // the client's own

var (
	base   = sim.New("bench", 60)
	bodies = sim.Predicted[body](base)
	heats  = sim.Predicted[heat](base)
	sticks = sim.Input[stick](base)
	tapped = sim.Predicted[taps](base)
	gains  = sim.Replicated[gain](base)
	fuses  = sim.Predicted[fuse](base)
	seens  = sim.ClientOnly[seen](base)
	tapFx  = base.Effect("tap")

	driven = sim.Where2(sticks, bodies)
	moving = sim.Where1(bodies)
	burnt  = sim.Where1(fuses)
	warm   = sim.Where2(bodies, heats)
	click  = sim.Where2(sticks, tapped)

	single, whole *sim.Game // the same; that entities do not meet is known of single only
	meet, frozen  *sim.Game
	plain         *sim.Game // nothing in it is rounded
)

func init() {
	base.System("drive", drive, sim.ReadsOwn)
	base.System("warm", warmUp, sim.ReadsOwn)
	base.System("tap", tap, sim.ReadsOwn)
	base.System("burn", burn, sim.ReadsOwn)
	base.ClientSystem("see", see, sim.ReadsOwn)
	single = base.Variant("single").Seal()
	whole = base.Variant("whole").System("none", func(*sim.Step) {}).Seal()
	meet = base.Variant("meet").System("meet", meeting).Seal()
	plain = base.Variant("plain").Without("warm").Seal()
	frozen = base.Variant("frozen").Holes(sim.HolePolicy{Freeze: true}).Seal()
}

func drive(s *sim.Step) {
	for e, m := range driven.In(s) {
		k := float32(1)
		if g, ok := gains.Read(s, e); ok {
			k = g.K
		}
		b := bodies.Write(s, e)
		b.V += float32(float32(m.A.Push*k) * s.Dt)
	}
	for e := range moving.In(s) {
		b := bodies.Write(s, e)
		b.X += float32(b.V * s.Dt)
	}
}

func warmUp(s *sim.Step) {
	for e, m := range warm.In(s) {
		h := heats.Write(s, e)
		h.T += float32(m.A.V * 0.013)
	}
}

func tap(s *sim.Step) {
	for e, m := range click.In(s) {
		t := tapped.Write(s, e)
		n := m.A.Hit.Since(t.Last, 3)
		t.Last = m.A.Hit
		t.N += uint16(n)
		if n > 0 {
			tapFx.Emit(s, e, float32(n))
		}
	}
}

func burn(s *sim.Step) {
	for e := range burnt.In(s) {
		f := fuses.Write(s, e)
		if f.Left--; f.Left == 0 {
			s.Destroy(e)
		}
	}
}

func see(s *sim.Step) {
	for e := range moving.In(s) {
		if n := seens.Write(s, e); n != nil {
			n.N++
		} else {
			seens.Add(s, e, seen{1})
		}
	}
}

// meeting makes every body push the next one.
func meeting(s *sim.Step) {
	es, bs := bodies.All(s)
	for i := 1; i < len(es); i++ {
		d := bs[i].X - bs[i-1].X
		if d < 1 && d > -1 {
			bodies.Write(s, es[i]).V += 0.01
			bodies.Write(s, es[i-1]).V -= 0.01
		}
	}
}

// past is the server: its states, and what is needed to go on.
type past struct {
	g      *sim.Game
	run    *sim.Runner
	w      *ecs.World
	now    tick.Tick
	states *tick.Ring[*ecs.World]
}

func newPast(g *sim.Game, start tick.Tick) *past {
	s := &past{g: g, run: sim.NewRunner(g, 7), w: g.NewWorld(), now: start, states: tick.NewRing[*ecs.World](512)}
	s.keep()
	return s
}

func (s *past) keep() {
	w := s.g.NewWorld()
	w.CopyFrom(s.w)
	*s.states.Put(s.now) = w
}

func (s *past) at(t tick.Tick) *ecs.World {
	w, ok := s.states.At(t)
	if !ok {
		return s.g.NewWorld()
	}
	return *w
}

// step executes a tick with the player's input, obtained as how says.
func (s *past) step(in []byte, how sim.How) {
	s.run.Begin(s.w, s.now, sim.ServerSide)
	if how != sim.AsSent {
		in = make([]byte, s.g.InputSize())
		s.run.LastInput(s.w, me, in)
		s.g.Fill(in, in, how)
	}
	s.run.SetInput(me, in)
	if how == sim.Frozen {
		s.run.LockPlayer(me)
	}
	s.run.Systems()
	s.now++
	s.keep()
}

const me sim.Player = 1

// spawn makes an entity with a body and what else is asked for.
func spawn(w *ecs.World, now tick.Tick, owner sim.Player, x float32) tick.Entity {
	e, _ := w.Create(now)
	w.SetOwner(e, uint16(owner))
	give(w, e, bodies, body{X: x, V: x / 8})
	give(w, e, heats, heat{x / 16})
	if owner == me {
		give(w, e, sticks.Comp, stick{})
		give(w, e, tapped, taps{})
		give(w, e, gains, gain{1})
	}
	return e
}

func give[T any](w *ecs.World, e tick.Entity, c sim.Comp[T], v T) {
	col := w.Column(c.Column())
	copy(col.Bytes(col.Add(e)), ecs.BytesOf(&v))
}

// word is what the server says of e in w.
func word(g *sim.Game, w *ecs.World, e tick.Entity) Value {
	if !w.Alive(e) {
		return Value{Entity: e, Gone: true}
	}
	v := Value{Entity: e, Owner: w.Owner(e)}
	for i, col := range g.Wire() {
		if row, ok := w.Column(col).Row(e); ok {
			n := len(v.Words)
			v.Mask |= 1 << i
			v.Words = append(v.Words, make([]int32, g.Plan(col).Words)...)
			g.Plan(col).Quantise(w.Column(col).Bytes(row), v.Words[n:])
		}
	}
	return v
}

func words(g *sim.Game, w *ecs.World, es ...tick.Entity) []Value {
	var out []Value
	for _, e := range es {
		out = append(out, word(g, w, e))
	}
	return out
}

func input(push float32, hits int) []byte {
	v := stick{Push: push, Hit: sim.Counter(hits)}
	in := slices.Clone(ecs.BytesOf(&v))
	single.RoundInput(in)
	return in
}

func newRand(t *testing.T, seed int64) *rand.Rand {
	t.Helper()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewSource(seed))
}

// differs says where two worlds differ, the allocator aside: a client makes no
// entities.
func differs(a, b *ecs.World) (ecs.Diff, bool) {
	d, ok := a.FirstDiff(b)
	return d, ok && d.Component != ecs.DiffAllocator
}

// window copies all states that p holds from tick from on.
func window(p *Predictor, from tick.Tick) []*ecs.World {
	var out []*ecs.World
	for t := from; !t.After(p.Now()); t++ {
		w := p.g.NewWorld()
		if s, ok := p.State(t); ok {
			w.CopyFrom(s)
		}
		out = append(out, w)
	}
	return append(out, func() *ecs.World { w := p.g.NewWorld(); w.CopyFrom(p.World()); return w }())
}

func sameWindow(t *testing.T, what string, p *Predictor, from tick.Tick, was []*ecs.World) {
	t.Helper()
	for i, w := range window(p, from) {
		if d, ok := differs(was[i], w); ok {
			t.Fatalf("%s: state %d differs: entity %d, component %d, byte %d", what, from.Add(int32(i)), d.Entity, d.Component, d.Offset)
		}
	}
}

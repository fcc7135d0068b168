package sim

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/tick"
)

type pos struct {
	P geom.Vec2 `net:"step=1/64"`
}
type vel struct{ V geom.Vec2 }
type hp struct{ N int32 }
type secret struct{ N int32 }
type go1 struct{ Dir float32 }

// bench is a small game whose systems a test sets.
type bench struct {
	g   *Game
	pos Comp[pos]
	vel Comp[vel]
	hp  Comp[hp]
	sec Comp[secret]
	in  InputComp[go1]
	w   *ecs.World
	r   *Runner
	es  []tick.Entity
}

func newBench(entities int, declare func(*bench)) *bench {
	g := New("bench", 64)
	b := &bench{g: g, pos: Predicted[pos](g), vel: Predicted[vel](g), hp: Replicated[hp](g),
		sec: ServerOnly[secret](g), in: Input[go1](g)}
	declare(b)
	b.w = g.Seal().NewWorld()
	b.r = NewRunner(g, 1)
	for i := range entities {
		e, _ := b.w.Create(0)
		b.w.SetOwner(e, uint16(i+1))
		for _, col := range []int{b.pos.Column(), b.vel.Column(), b.in.Column()} {
			b.w.Column(col).Add(e)
		}
		_, vs := b.vel.AllOf(b.w)
		vs[i].V = geom.V2(float32(i)+0.1, 1)
		b.es = append(b.es, e)
	}
	return b
}

func (b *bench) step(side Side) []Effect {
	b.r.Begin(b.w, 7, side)
	b.r.Systems()
	return b.r.Effects()
}

func TestSidesAndOrder(t *testing.T) {
	ran := ""
	b := newBench(0, func(b *bench) {
		b.g.System("a", func(*Step) { ran += "a" }).ServerSystem("b", func(*Step) { ran += "b" }).
			ClientSystem("c", func(*Step) { ran += "c" }).System("d", func(*Step) { ran += "d" })
	})
	b.step(ServerSide)
	b.step(ClientSide)
	if ran != "abdacd" {
		t.Errorf("ran %s", ran)
	}
	if b.r.Step().Dt != 1.0/64 || b.r.Step().Tick != 7 {
		t.Error("Dt or Tick")
	}
}

func TestChangesApplyAtTheEndOfTheSystem(t *testing.T) {
	var log []string
	b := newBench(3, func(b *bench) {
		b.g.ServerSystem("ask", func(s *Step) {
			e, f, g := b.es[0], b.es[1], b.es[2]
			b.hp.Add(s, e, hp{5})
			b.hp.Add(s, e, hp{6}) // the later one counts
			b.vel.Remove(s, e)
			b.pos.Remove(s, f)
			b.pos.Add(s, f, pos{geom.V2(9, 9)}) // removed and added
			b.hp.Add(s, g, hp{1})
			b.hp.Remove(s, g) // added and removed
			s.Destroy(g)
			b.sec.Add(s, g, secret{3}) // dead by then
			n := s.Spawn(3)
			b.hp.Add(s, n, hp{7})
			_, has := b.hp.Read(s, n)
			log = append(log, fmt.Sprint(b.hp.Has(s, e), b.hp.Write(s, e) == nil, b.vel.Has(s, e), s.Alive(g),
				s.Alive(n), has, s.Owner(n)))
		})
		b.g.ServerSystem("look", func(s *Step) {
			h, _ := b.hp.Read(s, b.es[0])
			p, _ := b.pos.Read(s, b.es[1])
			es, hs := b.hp.All(s)
			log = append(log, fmt.Sprint(h.N, b.vel.Has(s, b.es[0]), p.P.X, s.Alive(b.es[2]), len(es), hs[1].N))
		})
	})
	b.step(ServerSide)
	if want := []string{"false true true true true false 3", "6 false 9 false 2 7"}; !reflect.DeepEqual(log, want) {
		t.Errorf("%q, want %q", log, want)
	}
}

func TestOnlyTheServerSpawns(t *testing.T) {
	b := newBench(1, func(b *bench) {
		b.g.System("s", func(s *Step) {
			e := s.Spawn(1)
			b.hp.Add(s, e, hp{1}) // harmless on NoEntity
		})
	})
	if b.step(ClientSide); b.w.Len() != 1 {
		t.Error("a client spawned")
	}
	if b.step(ServerSide); b.w.Len() != 2 {
		t.Error("the server did not spawn")
	}
}

func TestLock(t *testing.T) {
	var seen []float32
	b := newBench(12, func(b *bench) {
		b.g.System("pair", func(s *Step) {
			x, y := b.vel.Write(s, b.es[0]), b.vel.Write(s, b.es[1])
			if x == y {
				t.Error("two writes share their memory")
			}
			x.V.X, y.V.X = x.V.X+100, y.V.X+200
			if x.V.X != 100.1 || y.V.X != 201.1 {
				t.Errorf("what is written is not in hand: %v %v", x.V.X, y.V.X)
			}
			var held [spareRows]*vel // as many as promised
			for i := range held {
				held[i] = b.vel.Write(s, b.es[i])
				held[i].V.Y = float32(i)
			}
			for i := range held {
				if held[i].V.Y != float32(i) {
					t.Errorf("write %d was overwritten", i)
				}
			}
			v, _ := b.vel.Read(s, b.es[0])
			seen = append(seen, v.V.X)
			b.hp.Add(s, b.es[0], hp{1})
			b.pos.Remove(s, b.es[0])
			s.Destroy(b.es[1])
		})
	})
	was := b.g.NewWorld()
	was.CopyFrom(b.w)
	b.r.Begin(b.w, 7, ClientSide)
	for _, e := range b.es {
		b.r.Lock(e)
	}
	b.r.Systems()
	if d, ok := b.w.FirstDiff(was); ok {
		t.Errorf("a read-only world has changed: %+v", d)
	}
	b.step(ClientSide) // a lock is for one step
	if len(seen) != 2 || seen[0] != 0.1 || seen[1] != 100.1 {
		t.Errorf("read %v", seen)
	}
	if b.hp.Has(b.r.Step(), b.es[0]) != true || b.w.Alive(b.es[1]) {
		t.Error("the lock outlived its step")
	}
}

func TestLockPlayer(t *testing.T) {
	b := newBench(4, func(b *bench) {
		b.g.System("push", func(s *Step) {
			for _, e := range b.es {
				b.vel.Write(s, e).V.X += 10
			}
		})
	})
	b.r.Begin(b.w, 1, ServerSide)
	b.r.LockPlayer(2)
	b.r.Systems()
	for i, e := range b.es {
		v, _ := b.vel.Of(b.w, e)
		if moved := v.V.X > 5; moved == (i == 1) {
			t.Errorf("player %d: moved %v", i+1, moved)
		}
	}
}

// own is a game whose systems read only their own entity.
func own(rounded bool) *bench {
	return newBench(6, func(b *bench) {
		q := Where3(b.in, b.pos, b.vel)
		q1 := Where1[vel](b.vel)
		b.g.System("steer", func(s *Step) {
			for e, m := range q.In(s) {
				b.vel.Write(s, e).V.X += m.A.Dir
				b.pos.Write(s, e).P = m.B.P.MulAdd(m.C.V, s.Dt)
			}
		}, ReadsOwn)
		b.g.System("drag", func(s *Step) {
			for e := range q1.In(s) {
				v := b.vel.Write(s, e)
				v.V = v.V.Mul(0.99).Add(geom.V2(s.RandFloat(e, 1), 0))
				if v.V.X > 3 {
					b.hp.Add(s, e, hp{1})
				}
			}
		}, ReadsOwn)
		b.g.ServerSystem("score", func(*Step) {})
		if rounded {
			b.g.RoundState()
		}
	})
}

func TestScope(t *testing.T) {
	for _, rounded := range []bool{false, true} {
		full, part := own(rounded), own(rounded)
		if !full.g.Scoped() {
			t.Fatal("not scoped")
		}
		before := part.g.NewWorld()
		before.CopyFrom(part.w)
		in := make([]byte, 4)
		le.PutUint32(in, math.Float32bits(0.7))
		for _, b := range []*bench{full, part} {
			b.r.Begin(b.w, 3, ClientSide)
			if b == part {
				b.r.Scope([]tick.Entity{b.es[1], b.es[4]})
			}
			for p := range Player(7) {
				b.r.SetInput(p, in)
			}
			b.r.Systems()
		}
		for i, e := range full.es {
			want := before
			if i == 1 || i == 4 {
				want = full.w
			}
			got := part.g.NewWorld()
			got.CopyFrom(part.w)
			got.CopyEntity(want, e)
			if d, ok := got.FirstDiff(part.w); ok {
				t.Errorf("rounded %v, entity %d: %+v", rounded, i, d)
			}
		}
		for _, none := range [][]tick.Entity{nil, {}} {
			part.w.CopyFrom(before)
			part.r.Begin(part.w, 3, ClientSide)
			part.r.Scope(none)
			part.r.SetInput(2, in)
			part.r.Systems()
			if d, ok := part.w.FirstDiff(before); ok {
				t.Errorf("an empty scope: %+v", d)
			}
		}
	}
	if g := newBench(1, func(b *bench) { b.g.System("all", func(*Step) {}) }).g; g.Scoped() {
		t.Error("a game whose system reads everything is scoped")
	}
}

func TestRoundState(t *testing.T) {
	b := own(true)
	b.r.Begin(b.w, 3, ClientSide)
	b.r.Lock(b.es[0])
	off := geom.V2(0.001, 0)
	_, ps := b.pos.AllOf(b.w)
	ps[0].P = off
	b.r.Systems()
	for i, p := range ps {
		if x := p.P.X * 64; i > 0 && x != geom.Floor(x) {
			t.Errorf("entity %d is at %v, not a multiple of 1/64", i, p.P.X)
		}
	}
	if ps[0].P != off {
		t.Error("a read-only pose was rounded")
	}
	v, _ := b.vel.Of(b.w, b.es[1])
	if x := v.V.X * 64; x == geom.Floor(x) {
		t.Error("what travels exactly was rounded")
	}
}

func TestRand(t *testing.T) {
	b := newBench(2, func(*bench) {})
	at := func(seed uint64, now tick.Tick, side Side, e tick.Entity, n uint32) uint64 {
		r := NewRunner(b.g, seed)
		return r.Begin(b.w, now, side).Rand(e, n)
	}
	x := at(1, 2, ServerSide, b.es[0], 4)
	b.w.SetOwner(b.es[0], 9)
	s := b.r.Begin(b.w, 2, ClientSide)
	s.Rand(b.es[1], 1) // drawing changes nothing
	if s.Rand(b.es[0], 4) != x || at(1, 2, ClientSide, b.es[0], 4) != x {
		t.Error("depends on something else")
	}
	seen := map[uint64]bool{x: true}
	for _, y := range []uint64{
		at(2, 2, ServerSide, b.es[0], 4), at(1, 3, ServerSide, b.es[0], 4),
		at(1, 2, ServerSide, b.es[1], 4), at(1, 2, ServerSide, b.es[0], 5),
	} {
		if seen[y] {
			t.Error("does not depend on seed, tick, entity or ordinal")
		}
		seen[y] = true
	}
	sum, n := float64(0), 0
	for now := range tick.Tick(100) {
		s := b.r.Begin(b.w, now, ServerSide)
		for e := range tick.Entity(100) {
			for o := range uint32(10) {
				f := s.RandFloat(e<<16, o)
				if f < 0 || f >= 1 {
					t.Fatalf("%v is outside [0, 1)", f)
				}
				sum += float64(f)
				n++
			}
		}
	}
	if mean := sum / float64(n); mean < 0.497 || mean > 0.503 {
		t.Errorf("mean %v", mean)
	}
}

func TestEffects(t *testing.T) {
	var bang, puff EffectKind
	many := 0
	b := newBench(2, func(b *bench) {
		bang, puff = b.g.Effect("bang"), b.g.Effect("puff")
		b.g.System("e", func(s *Step) {
			bang.Emit(s, b.es[0], 1.5, -0.02, float32(math.NaN()), 1e20, 9)
			bang.Emit(s, b.es[1])
			puff.Emit(s, b.es[0], float32(math.Inf(-1)))
			bang.Emit(s, b.es[0])
			for range many {
				puff.Emit(s, b.es[1])
			}
		})
	})
	if n := b.g.Effects(); !reflect.DeepEqual(n, []string{"bang", "puff"}) || bang.ID() != 0 || puff.ID() != 1 {
		t.Errorf("names %v", n)
	}
	want := []Effect{
		{Tick: 7, Entity: b.es[0], Data: [4]int32{96, -1, 0, effectLimit}},
		{Tick: 7, Entity: b.es[1]},
		{Tick: 7, Entity: b.es[0], Kind: 1, Data: [4]int32{-effectLimit}},
		{Tick: 7, Entity: b.es[0], Ordinal: 1},
	}
	got := b.step(ClientSide)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want\n%+v", got, want)
	}
	if got[0].Float(0) != 1.5 {
		t.Error("Float")
	}
	many = 1000
	got = b.step(ClientSide)
	if len(got) != MaxEffects || got[MaxEffects-1].Ordinal != MaxEffects-5 {
		t.Errorf("%d effects, the last has ordinal %d", len(got), got[len(got)-1].Ordinal)
	}
	many = 0
	if got := b.step(ClientSide); len(got) != 4 {
		t.Errorf("%d effects are left of the step before", len(got))
	}
}

func TestJoinLeaveMode(t *testing.T) {
	b := newBench(3, func(b *bench) {
		b.g.Join(func(s *Step, p Player) { b.hp.Add(s, s.Spawn(p), hp{int32(p)}) })
	})
	b.r.Begin(b.w, 0, ServerSide)
	b.r.Join(2)
	es, hs := b.hp.AllOf(b.w)
	if len(es) != 1 || hs[0].N != 2 || b.w.Owner(es[0]) != 2 {
		t.Error("Join has not run, or its changes wait")
	}
	b.r.Leave(2)
	if b.w.Len() != 2 || b.w.Alive(es[0]) || b.w.Alive(b.es[1]) {
		t.Error("without a Leave, not all that the player owned is gone")
	}
	left := newBench(1, func(b *bench) { b.g.Leave(func(s *Step, p Player) { b.hp.Add(s, b.es[0], hp{int32(p)}) }) })
	left.r.Begin(left.w, 0, ServerSide)
	left.r.Leave(1)
	if h, ok := left.hp.Of(left.w, left.es[0]); !ok || h.N != 1 {
		t.Error("the game's Leave has not run")
	}

	if b.g.ModeOfEntity(1, 1, 0, false) != Simulated || b.g.ModeOfEntity(2, 1, 0, false) != Interpolated ||
		b.g.ModeOfEntity(2, 1, 0, true) != Simulated || b.g.ModeOfEntity(0, 1, 0, true) != Interpolated {
		t.Error("the default mode")
	}
	m := newBench(0, func(b *bench) {
		b.g.ModeOf(func(v ModeView) Mode {
			if Has(v, b.hp) && !Has(v, b.sec) && !Has(v, b.pos) {
				return Simulated
			}
			return Interpolated
		})
	})
	bit := map[string]uint64{}
	for i, col := range m.g.Wire() {
		bit[m.g.Plan(col).Name] = 1 << i
	}
	if m.g.ModeOfEntity(0, 1, bit["hp"]|bit["vel"], false) != Simulated ||
		m.g.ModeOfEntity(0, 1, bit["hp"]|bit["pos"], false) != Interpolated || m.g.ModeOfEntity(0, 1, 0, false) != Interpolated {
		t.Error("Has does not tell what an entity has")
	}
}

// One runner for two worlds in turn gives the bits of two runners.
func TestRunnerHoldsNothing(t *testing.T) {
	a, b, c := own(false), own(false), own(false)
	for n := range tick.Tick(50) {
		for _, x := range []struct {
			r *Runner
			w *ecs.World
		}{{a.r, a.w}, {c.r, b.w}, {c.r, c.w}} {
			x.r.Begin(x.w, n, ServerSide)
			x.r.Systems()
		}
	}
	if !a.w.Equal(b.w) || !a.w.Equal(c.w) {
		t.Error("a runner remembers")
	}
	a.r.Begin(a.w, 51, ServerSide)
	a.r.Systems()
	if a.w.Equal(b.w) {
		t.Error("a step changes nothing, so this test shows nothing")
	}
}

func TestSteadyStepAllocatesNothing(t *testing.T) {
	var puff EffectKind
	b := newBench(20, func(b *bench) {
		puff = b.g.Effect("puff")
		q1, q2, q3 := Where1[vel](b.vel), Where2[vel, pos](b.vel, b.pos), Where3(b.in, b.pos, b.vel)
		b.g.System("all", func(s *Step) {
			for e := range q1.In(s) {
				if e == b.es[15] {
					break
				}
				puff.Emit(s, e, 1, 2, 3)
			}
			for e, m := range q2.In(s) {
				b.pos.Write(s, e).P = m.B.P.MulAdd(m.A.V, s.Dt)
			}
			for e, m := range q3.In(s) {
				b.vel.Write(s, e).V.X += m.A.Dir
			}
			b.hp.Add(s, b.es[3], hp{2})
			b.hp.Add(s, b.es[1], hp{2})
		})
		b.g.System("undo", func(s *Step) { b.hp.Remove(s, b.es[1]); b.hp.Remove(s, b.es[3]) })
		b.g.RoundState()
	})
	in := make([]byte, 4)
	step := func() {
		b.r.Begin(b.w, 7, ClientSide)
		b.r.Lock(b.es[2])
		b.r.SetInput(3, in)
		b.r.Systems()
	}
	step()
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}

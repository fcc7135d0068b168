package lab

import (
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// truthTicks is how long the lab remembers the server's past: longer than any
// client's history at 60 Hz.
const truthTicks = 1024

// truth is what really happened, tick by tick: the server's own worlds,
// server-only components included, and what everyone executed.
type truth struct {
	g      *sim.Game
	worlds *tick.Ring[truthTick] // state t, and the inputs tick t executed
	words  [2][]int32
	was    []sim.Player // in the world before the tick
	is     []sim.Player
}

type truthTick struct {
	w      *ecs.World
	done   bool // the tick was executed: inputs are known
	inputs []executed
	joins  []sim.Player
	leaves []sim.Player
}

type executed struct {
	player sim.Player
	how    sim.How
	data   []byte
}

func newTruth(l *Lab) *truth {
	t := &truth{g: l.Game, worlds: tick.NewRing[truthTick](truthTicks)}
	t.put(l.Server.Now(), l.Server.World())
	return t
}

func (t *truth) put(n tick.Tick, w *ecs.World) {
	x := t.worlds.Put(n)
	if x.w == nil {
		x.w = t.g.NewWorld()
	}
	x.w.CopyFrom(w)
	x.done, x.inputs, x.joins, x.leaves = false, x.inputs[:0], x.joins[:0], x.leaves[:0]
}

// after takes down one tick of the server. Who was in the world before it is
// known from the last one: between ticks the server forgets who is leaving.
func (t *truth) after(l *Lab) {
	n := l.Server.Now() - 1
	x, ok := t.worlds.At(n)
	t.put(l.Server.Now(), l.Server.World())
	if !ok {
		return
	}
	x.done = true
	run := l.Server.Runner()
	t.is = l.Server.InWorld(t.is[:0])
	is := t.is
	for _, p := range t.was {
		if !has(is, p) {
			x.leaves = append(x.leaves, p)
		}
	}
	for _, p := range is {
		if !has(t.was, p) {
			x.joins = append(x.joins, p)
		}
		e, ok := l.Server.Executed(p, n)
		if !ok {
			continue
		}
		in := x.add(t.g.InputSize())
		in.player, in.how = p, e.How
		run.LastInput(l.Server.World(), p, in.data)
	}
	t.was, t.is = t.is, t.was
}

// add makes room for one more input; the memory of former ticks is used again.
func (x *truthTick) add(size int) *executed {
	n := len(x.inputs)
	if n < cap(x.inputs) {
		x.inputs = x.inputs[:n+1]
	} else {
		x.inputs = append(x.inputs, executed{})
	}
	in := &x.inputs[n]
	if len(in.data) != size {
		in.data = make([]byte, size)
	}
	return in
}

func has(ps []sim.Player, p sim.Player) bool {
	for _, x := range ps {
		if x == p {
			return true
		}
	}
	return false
}

// input returns what a player executed at tick n.
func (t *truth) input(n tick.Tick, p sim.Player) (*executed, bool) {
	x, ok := t.worlds.At(n)
	if !ok || !x.done {
		return nil, false
	}
	for i := range x.inputs {
		if x.inputs[i].player == p {
			return &x.inputs[i], true
		}
	}
	return nil, false
}

// same reports whether what is predicted of e is the same in a client's world
// and in the server's, as far as it travels, and how far apart it is. The input
// of me is not predicted.
func (t *truth) same(w, server *ecs.World, e tick.Entity, me sim.Player) (same bool, distance float32) {
	if w.Alive(e) != server.Alive(e) || w.Owner(e) != server.Owner(e) {
		return false, 0
	}
	same = true
	for _, col := range t.g.Wire() {
		k := t.g.KindOf(col)
		if k == sim.KindReplicated || k == sim.KindInput && me != sim.NoPlayer && server.Owner(e) == uint16(me) {
			continue
		}
		p := t.g.Plan(col)
		a, okA := w.Column(col).Row(e)
		b, okB := server.Column(col).Row(e)
		if okA != okB {
			return false, distance
		}
		if !okA {
			continue
		}
		x, y := w.Column(col).Bytes(a), server.Column(col).Bytes(b)
		if p.Exact() && string(x) == string(y) {
			continue
		}
		same = t.alike(p, x, y) && same
		if d := p.Distance(x, y); !same && d > distance {
			distance = d
		}
	}
	return same, distance
}

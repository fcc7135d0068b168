package lab

import (
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

const (
	whyMemory = "the same tick gave another result when it was run again:" +
		" look for variables at package level, captured variables, maps in a range, the clock, math/rand"
	whyRebuild = "the same components in a world made anew gave another result:" +
		" look for what is kept outside of components from one tick to the next, pointers and row numbers above all"
	whyInterleaved = "another match in the same process changed this one: look for variables at package level"
	whyHidden      = "a system that the client runs reads what never travels to it:" +
		" make the component Predicted or Replicated, or the system a ServerSystem"
	whyReadOnly = "written although it is read-only here: All and queries are for reading, write with Write"
	whyOwnReads = "alone it becomes something else than among the others: a system declared ReadsOwn reads another entity"
	whyOwnWrite = "a system declared ReadsOwn wrote an entity that was not its turn: range over a query, and write only what it yields"
	whyTravel   = "a value that does not survive its way over the wire: not a number, infinite, or out of its range"
)

// rollback runs ticks again from the state a few ticks ago, on the server's side.
func (t *trial) rollback() {
	for to := replayed; to <= len(t.ticks); to += replayed / 2 {
		t.w.CopyFrom(t.state(to - replayed))
		for i := to - replayed; i < to; i++ {
			t.tick(t.run, t.w, i, sim.ServerSide)
			if t.differ(CheckRollback, i, t.w, t.state(i+1), true, whyMemory) ||
				!t.sameEffects(CheckRollback, i, t.run.Effects(), whyMemory) {
				return
			}
		}
	}
}

// client runs the client's systems for some ticks, and again.
func (t *trial) client() {
	var first [replayed]*ecs.World
	for k := range first {
		first[k] = t.g.NewWorld()
	}
	for from := 0; from+replayed <= len(t.ticks); from += replayed / 2 {
		for again := range 2 {
			t.w.CopyFrom(t.state(from))
			for k := range replayed {
				t.tick(t.run, t.w, from+k, sim.ClientSide)
				if again == 0 {
					first[k].CopyFrom(t.w)
				} else if t.differ(CheckClient, from+k, t.w, first[k], true, whyMemory) {
					return
				}
			}
		}
	}
}

// rebuild runs each tick in a world whose rows were made anew in another order.
func (t *trial) rebuild() {
	worlds := [3]*ecs.World{t.g.NewWorld(), t.g.NewWorld(), t.g.NewWorld()}
	for i := range t.ticks {
		w := worlds[i%len(worlds)]
		t.rebuilt(w, t.state(i), uint64(i))
		t.tick(t.run, w, i, sim.ServerSide)
		if t.differ(CheckRebuild, i, w, t.state(i+1), true, whyRebuild) ||
			!t.sameEffects(CheckRebuild, i, t.run.Effects(), whyRebuild) {
			return
		}
	}
}

// rebuilt makes w equal to from, one component of one entity after the other in
// a shuffled order. Which indices are free is state, and copied.
func (t *trial) rebuilt(w, from *ecs.World, seed uint64) {
	w.CopyFrom(from)
	type cell struct {
		col int
		e   tick.Entity
	}
	var cells []cell
	for col := range t.g.Components() {
		for _, e := range from.Column(col).IDs() {
			cells = append(cells, cell{col, e})
		}
		w.Column(col).Clear()
	}
	for i := range cells {
		k := i + int(mix(seed<<32+uint64(i))%uint64(len(cells)-i))
		cells[i], cells[k] = cells[k], cells[i]
		w.CopyRow(cells[i].col, from, cells[i].e)
	}
}

// interleaved runs the match again, in turn with one that began elsewhere.
func (t *trial) interleaved() {
	other := sim.NewRunner(t.g, mix(t.c.Seed+1))
	t.w.CopyFrom(t.state(0))
	t.x.CopyFrom(t.state(len(t.ticks) / 3))
	for i := range t.ticks {
		t.tick(other, t.x, (i+len(t.ticks)/3)%len(t.ticks), sim.ServerSide)
		t.tick(t.run, t.w, i, sim.ServerSide)
		if t.differ(CheckInterleaved, i, t.w, t.state(i+1), true, whyInterleaved) {
			return
		}
	}
}

// hidden runs a client's tick with and without the components that the client
// never has, and compares what it predicts.
func (t *trial) hidden() {
	for i := range t.ticks {
		t.w.CopyFrom(t.state(i))
		t.x.CopyFrom(t.state(i))
		for col := range t.g.Components() {
			if t.g.KindOf(col) == sim.KindServerOnly {
				t.x.Column(col).Clear()
			}
		}
		t.tick(t.run, t.w, i, sim.ClientSide)
		t.tick(t.run, t.x, i, sim.ClientSide)
		for col := range t.g.Components() {
			if t.g.KindOf(col) == sim.KindServerOnly {
				t.w.Column(col).Clear()
				t.x.Column(col).Clear()
			}
		}
		if t.differ(CheckHidden, i, t.w, t.x, false, whyHidden) {
			return
		}
	}
}

// readOnly locks all that does not belong to one player, as a client does with
// whom it only interpolates, and looks whether it was left alone.
func (t *trial) readOnly() {
	for i := range t.ticks {
		me := uint16(1 + i%t.c.Players)
		t.w.CopyFrom(t.state(i))
		t.begin(t.run, t.w, i, sim.ClientSide)
		t.x.CopyFrom(t.w)
		for _, e := range t.w.Entities() {
			if t.w.Owner(e) != me {
				t.run.Lock(e)
			}
		}
		t.run.Systems()
		for _, e := range t.x.Entities() {
			if t.x.Owner(e) == me {
				t.x.CopyEntity(t.w, e) // free to change
			}
		}
		if t.differ(CheckReadOnly, i, t.w, t.x, false, whyReadOnly) {
			return
		}
	}
}

// own runs single entities, where the game says that this is enough.
func (t *trial) own() {
	if !t.g.Scoped() {
		return
	}
	full := t.g.NewWorld()
	for i := range t.ticks {
		full.CopyFrom(t.state(i))
		t.tick(t.run, full, i, sim.ClientSide)
		es := t.state(i).Entities()
		for k := range min(len(es), 4) {
			if t.ownOne(full, i, es[(i*4+k)%len(es)]) {
				return
			}
		}
	}
}

func (t *trial) ownOne(full *ecs.World, i int, e tick.Entity) bool {
	t.w.CopyFrom(t.state(i))
	scope := []tick.Entity{e}
	run, x := t.run, &t.ticks[i]
	run.Begin(t.w, trialStart.Add(int32(i)), sim.ClientSide)
	run.Scope(scope)
	for k := range x.inputs {
		run.SetInput(x.inputs[k].player, x.inputs[k].data)
	}
	run.Systems()
	t.x.CopyFrom(t.state(i))
	t.x.CopyEntity(t.w, e)
	if t.differ(CheckOwn, i, t.w, t.x, false, whyOwnWrite) {
		return true
	}
	t.x.CopyEntity(full, e)
	return t.differ(CheckOwn, i, t.w, t.x, false, whyOwnReads)
}

// travel packs and unpacks what is to travel exactly.
func (t *trial) travel() {
	for i := range len(t.ticks) {
		w := t.state(i + 1)
		t.x.CopyFrom(w)
		for _, col := range t.g.Wire() {
			p, c := t.g.Plan(col), t.x.Column(col)
			for row := range c.Len() {
				if p.Exact() {
					p.Round(c.Bytes(row))
				}
			}
		}
		if t.differ(CheckTravel, i, w, t.x, false, whyTravel) {
			return
		}
	}
}

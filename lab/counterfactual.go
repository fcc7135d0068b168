package lab

import (
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// rerun runs a client's ticks from..to-1 again, at a level of replacement, and
// returns the state at to.
func (l *Lab) rerun(p *Peer, from, to tick.Tick, level int) (*ecs.World, bool) {
	if level >= withServerSystems {
		return l.rerunServer(from, to, level == withExact)
	}
	pr := p.Replica.Predictor()
	mine, ok := pr.State(from)
	x, ok2 := l.truth.worlds.At(from)
	if !ok || !ok2 {
		return nil, false
	}
	w := l.scratch()
	w.CopyFrom(mine)
	if level >= withState {
		l.adoptAll(p, w, x.w)
	}
	me := p.Replica.Player()
	var swap predict.Replace
	if level >= withOthers {
		swap.Others = func(w *ecs.World, t tick.Tick) { l.setOthers(w, t, me) }
		swap.OthersInput = func(run *sim.Runner, t tick.Tick) { l.setInputs(run, t, me) }
	}
	l.parted = false
	for t := from; t.Before(to); t++ {
		rec, ok := pr.Record(t)
		if !ok {
			return nil, false
		}
		if level == asPredicted && t != from {
			pr.Adopt(w, rec)
			l.parted = l.parted || !l.samePrediction(p, w, t)
		}
		if level >= withInputs {
			swap.Input = nil
			if in, ok := l.truth.input(t, me); ok {
				swap.Input, swap.How = in.data, in.how
			}
		}
		pr.Rerun(w, t, rec, &swap)
	}
	return w, true
}

// samePrediction reports whether w, run again, is what the client's history has
// of tick t: the same records must give the same bits, tick for tick.
func (l *Lab) samePrediction(p *Peer, w *ecs.World, t tick.Tick) bool {
	mine, ok := p.Replica.Predictor().State(t)
	if !ok {
		return true
	}
	for _, col := range l.Game.Wire() {
		a, b := w.Column(col), mine.Column(col)
		if l.Game.KindOf(col) == sim.KindPredicted && (!a.SameIDs(b) || string(a.Data()) != string(b.Data())) {
			return false
		}
	}
	return true
}

// adoptAll gives w the server's values, as they travel, of everything that the
// client simulates.
func (l *Lab) adoptAll(p *Peer, w, server *ecs.World) {
	for _, e := range server.Entities() {
		if l.simulates(p, server, e) {
			l.copyTravelling(w, server, e)
		}
	}
	for i := 0; i < w.Len(); i++ {
		if e := w.Entities()[i]; !server.Alive(e) && l.simulates(p, w, e) {
			w.Destroy(e, 0)
			i--
		}
	}
}

// copyTravelling makes e in w what a snapshot would say of it.
func (l *Lab) copyTravelling(w, from *ecs.World, e tick.Entity) {
	w.Insert(e)
	w.SetOwner(e, from.Owner(e))
	for _, col := range l.Game.Wire() {
		w.CopyRow(col, from, e)
		if c := w.Column(col); !l.Game.Plan(col).Exact() {
			if row, ok := c.Row(e); ok {
				l.Game.Plan(col).Round(c.Bytes(row))
			}
		}
	}
}

// setOthers gives w the true state of all that belongs to other players.
func (l *Lab) setOthers(w *ecs.World, t tick.Tick, me sim.Player) {
	x, ok := l.truth.worlds.At(t)
	if !ok {
		return
	}
	for _, e := range x.w.Entities() {
		if o := sim.Player(x.w.Owner(e)); o != sim.NoPlayer && o != me {
			l.copyTravelling(w, x.w, e)
		}
	}
	for i := 0; i < w.Len(); i++ {
		e := w.Entities()[i]
		if o := sim.Player(w.Owner(e)); o != sim.NoPlayer && o != me && !x.w.Alive(e) {
			w.Destroy(e, t)
			i--
		}
	}
}

// setInputs gives everyone else what he executed at tick t.
func (l *Lab) setInputs(run *sim.Runner, t tick.Tick, me sim.Player) {
	x, ok := l.truth.worlds.At(t)
	if !ok {
		return
	}
	for i := range x.inputs {
		in := &x.inputs[i]
		if in.player == me {
			continue
		}
		if in.how == sim.Frozen {
			run.LockPlayer(in.player)
		}
		run.SetInput(in.player, in.data)
	}
}

// rerunServer runs the server's own ticks, with all of its systems, from its
// state at from: as it travels, or to the bit.
func (l *Lab) rerunServer(from, to tick.Tick, exact bool) (*ecs.World, bool) {
	x, ok := l.truth.worlds.At(from)
	if !ok {
		return nil, false
	}
	w := l.scratch()
	w.CopyFrom(x.w)
	if !exact {
		for _, e := range w.Entities() {
			l.copyTravelling(w, x.w, e)
		}
	}
	for t := from; t.Before(to); t++ {
		x, ok := l.truth.worlds.At(t)
		if !ok || !x.done {
			return nil, false
		}
		l.run.Begin(w, t, sim.ServerSide)
		for _, p := range x.leaves {
			l.run.Leave(p)
		}
		for _, p := range x.joins {
			l.run.Join(p)
		}
		for i := range x.inputs {
			in := &x.inputs[i]
			l.run.SetInput(in.player, in.data)
			if in.how == sim.Frozen {
				l.run.LockPlayer(in.player)
			}
		}
		l.run.Systems()
	}
	return w, true
}

// scratch returns a world for the counterfactual, and sees that there is a
// runner with the match's seed.
func (l *Lab) scratch() *ecs.World {
	if l.spare == nil {
		l.spare = l.Game.NewWorld()
		l.run = sim.NewRunner(l.Game, l.seed)
	}
	return l.spare
}

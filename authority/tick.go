package authority

import (
	"time"

	"github.com/foretick/foretick/sim"
)

// Tick is the server: state n + inputs n = state n+1.
//
// The invariant it keeps: a tick executes for every player exactly one input,
// labelled n or made up; what was made up is written down before the step and
// told until acknowledged; n moves on by one, whatever came or did not come.
func (a *Authority) Tick(now time.Duration) {
	// Receive has put every input that came into its player's ring, by label.
	n := a.now
	a.pardon(now)
	a.tickAt, a.ticked = now, true
	a.run.Begin(a.world, n, sim.ServerSide)

	// Players who leave and join are inputs of this tick, too.
	a.dropSilent(now)
	for _, p := range a.leaving {
		a.run.Leave(p)
		a.count.Leaves++
	}
	a.leaving = a.leaving[:0]
	for _, c := range a.clients {
		if !c.joined {
			c.joined = true
			a.run.Join(c.player)
			a.count.Joins++
		}
	}

	// Pick: the input labelled n, or what the game puts into the hole.
	for _, c := range a.clients {
		how := a.pick(c)
		a.run.SetInput(c.player, a.input)
		if how == sim.Frozen {
			a.run.LockPlayer(c.player)
		}
	}

	// Step.
	a.run.Systems()
	a.now = after(n)

	// Record: the new state in words, once for all clients; what to show.
	effects := a.effects.Put(n)
	if *effects == nil {
		*effects = make([]sim.Effect, 0, firstEffects)
	}
	*effects = append((*effects)[:0], a.run.Effects()...)
	a.hist.Record(a.now, a.world)

	// Send to each client whose turn it is.
	for _, c := range a.clients {
		c.read = 0
		c.earn(a)
		if c.due(a.now) {
			a.send(c, now)
		}
	}
}

// pick puts into a.input what player c executes at tick now and notes how it
// was obtained.
func (a *Authority) pick(c *client) sim.How {
	how := sim.AsSent
	if in, ok := c.inputs.At(a.now); ok && !in.hole {
		copy(a.input, in.data)
		c.run = 0
	} else {
		c.run++
		if c.run < fresh {
			a.count.Holes++
			c.count.Holes++
		}
		a.run.LastInput(a.world, c.player, a.input)
		how = a.g.FillHole(a.input, a.input, c.run)
		how = a.misfill(c, how)
	}
	e := c.executed.Put(a.now)
	*e = Executed{How: how}
	return how
}

package lab

import (
	"strconv"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// executed: input n executes at tick n or never, once, and acts on what its
// owner owns and on nothing else.
func (c *checker) executed(l *Lab, n tick.Tick) {
	w := l.Server.World()
	c.inWorld = l.Server.InWorld(c.inWorld[:0])
	for _, p := range c.inWorld {
		e, ok := l.Server.Executed(p, n)
		if c.checks[2]++; !ok {
			c.fail(2, -1, "player "+strconv.Itoa(int(p))+" executed nothing")
			return
		}
		who := c.watchedAs(p)
		if who != nil && who.held && e.How != sim.AsSent {
			c.fail(2, who.p.index, "the input of tick "+strconv.Itoa(int(n))+" was there and was not executed")
		}
		if !c.inputOf(w, p) {
			delete(c.last, p)
			continue
		}
		was := c.last[p]
		if was == nil {
			was = &lastInput{at: n}
			c.last[p] = was
		}
		c.judge(n, p, who, e.How, was)
		was.at, was.data = n, append(was.data[:0], c.input...)
	}
	for i := range c.peers {
		x := &c.peers[i]
		x.held = false
		if p := l.Server.Player(x.bound); p != sim.NoPlayer {
			x.held = l.Server.Fill(p) > 0
		}
	}
}

// watchedAs finds the client that is a player now.
func (c *checker) watchedAs(p sim.Player) *watched {
	for i := range c.peers {
		if c.s.lab.Server.Player(c.peers[i].bound) == p {
			return &c.peers[i]
		}
	}
	return nil
}

// inputOf puts into c.input what the entities of a player executed.
func (c *checker) inputOf(w *ecs.World, p sim.Player) bool {
	for _, e := range w.Entities() {
		if w.Owner(e) == uint16(p) && c.read(w, e) {
			return true
		}
	}
	return false
}

// read puts an entity's inputs into c.input, if it has all of them.
func (c *checker) read(w *ecs.World, e tick.Entity) bool {
	for _, in := range c.inputs {
		col := w.Column(in.col)
		row, ok := col.Row(e)
		if !ok {
			return false
		}
		copy(c.input[in.off:], col.Bytes(row))
	}
	return len(c.inputs) > 0
}

// judge compares what a player executed with what he sampled for the tick, or
// with what fills a hole.
func (c *checker) judge(n tick.Tick, p sim.Player, who *watched, how sim.How, was *lastInput) {
	if who == nil {
		return // a liar, whose samples are lies
	}
	if how == sim.AsSent {
		for _, inv := range []int{1, 2, 14} {
			c.checks[inv]++
		}
		if !c.sample(who, n) {
			c.blame(n, p, who)
		}
		return
	}
	if was.at != n-1 {
		return // he has just joined
	}
	c.want = append(c.want[:0], was.data...)
	c.s.lab.Game.Fill(c.want, c.want, how)
	if c.checks[1]++; string(c.want) == string(c.input) {
		return
	}
	if q := c.theirs(n, p); q != sim.NoPlayer {
		c.fail(14, who.p.index, ran(n, p)+"the input of player "+strconv.Itoa(int(q)))
		return
	}
	c.fail(1, who.p.index, ran(n, p)+"something else than what fills a hole")
}

func ran(n tick.Tick, p sim.Player) string {
	return "player " + strconv.Itoa(int(p)) + " executed at tick " + strconv.Itoa(int(n)) + " "
}

// blame finds out whose input, and which, a player executed instead of his own
// of this tick: his own of the next or the last, another player's, or his own
// of any other. Who rests looks like anybody who does, so what is nearest counts.
func (c *checker) blame(n tick.Tick, p sim.Player, who *watched) {
	for k := int32(1); k < sampleTicks/2; k++ {
		if q := c.theirs(n, p); k == 2 && q != sim.NoPlayer {
			c.fail(14, who.p.index, ran(n, p)+"the input of player "+strconv.Itoa(int(q)))
			return
		}
		if c.sample(who, n.Add(k)) {
			c.fail(1, who.p.index, ran(n, p)+"its input "+strconv.Itoa(int(n.Add(k))))
			return
		}
		if c.sample(who, n.Add(-k)) {
			c.fail(2, who.p.index, ran(n, p)+"its input "+strconv.Itoa(int(n.Add(-k)))+", which was over")
			return
		}
	}
	c.fail(1, who.p.index, ran(n, p)+"an input that it never sampled")
}

// sample reports whether c.input is what a client sampled for a tick.
func (c *checker) sample(w *watched, n tick.Tick) bool {
	x, ok := w.samples.At(n)
	return ok && x.is && string(x.data) == string(c.input)
}

// theirs finds another player whose input of tick n is c.input.
func (c *checker) theirs(n tick.Tick, p sim.Player) sim.Player {
	for _, q := range c.inWorld {
		if q == p {
			continue
		}
		if o := c.watchedAs(q); o != nil && c.sample(o, n) {
			return q
		}
	}
	return sim.NoPlayer
}

// entities: an id is never used again within its generation, and what belongs
// to somebody belongs to one who is here.
func (c *checker) entities(l *Lab, n tick.Tick) {
	w := l.Server.World()
	k := 0
	for _, e := range w.Entities() {
		for k < len(c.alive) && c.alive[k] < e {
			k++
		}
		if k == len(c.alive) || c.alive[k] != e {
			c.check(!c.born[e], 14, -1, "entity "+strconv.Itoa(int(e))+" lives a second time")
			c.born[e] = true
		}
		if o := sim.Player(w.Owner(e)); o != sim.NoPlayer && !has(c.inWorld, o) {
			c.fail(23, -1, "entity "+strconv.Itoa(int(e))+" belongs to player "+strconv.Itoa(int(o))+", who has left")
		}
	}
	c.alive = append(c.alive[:0], w.Entities()...)
}

// world: no NaN, no infinity, all within bounds.
func (c *checker) world(l *Lab) {
	w := l.Server.World()
	c.finite(w, -1)
	if f, ok := l.Server.History().At(l.Server.Now()); ok {
		for _, t := range f.Changed {
			if t.After(c.changed) {
				c.changed = t
			}
		}
		if len(f.IDs) != c.count {
			c.count, c.changed = len(f.IDs), f.Tick
		}
	}
}

func (c *checker) finite(w *ecs.World, client int) {
	g := c.s.lab.Game
	for col := range g.Components() {
		p, x := g.Plan(col), w.Column(col)
		for row, e := range x.IDs() {
			if !p.Finite(x.Bytes(row)) {
				c.fail(19, client, p.Name+" of entity "+strconv.Itoa(int(e))+" is not a number")
				return
			}
		}
	}
	c.checks[19]++
	// A client's others may be extrapolated, through a wall if need be.
	if b := c.s.plan.game.Bounds; b != nil && client < 0 {
		if why := b(w); why != "" {
			c.fail(19, client, why)
		}
	}
}

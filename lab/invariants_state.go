package lab

import (
	"strconv"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/view"
)

// replays: from the same state and inputs comes the same world; from a world
// rebuilt of its components, too.
func (c *checker) replays(w *watched, pr *predict.Predictor) {
	if pr.Due() {
		return
	}
	switch w.rng.below(96) {
	case 0:
		back := 1 + w.rng.below(min(24, pr.History()-1))
		c.before.CopyFrom(pr.World())
		pr.Force(back)
		where, same := sameContents(c.s.lab.Game, c.before, pr.World())
		c.check(same, 11, w.p.index, "a forced rollback of "+strconv.Itoa(back)+" ticks changed the world: "+where)
		c.finite(pr.World(), w.p.index)
	case 1:
		c.rebuild(w, pr)
	}
}

// rebuild runs the ticks after the newest snapshot again, on a world made of
// the components of then, put together in another order.
func (c *checker) rebuild(w *watched, pr *predict.Predictor) {
	from, ok := pr.Reconciled()
	old, ok2 := pr.State(from)
	if !ok || !ok2 || !from.Before(pr.Now()) {
		return
	}
	world := c.s.lab.Game.NewWorld()
	es := append([]tick.Entity(nil), old.Entities()...)
	for i := range es {
		k := i + w.rng.below(len(es)-i)
		es[i], es[k] = es[k], es[i]
		world.Insert(es[i])
		world.SetOwner(es[i], old.Owner(es[i]))
		for col := range c.s.lab.Game.Components() {
			world.CopyRow(col, old, es[i])
		}
	}
	for t := from; t.Before(pr.Now()); t++ {
		rec, ok := pr.Record(t)
		if !ok {
			return
		}
		pr.Rerun(world, t, rec, &predict.Replace{})
	}
	where, same := sameContents(c.s.lab.Game, world, pr.World())
	c.check(same, 11, w.p.index, "a rebuilt world went on otherwise: "+where)
}

// sameContents compares all but the allocators: a client makes no entities.
func sameContents(g *sim.Game, a, b *ecs.World) (where string, same bool) {
	d, differ := a.FirstDiff(b)
	if !differ || d.Component == ecs.DiffAllocator {
		return "", true
	}
	return place(g, d), false
}

// place names where two worlds differ.
func place(g *sim.Game, d ecs.Diff) string {
	s := "entity " + strconv.Itoa(int(d.Entity))
	switch {
	case d.Component >= 0 && d.Offset >= 0:
		s += ", " + g.Plan(d.Component).Name + "." + g.Plan(d.Component).FieldAt(d.Offset)
	case d.Component >= 0:
		s += ", " + g.Plan(d.Component).Name + " on one side only"
	case d.Component == ecs.DiffAllocator:
		s += ", the allocator"
	case d.Component == ecs.DiffOwner:
		s += ", the owner"
	}
	return s
}

// checkEqual: after the quiet every client equals the server.
func (s *swarm) checkEqual() {
	for i := range s.peers {
		w := &s.peers[i]
		if w.p.Gone || s.bad != nil {
			continue
		}
		if !s.check(w.plays, 22, i, "it does not play: "+w.p.Replica.State().String()+" "+w.p.Replica.Reason()) {
			return
		}
		s.equal(w)
	}
}

func (s *swarm) equal(w *watched) {
	r := w.p.Replica
	server, now := s.lab.Server.World(), s.lab.Server.Now()
	pr := r.Predictor()
	t := now
	if pr.Now().Before(now) { // a fixed lead that is too short
		t = pr.Now()
	}
	mine, ok := pr.State(t)
	if !s.check(ok, 21, w.p.index, "it has no state of the server's tick") {
		return
	}
	x := s.lab.truth
	seen := s.lab.Game.NewWorld()
	for _, e := range server.Entities() {
		name := "entity " + strconv.Itoa(int(e))
		if s.lab.simulates(w.p, server, e) {
			where, same := x.equal(mine, server, e)
			s.check(same, 21, w.p.index, "predicted, "+name+where)
			continue
		}
		st := r.Buffer().Sample(seen, e, now, 0)
		if !s.check(st != view.Absent, 21, w.p.index, "interpolated, "+name+" is not known") {
			return
		}
		where, same := x.equal(seen, server, e)
		s.check(same, 21, w.p.index, "interpolated, "+name+where)
	}
	for _, e := range mine.Entities() {
		s.check(server.Alive(e), 21, w.p.index, "entity "+strconv.Itoa(int(e))+" is gone, and predicted still")
	}
	for _, e := range r.Buffer().Entities() {
		if !server.Alive(e) && r.Buffer().Sample(seen, e, now, 0) != view.Absent {
			s.fail(21, w.p.index, "entity "+strconv.Itoa(int(e))+" is gone, and shown still")
		}
	}
}

// equal compares all of e that travels.
func (t *truth) equal(w, server *ecs.World, e tick.Entity) (where string, same bool) {
	if !w.Alive(e) {
		return " is not there", false
	}
	if w.Owner(e) != server.Owner(e) {
		return " has another owner", false
	}
	for _, col := range t.g.Wire() {
		p := t.g.Plan(col)
		a, okA := w.Column(col).Row(e)
		b, okB := server.Column(col).Row(e)
		if okA != okB {
			return ": " + p.Name + " is on one side only", false
		}
		if okA && !t.alike(p, w.Column(col).Bytes(a), server.Column(col).Bytes(b)) {
			return ": " + p.Name + " differs", false
		}
	}
	return "", true
}

func (t *truth) alike(p *sim.Plan, a, b []byte) bool {
	for i := range t.words {
		if len(t.words[i]) < p.Words {
			t.words[i] = make([]int32, p.Words)
		}
	}
	u, v := t.words[0][:p.Words], t.words[1][:p.Words]
	p.Quantise(a, u)
	p.Quantise(b, v)
	return sameWords(u, v)
}

// checkEmpty: when everyone has left, nobody and nothing of theirs is left.
func (s *swarm) checkEmpty() {
	l := s.lab
	s.check(l.Server.Players() == 0, 23, -1, strconv.Itoa(l.Server.Players())+" sessions are left")
	w := l.Server.World()
	for _, e := range w.Entities() {
		s.check(w.Owner(e) == 0, 23, -1, "entity "+strconv.Itoa(int(e))+" of a player is left")
	}
	s.check(w.Len() <= s.empty(), 23, -1, strconv.Itoa(w.Len())+" entities are left")
}

// empty is how many entities the game has when nobody ever came.
func (s *swarm) empty() int {
	l := New(s.lab.Game, Match{Players: 1, Seed: s.plan.seed})
	l.Vanish(l.Peers[0])
	l.Until(quietFor)
	return l.Server.World().Len()
}

// steadiness is how a client's input buffer does, over a second.
type steadiness struct {
	ticks, holes int
	fill         int
}

// steadily: within 5 s of a clean link, or of its first frame on one, a
// client's input buffer is steady: in the second after that no more than one
// tick in 20 is a hole, and the mean buffer exceeds what the client aims at by
// no more than four ticks.
func (c *checker) steadily(w *watched) {
	l := c.s.lab
	from := max(c.s.healed, w.since)
	if c.s.healed == 0 || w.p.Gone || !w.plays || l.Now < from+settling-1e9 || c.s.resting {
		return
	}
	p := l.Server.Player(w.bound)
	e, ok := l.Server.Executed(p, l.Server.Now()-1)
	if !ok {
		return
	}
	x := &w.steady
	x.ticks++
	x.fill += l.Server.Fill(p)
	if e.How != sim.AsSent {
		x.holes++
	}
	if x.ticks == l.Game.Hz()*9/10 {
		aim := w.p.Replica.Stats().Lead
		mean := float64(x.fill) / float64(x.ticks)
		c.check(x.holes*20 <= x.ticks, 22, w.p.index, strconv.Itoa(x.holes)+" holes in a second, 5 s after the link was healed")
		c.check(mean <= aim+4, 22, w.p.index, "a mean of "+strconv.FormatFloat(mean, 'f', 1, 64)+
			" inputs wait, 5 s after the link was healed; "+strconv.FormatFloat(aim, 'f', 1, 64)+" are wanted")
	}
}

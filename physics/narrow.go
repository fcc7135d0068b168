package physics

import (
	"slices"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// contactRef is one manifold between bodies of the solver, and its colour.
type contactRef struct {
	a, b     int32 // rows; b is len(moving) if that body is static
	manifold int32
	pairB    int32 // as in pair.b
	colour   int32
}

// touch wakes what awake bodies touch, until nothing more wakes, and lists the
// manifolds of all pairs that take part, in order.
func (w *World) touch() {
	s, n := &w.step, int32(len(w.moving.ids))
	s.manifolds, s.watched, s.order = s.manifolds[:0], s.watched[:0], s.order[:0]
	back := true
	for again := true; again; {
		again = false
		back = !back
		for i := range s.pairs {
			p := &s.pairs[i]
			if back { // a chain wakes from either end in a pass
				p = &s.pairs[len(s.pairs)-1-i]
			}
			if p.count >= 0 || s.awake[p.a]+s.awake[p.b] != awake+asleep || s.awake[p.a] == s.awake[p.b] || w.senses(p) {
				continue
			}
			if w.meet(p); p.count > 0 {
				again = true
				w.rouse(p.a)
				w.rouse(p.b)
			}
		}
	}
	w.ensureTree()
	s.rows, s.driven = s.rows[:0], s.driven[:0]
	for a := range n {
		for i := s.starts[a]; i < s.starts[a+1]; i++ {
			w.keep(&s.pairs[i], n)
		}
		if s.awake[a] != awake {
			continue
		}
		if w.moving.defs[a].Kind == Dynamic {
			s.rows = append(s.rows, a)
		} else {
			s.driven = append(s.driven, a)
		}
		w.touchStatic(a, n)
	}
}

// rouse wakes a row that a contact was found for.
func (w *World) rouse(r int32) {
	if s := &w.step; s.awake[r] == asleep {
		s.awake[r] = awake
		w.moving.st[r].Still = sleepTicks
		d := &w.moving.defs[r]
		s.speed[r] = s.speed[r].MulAdd(w.cfg.Gravity, d.Gravity*w.cfg.Dt)
	}
}

// senses reports whether one of a pair is a sensor.
func (w *World) senses(p *pair) bool { return (w.def(p.a).Flags|w.def(p.b).Flags)&Sensor != 0 }

// def returns a body by its row in a pair.
func (w *World) def(r int32) *Def {
	if n := int32(len(w.moving.ids)); r >= n {
		return &w.fixed.defs[r-n]
	}
	return &w.moving.defs[r]
}

// meets reports whether two bodies have anything to do with each other: one can
// be pushed, or one is a sensor and the other a body that may move.
func meets(a, b *Def) bool {
	if a.Flags&Sensor != 0 || b.Flags&Sensor != 0 {
		return a.Flags&Sensor == 0 && a.Kind != Static || b.Flags&Sensor == 0 && b.Kind != Static
	}
	return a.Kind == Dynamic || b.Kind == Dynamic
}

// keep has a pair take part, if either body is awake.
func (w *World) keep(p *pair, n int32) {
	s := &w.step
	if s.awake[p.a] != awake && (p.b >= n || s.awake[p.b] != awake) {
		return
	}
	da, db := w.def(p.a), w.def(p.b)
	if (da.Flags|db.Flags)&Sensor != 0 {
		if meets(da, db) {
			w.watch(p, true)
		}
		return
	}
	if !meets(da, db) {
		return
	}
	if p.count < 0 {
		w.meet(p)
	}
	if (da.Flags|db.Flags)&Events != 0 {
		w.watch(p, false)
	}
	b := p.b
	if b >= n {
		b = n
	}
	for i := range p.count {
		s.order = append(s.order, contactRef{p.a, b, p.first + i, p.b, 0})
	}
}

// touchStatic has the pairs of row a with static bodies take part.
func (w *World) touchStatic(a, n int32) {
	s, d := &w.step, &w.moving.defs[a]
	s.near = w.tree.Overlaps(&s.boxes[a], s.near[:0])
	found := s.near[:0]
	for _, f := range s.near {
		if o := &w.fixed.defs[f]; collide(d, o) && meets(d, o) && s.boxes[a].Overlaps(&w.query.boxes[f]) {
			found = append(found, f)
		}
	}
	if len(found) > crowd {
		found = w.deepest(a, found)
	}
	slices.Sort(found)
	for _, f := range found {
		p := pair{a: a, b: n + int32(f), count: -1}
		w.keep(&p, n)
	}
}

// deepest is thin's rule for static bodies.
func (w *World) deepest(a int32, found []uint32) []uint32 {
	s := &w.step
	s.best = s.best[:0]
	for _, f := range found {
		s.keepBest(uint64(^ordered(depth(&s.boxes[a], &w.query.boxes[f])))<<32 | uint64(f))
	}
	found = found[:0]
	for _, k := range s.best {
		found = append(found, uint32(k))
	}
	return found
}

// meet computes the manifolds of a pair, within what it may move this step.
func (w *World) meet(p *pair) {
	s, n := &w.step, int32(len(w.moving.ids))
	p.first = int32(len(s.manifolds))
	v := s.speed[p.a]
	margin := 2*nearness + s.turn[p.a]
	db := w.def(p.b)
	var still geom.Frame
	fb := &still
	if p.b < n {
		v = v.Sub(s.speed[p.b])
		margin += s.turn[p.b]
		fb = &s.frames[p.b]
	} else {
		x := &w.fixed.st[p.b-n]
		still = geom.FrameOf(x.Pos, x.Rot)
	}
	least := margin
	margin += float32(v.Len() * w.cfg.Dt)
	s.manifolds = w.contacts(&w.moving.defs[p.a], &s.frames[p.a], db, fb, margin, s.manifolds)
	s.manifolds = reached(s.manifolds, int(p.first), v.Mul(w.cfg.Dt), least)
	p.count = int32(len(s.manifolds)) - p.first
}

// reached drops the manifolds from first on that are too far along their
// normals for a motion of a against b.
func reached(list []shape.Manifold, first int, move geom.Vec3, margin float32) []shape.Manifold {
	kept := list[:first]
	for i := first; i < len(list); i++ {
		m := &list[i]
		far := margin
		if d := m.Normal.Dot(move); d > 0 {
			far += d
		}
		for j := range m.Count {
			if m.Points[j].Sep < far {
				kept = append(kept, *m)
				break
			}
		}
	}
	return kept
}

// contacts is Store.Contacts for any order of shapes: a mesh comes second.
func (w *World) contacts(da *Def, fa *geom.Frame, db *Def, fb *geom.Frame, margin float32, out []shape.Manifold) []shape.Manifold {
	return w.cfg.Shapes.Contacts(da.Shape, fa, db.Shape, fb, margin, out)
}

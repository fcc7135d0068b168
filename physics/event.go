package physics

import (
	"cmp"
	"slices"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// EventKind says what an Event is.
type EventKind uint8

const (
	TouchBegan EventKind = iota
	TouchEnded
	SensorEntered // A is the sensor
	SensorLeft
)

// Event says that two bodies began or ceased to touch, or that a body came
// into a sensor or left it. Events of a step are in order of the lower id, then
// the higher one. They are functions of the poses at both ends of the step: a
// body that was put somewhere since the last step touches nothing at its start.
type Event struct {
	Kind EventKind
	A, B ID      // A < B, or the sensor first
	Fast float32 // m/s of approach at the start of the step, of a touch that began
}

// A watch is a pair whose events somebody wants.
type watch struct {
	a, b   int32 // as in pair
	sensor bool
	was    bool // touched at the start
	fast   float32
}

// watch has a pair's touches reported. Its manifolds are computed already,
// unless one is a sensor.
func (w *World) watch(p *pair, sensor bool) {
	s, n := &w.step, int32(len(w.moving.ids))
	v := watch{a: p.a, b: p.b, sensor: sensor}
	placed := w.moving.st[p.a].Still & Placed
	if p.b < n {
		placed |= w.moving.st[p.b].Still & Placed
	}
	if sensor {
		v.was = placed == 0 && w.touches(p.a, p.b, 0)
	} else {
		for i := range p.count {
			m := &s.manifolds[p.first+i]
			for j := range m.Count {
				c := &m.Points[j]
				v.was = v.was || placed == 0 && c.Sep < touchSlop
				if f := w.approach(p, c, m.Normal); f > v.fast {
					v.fast = f
				}
			}
		}
	}
	s.watched = append(s.watched, v)
}

// approach is the speed at which a pair comes together at a contact.
func (w *World) approach(p *pair, c *shape.Contact, normal geom.Vec3) float32 {
	s, n := &w.step, int32(len(w.moving.ids))
	x := &w.moving.st[p.a]
	v := x.Vel.Add(x.Spin.Cross(c.P.Sub(s.frames[p.a].R.Mul(w.moving.mass[p.a].centre))))
	if p.b < n {
		y := &w.moving.st[p.b]
		at := c.P.Add(x.Pos.Sub(y.Pos)).Sub(s.frames[p.b].R.Mul(w.moving.mass[p.b].centre))
		v = v.Sub(y.Vel.Add(y.Spin.Cross(at)))
	}
	return v.Dot(normal)
}

// touches reports whether two bodies, by rows of a pair, are nearer than slop
// in the frames of this step.
func (w *World) touches(a, b int32, slop float32) bool {
	s, n := &w.step, int32(len(w.moving.ids))
	if b < n {
		return w.near(&w.moving.defs[a], &s.frames[a], &w.moving.defs[b], &s.frames[b], slop)
	}
	x := &w.fixed.st[b-n]
	f := geom.FrameOf(x.Pos, x.Rot)
	return w.near(&w.moving.defs[a], &s.frames[a], &w.fixed.defs[b-n], &f, slop)
}

// near reports whether two shapes are nearer than slop.
func (w *World) near(da *Def, fa *geom.Frame, db *Def, fb *geom.Frame, slop float32) bool {
	s := &w.step
	n := len(s.manifolds)
	s.manifolds = w.contacts(da, fa, db, fb, slop, s.manifolds)
	found := s.manifolds[n:]
	s.manifolds = s.manifolds[:n]
	for i := range found {
		for j := range found[i].Count {
			if found[i].Points[j].Sep < slop {
				return true
			}
		}
	}
	return false
}

// report finds the events of the step.
func (w *World) report() {
	s, n := &w.step, int32(len(w.moving.ids))
	if len(s.watched) == 0 {
		return
	}
	for _, r := range s.rows {
		s.frames[r] = geom.FrameOf(w.moving.st[r].Pos, w.moving.st[r].Rot)
	}
	for _, r := range s.driven {
		s.frames[r] = geom.FrameOf(w.moving.st[r].Pos, w.moving.st[r].Rot)
	}
	for i := range s.watched {
		v := &s.watched[i]
		slop := float32(touchSlop)
		if v.sensor {
			slop = 0
		}
		is := w.touches(v.a, v.b, slop)
		if is == v.was {
			continue
		}
		id, ib := w.moving.ids[v.a], ID(0)
		if v.b < n {
			ib = w.moving.ids[v.b]
		} else {
			ib = w.fixed.ids[v.b-n]
		}
		w.events = append(w.events, eventOf(id, ib, w.def(v.a), v.sensor, is, v.fast))
	}
}

func eventOf(a, b ID, da *Def, sensor, began bool, fast float32) Event {
	e := Event{Kind: TouchEnded, A: a, B: b}
	switch {
	case sensor && began:
		e.Kind = SensorEntered
	case sensor:
		e.Kind = SensorLeft
	case began:
		e.Kind, e.Fast = TouchBegan, fast
	}
	if sensor && da.Flags&Sensor == 0 || !sensor && b < a {
		e.A, e.B = b, a
	}
	return e
}

// sortEvents puts events in order of the lower id, then the higher, an end
// before a beginning.
func sortEvents(events []Event) {
	slices.SortFunc(events, func(a, b Event) int {
		la, ha := a.A, a.B
		if ha < la {
			la, ha = ha, la
		}
		lb, hb := b.A, b.B
		if hb < lb {
			lb, hb = hb, lb
		}
		return cmp.Or(cmp.Compare(la, lb), cmp.Compare(ha, hb), cmp.Compare(b.Kind, a.Kind))
	})
}

// endTouches has the touches end of a body that a game is about to move, change
// or remove.
func (w *World) endTouches(id ID) {
	t, r, ok := w.find(id)
	if !ok || t.st[r].Still&Placed != 0 {
		return
	}
	f := geom.FrameOf(t.st[r].Pos, t.st[r].Rot)
	w.endTouchesIn(&w.moving, id, &t.defs[r], &f)
	if t == &w.moving {
		w.endTouchesIn(&w.fixed, id, &t.defs[r], &f)
	}
}

func (w *World) endTouchesIn(t *table, id ID, d *Def, f *geom.Frame) {
	box := w.cfg.Shapes.Bounds(d.Shape, f).Grown(touchSlop)
	for r := range t.ids {
		o := &t.defs[r]
		sensor := (d.Flags|o.Flags)&Sensor != 0
		if t.ids[r] == id || t.st[r].Still&Placed != 0 || !collide(d, o) || d.Flags&o.Flags&Sensor != 0 ||
			!sensor && (d.Flags|o.Flags)&Events == 0 || d.Kind != Dynamic && o.Kind != Dynamic && !sensor {
			continue
		}
		g := geom.FrameOf(t.st[r].Pos, t.st[r].Rot)
		if b := w.cfg.Shapes.Bounds(o.Shape, &g); !b.Overlaps(&box) {
			continue
		}
		slop := float32(touchSlop)
		if sensor {
			slop = 0
		}
		near := false
		if d.Shape.Static() {
			near = w.near(o, &g, d, f, slop)
		} else {
			near = w.near(d, f, o, &g, slop)
		}
		if near {
			w.ended = append(w.ended, eventOf(id, t.ids[r], d, sensor, false, 0))
		}
	}
}

// Events returns those of the last step, until the next one.
func (w *World) Events() []Event { return w.events }

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
		v.was = placed == 0 && w.touches(p.a, p.b, touchSlop)
		for i := range p.count {
			m := &s.manifolds[p.first+i]
			for j := range m.Count {
				c := &m.Points[j]
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
	if t, r, ok := w.find(id); ok && t.st[r].Still&Placed == 0 {
		w.writeTouches(t, r, false)
	}
}

// beginTouches has the touches begin of a static body that a game has made,
// moved or changed. Moving ones are Placed, and the next step tells.
func (w *World) beginTouches(id ID) {
	if r, ok := w.fixed.row(id); ok {
		w.writeTouches(&w.fixed, r, true)
	}
}

// writeTouches notes an event with every body that row r of t touches and that
// was there before.
func (w *World) writeTouches(t *table, r int, began bool) {
	d, st := &t.defs[r], w.cfg.Shapes
	f := geom.FrameOf(t.st[r].Pos, t.st[r].Rot)
	box := st.Bounds(d.Shape, &f).Grown(touchSlop)
	for _, o := range [2]*table{&w.moving, &w.fixed} {
		for i := range o.ids {
			e := &o.defs[i]
			sensor := (d.Flags|e.Flags)&Sensor != 0
			if o == t && i == r || o.st[i].Still&Placed != 0 || !collide(d, e) || !meets(d, e) || !sensor && (d.Flags|e.Flags)&Events == 0 {
				continue
			}
			g := geom.FrameOf(o.st[i].Pos, o.st[i].Rot)
			if b := st.Bounds(e.Shape, &g); !b.Overlaps(&box) {
				continue
			}
			slop := float32(touchSlop)
			if sensor {
				slop = 0
			}
			near := false
			if t == &w.fixed || o == t && i < r { // in the order of a step's pairs
				near = w.near(e, &g, d, &f, slop)
			} else {
				near = w.near(d, &f, e, &g, slop)
			}
			if near {
				w.ended = append(w.ended, eventOf(t.ids[r], o.ids[i], d, sensor, began, 0))
			}
		}
	}
}

// Events returns those of the last step, until the next one.
func (w *World) Events() []Event { return w.events }

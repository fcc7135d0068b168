package view

import (
	"time"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/tick"
)

// Corrected tells the display that a rollback changed the predicted states,
// before the next Frame. The worlds are of the same two ticks, before and
// after it. What was shown stays where it was and glides to where it belongs.
// The prev worlds may be nil.
func (d *Display) Corrected(oldPrev, oldCur, newPrev, newCur *ecs.World) {
	for _, e := range d.now.ids {
		r := d.record(e)
		if r.id == e && r.predicted && oldCur.Alive(e) && newCur.Alive(e) {
			d.correct(e, r, [2]*ecs.World{oldPrev, newPrev}, [2]*ecs.World{oldCur, newCur})
		}
	}
}

func (d *Display) correct(e tick.Entity, r *record, prev, cur [2]*ecs.World) {
	changed, snap := false, false
	for _, col := range d.smooth {
		changed = changed || d.change(e, col, prev, cur)
	}
	if !changed {
		return
	}
	r.off, r.plain = true, false
	d.from.Insert(e)
	d.to.Insert(e)
	for _, col := range d.smooth {
		d.change(e, col, prev, cur)
		size := d.g.Plan(col).Size
		before, after, at := d.a[:size], d.b[:size], d.c[:size]
		raw, had := cell(d.now.raw, col, e)
		if !had || !cur[0].Column(col).Has(e) || !cur[1].Column(col).Has(e) {
			d.from.Column(col).Remove(e)
			d.to.Column(col).Remove(e)
			continue
		}
		copy(at, before)
		d.addError(at, e, r, col)
		// What is left of earlier errors does not make a small correction a snap.
		snap = snap || !(d.g.Plan(col).Distance(before, after) < d.SnapDistance) ||
			!(d.g.Plan(col).Distance(at, after) < snapSum*d.SnapDistance)
		set(d.from, col, e, at)
		set(d.to, col, e, after)
		// From here on, motion is measured on the new history.
		d.g.Plan(col).AddOffset(raw, after, before, 1)
	}
	r.left = 1
	if snap || !d.smoothing {
		d.drop(e, r)
	}
}

// change works out the pose of e before (into d.a) and after (into d.b) the
// correction, both at the time last shown, and reports whether they differ.
func (d *Display) change(e tick.Entity, col int, prev, cur [2]*ecs.World) bool {
	if equalIn(prev, e, col) && equalIn(cur, e, col) {
		return false
	}
	size := d.g.Plan(col).Size
	before, after := d.a[:size], d.b[:size]
	return d.pose(before, prev[0], cur[0], e, col, d.alpha) &&
		d.pose(after, prev[1], cur[1], e, col, d.alpha) &&
		string(before) != string(after)
}

// equalIn reports whether e has the same component in both worlds.
func equalIn(w [2]*ecs.World, e tick.Entity, col int) bool {
	if w[0] == nil || w[1] == nil {
		return w[0] == w[1]
	}
	a, ok := cell(w[0], col, e)
	b, ok2 := cell(w[1], col, e)
	return ok == ok2 && string(a) == string(b)
}

// rebase makes the error of e that between what was shown last and its pose in
// to, and leaves so much of it.
func (d *Display) rebase(e tick.Entity, r *record, to *ecs.World, left float32) {
	d.drop(e, r)
	r.off = true
	d.from.Insert(e)
	d.to.Insert(e)
	snap := false
	for _, col := range d.smooth {
		x, ok := cell(d.last.shown, col, e)
		y, ok2 := cell(to, col, e)
		if !ok || !ok2 {
			continue
		}
		snap = snap || !(d.g.Plan(col).Distance(x, y) < d.SnapDistance)
		set(d.from, col, e, x)
		set(d.to, col, e, y)
	}
	r.left = left
	if snap {
		d.drop(e, r)
	}
}

// addError adds to one component what is left of its error.
func (d *Display) addError(p []byte, e tick.Entity, r *record, col int) {
	if r.left == 0 {
		return
	}
	from, ok := cell(d.from, col, e)
	to, ok2 := cell(d.to, col, e)
	if ok && ok2 {
		d.g.Plan(col).AddOffset(p, from, to, r.left)
	}
}

func (d *Display) drop(e tick.Entity, r *record) {
	r.left = 0
	if r.off {
		r.off = false
		remove(d.from, d.empty, e)
		remove(d.to, d.empty, e)
	}
}

func set(w *ecs.World, col int, e tick.Entity, v []byte) {
	c := w.Column(col)
	copy(c.Bytes(c.Add(e)), v)
}

// JumpOf returns how far e went in the last frame beyond what its simulation
// moved, largest component: 0 when nothing was corrected, the whole error when
// it was shown at once. Where an entity began to be predicted or ceased to be,
// it is all the way it went. Otherwise it is 0 for what is not predicted.
func (d *Display) JumpOf(e tick.Entity) float32 {
	if !d.now.shown.Alive(e) {
		return 0
	}
	return d.record(e).jump
}

func (d *Display) jump(e tick.Entity, simulated bool) float32 {
	var most float32
	for _, col := range d.smooth {
		p := d.g.Plan(col)
		shown, ok := cell(d.now.shown, col, e)
		was, ok2 := cell(d.last.shown, col, e)
		if !ok || !ok2 {
			continue
		}
		expected := d.a[:p.Size]
		copy(expected, was)
		if simulated {
			raw, _ := cell(d.now.raw, col, e)
			if old, ok := cell(d.last.raw, col, e); ok {
				p.AddOffset(expected, raw, old, 1)
			}
		}
		if j := p.Distance(shown, expected); j > most {
			most = j
		}
	}
	return most
}

// far reports whether some component of e is a teleport apart in x and y.
func (d *Display) far(x, y *ecs.World, e tick.Entity) bool {
	for _, col := range d.smooth {
		a, ok := cell(x, col, e)
		b, ok2 := cell(y, col, e)
		if ok && ok2 && !(d.g.Plan(col).Distance(a, b) < d.TeleportDistance) {
			return true
		}
	}
	return false
}

// differs reports whether some smooth component of e is not the same.
func (d *Display) differs(x, y *ecs.World, e tick.Entity) bool {
	for _, col := range d.smooth {
		a, ok := cell(x, col, e)
		b, ok2 := cell(y, col, e)
		if ok && ok2 && string(a) != string(b) {
			return true
		}
	}
	return false
}

// decay returns what is left of an error after dt: decayPerStep for each part
// of a second, and in between so that it does not matter how time is divided.
func decay(dt time.Duration) float32 {
	const enough = 10 * time.Second
	if dt <= 0 {
		return 1
	}
	if dt >= enough {
		return 0
	}
	n := int64(dt) * stepsPerSecond
	whole, part := n/int64(time.Second), float64(n%int64(time.Second))/float64(time.Second)
	left, by := 1.0, decayPerStep
	for ; whole > 0; whole >>= 1 {
		if whole&1 == 1 {
			left *= by
		}
		by *= by
	}
	// decayPerStep^part = e^x with |x| < 0.106: the first term left out is
	// below 1e-11.
	x := float64(lnDecay * part)
	e := 1.0
	for i := 7; i > 0; i-- {
		e = 1 + float64(float64(e*x)/float64(i))
	}
	return float32(left * e)
}

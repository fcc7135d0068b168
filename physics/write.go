package physics

import "github.com/foretick/foretick/geom"

// What a game writes between steps. All of it wakes: a write to a sleeping
// body wakes it, and one that takes a support away wakes what stood there.

// push is what a game asks of one body for the next step only.
type push struct {
	force, torque geom.Vec3
	toPos         geom.Vec3 // MoveTo
	toRot         geom.Quat
	moved         bool
}

// check refuses what a step could not bear, mends s's rotation and negative
// zeros, and returns the mass of the body.
func (w *World) check(d *Def, s *State) (mass, error) {
	if !vecOK(s.Pos, maxCoord) || !vecOK(s.Vel, maxValue) || !vecOK(s.Spin, maxValue) || !s.Rot.Finite() || s.Still >= Asleep|Placed {
		return mass{}, ErrValue
	}
	for _, v := range [...]float32{d.Density, d.Friction, d.Restitution, d.LinearDamping, d.AngularDamping} {
		if !(v >= 0 && v <= maxValue) {
			return mass{}, ErrValue
		}
	}
	if !(d.Gravity >= -maxValue && d.Gravity <= maxValue) || d.Restitution > 1 || d.Layer > 31 {
		return mass{}, ErrValue
	}
	if d.Kind > Dynamic {
		return mass{}, ErrKind
	}
	st := w.cfg.Shapes
	if !st.Has(d.Shape) || d.Kind != Static && d.Shape.Static() {
		return mass{}, ErrShape
	}
	s.Rot = unit(s.Rot)
	s.Pos, s.Vel, s.Spin = plus0(s.Pos), plus0(s.Vel), plus0(s.Spin)
	return w.massOf(d)
}

// unit leaves the rotations that steps make as they are: normalising twice
// could change bits.
func unit(q geom.Quat) geom.Quat {
	if l := q.Dot(q); l > 1-unitSlack && l < 1+unitSlack {
		return q.Canonical()
	}
	return q.Norm().Canonical()
}

func (w *World) massOf(d *Def) (mass, error) {
	st := w.cfg.Shapes
	m := mass{reach: st.Reach(d.Shape)}
	if d.Kind == Static {
		return m, nil
	}
	m.swing = m.reach
	if d.Kind != Dynamic {
		return m, nil
	}
	p := st.Mass(d.Shape, d.Density)
	m.core, m.centre = st.Core(d.Shape), p.Centre
	m.swing += p.Centre.Len()
	if !(p.Mass >= minMass && p.Mass <= maxMass) {
		return mass{}, ErrValue
	}
	m.inv, m.inertia = 1/p.Mass, p.Inertia
	i := &p.Inertia
	mean := float32((i.X.X + i.Y.Y + i.Z.Z) * (1.0 / 3))
	if !(mean >= minMass && mean <= maxInertia) {
		return mass{}, ErrValue
	}
	scaled := p.Inertia.Scale(1 / mean) // its determinant neither over- nor underflows
	m.invInertia = scaled.Inverse().Scale(1 / mean)
	if !(m.invInertia.X.X > 0 && m.invInertia.Y.Y > 0 && m.invInertia.Z.Z > 0) {
		return mass{}, ErrValue
	}
	off := geom.Abs(i.X.Y) + geom.Abs(i.X.Z) + geom.Abs(i.Y.Z) + geom.Abs(i.X.X-mean) + geom.Abs(i.Y.Y-mean) + geom.Abs(i.Z.Z-mean)
	if m.round = off <= mean*1e-5; m.round {
		k := 1 / mean
		m.invInertia = geom.Mat3{X: geom.Vec3{X: k}, Y: geom.Vec3{Y: k}, Z: geom.Vec3{Z: k}}
	}
	return m, nil
}

func vecOK(v geom.Vec3, limit float32) bool {
	return geom.Abs(v.X) <= limit && geom.Abs(v.Y) <= limit && geom.Abs(v.Z) <= limit
}

// SetDef changes what a body is; not its kind from or to Static. Another shape,
// kind, layer, filter or flags end what it touches and are a new body to its
// past; the rest (friction, damping, density) only wakes it.
func (w *World) SetDef(id ID, d Def) error {
	t, r, ok := w.find(id)
	if !ok {
		return ErrUnknown
	}
	if (d.Kind == Static) != (t == &w.fixed) {
		return ErrKind
	}
	m, err := w.check(&d, &t.st[r])
	if err != nil {
		return err
	}
	old := t.defs[r]
	if old.Shape == d.Shape && old.Kind == d.Kind && old.Layer == d.Layer && old.Collides == d.Collides && old.Flags == d.Flags {
		t.defs[r], t.mass[r] = d, m
		t.changed()
		t.st[r].awaken()
		if t == &w.fixed {
			w.wakeAround(id)
		}
		return nil
	}
	w.endTouches(id)
	w.wakeAround(id)
	t.defs[r], t.mass[r] = d, m
	t.changed()
	w.placed(t, r)
	w.wakeAround(id)
	w.beginTouches(id)
	return nil
}

// SetState gives a body another pose and velocity, at once. A MoveTo for the
// next step is forgotten. A Rot of zeros counts as no rotation.
func (w *World) SetState(id ID, s State) error {
	t, r, ok := w.find(id)
	if !ok {
		return ErrUnknown
	}
	d := t.defs[r]
	s.Still = 0
	if _, err := w.check(&d, &s); err != nil {
		return err
	}
	w.endTouches(id)
	w.wakeAround(id)
	if t == &w.fixed {
		s.Vel, s.Spin = geom.Vec3{}, geom.Vec3{}
		t.changed()
	}
	t.st[r] = s
	w.placed(t, r)
	if d.Kind != Dynamic {
		w.wakeAround(id)
	}
	w.beginTouches(id)
	return nil
}

// placed marks a moving body as put where it is since the last step, so that
// what it touches there counts as begun, and its past ends.
func (w *World) placed(t *table, r int) {
	if t == &w.moving {
		t.st[r].Still = Placed
		w.input[r].moved = false
		w.markTeleport(r)
	}
}

// Move puts a body elsewhere at once, with the velocity it has.
func (w *World) Move(id ID, pos geom.Vec3, rot geom.Quat) error {
	s, ok := w.State(id)
	if !ok {
		return ErrUnknown
	}
	s.Pos, s.Rot = pos, rot
	return w.SetState(id, s)
}

// MoveTo has a kinematic body go to a pose in the course of the next step,
// with the velocity that takes; what it meets is pushed. After the step it rests
// there: its velocity, and what SetVelocity gave it, is zero.
func (w *World) MoveTo(id ID, pos geom.Vec3, rot geom.Quat) error {
	r, ok := w.moving.row(id)
	switch {
	case !ok:
		return ErrUnknown
	case w.moving.defs[r].Kind != Kinematic:
		return ErrKind
	case !vecOK(pos, maxCoord) || !rot.Finite():
		return ErrValue
	}
	in := &w.input[r]
	in.toPos, in.toRot, in.moved = pos, unit(rot), true
	return nil
}

// writable finds a moving body whose velocity a game wants to change.
func (w *World) writable(id ID, values ...geom.Vec3) (row int, err error) {
	r, ok := w.moving.row(id)
	if !ok {
		if _, ok = w.fixed.row(id); ok {
			return 0, ErrKind
		}
		return 0, ErrUnknown
	}
	for _, v := range values {
		if !vecOK(v, maxValue) {
			return 0, ErrValue
		}
	}
	return r, nil
}

// awaken ends a body's sleep and its count of still ticks.
func (s *State) awaken() { s.Still &= Placed }

// SetVelocity sets the velocity of the centre of mass and the spin, in m/s and
// rad/s. A kinematic body moves by it until it is set again.
func (w *World) SetVelocity(id ID, vel, spin geom.Vec3) error {
	r, err := w.writable(id, vel, spin)
	if err != nil {
		return err
	}
	s := &w.moving.st[r]
	s.Vel, s.Spin = plus0(vel), plus0(spin)
	s.awaken()
	return nil
}

// ApplyImpulse changes the momentum of a dynamic body at once, by newton
// seconds at a point of the world.
func (w *World) ApplyImpulse(id ID, impulse, at geom.Vec3) error {
	r, err := w.writable(id, impulse, at)
	if err != nil {
		return err
	}
	if w.moving.defs[r].Kind != Dynamic {
		return ErrKind
	}
	s, m := &w.moving.st[r], &w.moving.mass[r]
	var b solverBody
	b.load(s, m, w.moving.defs[r].Lock)
	b.push(impulse, at.Sub(s.Pos.Add(s.Rot.Rotate(m.centre))).Cross(impulse))
	vel, spin := geom.Vec3{X: b.vx, Y: b.vy, Z: b.vz}, geom.Vec3{X: b.wx, Y: b.wy, Z: b.wz}
	if !vecOK(vel, maxValue) || !vecOK(spin, maxValue) {
		return ErrValue
	}
	s.Vel, s.Spin = plus0(vel), plus0(spin)
	s.awaken()
	return nil
}

// AddForce has a force, in newtons, act on the centre of a dynamic body for
// the next step.
func (w *World) AddForce(id ID, force geom.Vec3) error { return w.addPush(id, force, geom.Vec3{}) }

// AddTorque has a torque, in newton metres, act on a dynamic body for the next
// step.
func (w *World) AddTorque(id ID, torque geom.Vec3) error {
	return w.addPush(id, geom.Vec3{}, torque)
}

func (w *World) addPush(id ID, force, torque geom.Vec3) error {
	r, err := w.writable(id)
	if err != nil {
		return err
	}
	in := &w.input[r]
	f, t := in.force.Add(force), in.torque.Add(torque)
	switch {
	case w.moving.defs[r].Kind != Dynamic:
		return ErrKind
	case !vecOK(f, maxForce) || !vecOK(t, maxForce):
		return ErrValue
	}
	in.force, in.torque = f, t
	w.moving.st[r].awaken()
	return nil
}

// plus0 makes -0 into 0.
func plus0(v geom.Vec3) geom.Vec3 { return geom.Vec3{X: v.X + 0, Y: v.Y + 0, Z: v.Z + 0} }

// wakeAround wakes the sleeping bodies that the box of a body touches.
func (w *World) wakeAround(id ID) {
	t, r, ok := w.find(id)
	if !ok || t.defs[r].Flags&Sensor != 0 {
		return
	}
	st := w.cfg.Shapes
	f := geom.FrameOf(t.st[r].Pos, t.st[r].Rot)
	box := st.Bounds(t.defs[r].Shape, &f).Grown(2 * nearness)
	for i := range w.moving.st {
		s := &w.moving.st[i]
		if s.Still&^Placed != Asleep || w.moving.ids[i] == id || !collide(&t.defs[r], &w.moving.defs[i]) {
			continue
		}
		g := geom.FrameOf(s.Pos, s.Rot)
		if b := st.Bounds(w.moving.defs[i].Shape, &g); b.Overlaps(&box) {
			s.awaken()
		}
	}
}

// collide reports whether the filters of two bodies let them touch.
func collide(a, b *Def) bool {
	return (a.Collides>>(b.Layer&31))&(b.Collides>>(a.Layer&31))&1 != 0
}

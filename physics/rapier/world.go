package rapier

import (
	"slices"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// World is a physics.Engine that Rapier steps. It is not safe for concurrent
// use.
//
// Bodies are Go's until a step: what was added, removed or written since the
// last one is told to Rapier then, in order of id, so that the order of calls
// within a tick changes nothing. After a step all that moved is read at once.
type World struct {
	vm     *vm
	cfg    physics.Config
	sim    raw // what is stepped
	still  raw // fixed bodies alone: what queries search; a step of it only sorts it
	spare  raw // for measuring
	bodies []body
	gone   []float64 // handles of removed bodies, by id
	kits   map[shape.Shape]*kit
	masses map[massKey]mass
	wide   bool // a body has a layer that Rapier does not know
	tick   uint32
	past   past

	ofSim   []physics.ID // by a collider's index in sim
	ofFixed []ref        // by a collider's index in still
	fixed   []fixed      // what is in still, by id
	stale   bool         // still is not what bodies say

	ask asker
}

var _ physics.Engine = (*World)(nil)

type massKey struct {
	s       shape.Shape
	density float32
}

// ref is a piece of a body.
type ref struct {
	id    physics.ID
	child uint16
	layer uint8
}

// body is one of a World.
type body struct {
	id     physics.ID
	def    physics.Def
	st     physics.State
	kit    *kit
	mass   mass
	handle float64 // in sim, if told
	told   bool
	moved  bool // its pose is to be told
	pushed bool // its velocity is to be told
	jumped bool // added or teleported since the last step
}

// New returns an empty World.
func (m *Module) New(cfg physics.Config) (*World, error) {
	if cfg.Dt == 0 {
		cfg.Dt = 1.0 / 60
	}
	if !finite(cfg.Gravity, maxSpeed) || !(cfg.Dt > 0 && cfg.Dt < 1) || cfg.Past < 0 {
		return nil, physics.ErrValue
	}
	v, err := m.instance()
	if err != nil {
		return nil, err
	}
	w := &World{vm: v, cfg: cfg, kits: map[shape.Shape]*kit{}, masses: map[massKey]mass{}}
	w.sim, w.still, w.spare = v.newRaw(cfg.Gravity, cfg.Dt), v.newRaw(geom.Vec3{}, cfg.Dt), v.newRaw(geom.Vec3{}, cfg.Dt)
	v.pair = w.mayTouch
	w.past.slots = make([]moment, min(cfg.Past, maxPast))
	return w, v.err
}

// Close frees what the World has.
func (w *World) Close() error { return w.vm.mod.Close(w.vm.ctx) }

// Err returns the first error of Rapier's own. After it nothing moves any more.
func (w *World) Err() error { return w.vm.err }

func (w *World) find(id physics.ID) (int, bool) {
	return slices.BinarySearchFunc(w.bodies, id, func(b body, id physics.ID) int {
		if b.id < id {
			return -1
		}
		if b.id > id {
			return 1
		}
		return 0
	})
}

// Has reports whether there is a body.
func (w *World) Has(id physics.ID) bool {
	_, ok := w.find(id)
	return ok
}

// Add adds a body.
func (w *World) Add(id physics.ID, d physics.Def, s physics.State) error {
	if id == 0 {
		return physics.ErrID
	}
	i, ok := w.find(id)
	if ok {
		return physics.ErrExists
	}
	if err := check(&d, &s); err != nil {
		return err
	}
	k, err := w.kit(d.Shape)
	if err != nil {
		return err
	}
	s.Rot = s.Rot.Norm()
	b := body{id: id, def: d, st: s, kit: k, jumped: true}
	if d.Kind == physics.Static {
		b.st.Vel, b.st.Spin, b.st.Still = geom.Vec3{}, geom.Vec3{}, 0
	}
	b.mass = w.massOf(k, &d)
	if w.vm.err != nil {
		return w.vm.err
	}
	w.bodies = slices.Insert(w.bodies, i, b)
	w.past.fresh = false
	w.stale = w.stale || d.Kind == physics.Static
	return nil
}

func finite(v geom.Vec3, limit float32) bool {
	return geom.Abs(v.X) <= limit && geom.Abs(v.Y) <= limit && geom.Abs(v.Z) <= limit // false for NaN
}

func turn(q geom.Quat) bool {
	l := q.Dot(q)
	return l > 1e-6 && l < 1e6
}

func check(d *physics.Def, s *physics.State) error {
	if d.Kind > physics.Dynamic {
		return physics.ErrKind
	}
	if d.Shape.Static() && d.Kind != physics.Static {
		return physics.ErrShape
	}
	for _, x := range []float32{d.Density, d.Friction, d.Restitution, d.LinearDamping, d.AngularDamping} {
		if !(x >= 0 && x <= maxValue) {
			return physics.ErrValue
		}
	}
	if d.Layer > 31 || d.Restitution > 1 || !(geom.Abs(d.Gravity) <= maxValue) || d.Kind == physics.Dynamic && d.Density == 0 {
		return physics.ErrValue
	}
	if !finite(s.Pos, maxPos) || !turn(s.Rot) || !finite(s.Vel, maxSpeed) || !finite(s.Spin, maxSpeed) {
		return physics.ErrValue
	}
	return nil
}

// Remove removes a body, if there is one.
func (w *World) Remove(id physics.ID) bool {
	i, ok := w.find(id)
	if !ok {
		return false
	}
	w.drop(i)
	w.bodies = slices.Delete(w.bodies, i, i+1)
	w.past.fresh = false
	return true
}

// drop sees to it that Rapier loses a body.
func (w *World) drop(i int) {
	b := &w.bodies[i]
	if b.told {
		w.gone = append(w.gone, b.handle)
	}
	w.stale = w.stale || b.def.Kind == physics.Static
}

// RemoveOrphans removes the dynamic bodies that are not in alive, which is
// ascending.
func (w *World) RemoveOrphans(alive []physics.ID) {
	kept := w.bodies[:0]
	for i := range w.bodies {
		b := w.bodies[i]
		for len(alive) > 0 && alive[0] < b.id {
			alive = alive[1:]
		}
		if b.def.Kind == physics.Dynamic && (len(alive) == 0 || alive[0] != b.id) {
			w.drop(i)
			continue
		}
		kept = append(kept, b)
	}
	clear(w.bodies[len(kept):])
	w.bodies, w.past.fresh = kept, false
}

// State returns what a body does.
func (w *World) State(id physics.ID) (physics.State, bool) {
	i, ok := w.find(id)
	if !ok {
		return physics.State{}, false
	}
	return w.bodies[i].st, true
}

// Move teleports a body.
func (w *World) Move(id physics.ID, pos geom.Vec3, rot geom.Quat) error {
	i, ok := w.find(id)
	if !ok {
		return physics.ErrUnknown
	}
	if !finite(pos, maxPos) || !turn(rot) {
		return physics.ErrValue
	}
	b := &w.bodies[i]
	b.st.Pos, b.st.Rot, b.st.Still = pos, rot.Norm(), 0
	b.moved, b.jumped = true, true
	w.past.fresh = false
	w.past.teleported(w.tick, b)
	w.stale = w.stale || b.def.Kind == physics.Static
	return nil
}

// SetVelocity sets the velocities of a moving body.
func (w *World) SetVelocity(id physics.ID, vel, spin geom.Vec3) error {
	i, ok := w.find(id)
	if !ok {
		return physics.ErrUnknown
	}
	if w.bodies[i].def.Kind == physics.Static {
		return physics.ErrKind
	}
	if !finite(vel, maxSpeed) || !finite(spin, maxSpeed) {
		return physics.ErrValue
	}
	b := &w.bodies[i]
	b.st.Vel, b.st.Spin, b.st.Still = vel, spin, 0
	b.pushed = true
	return nil
}

// ApplyImpulse pushes a dynamic body at a point of the world.
func (w *World) ApplyImpulse(id physics.ID, impulse, at geom.Vec3) error {
	i, ok := w.find(id)
	if !ok {
		return physics.ErrUnknown
	}
	b := &w.bodies[i]
	if b.def.Kind != physics.Dynamic {
		return physics.ErrKind
	}
	if !finite(impulse, maxValue) || !finite(at, maxPos) {
		return physics.ErrValue
	}
	arm := at.Sub(b.st.Pos.Add(b.st.Rot.Rotate(b.mass.centre)))
	vel := b.st.Vel.Add(locked(impulse.Mul(b.mass.inv), b.def.Lock))
	spin := b.st.Spin.Add(locked(b.mass.spin(b.st.Rot, locked(arm.Cross(impulse), b.def.Lock>>3)), b.def.Lock>>3))
	if !finite(vel, maxSpeed) || !finite(spin, maxSpeed) {
		return physics.ErrValue
	}
	b.st.Vel, b.st.Spin, b.st.Still = vel, spin, 0
	b.pushed = true
	return nil
}

// locked is v without what the first three bits of a lock hold.
func locked(v geom.Vec3, l physics.Lock) geom.Vec3 {
	if l&physics.LockX != 0 {
		v.X = 0
	}
	if l&physics.LockY != 0 {
		v.Y = 0
	}
	if l&physics.LockZ != 0 {
		v.Z = 0
	}
	return v
}

// SetTick says which tick the present is.
func (w *World) SetTick(t uint32) { w.tick = t }

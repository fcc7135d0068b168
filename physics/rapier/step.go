package rapier

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

// Step moves the present on by one time step.
func (w *World) Step() {
	if w.vm.err != nil {
		return
	}
	w.tell()
	w.vm.step(&w.sim, w.wide)
	w.tick++
	w.past.fresh = false
	w.read()
	w.Record()
}

// tell tells Rapier what changed since the last step, in order of id.
func (w *World) tell() {
	v := w.vm
	for _, h := range w.gone {
		v.removeBody(&w.sim, h)
	}
	w.gone = w.gone[:0]
	w.widen()
	for i := range w.bodies {
		b := &w.bodies[i]
		if !b.told {
			w.create(b)
			continue
		}
		if b.moved {
			v.call(bodySetTranslation, w.sim.bodies, f64(b.handle), f32(b.st.Pos.X), f32(b.st.Pos.Y), f32(b.st.Pos.Z), 1)
			v.call(bodySetRotation, w.sim.bodies, f64(b.handle), f32(b.st.Rot.X), f32(b.st.Rot.Y), f32(b.st.Rot.Z), f32(b.st.Rot.W), 1)
		}
		if b.pushed {
			v.call(bodySetLinvel, w.sim.bodies, f64(b.handle), v.vec(0, b.st.Vel), 1)
			v.call(bodySetAngvel, w.sim.bodies, f64(b.handle), v.vec(0, b.st.Spin), 1)
		}
		b.moved, b.pushed = false, false
	}
}

// create puts a body into sim.
func (w *World) create(b *body) {
	v := w.vm
	b.handle = v.createBody(&w.sim, &b.def, &b.st, !w.cfg.NoSleep)
	group, hooks := w.group(&b.def)
	for _, p := range b.kit.pieces {
		c := v.createCollider(&w.sim, &b.def, p, true, b.handle, group, hooks)
		w.ofSim = put(w.ofSim, index(c), b.id)
	}
	b.told, b.moved, b.pushed = true, false, false
}

// put is a[i] = x, where a grows.
func put[T any](a []T, i uint32, x T) []T {
	for int(i) >= len(a) {
		var zero T
		a = append(a, zero)
	}
	a[i] = x
	return a
}

// group is a body's layers as Rapier has them: who it is in the upper half, whom
// it touches in the lower. Layers 16 to 31 share those of 0 to 15; where that
// would say yes too often, Rapier asks mayTouch.
func (w *World) group(d *physics.Def) (group, hooks uint64) {
	mask := d.Collides & 0xffff
	if w.wide {
		mask |= d.Collides >> groups
		if d.Collides>>groups != d.Collides&0xffff {
			hooks = hookContacts
		}
	}
	return 1<<(groups+d.Layer%groups) | uint64(mask), hooks
}

// widen is for the first body with a layer that Rapier does not know.
func (w *World) widen() {
	if w.wide {
		return
	}
	for i := range w.bodies {
		w.wide = w.wide || w.bodies[i].def.Layer >= groups
	}
	if !w.wide {
		return
	}
	v := w.vm
	for i := range w.bodies {
		b := &w.bodies[i]
		if !b.told {
			continue
		}
		group, hooks := w.group(&b.def)
		for n := range b.kit.pieces {
			c := v.call(bodyCollider, w.sim.bodies, f64(b.handle), uint64(n))
			v.call(colliderSetGroups, w.sim.colliders, c, group)
			v.call(colliderSetHooks, w.sim.colliders, c, hooks)
		}
	}
}

// mayTouch is what Rapier asks of two colliders while it steps.
func (w *World) mayTouch(a, b uint32) bool {
	i, ok := w.find(w.ofSim[a])
	j, also := w.find(w.ofSim[b])
	if !ok || !also {
		return false
	}
	x, y := &w.bodies[i].def, &w.bodies[j].def
	return (x.Collides>>y.Layer)&(y.Collides>>x.Layer)&1 != 0
}

// read takes the states of all that may have moved.
func (w *World) read() {
	v := w.vm
	for i := range w.bodies {
		b := &w.bodies[i]
		b.jumped = false
		if b.def.Kind == physics.Static {
			continue
		}
		asleep := v.call(bodySleeping, w.sim.bodies, f64(b.handle)) != 0
		if asleep && b.st.Still == physics.Asleep {
			continue
		}
		s := physics.State{Vel: b.st.Vel, Spin: b.st.Spin}
		v.call(bodyTranslation, w.sim.bodies, f64(b.handle), jsBuffer)
		s.Pos = v.out(0)
		v.call(bodyRotation, w.sim.bodies, f64(b.handle), jsBuffer)
		s.Rot = geom.Quat{X: v.buffer[0], Y: v.buffer[1], Z: v.buffer[2], W: v.buffer[3]}.Canonical()
		v.call(bodyLinvel, w.sim.bodies, f64(b.handle), jsBuffer)
		s.Vel = v.out(0)
		v.call(bodyAngvel, w.sim.bodies, f64(b.handle), jsBuffer)
		s.Spin = v.out(0)
		if asleep {
			s.Still = physics.Asleep
		}
		if v.err != nil {
			return
		}
		if !finite(s.Pos, maxPos) || !turn(s.Rot) || !finite(s.Vel, maxSpeed) || !finite(s.Spin, maxSpeed) {
			b.st.Vel, b.st.Spin, b.st.Still = geom.Vec3{}, geom.Vec3{}, 0 // it stays where it was
			b.moved, b.pushed = true, true
			continue
		}
		b.st = s
	}
}

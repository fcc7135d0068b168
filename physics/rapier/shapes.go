package rapier

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// kit is a shape as Rapier has it. Kits live as long as their World.
type kit struct {
	pieces []piece
	reach  float32 // no point is further from the body's origin
	mesh   *mesh   // of meshes and fields
}

// piece is a collider of a kit: the whole, or one part of a compound.
type piece struct {
	shape uint64 // pointer
	pos   geom.Vec3
	rot   geom.Quat
	kind  shape.Shape // as it is in the Store
}

// kit returns a shape, made once.
func (w *World) kit(s shape.Shape) (*kit, error) {
	if k := w.kits[s]; k != nil {
		return k, nil
	}
	k := &kit{}
	switch s.Kind {
	case shape.Compound:
		for _, p := range parts(w.cfg.Shapes, s) {
			ptr, reach := w.convex(p.shape)
			if ptr == 0 {
				return nil, w.fault(physics.ErrShape)
			}
			k.pieces = append(k.pieces, piece{ptr, p.pos, p.rot, p.shape})
			k.reach = max(k.reach, p.pos.Len()+reach)
		}
		if len(k.pieces) == 0 {
			return nil, physics.ErrShape
		}
	case shape.Mesh, shape.Field:
		m, verts, reach := newMesh(w.cfg.Shapes, s)
		if m == nil {
			return nil, physics.ErrShape
		}
		index := make([]uint32, len(verts))
		for i := range index {
			index[i] = uint32(i)
		}
		vp, vn := w.vm.floats(verts)
		ip, in := w.vm.ints(index)
		ptr := w.vm.call(shapeMesh, vp, vn, ip, in, meshFlags)
		if ptr == 0 {
			return nil, w.fault(physics.ErrShape)
		}
		k.mesh, k.reach = m, reach
		k.pieces = []piece{{ptr, geom.Vec3{}, geom.Identity(), s}}
	default:
		ptr, reach := w.convex(s)
		if ptr == 0 {
			return nil, w.fault(physics.ErrShape)
		}
		k.pieces, k.reach = []piece{{ptr, geom.Vec3{}, geom.Identity(), s}}, reach
	}
	w.kits[s] = k
	return k, nil
}

// fault is Rapier's own error if there is one, else err.
func (w *World) fault(err error) error {
	if w.vm.err != nil {
		return w.vm.err
	}
	return err
}

// convex makes a convex shape: its pointer, or 0, and how far it reaches.
func (w *World) convex(s shape.Shape) (ptr uint64, reach float32) {
	switch s.Kind {
	case shape.Sphere:
		return w.vm.call(shapeBall, f32(s.A)), s.A
	case shape.Capsule:
		return w.vm.call(shapeCapsule, f32(s.B), f32(s.A)), s.A + s.B
	case shape.Box:
		return w.vm.call(shapeCuboid, f32(s.A), f32(s.B), f32(s.C)), s.Half().Len()
	case shape.Hull:
		points := w.cfg.Shapes.Vertices(s)
		if len(points) == 0 {
			return 0, 0
		}
		for _, p := range points {
			reach = max(reach, p.Len())
		}
		p, n := w.vm.floats(points)
		return w.vm.call(shapeHull, p, n), reach
	}
	return 0, 0
}

// mass is what an impulse needs of a body.
type mass struct {
	inv     float32   // 1/kg
	centre  geom.Vec3 // of mass, in the body's axes
	inertia geom.Vec3 // about the axes of frame
	frame   geom.Quat
}

// massOf returns the mass of a body, measured once; what is not dynamic has none.
func (w *World) massOf(k *kit, d *physics.Def) mass {
	if d.Kind != physics.Dynamic {
		return mass{}
	}
	key := massKey{d.Shape, d.Density}
	m, ok := w.masses[key]
	if !ok {
		m = w.measure(k, d.Density)
		w.masses[key] = m
	}
	return m
}

// measure asks Rapier for the mass of a body, with a body that is gone at once.
func (w *World) measure(k *kit, density float32) mass {
	v := w.vm
	d := physics.NewDef(physics.Dynamic, shape.Shape{})
	d.Density = density
	h := v.createBody(&w.spare, &d, &physics.State{Rot: geom.Identity()}, false)
	for _, p := range k.pieces {
		v.createCollider(&w.spare, &d, p, true, h, 0, 0)
	}
	v.call(bodyMeasure, w.spare.bodies, f64(h), w.spare.colliders)
	m := mass{frame: geom.Identity()}
	if kg := asF32(v.call(bodyMass, w.spare.bodies, f64(h))); kg > 0 {
		m.inv = 1 / kg
	}
	v.call(bodyCom, w.spare.bodies, f64(h), jsBuffer)
	m.centre = v.out(0)
	v.call(bodyInertia, w.spare.bodies, f64(h), jsBuffer)
	m.inertia = v.out(0)
	v.call(bodyInertiaFrame, w.spare.bodies, f64(h), jsBuffer)
	m.frame = geom.Quat{X: v.buffer[0], Y: v.buffer[1], Z: v.buffer[2], W: v.buffer[3]}
	v.removeBody(&w.spare, h)
	return m
}

// spin is what an angular impulse does to a body of rotation q.
func (m *mass) spin(q geom.Quat, impulse geom.Vec3) geom.Vec3 {
	axes := q.Mul(m.frame)
	l := axes.Unrotate(impulse)
	for _, x := range []struct{ l, i *float32 }{{&l.X, &m.inertia.X}, {&l.Y, &m.inertia.Y}, {&l.Z, &m.inertia.Z}} {
		if *x.i > 0 {
			*x.l /= *x.i
		} else {
			*x.l = 0
		}
	}
	return axes.Rotate(l)
}

// createBody puts a body into a world.
func (v *vm) createBody(r *raw, d *physics.Def, s *physics.State, sleeps bool) float64 {
	q := v.rot(s.Rot)
	zero := v.vec(3, geom.Vec3{})
	kind := [...]uint64{rapierFixed, rapierKinematic, rapierDynamic}[d.Kind]
	free := func(l physics.Lock) uint64 { return flag(d.Lock&l == 0) }
	asleep := sleeps && d.Kind == physics.Dynamic && s.Still == physics.Asleep
	h := v.call(bodyCreate, r.bodies, 1, v.vec(0, s.Pos), q, f32(d.Gravity), 0, 0, zero, v.vec(1, s.Vel), v.vec(2, s.Spin), zero, v.still,
		free(physics.LockX), free(physics.LockY), free(physics.LockZ),
		free(physics.LockSpinX), free(physics.LockSpinY), free(physics.LockSpinZ),
		f32(d.LinearDamping), f32(d.AngularDamping), kind, flag(sleeps && d.Flags&physics.NoSleep == 0), flag(asleep),
		0, flag(d.Kind == physics.Dynamic), 0, 0, 0)
	v.freeRot(q)
	return asF64(h)
}

// createCollider gives a body a piece, or, without a body, puts it where it is.
func (v *vm) createCollider(r *raw, d *physics.Def, p piece, hasBody bool, body float64, group, hooks uint64) float64 {
	q := v.rot(p.rot)
	at := v.call(stackPointer, ^uint64(15)&0xffffffff)
	zero := v.vec(3, geom.Vec3{})
	v.call(colliderCreate, at, r.colliders, 1, p.shape, v.vec(0, p.pos), q, 0, 0, zero, zero, v.still,
		f32(d.Density), f32(geom.Sqrt(d.Friction)), f32(d.Restitution), ruleMultiply, ruleMax, flag(d.Flags&physics.Sensor != 0),
		group, 0xffffffff, touchDefault, hooks, 0, 0, 0, flag(hasBody), f64(body), r.bodies)
	h, _ := v.mem.ReadFloat64Le(uint32(at) + 8)
	v.call(stackPointer, 16)
	v.freeRot(q)
	return h
}

func (v *vm) removeBody(r *raw, h float64) {
	v.call(bodyRemove, r.bodies, f64(h), r.islands, r.colliders, r.soft, r.joints, r.multi)
}

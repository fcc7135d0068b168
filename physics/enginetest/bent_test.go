package enginetest

import (
	"fmt"
	"slices"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

// bent is an engine with one fault: what is set of it is done wrong.
type bent struct {
	physics.Engine
	cfg      func(*physics.Config)
	add      func(b *bent, id physics.ID, d *physics.Def, s *physics.State)
	query    func(kind int, q *physics.Query)
	hit      func(kind int, h *physics.Hit, ok *bool)
	overlaps func(o []physics.Overlap) []physics.Overlap
	state    func(s *physics.State)
	errs     func(error) error
	move     func(b *bent, id physics.ID, pos *geom.Vec3, rot *geom.Quat) bool
	velocity func(vel, spin *geom.Vec3)
	impulse  func(b *bent, id physics.ID, impulse, at *geom.Vec3)
	remove   func(b *bent, id physics.ID) bool
	orphans  func(b *bent, alive []physics.ID)
	has      func(id physics.ID, ok bool) bool
	tick     func(t *uint32) bool
	step     func(b *bent)
	record   func(b *bent)
	asked    func(b *bent)

	added int
	now   uint32
}

// The kinds of queries.
const (
	ray = iota
	sphere
	capsule
	overlap
)

var kindNames = []string{"rays", "spheres", "capsules", "overlaps"}

func (b *bent) Add(id physics.ID, d physics.Def, s physics.State) error {
	if b.add != nil {
		b.add(b, id, &d, &s)
	}
	b.added++
	err := b.Engine.Add(id, d, s)
	if b.errs != nil {
		return b.errs(err)
	}
	return err
}

func (b *bent) Has(id physics.ID) bool {
	ok := b.Engine.Has(id)
	if b.has != nil {
		return b.has(id, ok)
	}
	return ok
}

func (b *bent) Remove(id physics.ID) bool {
	if b.remove != nil {
		return b.remove(b, id)
	}
	return b.Engine.Remove(id)
}

func (b *bent) RemoveOrphans(alive []physics.ID) {
	if b.orphans != nil {
		b.orphans(b, alive)
		return
	}
	b.Engine.RemoveOrphans(alive)
}

func (b *bent) State(id physics.ID) (physics.State, bool) {
	s, ok := b.Engine.State(id)
	if b.state != nil && ok {
		b.state(&s)
	}
	return s, ok
}

func (b *bent) Move(id physics.ID, pos geom.Vec3, rot geom.Quat) error {
	if b.move != nil && !b.move(b, id, &pos, &rot) {
		return nil
	}
	return b.Engine.Move(id, pos, rot)
}

func (b *bent) SetVelocity(id physics.ID, vel, spin geom.Vec3) error {
	if b.velocity != nil {
		b.velocity(&vel, &spin)
	}
	return b.Engine.SetVelocity(id, vel, spin)
}

func (b *bent) ApplyImpulse(id physics.ID, impulse, at geom.Vec3) error {
	if b.impulse != nil {
		b.impulse(b, id, &impulse, &at)
	}
	return b.Engine.ApplyImpulse(id, impulse, at)
}

func (b *bent) SetTick(t uint32) {
	b.now = t
	if b.tick == nil || b.tick(&t) {
		b.Engine.SetTick(t)
	}
}

func (b *bent) Step() {
	b.now++
	if b.step != nil {
		b.step(b)
		return
	}
	b.Engine.Step()
}

func (b *bent) Record() {
	if b.record != nil {
		b.record(b)
		return
	}
	b.Engine.Record()
}

// wrong is q as a bent engine takes it.
func (b *bent) wrong(kind int, q *physics.Query) *physics.Query {
	if b.asked != nil {
		b.asked(b)
	}
	if b.query == nil || q == nil {
		return q
	}
	c := *q
	b.query(kind, &c)
	return &c
}

func (b *bent) gives(kind int, h physics.Hit, ok bool) (physics.Hit, bool) {
	if b.hit != nil {
		b.hit(kind, &h, &ok)
	}
	return h, ok
}

func (b *bent) RayCast(from, move geom.Vec3, q *physics.Query) (physics.Hit, bool) {
	h, ok := b.Engine.RayCast(from, move, b.wrong(ray, q))
	return b.gives(ray, h, ok)
}

func (b *bent) SphereCast(radius float32, from, move geom.Vec3, q *physics.Query) (physics.Hit, bool) {
	h, ok := b.Engine.SphereCast(radius, from, move, b.wrong(sphere, q))
	return b.gives(sphere, h, ok)
}

func (b *bent) CapsuleCast(c physics.Capsule, move geom.Vec3, q *physics.Query) (physics.Hit, bool) {
	h, ok := b.Engine.CapsuleCast(c, move, b.wrong(capsule, q))
	return b.gives(capsule, h, ok)
}

func (b *bent) CapsuleOverlap(c physics.Capsule, q *physics.Query, out []physics.Overlap) []physics.Overlap {
	out = b.Engine.CapsuleOverlap(c, b.wrong(overlap, q), out)
	if b.overlaps != nil {
		return b.overlaps(out)
	}
	return out
}

// faults are ways of being no such engine, by what one would say of it.
func faults() map[string]bent {
	all := map[string]bent{}
	add := func(name string, b bent) {
		if _, ok := all[name]; ok {
			panic(name)
		}
		all[name] = b
	}
	for k, name := range kindNames {
		of := func(f func(q *physics.Query)) bent {
			return bent{query: func(kind int, q *physics.Query) {
				if kind == k {
					f(q)
				}
			}}
		}
		add(name+" ignore layers", of(func(q *physics.Query) { q.Layers = 0 }))
		add(name+" know 16 layers", of(func(q *physics.Query) {
			if q.Layers != 0 {
				q.Layers = q.Layers&0xffff*0x10001 | q.Layers>>16*0x10001
			}
		}))
		add(name+" ignore the list to ignore", of(func(q *physics.Query) { q.Ignore = nil }))
		add(name+" ignore one of a list", of(func(q *physics.Query) { q.Ignore = q.Ignore[:min(1, len(q.Ignore))] }))
		add(name+" ignore the past", of(func(q *physics.Query) { q.Behind = 0 }))
		add(name+" know no fractions of ticks", of(func(q *physics.Query) { q.Behind = geom.Floor(q.Behind) }))
		add(name+" take the oldest tick for those that are not kept", of(func(q *physics.Query) {
			if q.Behind > 10 {
				q.Behind = 6
			}
		}))
		add(name+" look a tick too far back", of(func(q *physics.Query) {
			if q.Behind > 0 {
				q.Behind++
			}
		}))
		if k == overlap {
			continue
		}
		hit := func(f func(h *physics.Hit, ok *bool)) bent {
			return bent{hit: func(kind int, h *physics.Hit, ok *bool) {
				if kind == k && *ok {
					f(h, ok)
				}
			}}
		}
		add(name+" have their normals flipped", hit(func(h *physics.Hit, _ *bool) { h.Normal = h.Normal.Neg() }))
		add(name+" go too far", hit(func(h *physics.Hit, _ *bool) { h.Fraction *= 1.02 }))
		add(name+" meet somebody else", hit(func(h *physics.Hit, _ *bool) { h.ID++ }))
		add(name+" are never inside", hit(func(h *physics.Hit, _ *bool) { h.Inside = false }))
		add(name+" miss what they are inside of", hit(func(h *physics.Hit, ok *bool) { *ok = !h.Inside }))
		add(name+" pass triangles from behind", hit(func(h *physics.Hit, ok *bool) { *ok = !h.Back }))
		add(name+" do not know the back of a triangle", hit(func(h *physics.Hit, _ *bool) { h.Back = false }))
		add(name+" know no triangles", hit(func(h *physics.Hit, _ *bool) { h.Feature = 0 }))
		add(name+" have their points elsewhere", hit(func(h *physics.Hit, _ *bool) { h.Point.X += .05 }))
		add(name+" have normals along the axes", hit(func(h *physics.Hit, _ *bool) { h.Normal = axisOf(h.Normal) }))
		add(name+" meet nothing", hit(func(_ *physics.Hit, ok *bool) { *ok = false }))
	}
	each := func(f func(o *physics.Overlap)) bent {
		return bent{overlaps: func(o []physics.Overlap) []physics.Overlap {
			for i := range o {
				f(&o[i])
			}
			return o
		}}
	}
	add("overlaps have their normals flipped", each(func(o *physics.Overlap) { o.Normal = o.Normal.Neg() }))
	add("overlaps are too deep", each(func(o *physics.Overlap) { o.Depth += .01 }))
	add("overlaps have normals along the axes", each(func(o *physics.Overlap) { o.Normal = axisOf(o.Normal) }))
	add("overlaps know no triangles", each(func(o *physics.Overlap) { o.Feature = 0 }))
	add("overlaps are of somebody else", each(func(o *physics.Overlap) { o.ID++ }))
	add("overlaps list only the first", bent{overlaps: func(o []physics.Overlap) []physics.Overlap { return o[:min(2, len(o))] }})
	add("overlaps list some twice", bent{overlaps: func(o []physics.Overlap) []physics.Overlap { return append(o, o...) }})
	add("overlaps lose what was there", bent{overlaps: func(o []physics.Overlap) []physics.Overlap { return slices.Delete(o, 0, min(1, len(o))) }})
	bodyFaults(add)
	motionFaults(add)
	return all
}

func axisOf(n geom.Vec3) geom.Vec3 {
	a := geom.V3(geom.Abs(n.X), geom.Abs(n.Y), geom.Abs(n.Z))
	switch {
	case a.X >= a.Y && a.X >= a.Z:
		return geom.V3(n.X/a.X, 0, 0)
	case a.Y >= a.Z:
		return geom.V3(0, n.Y/a.Y, 0)
	}
	return geom.V3(0, 0, n.Z/a.Z)
}

func bodyFaults(add func(string, bent)) {
	add("every id is known", bent{has: func(physics.ID, bool) bool { return true }})
	add("removing nobody succeeds", bent{remove: func(b *bent, id physics.ID) bool { b.Engine.Remove(id); return true }})
	add("nobody is removed", bent{remove: func(b *bent, id physics.ID) bool { return b.Engine.Has(id) }})
	add("removed bodies go far away", bent{remove: func(b *bent, id physics.ID) bool {
		ok := b.Engine.Has(id)
		b.Engine.Move(id, geom.V3(9e3, 9e3, 0), geom.Identity())
		return ok
	}})
	add("orphans stay", bent{orphans: func(*bent, []physics.ID) {}})
	add("orphans that are last stay", bent{orphans: func(b *bent, alive []physics.ID) {
		if len(alive) > 0 {
			alive = append(slices.Clone(alive), 6)
			slices.Sort(alive)
			b.Engine.RemoveOrphans(alive)
		} else {
			b.Engine.RemoveOrphans(nil)
		}
	}})
	add("orphans are of every kind", bent{orphans: func(b *bent, alive []physics.ID) {
		for id := physics.ID(1); id < 20; id++ {
			if !slices.Contains(alive, id) {
				b.Engine.Remove(id)
			}
		}
	}})
	for _, e := range []error{physics.ErrID, physics.ErrExists, physics.ErrValue, physics.ErrShape, physics.ErrKind} {
		add(fmt.Sprintf("no error %q", e), bent{errs: func(err error) error {
			if err == e {
				return nil
			}
			return err
		}})
	}
	add("an id that is there is overwritten", bent{add: func(b *bent, id physics.ID, _ *physics.Def, _ *physics.State) {
		if id == 5 {
			b.Engine.Remove(id)
		}
	}})
	add("what is not finite becomes zero", bent{add: func(_ *bent, _ physics.ID, _ *physics.Def, s *physics.State) {
		if !s.Pos.Finite() {
			s.Pos = geom.Vec3{}
		}
	}})
	add("speeds are not heeded", bent{add: func(_ *bent, _ physics.ID, _ *physics.Def, s *physics.State) {
		if s.Vel.Finite() && s.Vel.X < 1e9 {
			s.Vel = geom.Vec3{}
		}
	}})
	add("spins are not heeded", bent{velocity: func(_, spin *geom.Vec3) {
		if spin.Y == 8 {
			*spin = geom.Vec3{}
		}
	}})
	add("states are rounded", bent{state: func(s *physics.State) { s.Pos.X = geom.Floor(s.Pos.X*32) / 32 }})
	add("states have no rotation", bent{state: func(s *physics.State) { s.Rot = geom.Identity() }})
	add("states sleep always", bent{state: func(s *physics.State) { s.Still = physics.Asleep }})
	add("states sleep never", bent{state: func(s *physics.State) { s.Still = 0 }})
	add("a state is not a number", bent{state: func(s *physics.State) {
		if s.Pos.Y < 1.5 {
			s.Vel.X = nan
		}
	}})
}

func motionFaults(add func(string, bent)) {
	def := func(f func(d *physics.Def)) bent {
		return bent{add: func(_ *bent, _ physics.ID, d *physics.Def, _ *physics.State) { f(d) }}
	}
	add("nothing moves", bent{step: func(*bent) {}})
	add("time runs twice as fast", bent{step: func(b *bent) { b.Engine.Step(); b.Engine.Step() }})
	add("gravity is a little less", bent{cfg: func(c *physics.Config) { c.Gravity = c.Gravity.Mul(.99) }})
	add("gravity is along y", bent{cfg: func(c *physics.Config) { c.Gravity.X = 0 }})
	add("sleep is not asked for", bent{cfg: func(c *physics.Config) { c.NoSleep = !c.NoSleep }})
	add("there is no past", bent{cfg: func(c *physics.Config) { c.Past = 0 }})
	add("layers are 16", def(func(d *physics.Def) {
		if d.Layer < 32 {
			d.Layer &= 15
		}
	}))
	add("static bodies touch all", def(func(d *physics.Def) {
		if d.Kind == physics.Static {
			d.Collides = ^uint32(0)
		}
	}))
	add("dynamic bodies touch all", def(func(d *physics.Def) {
		if d.Kind == physics.Dynamic {
			d.Collides = ^uint32(0)
		}
	}))
	add("friction is not heeded", def(func(d *physics.Def) {
		if d.Friction == 1 {
			d.Friction = .5
		}
	}))
	add("friction is the mean", def(func(d *physics.Def) {
		if d.Friction == .16 {
			d.Friction = .168
			d.Friction *= 1.65
		}
	}))
	add("restitution is not heeded", def(func(d *physics.Def) {
		if d.Restitution > 0 && d.Restitution < 1 {
			d.Restitution = 0
		}
	}))
	add("restitution of static bodies is not heeded", def(func(d *physics.Def) {
		if d.Kind == physics.Static && d.Restitution > 0 {
			d.Restitution = 0
		}
	}))
	add("damping is not heeded", def(func(d *physics.Def) {
		if d.LinearDamping > 0 && d.LinearDamping < 9 {
			d.LinearDamping = 0
		}
	}))
	add("damping of spin is not heeded", def(func(d *physics.Def) {
		if d.AngularDamping > 0 && d.AngularDamping < 9 {
			d.AngularDamping = 0
		}
	}))
	add("shares of gravity are not heeded", def(func(d *physics.Def) {
		if d.Gravity == .5 {
			d.Gravity = 1
		}
	}))
	add("density is not heeded", def(func(d *physics.Def) {
		if d.Density == 500 {
			d.Density = 1000
		}
	}))
	for i := range 6 {
		l := physics.LockX << i
		add(fmt.Sprintf("lock %d is not heeded", i+1), def(func(d *physics.Def) { d.Lock &^= l }))
	}
	add("locks hold all spin", def(func(d *physics.Def) {
		if d.Lock&physics.LockSpin != 0 {
			d.Lock |= physics.LockSpin
		}
	}))
	add("sensors are solid", def(func(d *physics.Def) { d.Flags &^= physics.Sensor }))
	add("kinematic bodies are static", def(func(d *physics.Def) {
		if d.Kind == physics.Kinematic && !d.Shape.Static() {
			d.Kind = physics.Static
		}
	}))
	add("kinematic bodies are pushed", def(func(d *physics.Def) {
		if d.Kind == physics.Kinematic {
			d.Kind, d.Gravity = physics.Dynamic, 0
		}
	}))
	add("impulses are too strong", bent{impulse: func(_ *bent, _ physics.ID, i, _ *geom.Vec3) { *i = i.Mul(1.02) }})
	add("impulses go through the centre", bent{impulse: func(b *bent, id physics.ID, _, at *geom.Vec3) {
		if s, ok := b.Engine.State(id); ok && at.Finite() && at.Z < 1e9 {
			*at = s.Pos
		}
	}})
	add("impulses are in the body's axes", bent{impulse: func(b *bent, id physics.ID, _, at *geom.Vec3) {
		if s, ok := b.Engine.State(id); ok && at.Finite() {
			*at = s.Pos.Add(s.Rot.Rotate(at.Sub(s.Pos)))
		}
	}})
	add("Move goes half way", bent{move: func(b *bent, id physics.ID, pos *geom.Vec3, _ *geom.Quat) bool {
		s, _ := b.Engine.State(id)
		*pos = pos.Lerp(s.Pos, .5)
		return true
	}})
	add("Move does not turn", bent{move: func(_ *bent, _ physics.ID, _ *geom.Vec3, q *geom.Quat) bool {
		if q.Finite() {
			*q = geom.Identity()
		}
		return true
	}})
	add("Move is forgotten", bent{move: func(*bent, physics.ID, *geom.Vec3, *geom.Quat) bool { return false }})
	add("a teleport is a way", bent{move: func(b *bent, id physics.ID, pos *geom.Vec3, rot *geom.Quat) bool {
		s, ok := b.Engine.State(id)
		if !ok || pos.Sub(s.Pos) != geom.V3(20, 0, 0) {
			return true
		}
		for range 4 { // it flies there within the tick that was
			b.Engine.SetVelocity(id, geom.V3(5/dt, 0, 0), geom.Vec3{})
			b.Engine.SetTick(b.now - 1)
			b.Engine.Step()
		}
		b.Engine.SetVelocity(id, geom.Vec3{}, geom.Vec3{})
		return false
	}})
	add("ticks are not heeded", bent{tick: func(*uint32) bool { return false }})
	add("ticks only go forward", bent{tick: func() func(t *uint32) bool {
		var last uint32
		return func(t *uint32) bool { ok := *t >= last; last = max(last, *t); return ok }
	}()})
	add("Record does nothing", bent{record: func(*bent) {}})
	add("queries step", bent{asked: func(b *bent) { b.Engine.Step() }})
	add("queries write", bent{asked: func(b *bent) { b.Engine.SetVelocity(2, geom.Vec3{}, geom.Vec3{}) }})
	add("the order of insertion is felt", bent{add: func(b *bent, _ physics.ID, _ *physics.Def, s *physics.State) {
		if s.Spin != (geom.Vec3{}) {
			s.Pos.X += float32(b.added) * 1e-6
		}
	}})
	add("chance is felt", bent{add: func() func(b *bent, _ physics.ID, _ *physics.Def, s *physics.State) {
		n := float32(0)
		return func(_ *bent, _ physics.ID, d *physics.Def, s *physics.State) {
			if n++; d.Kind == physics.Dynamic && s.Spin.Y > 4 {
				s.Pos.Z += n * 1e-7
			}
		}
	}()})
}

package physics

import "github.com/foretick/foretick/geom"

// Contacts can only take energy. The solver holds to that in the inertia of the
// step's start, but bodies turn meanwhile, and restitution at several points
// does not ask. So where it matters, an island's energy without contacts, E0,
// is compared with what it has: if that is more, the change that contacts made
// is scaled by the k < 1 that gives E0. Momentum stays, since the impulses of
// an island are scaled together.

// budget is the energy of an island as a function of the share k of what
// contacts changed: c + b k + a k^2.
type budget struct {
	free, a, b, c float32
	turning       float32 // energy of the spins, once scaled
	wild          bool    // something bounces, or turns fast and is not round
	driven        bool    // a kinematic body does work
}

// change is what contacts made of one body, around its motion without them.
type change struct {
	vel, spin   geom.Vec3 // without contacts, at the end
	dVel, dSpin geom.Vec3
	first       geom.Vec3 // spin in the inertia of the start
}

// spend holds islands to their energy. Roots must be known.
func (w *World) spend() {
	s, n := &w.step, int32(len(w.moving.ids))
	s.budgets = resize(s.budgets, int(n))
	clear(s.budgets)
	any := false
	for i := range s.cons {
		c := &s.cons[i]
		for _, r := range [2]int32{c.a, c.b} {
			if r == n || w.moving.mass[r].inv == 0 {
				continue
			}
			b := &s.budgets[s.root(r)]
			b.wild = b.wild || c.bouncy || s.free[r].free && s.free[r].fast(w.cfg.Dt)
			b.driven = b.driven || w.drives(c.a) || w.drives(c.b)
			any = any || b.wild
		}
	}
	if !any {
		return
	}
	for _, r := range s.rows {
		if b := &s.budgets[s.root(r)]; b.wild && !b.driven {
			w.account(r, b)
		}
	}
	for _, r := range s.rows {
		b := &s.budgets[s.root(r)]
		if !b.over() {
			continue
		}
		k := b.share()
		d := w.changeOf(r)
		x, m := &w.moving.st[r], &w.moving.mass[r]
		x.Vel, x.Spin = limited(d.vel.MulAdd(d.dVel, k), maxSpeed), limited(d.spin.MulAdd(d.dSpin, k), maxSpin)
		spin := x.Rot.Unrotate(x.Spin)
		b.turning += float32(m.inertia.Mul(spin).Dot(spin) * 0.5)
	}
	for _, r := range s.rows {
		if b := &s.budgets[s.root(r)]; b.over() {
			x := &w.moving.st[r]
			x.Spin = plus0(x.Spin.Mul(b.slower()))
		}
	}
}

// drives reports whether a row is a kinematic body that moves.
func (w *World) drives(r int32) bool {
	return int(r) < len(w.moving.ids) && w.moving.mass[r].inv == 0 && w.step.awake[r] == awake
}

// over reports whether an island has too much energy.
func (b *budget) over() bool {
	return b.wild && !b.driven && b.at(1) > b.free*(1+energySlack)
}

func (b *budget) at(k float32) float32 { return b.c + float32(k*(b.b+float32(k*b.a))) }

// slower is what remains of an island's spins if no k is small enough: parting
// an overlap turned a body whose spin is not along an axis of its inertia. It
// costs angular momentum.
func (b *budget) slower() float32 {
	much := b.at(b.share()) - b.free
	if much <= b.free*energySlack || b.turning <= much {
		return 1
	}
	return geom.Sqrt(1 - much/b.turning)
}

// fast reports whether a body turns so far in a step that its inertia does.
func (f *freeBody) fast(dt float32) bool {
	w := geom.Vec3{X: f.start[3], Y: f.start[4], Z: f.start[5]}
	return w.Len2()*dt*dt > fastTurn*fastTurn
}

// share is the k that leaves an island the energy it has without contacts, or
// the least that contacts can.
func (b *budget) share() float32 {
	if b.a <= 0 {
		return 1
	}
	least := float32(-b.b / (2 * b.a))
	d := float32(b.b*b.b) - float32(4*b.a*(b.c-b.free))
	k := least
	if d > 0 {
		k += geom.Sqrt(d) / (2 * b.a)
	}
	return geom.Clamp(k, 0, 1)
}

// changeOf finds what contacts made of a body's velocities.
func (w *World) changeOf(r int32) change {
	s := &w.step
	f, m, x := &s.free[r], &w.moving.mass[r], &w.moving.st[r]
	vel := geom.Vec3{X: f.start[0], Y: f.start[1], Z: f.start[2]}
	spin := geom.Vec3{X: f.start[3], Y: f.start[4], Z: f.start[5]}
	for range substeps {
		vel = vel.Mul(f.linear).Add(geom.Vec3{X: f.ax, Y: f.ay, Z: f.az})
		spin = spin.Mul(f.angular).Add(geom.Vec3{X: f.bx, Y: f.by, Z: f.bz})
	}
	first := spin
	if f.free {
		spin = spinOf(x.Rot, m, f.mom.Mul(spin))
	}
	return change{vel, spin, x.Vel.Sub(vel), x.Spin.Sub(spin), first}
}

// account adds a body to its island's budget.
func (w *World) account(r int32, b *budget) {
	m, f := &w.moving.mass[r], &w.step.free[r]
	d := w.changeOf(r)
	rot := w.moving.st[r].Rot
	l := rot.Rotate(m.inertia.Mul(rot.Unrotate(d.spin)))
	dl := rot.Rotate(m.inertia.Mul(rot.Unrotate(d.dSpin)))
	k := 1 / m.inv
	c := float32(k*d.vel.Len2()*0.5) + float32(l.Dot(d.spin)*0.5)
	b.c += c
	b.b += float32(k*d.vel.Dot(d.dVel)) + l.Dot(d.dSpin)
	b.a += float32(k*d.dVel.Len2()*0.5) + float32(dl.Dot(d.dSpin)*0.5)
	if !f.free {
		b.free += c
		return
	}
	b.free += float32(k*d.vel.Len2()*0.5) + float32(f.mom.Mul(d.first).Dot(d.first)*0.5)
}

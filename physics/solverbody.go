package physics

import "github.com/foretick/foretick/geom"

// solverBody is what the solver reads and writes of a body: one cache line.
type solverBody struct {
	vx, vy, vz, wx, wy, wz       float32
	mx, my, mz                   float32 // inverse mass along the world's axes
	ixx, ixy, ixz, iyy, iyz, izz float32 // inverse inertia about the centre, world axes
	_                            float32
}

// movement is how far a body has come in this step: the centre of mass, and
// the turn as a rotation vector, which is linear enough for contacts.
type movement struct {
	x, y, z, p, q, r float32
	_                [2]float32
}

// freeBody is what a body needs beside contacts.
type freeBody struct {
	ax, ay, az, bx, by, bz float32    // m/s and rad/s that forces add in a substep
	fx, fy, fz, gx, gy, gz float32    // velocity and spin before contacts in this substep
	linear, angular        float32    // what damping leaves of them
	start                  [6]float32 // velocity and spin
	rot                    geom.Quat  // of bodies that are not round
	mom                    geom.Mat3  // their inertia at the start, world axes
	arm                    geom.Vec3  // from the body's position to its centre of mass
	free                   bool       // not round, not locked: rot is integrated in substeps
	held                   bool       // touches something
}

func (b *solverBody) cannot() bool {
	return b.mx == 0 && b.my == 0 && b.mz == 0 && b.ixx == 0 && b.iyy == 0 && b.izz == 0
}

func (b *solverBody) stop() { b.vx, b.vy, b.vz, b.wx, b.wy, b.wz = 0, 0, 0, 0, 0, 0 }

// turn applies the inverse inertia.
func (b *solverBody) turn(v geom.Vec3) geom.Vec3 {
	return geom.Vec3{
		X: float32(b.ixx*v.X) + float32(b.ixy*v.Y) + float32(b.ixz*v.Z),
		Y: float32(b.ixy*v.X) + float32(b.iyy*v.Y) + float32(b.iyz*v.Z),
		Z: float32(b.ixz*v.X) + float32(b.iyz*v.Y) + float32(b.izz*v.Z),
	}
}

// push applies an impulse and an angular one about the centre of mass.
func (b *solverBody) push(f, t geom.Vec3) {
	b.vx += float32(b.mx * f.X)
	b.vy += float32(b.my * f.Y)
	b.vz += float32(b.mz * f.Z)
	b.wx += float32(b.ixx*t.X) + float32(b.ixy*t.Y) + float32(b.ixz*t.Z)
	b.wy += float32(b.ixy*t.X) + float32(b.iyy*t.Y) + float32(b.iyz*t.Z)
	b.wz += float32(b.ixz*t.X) + float32(b.iyz*t.Y) + float32(b.izz*t.Z)
}

// load fills b from a body.
func (b *solverBody) load(s *State, m *mass, lock Lock) {
	*b = solverBody{vx: s.Vel.X, vy: s.Vel.Y, vz: s.Vel.Z, wx: s.Spin.X, wy: s.Spin.Y, wz: s.Spin.Z}
	if m.inv == 0 {
		return
	}
	b.mx, b.my, b.mz = m.inv, m.inv, m.inv
	if m.round {
		b.ixx, b.iyy, b.izz = m.invInertia.X.X, m.invInertia.X.X, m.invInertia.X.X
	} else {
		r := s.Rot.Mat()
		i := turned(&r, &m.invInertia)
		b.ixx, b.ixy, b.ixz, b.iyy, b.iyz, b.izz = i.X.X, i.Y.X, i.Z.X, i.Y.Y, i.Z.Y, i.Z.Z
	}
	if lock != 0 {
		b.lock(lock)
	}
}

// turned is r i r^T.
func turned(r, i *geom.Mat3) geom.Mat3 {
	rt := r.Transposed()
	h := i.MulMat(&rt)
	return r.MulMat(&h)
}

func (b *solverBody) lock(l Lock) {
	if l&LockX != 0 {
		b.mx, b.vx = 0, 0
	}
	if l&LockY != 0 {
		b.my, b.vy = 0, 0
	}
	if l&LockZ != 0 {
		b.mz, b.vz = 0, 0
	}
	if l&LockSpinX != 0 {
		b.ixx, b.ixy, b.ixz, b.wx = 0, 0, 0, 0
	}
	if l&LockSpinY != 0 {
		b.ixy, b.iyy, b.iyz, b.wy = 0, 0, 0, 0
	}
	if l&LockSpinZ != 0 {
		b.ixz, b.iyz, b.izz, b.wz = 0, 0, 0, 0
	}
}

// loadBodies fills the solver's bodies from states and inputs.
func (w *World) loadBodies() {
	s, n := &w.step, len(w.moving.ids)
	s.bodies = resize(s.bodies, n+1)
	s.moves = resize(s.moves, n+1)
	s.free = resize(s.free, n+1)
	clear(s.moves)
	s.bodies[n], s.free[n] = solverBody{}, freeBody{}
	h := w.cfg.Dt / substeps
	for r := range n {
		x, d, m := &w.moving.st[r], &w.moving.defs[r], &w.moving.mass[r]
		b, f := &s.bodies[r], &s.free[r]
		b.load(x, m, d.Lock)
		*f = freeBody{linear: 1, angular: 1, arm: s.frames[r].R.Mul(m.centre)}
		f.start = [6]float32{b.vx, b.vy, b.vz, b.wx, b.wy, b.wz}
		if m.inv == 0 || s.awake[r] != awake {
			continue
		}
		var p solverBody = *b
		p.vx, p.vy, p.vz, p.wx, p.wy, p.wz = 0, 0, 0, 0, 0, 0
		in := &w.input[r]
		p.push(in.force.Mul(h), in.torque.Mul(h))
		g := w.cfg.Gravity.Mul(d.Gravity * h)
		if d.Lock != 0 {
			g = unlocked(g, d.Lock)
		}
		f.ax, f.ay, f.az = p.vx+g.X, p.vy+g.Y, p.vz+g.Z
		f.bx, f.by, f.bz = p.wx, p.wy, p.wz
		f.linear = 1 / (1 + float32(h*d.LinearDamping))
		f.angular = 1 / (1 + float32(h*d.AngularDamping))
		if !m.round && d.Lock&LockSpin == 0 { // a lock would need the spin
			f.free, f.rot = true, x.Rot
			f.mom = turned(&s.frames[r].R, &m.inertia)
		}
	}
}

// unlocked is v without what is locked.
func unlocked(v geom.Vec3, l Lock) geom.Vec3 {
	if l&LockX != 0 {
		v.X = 0
	}
	if l&LockY != 0 {
		v.Y = 0
	}
	if l&LockZ != 0 {
		v.Z = 0
	}
	return v
}

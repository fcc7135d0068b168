package physics

import "github.com/foretick/foretick/geom"

// fly moves the bodies that touch nothing, all substeps at once: the sums are
// the same but for roundings, which a long fall would show. The others are held.
func (w *World) fly(h float32) {
	s := &w.step
	s.held = s.held[:0]
	for i := range s.cons {
		s.free[s.cons[i].a].held, s.free[s.cons[i].b].held = true, true
	}
	for _, r := range s.rows {
		b, f, m := &s.bodies[r], &s.free[r], &s.moves[r]
		if f.held {
			s.held = append(s.held, r)
			continue
		}
		m.x, b.vx = flown(b.vx, f.ax, f.linear, h)
		m.y, b.vy = flown(b.vy, f.ay, f.linear, h)
		m.z, b.vz = flown(b.vz, f.az, f.linear, h)
		if f.free {
			for range substeps {
				b.wx, b.wy, b.wz = float32(b.wx*f.angular)+f.bx, float32(b.wy*f.angular)+f.by, float32(b.wz*f.angular)+f.bz
				f.turn(b, &w.moving.mass[r], h)
			}
			continue
		}
		m.p, b.wx = flown(b.wx, f.bx, f.angular, h)
		m.q, b.wy = flown(b.wy, f.by, f.angular, h)
		m.r, b.wz = flown(b.wz, f.bz, f.angular, h)
	}
}

// flown returns the way of a step and the speed after it, of a speed v that
// grows by a in every substep of h seconds and is damped.
func flown(v, a, damped, h float32) (way, speed float32) {
	if damped == 1 {
		const sum = substeps * (substeps + 1) / 2
		return float32((float32(v*substeps) + float32(a*sum)) * h), v + float32(a*substeps)
	}
	for range substeps {
		v = float32(v*damped) + a
		way += float32(v * h)
	}
	return way, v
}

// spin turns the bodies that are not round by a substep.
func (s *scratch) spin(h float32, w *World) {
	for _, r := range s.held {
		if f := &s.free[r]; f.free {
			f.turn(&s.bodies[r], &w.moving.mass[r], h)
		}
	}
}

// turn integrates the rotation of a body that is not round. Angular momentum
// stays, spin does not: L = I w, and the turned inertia wants another w for it.
// The midpoint's w is used.
func (f *freeBody) turn(b *solverBody, m *mass, h float32) {
	if !f.free {
		return
	}
	spin := geom.Vec3{X: b.wx, Y: b.wy, Z: b.wz}
	l := f.mom.Mul(spin)
	pieces, t := 1, h
	for turn := spin.Len2() * h * h; turn > spinPiece*spinPiece && pieces < 16; turn *= 0.25 {
		pieces *= 2
		t *= 0.5
	}
	for range pieces {
		half := f.rot.Integrate(spinOf(f.rot, m, l), t*0.5)
		f.rot = f.rot.Integrate(spinOf(half, m, l), t)
	}
}

// spinOf is the spin of a body that is turned by q and has momentum l.
func spinOf(q geom.Quat, m *mass, l geom.Vec3) geom.Vec3 {
	return q.Rotate(m.invInertia.Mul(q.Unrotate(l)))
}

// finish writes poses and velocities back.
func (w *World) finish() {
	s := &w.step
	for _, r := range s.rows {
		x, m := &w.moving.st[r], &w.moving.mass[r]
		b, f, d := &s.bodies[r], &s.free[r], &s.moves[r]
		vel, spin := geom.Vec3{X: b.vx, Y: b.vy, Z: b.vz}, geom.Vec3{X: b.wx, Y: b.wy, Z: b.wz}
		turn := geom.Vec3{X: d.p, Y: d.q, Z: d.r}
		rot := x.Rot
		if f.free {
			l := f.mom.Mul(spin)
			rot = f.rot
			spin = spinOf(rot, m, l)
		} else if turn != (geom.Vec3{}) {
			rot = turnBy(rot, turn)
		}
		at := x.Pos.Add(f.arm)
		to := at.Add(geom.Vec3{X: d.x, Y: d.y, Z: d.z})
		to, vel = w.stopAtStatics(int(r), at, to, vel)
		if !to.Finite() || !rot.Finite() {
			to, rot = at, x.Rot
		}
		arm := f.arm
		if rot != x.Rot {
			r := rot.Mat()
			arm = r.Mul(m.centre)
		}
		x.Pos = clampVec(to.Sub(arm), maxCoord)
		x.Rot = rot.Canonical()
		x.Vel, x.Spin = limited(vel, maxSpeed), limited(spin, maxSpin)
		x.Still &^= Placed
	}
	for _, r := range s.driven {
		w.drive(int(r))
	}
}

// drive moves a kinematic body.
func (w *World) drive(r int) {
	x, in, dt := &w.moving.st[r], &w.input[r], w.cfg.Dt
	x.Still = 0
	if in.moved {
		x.Pos, x.Rot = plus0(in.toPos), in.toRot
		x.Vel, x.Spin = geom.Vec3{}, geom.Vec3{}
		return
	}
	x.Pos = clampVec(x.Pos.MulAdd(x.Vel, dt), maxCoord)
	x.Rot = turnBy(x.Rot, x.Spin.Mul(dt)).Canonical()
}

// turnBy turns q by a rotation vector, in pieces if it is large.
func turnBy(q geom.Quat, v geom.Vec3) geom.Quat {
	n := 1
	for l := v.Len2(); l > 0.16 && n < 64; l *= 0.25 {
		n *= 2
	}
	k := 1 / float32(n)
	for range n {
		q = q.Integrate(v, k)
	}
	return q
}

// limited is v no longer than most; what is not finite becomes 0.
func limited(v geom.Vec3, most float32) geom.Vec3 {
	l := v.Len2()
	if l <= most*most {
		return plus0(v)
	}
	if !geom.Finite(l) {
		v = v.Mul(1e-18)
	}
	return plus0(v.Norm().Mul(most))
}

func clampVec(v geom.Vec3, most float32) geom.Vec3 {
	return geom.Vec3{X: geom.Clamp(v.X, -most, most) + 0, Y: geom.Clamp(v.Y, -most, most) + 0, Z: geom.Clamp(v.Z, -most, most) + 0}
}

package physics

import "github.com/foretick/foretick/geom"

// The solver is a soft step: in every substep contacts are solved as springs,
// positions move, and contacts are solved again as rigid, which takes out the
// speed that the springs gave (Catto, "Solver2D", 2024). Impulses carry over
// from substep to substep by what contacts changed of each body's velocity,
// which is the same as applying each of them again.

// solve runs all passes.
func (w *World) solve() {
	s := &w.step
	h := w.cfg.Dt / substeps
	invH := 1 / h
	w.fly(h)
	s.force(false)
	w.guess()
	for range prePasses {
		for i := range s.cons {
			s.rigid(&s.cons[i], invH)
		}
	}
	s.unforce()
	for range substeps {
		s.force(true)
		for i := range s.cons {
			s.springs(&s.cons[i], invH)
		}
		s.advance(h)
		s.spin(h, w)
		for i := range s.cons {
			s.rigid(&s.cons[i], invH)
		}
	}
	s.restitute()
}

// force begins a substep: forces act and, if warm, what contacts changed in the
// last one is applied again. If not, forces act on bodies at rest: impulses that
// stop a motion would be applied again in every substep, and turn it round.
func (s *scratch) force(warm bool) {
	for _, r := range s.held {
		b, f := &s.bodies[r], &s.free[r]
		if !warm {
			f.fx, f.fy, f.fz, f.gx, f.gy, f.gz = f.ax, f.ay, f.az, f.bx, f.by, f.bz
			b.vx, b.vy, b.vz, b.wx, b.wy, b.wz = f.ax, f.ay, f.az, f.bx, f.by, f.bz
			continue
		}
		x, y, z := b.vx-f.fx, b.vy-f.fy, b.vz-f.fz
		p, q, t := b.wx-f.gx, b.wy-f.gy, b.wz-f.gz
		f.fx, f.fy, f.fz = float32(b.vx*f.linear)+f.ax, float32(b.vy*f.linear)+f.ay, float32(b.vz*f.linear)+f.az
		f.gx, f.gy, f.gz = float32(b.wx*f.angular)+f.bx, float32(b.wy*f.angular)+f.by, float32(b.wz*f.angular)+f.bz
		b.vx, b.vy, b.vz = f.fx+x, f.fy+y, f.fz+z
		b.wx, b.wy, b.wz = f.gx+p, f.gy+q, f.gz+t
	}
	if !warm {
		for _, r := range s.driven {
			s.bodies[r].stop()
		}
	}
}

// unforce takes velocities back to the start and keeps what contacts changed.
func (s *scratch) unforce() {
	for _, r := range s.held {
		b, f := &s.bodies[r], &s.free[r]
		o := &f.start
		f.fx, f.fy, f.fz = o[0]-(b.vx-f.fx), o[1]-(b.vy-f.fy), o[2]-(b.vz-f.fz)
		f.gx, f.gy, f.gz = o[3]-(b.wx-f.gx), o[4]-(b.wy-f.gy), o[5]-(b.wz-f.gz)
		b.vx, b.vy, b.vz, b.wx, b.wy, b.wz = o[0], o[1], o[2], o[3], o[4], o[5]
	}
	for _, r := range s.driven {
		b, o := &s.bodies[r], &s.free[r].start
		b.vx, b.vy, b.vz, b.wx, b.wy, b.wz = o[0], o[1], o[2], o[3], o[4], o[5]
	}
}

// advance moves positions on by a substep.
func (s *scratch) advance(h float32) {
	for _, r := range s.held {
		s.moves[r].add(&s.bodies[r], h)
	}
	for _, r := range s.driven {
		s.moves[r].add(&s.bodies[r], h)
	}
}

// add moves on by the velocities of b.
func (m *movement) add(b *solverBody, h float32) {
	m.x += float32(b.vx * h)
	m.y += float32(b.vy * h)
	m.z += float32(b.vz * h)
	m.p += float32(b.wx * h)
	m.q += float32(b.wy * h)
	m.r += float32(b.wz * h)
}

// motion is that of b against a at the constraint's mean point, in its frame:
// linear x y z, and turns p q r about those axes.
func (c *constraint) motion(a, b *solverBody) (x, y, z, p, q, r float32) {
	if c.still {
		return c.alone(a)
	}
	rb, ra := &c.rb, &c.ra
	vx := b.vx - a.vx + (float32(b.wy*rb.Z) - float32(b.wz*rb.Y)) - (float32(a.wy*ra.Z) - float32(a.wz*ra.Y))
	vy := b.vy - a.vy + (float32(b.wz*rb.X) - float32(b.wx*rb.Z)) - (float32(a.wz*ra.X) - float32(a.wx*ra.Z))
	vz := b.vz - a.vz + (float32(b.wx*rb.Y) - float32(b.wy*rb.X)) - (float32(a.wx*ra.Y) - float32(a.wy*ra.X))
	wx, wy, wz := b.wx-a.wx, b.wy-a.wy, b.wz-a.wz
	t, u, n := &c.t, &c.u, &c.n
	x = float32(t.X*vx) + float32(t.Y*vy) + float32(t.Z*vz)
	y = float32(u.X*vx) + float32(u.Y*vy) + float32(u.Z*vz)
	z = float32(n.X*vx) + float32(n.Y*vy) + float32(n.Z*vz)
	p = float32(t.X*wx) + float32(t.Y*wy) + float32(t.Z*wz)
	q = float32(u.X*wx) + float32(u.Y*wy) + float32(u.Z*wz)
	r = float32(n.X*wx) + float32(n.Y*wy) + float32(n.Z*wz)
	return
}

// alone is motion against what is static: the same bits, for less.
func (c *constraint) alone(a *solverBody) (x, y, z, p, q, r float32) {
	ra, t, u, n := &c.ra, &c.t, &c.u, &c.n
	vx := 0 - a.vx - (float32(a.wy*ra.Z) - float32(a.wz*ra.Y))
	vy := 0 - a.vy - (float32(a.wz*ra.X) - float32(a.wx*ra.Z))
	vz := 0 - a.vz - (float32(a.wx*ra.Y) - float32(a.wy*ra.X))
	wx, wy, wz := 0-a.wx, 0-a.wy, 0-a.wz
	x = float32(t.X*vx) + float32(t.Y*vy) + float32(t.Z*vz)
	y = float32(u.X*vx) + float32(u.Y*vy) + float32(u.Z*vz)
	z = float32(n.X*vx) + float32(n.Y*vy) + float32(n.Z*vz)
	p = float32(t.X*wx) + float32(t.Y*wy) + float32(t.Z*wz)
	q = float32(u.X*wx) + float32(u.Y*wy) + float32(u.Z*wz)
	r = float32(n.X*wx) + float32(n.Y*wy) + float32(n.Z*wz)
	return
}

// apply gives both bodies an impulse and an angular one at the mean point, in
// the constraint's frame.
func (c *constraint) apply(a, b *solverBody, x, y, z, p, q, r float32) {
	t, u, n := &c.t, &c.u, &c.n
	fx := float32(t.X*x) + float32(u.X*y) + float32(n.X*z)
	fy := float32(t.Y*x) + float32(u.Y*y) + float32(n.Y*z)
	fz := float32(t.Z*x) + float32(u.Z*y) + float32(n.Z*z)
	gx := float32(t.X*p) + float32(u.X*q) + float32(n.X*r)
	gy := float32(t.Y*p) + float32(u.Y*q) + float32(n.Y*r)
	gz := float32(t.Z*p) + float32(u.Z*q) + float32(n.Z*r)
	a.vx -= float32(a.mx * fx)
	a.vy -= float32(a.my * fy)
	a.vz -= float32(a.mz * fz)
	x = gx + float32(c.ra.Y*fz) - float32(c.ra.Z*fy)
	y = gy + float32(c.ra.Z*fx) - float32(c.ra.X*fz)
	z = gz + float32(c.ra.X*fy) - float32(c.ra.Y*fx)
	a.wx -= float32(a.ixx*x) + float32(a.ixy*y) + float32(a.ixz*z)
	a.wy -= float32(a.ixy*x) + float32(a.iyy*y) + float32(a.iyz*z)
	a.wz -= float32(a.ixz*x) + float32(a.iyz*y) + float32(a.izz*z)
	if c.still {
		return
	}
	b.vx += float32(b.mx * fx)
	b.vy += float32(b.my * fy)
	b.vz += float32(b.mz * fz)
	x = gx + float32(c.rb.Y*fz) - float32(c.rb.Z*fy)
	y = gy + float32(c.rb.Z*fx) - float32(c.rb.X*fz)
	z = gz + float32(c.rb.X*fy) - float32(c.rb.Y*fx)
	b.wx += float32(b.ixx*x) + float32(b.ixy*y) + float32(b.ixz*z)
	b.wy += float32(b.ixy*x) + float32(b.iyy*y) + float32(b.iyz*z)
	b.wz += float32(b.ixz*x) + float32(b.iyz*y) + float32(b.izz*z)
}

// friction returns what impulses along x and y and about the normal change so
// that the surfaces stick, as far as the normal impulses so far allow.
func (c *constraint) friction(x, y, r float32) (dx, dy, dr float32) {
	most := c.mu * (c.acc[0] + c.acc[1] + c.acc[2] + c.acc[3])
	fx := c.fx - float32(c.k[0]*x) - float32(c.k[1]*y)
	fy := c.fy - float32(c.k[1]*x) - float32(c.k[2]*y)
	if l := float32(fx*fx) + float32(fy*fy); l > most*most {
		k := most / geom.Sqrt(l)
		fx, fy = float32(fx*k), float32(fy*k)
	}
	tz := geom.Clamp(c.tz-float32(c.twist*r), 0-float32(most*c.arm), float32(most*c.arm))
	dx, dy, dr = fx-c.fx, fy-c.fy, tz-c.tz
	c.fx, c.fy, c.tz = fx, fy, tz
	return
}

// away is how far the surfaces have parted at the mean point since the start,
// and how far they have turned about x and y.
func (c *constraint) away(a, b *movement) (z, p, q float32) {
	dx := b.x - a.x + (float32(b.q*c.rb.Z) - float32(b.r*c.rb.Y)) - (float32(a.q*c.ra.Z) - float32(a.r*c.ra.Y))
	dy := b.y - a.y + (float32(b.r*c.rb.X) - float32(b.p*c.rb.Z)) - (float32(a.r*c.ra.X) - float32(a.p*c.ra.Z))
	dz := b.z - a.z + (float32(b.p*c.rb.Y) - float32(b.q*c.rb.X)) - (float32(a.p*c.ra.Y) - float32(a.q*c.ra.X))
	tx, ty, tz := b.p-a.p, b.q-a.q, b.r-a.r
	z = float32(c.n.X*dx) + float32(c.n.Y*dy) + float32(c.n.Z*dz)
	p = float32(c.t.X*tx) + float32(c.t.Y*ty) + float32(c.t.Z*tz)
	q = float32(c.u.X*tx) + float32(c.u.Y*ty) + float32(c.u.Z*tz)
	return
}

// spring is what a point asks for in a pass: the velocity v is to be reached,
// mass and impulse soften it.
func (c *constraint) spring(i int, away, invH float32) (v, mass, impulse float32) {
	sep := c.sep[i] + away
	if sep > 0 {
		return float32(sep * invH), 1, 0
	}
	v = float32(c.soft.rate * (sep + slop))
	if v > 0 {
		v = 0
	}
	if v < -maxPush {
		v = -maxPush
	}
	return v, c.soft.mass, c.soft.impulse
}

// springs is the pass that pushes overlaps apart.
func (s *scratch) springs(c *constraint, invH float32) {
	a, b := &s.bodies[c.a], &s.bodies[c.b]
	z, p, q := c.away(&s.moves[c.a], &s.moves[c.b])
	x, y, vz, vp, vq, r := c.motion(a, b)
	dx, dy, dr := c.friction(x, y, r)
	vz += float32(c.c[0]*dx) + float32(c.c[1]*dy) + float32(c.c[2]*dr)
	vp += float32(c.c[3]*dx) + float32(c.c[4]*dy) + float32(c.c[5]*dr)
	vq += float32(c.c[6]*dx) + float32(c.c[7]*dy) + float32(c.c[8]*dr)
	var fz, fp, fq float32
	for i := range c.points {
		v, mass, impulse := c.spring(int(i), z+float32(c.y[i]*p)-float32(c.x[i]*q), invH)
		in := vz + float32(c.y[i]*vp) - float32(c.x[i]*vq)
		v += in
		for j := range i {
			v += float32(c.m[link[j][i]] * c.step[j])
		}
		was := c.acc[i]
		f := was - float32(float32(c.inv[i]*mass)*v) - float32(impulse*was)
		if f < 0 {
			f = 0
		}
		if was == 0 && f > 0 && in < c.approach[i] {
			c.approach[i] = in
		}
		c.acc[i] = f
		f -= was
		c.step[i] = f
		fz += f
		fp += float32(c.y[i] * f)
		fq -= float32(c.x[i] * f)
	}
	c.apply(a, b, dx, dy, fz, fp, fq, dr)
}

// link says where constraint.m has the pair i, j.
var link = [4][4]uint8{{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}}

// rigid is the pass that lets nothing come nearer, whatever overlaps.
func (s *scratch) rigid(c *constraint, invH float32) {
	a, b := &s.bodies[c.a], &s.bodies[c.b]
	x, y, vz, vp, vq, r := c.motion(a, b)
	var z, p, q float32
	if c.apart {
		z, p, q = c.away(&s.moves[c.a], &s.moves[c.b])
	}
	var fz, fp, fq float32
	for i := range c.points {
		v := vz + float32(c.y[i]*vp) - float32(c.x[i]*vq)
		in := v
		if c.apart {
			if sep := c.sep[i] + z + float32(c.y[i]*p) - float32(c.x[i]*q); sep > 0 {
				v += float32(sep * invH)
			}
		}
		for j := range i {
			v += float32(c.m[link[j][i]] * c.step[j])
		}
		was := c.acc[i]
		f := was - float32(c.inv[i]*v)
		if f < 0 {
			f = 0
		}
		c.acc[i] = f
		if f > c.peak[i] {
			c.peak[i] = f
			if was == 0 && in < c.approach[i] {
				c.approach[i] = in
			}
		}
		f -= was
		c.step[i] = f
		fz += f
		fp += float32(c.y[i] * f)
		fq -= float32(c.x[i] * f)
	}
	x += float32(c.c[0]*fz) + float32(c.c[3]*fp) + float32(c.c[6]*fq)
	y += float32(c.c[1]*fz) + float32(c.c[4]*fp) + float32(c.c[7]*fq)
	r += float32(c.c[2]*fz) + float32(c.c[5]*fp) + float32(c.c[8]*fq)
	dx, dy, dr := c.friction(x, y, r)
	c.apply(a, b, dx, dy, fz, fp, fq, dr)
}

// restitute gives points that were hit their speed of approach back.
func (s *scratch) restitute() {
	for range bouncePasses {
		for i := range s.cons {
			if c := &s.cons[i]; c.bouncy {
				s.bounce(c)
			}
		}
	}
}

func (s *scratch) bounce(c *constraint) {
	a, b := &s.bodies[c.a], &s.bodies[c.b]
	_, _, vz, vp, vq, _ := c.motion(a, b)
	var fz, fp, fq float32
	for i := range c.points {
		c.step[i] = 0
		if c.approach[i] > -bounceSpeed || c.peak[i] == 0 {
			continue
		}
		v := vz + float32(c.y[i]*vp) - float32(c.x[i]*vq) + float32(c.bounce*c.approach[i])
		for j := range i {
			v += float32(c.m[link[j][i]] * c.step[j])
		}
		was := c.acc[i]
		f := was - float32(c.inv[i]*v)
		if f < 0 {
			f = 0
		}
		c.acc[i] = f
		f -= was
		c.step[i] = f
		fz += f
		fp += float32(c.y[i] * f)
		fq -= float32(c.x[i] * f)
	}
	c.apply(a, b, 0, 0, fz, fp, fq, 0)
}

package physics

import "github.com/foretick/foretick/geom"

// A load is what lies on a body, in N s a substep, and the sums of load times
// place along the two horizontal axes, from the centre of mass.
type load struct{ weight, x, y float32 }

// A foot is a point of contact that holds a body up.
type foot struct {
	con, point int32
	x, y       float32 // horizontally, from the body's centre of mass
	hold       float32 // cosine between up and the way it pushes
	share      float32
}

// guess gives the solver its first impulses: those of rest. From the highest
// body down, each one's weight, with what it carries, is shared out over the
// points that hold it up. In a stack that is nearly the answer, which passes
// from nothing would need far more than a step's time to find; where bodies
// fly or collide the passes correct it.
func (w *World) guess() {
	s, g := &w.step, w.cfg.Gravity.Len()
	if g == 0 || len(s.cons) == 0 {
		return
	}
	up := w.cfg.Gravity.Mul(-1 / g)
	s.listContacts()
	s.keys = s.keys[:0]
	for _, r := range s.rows {
		h := w.moving.st[r].Pos.Add(s.free[r].arm).Dot(up)
		s.keys = append(s.keys, uint64(^ordered(h))<<32|uint64(uint32(r)))
	}
	s.radix()
	s.rank = resize(s.rank, len(s.bodies))
	s.loads = resize(s.loads, len(s.bodies))
	clear(s.rank)
	clear(s.loads)
	for i, k := range s.keys {
		s.rank[uint32(k)] = int32(len(s.keys) - i)
	}
	axes := geom.Mat3{X: tangent(up), Z: up}
	axes.Y = up.Cross(axes.X)
	h := w.cfg.Dt / substeps
	for _, k := range s.keys {
		r := int32(uint32(k))
		d := &w.moving.defs[r]
		s.loads[r].weight += float32(g*h) * d.Gravity / w.moving.mass[r].inv
		if d.Lock&(LockX|LockY|LockZ) == 0 && s.loads[r].weight > 0 {
			s.support(r, &axes)
		}
	}
	for i := range s.cons {
		if c := &s.cons[i]; c.held {
			c.applyGuess(&s.bodies[c.a], &s.bodies[c.b])
		}
	}
}

// applyGuess gives the bodies a constraint's first impulses, friction within
// its limit.
func (c *constraint) applyGuess(a, b *solverBody) {
	var fz, fp, fq float32
	for j := range c.points {
		f := c.acc[j]
		fz += f
		fp += float32(c.y[j] * f)
		fq -= float32(c.x[j] * f)
	}
	most := c.mu * fz
	if l := float32(c.fx*c.fx) + float32(c.fy*c.fy); l > most*most {
		k := most / geom.Sqrt(l)
		c.fx, c.fy = c.fx*k, c.fy*k
	}
	c.apply(a, b, c.fx, c.fy, fz, fp, fq, 0)
}

// support shares the weight of a body out over its feet, so that the sum has
// the right place too, as far as no foot has to pull.
func (s *scratch) support(r int32, axes *geom.Mat3) {
	s.findFeet(r, axes)
	var sum, mx, my float32
	for i := range s.feet {
		f := &s.feet[i]
		sum += f.hold
		mx += float32(f.hold * f.x)
		my += float32(f.hold * f.y)
	}
	if sum == 0 {
		return
	}
	l := s.loads[r]
	mx, my = mx/sum, my/sum
	px, py := float32((l.x/l.weight-mx)*sum), float32((l.y/l.weight-my)*sum)
	var xx, xy, yy float32
	for i := range s.feet {
		f := &s.feet[i]
		f.x, f.y = f.x-mx, f.y-my
		xx += float32(f.hold * float32(f.x*f.x))
		xy += float32(f.hold * float32(f.x*f.y))
		yy += float32(f.hold * float32(f.y*f.y))
	}
	e := float32((xx + yy) * 1e-3) // feet in a line, or one
	xx, yy = xx+e, yy+e
	k := inverse(float32(xx*yy) - float32(xy*xy))
	kx := float32((float32(yy*px) - float32(xy*py)) * k)
	ky := float32((float32(xx*py) - float32(xy*px)) * k)
	sum = 0
	for i := range s.feet {
		f := &s.feet[i]
		f.share = f.hold * (1 + float32(kx*f.x) + float32(ky*f.y))
		if f.share < 0 {
			f.share = 0
		}
		sum += f.share
	}
	if sum == 0 {
		return
	}
	for i := range s.feet {
		f := &s.feet[i]
		f.x, f.y = f.x+mx, f.y+my
		s.carry(r, f, l.weight*f.share/sum, axes)
	}
}

// findFeet lists the points that hold body r up.
func (s *scratch) findFeet(r int32, axes *geom.Mat3) {
	s.feet = s.feet[:0]
	for _, i := range s.touching[s.touchAt[r]:s.touchAt[r+1]] {
		c := &s.cons[i]
		hold, other, from := c.n.Dot(axes.Z), c.a, &c.rb
		if r == c.a {
			hold, other, from = 0-hold, c.b, &c.ra
		}
		if hold < leastHold || s.rank[other] > s.rank[r] {
			continue
		}
		for j := range c.points {
			if c.sep[j] < guessSep {
				p := from.MulAdd(c.t, c.x[j]).MulAdd(c.u, c.y[j])
				s.feet = append(s.feet, foot{con: i, point: j, x: p.Dot(axes.X), y: p.Dot(axes.Y), hold: hold})
			}
		}
	}
}

// carry has a foot take weight, and what it stands on carry it.
func (s *scratch) carry(r int32, f *foot, weight float32, axes *geom.Mat3) {
	c := &s.cons[f.con]
	other, way := c.a, weight
	off := c.ra.Sub(c.rb)
	if r == c.a {
		other, way, off = c.b, 0-weight, c.rb.Sub(c.ra)
	}
	c.acc[f.point] += float32(weight * f.hold)
	c.fx += float32(way * axes.Z.Dot(c.t))
	c.fy += float32(way * axes.Z.Dot(c.u))
	c.held = true
	if s.rank[other] > 0 {
		l := &s.loads[other]
		l.weight += weight
		l.x += float32(weight * (f.x + off.Dot(axes.X)))
		l.y += float32(weight * (f.y + off.Dot(axes.Y)))
	}
}

// listContacts lists the constraints of every body.
func (s *scratch) listContacts() {
	n := len(s.bodies)
	s.touchAt = resize(s.touchAt, n+1)
	clear(s.touchAt)
	for i := range s.cons {
		s.touchAt[s.cons[i].a+1]++
		s.touchAt[s.cons[i].b+1]++
	}
	for i := range n {
		s.touchAt[i+1] += s.touchAt[i]
	}
	s.touching = resize(s.touching, 2*len(s.cons))
	s.next = append(s.next[:0], s.touchAt[:n]...)
	for i := range s.cons {
		c := &s.cons[i]
		s.touching[s.next[c.a]] = int32(i)
		s.next[c.a]++
		s.touching[s.next[c.b]] = int32(i)
		s.next[c.b]++
	}
}

package physics

import "github.com/foretick/foretick/geom"

// guess gives the solver its first impulses: those of rest. From the highest
// body down, each one's weight, with what it carries, is shared out over the
// contacts that hold it up. In a stack that is nearly the answer, which passes
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
	s.load = resize(s.load, len(s.bodies))
	clear(s.load)
	s.rank = resize(s.rank, len(s.bodies))
	clear(s.rank)
	for i, k := range s.keys {
		s.rank[uint32(k)] = int32(len(s.keys) - i)
	}
	h := w.cfg.Dt / substeps
	for _, k := range s.keys {
		r := int32(uint32(k))
		d := &w.moving.defs[r]
		if d.Lock&(LockX|LockY|LockZ) != 0 {
			continue
		}
		weight := s.load[r] + float32(g*h)*d.Gravity/w.moving.mass[r].inv
		s.support(r, weight, up)
	}
	for i := range s.cons {
		c := &s.cons[i]
		if !c.held {
			continue
		}
		var fz, fp, fq float32
		for j := range c.points {
			f := c.acc[j]
			fz += f
			fp += float32(c.y[j] * f)
			fq -= float32(c.x[j] * f)
		}
		c.apply(&s.bodies[c.a], &s.bodies[c.b], c.fx, c.fy, fz, fp, fq, 0)
	}
}

// support shares the weight of a body out over what is under it.
func (s *scratch) support(r int32, weight float32, up geom.Vec3) {
	var sum float32
	list := s.touching[s.touchAt[r]:s.touchAt[r+1]]
	for _, i := range list {
		sum += s.cons[i].holds(r, up, s.rank)
	}
	if sum == 0 {
		return
	}
	for _, i := range list {
		c := &s.cons[i]
		share := c.holds(r, up, s.rank)
		if share == 0 {
			continue
		}
		f := up.Mul(weight * share / sum)
		other := c.b
		if r == c.b {
			other = c.a
		} else {
			f = f.Neg()
		}
		s.load[other] += weight * share / sum
		n, near := f.Dot(c.n), 0
		for j := range c.points {
			if c.sep[j] < guessSep {
				near++
			}
		}
		for j := range c.points {
			if c.sep[j] < guessSep {
				c.acc[j] += n / float32(near)
			}
		}
		fx, fy := f.Dot(c.t), f.Dot(c.u)
		if l := float32(fx*fx) + float32(fy*fy); l > float32(c.mu*n)*float32(c.mu*n) {
			k := c.mu * n / geom.Sqrt(l)
			fx, fy = fx*k, fy*k
		}
		c.fx, c.fy, c.held = c.fx+fx, c.fy+fy, true
	}
}

// holds is how well a constraint holds body r up.
func (c *constraint) holds(r int32, up geom.Vec3, rank []int32) float32 {
	d, other := c.n.Dot(up), c.a
	if r == c.a {
		d, other = 0-d, c.b
	}
	if d < leastHold || rank[other] > rank[r] {
		return 0
	}
	for j := range c.points {
		if c.sep[j] < guessSep {
			return d
		}
	}
	return 0
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

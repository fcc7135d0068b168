package physics

import "github.com/foretick/foretick/geom"

// islands finds what touches what, counts still ticks and puts islands to
// sleep of which every body has been still for long enough. Who is static or
// kinematic does not join islands.
func (w *World) islands() {
	s, n := &w.step, len(w.moving.ids)
	s.parent = resize(s.parent, n)
	s.loud = resize(s.loud, n)
	for r := range n {
		s.parent[r], s.loud[r] = int32(r), false
	}
	for i := range s.order {
		if c := &s.order[i]; c.b < int32(n) && w.moving.mass[c.a].inv > 0 && w.moving.mass[c.b].inv > 0 {
			s.join(c.a, c.b)
		}
	}
	w.spend()
	w.settle()
	for _, r := range s.rows {
		x, m := &w.moving.st[r], &w.moving.mass[r]
		turn := float32(x.Spin.Len() * m.reach)
		if v := x.Vel.Len() + turn; v > stillSpeed {
			x.Still = 0
		} else if x.Still < sleepTicks {
			x.Still++
		}
		if x.Still < sleepTicks || w.cfg.NoSleep || w.moving.defs[r].Flags&NoSleep != 0 {
			s.loud[s.root(r)] = true
		}
	}
	for _, r := range s.rows {
		if s.loud[s.root(r)] {
			continue
		}
		x := &w.moving.st[r]
		x.Still, x.Vel, x.Spin = Asleep, geom.Vec3{}, geom.Vec3{}
	}
}

// root finds an island's lowest row.
func (s *scratch) root(r int32) int32 {
	p := s.parent
	for p[r] != r {
		p[r] = p[p[r]]
		r = p[r]
	}
	return r
}

func (s *scratch) join(a, b int32) {
	a, b = s.root(a), s.root(b)
	switch {
	case a < b:
		s.parent[b] = a
	case b < a:
		s.parent[a] = b
	}
}

// settle slows what hardly moves and does not slide: what is left then is to
// rock or to roll, and a slender stack would rock for many seconds, as a real
// one of perfectly hard bodies would. Whoever slides is left alone, so that
// friction is what it is at any speed.
func (w *World) settle() {
	s := &w.step
	s.slides = resize(s.slides, len(s.bodies))
	clear(s.slides)
	for i := range s.cons {
		c := &s.cons[i]
		most := slideShare * c.mu * (c.acc[0] + c.acc[1] + c.acc[2] + c.acc[3])
		if float32(c.fx*c.fx)+float32(c.fy*c.fy) >= most*most && most > 0 {
			s.slides[c.a], s.slides[c.b] = true, true
		}
	}
	for _, r := range s.held {
		x := &w.moving.st[r]
		if s.slides[r] || x.Vel.Len()+float32(x.Spin.Len()*w.moving.mass[r].reach) > settleSpeed {
			continue
		}
		x.Vel, x.Spin = plus0(x.Vel.Mul(settleKeep)), plus0(x.Spin.Mul(settleKeep))
	}
}

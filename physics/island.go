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
	for i := range s.order { // what rides on a moving body does not sleep
		if c := &s.order[i]; c.b < int32(n) {
			if w.moving.mass[c.a].inv == 0 && s.awake[c.a] == awake {
				s.loud[s.root(c.b)] = true
			} else if w.moving.mass[c.b].inv == 0 && s.awake[c.b] == awake {
				s.loud[s.root(c.a)] = true
			}
		}
	}
	w.spend()
	w.settle()
	for _, r := range s.rows {
		x, m := &w.moving.st[r], &w.moving.mass[r]
		turn := float32(x.Spin.Len() * m.swing)
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

// settle slows what hardly moves, presses on something, does not slide and does
// not gain speed: what is left then is to rock or to roll to and fro, and a
// slender stack would rock for many seconds, as a real one of perfectly hard
// bodies would. Whoever slides is left alone, so that friction is what it is at
// any speed, and so is whoever begins to roll or to fall.
func (w *World) settle() {
	s := &w.step
	s.slides = resize(s.slides, len(s.bodies))
	clear(s.slides)
	for i := range s.cons {
		c := &s.cons[i]
		press := c.acc[0] + c.acc[1] + c.acc[2] + c.acc[3]
		if press == 0 {
			continue
		}
		most := slideShare * c.mu * press
		slide := float32(c.fx*c.fx)+float32(c.fy*c.fy) >= most*most
		s.slides[c.a] = s.slides[c.a].and(slide)
		s.slides[c.b] = s.slides[c.b].and(slide)
	}
	for _, r := range s.held {
		x, m, o := &w.moving.st[r], &w.moving.mass[r], &s.free[r].start
		v := x.Vel.Len() + float32(x.Spin.Len()*m.swing)
		if s.slides[r] != sticks || v > settleSpeed {
			continue
		}
		was := geom.Vec3{X: o[0], Y: o[1], Z: o[2]}.Len() + float32(geom.Vec3{X: o[3], Y: o[4], Z: o[5]}.Len()*m.swing)
		if v < was {
			x.Vel, x.Spin = plus0(x.Vel.Mul(settleKeep)), plus0(x.Spin.Mul(settleKeep))
		}
	}
}

// grip is what a body does where it presses on others.
type grip uint8

const (
	free   grip = iota // nothing
	sticks             // it slides nowhere
	slides
)

func (g grip) and(slide bool) grip {
	if slide || g == slides {
		return slides
	}
	return sticks
}

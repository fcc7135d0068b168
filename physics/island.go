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

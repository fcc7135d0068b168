package physics

import "github.com/foretick/foretick/geom"

// Touch is a point at which two bodies pressed against each other in the last
// step. It is for those who draw: nothing in a step reads it.
type Touch struct {
	Point   geom.Vec3
	Normal  geom.Vec3 // unit, from the lower id to the higher one, or to what is static
	Sep     float32   // m at the start of the step; negative: penetration
	Impulse float32   // N s along Normal in the step, about
}

// Contacts appends the points that carried something in the last step. Of
// bodies that sleep there are none: nothing was computed. It is to be called
// after Step, before anything changes the bodies.
func (w *World) Contacts(out []Touch) []Touch {
	s, n := &w.step, int32(len(w.moving.ids))
	if len(s.cons) != len(s.sorts) {
		return out
	}
	for i := range s.sorts {
		r, c := &s.sorts[i], &s.cons[i]
		if r.a >= n || int(r.manifold) >= len(s.manifolds) || w.rests(r.a) && w.rests(r.b) {
			continue
		}
		m, at := &s.manifolds[r.manifold], w.moving.st[r.a].Pos
		for j := range c.points {
			if c.acc[j] > 0 {
				out = append(out, Touch{at.Add(m.Points[j].P), m.Normal, m.Points[j].Sep, c.acc[j] * substeps})
			}
		}
	}
	return out
}

// rests reports whether a row is static, asleep, or not moved by contacts.
func (w *World) rests(r int32) bool {
	return int(r) >= len(w.moving.ids) || w.moving.defs[r].Kind != Dynamic || w.moving.st[r].Still == Asleep
}

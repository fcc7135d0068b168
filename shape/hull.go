package shape

import "github.com/foretick/foretick/geom"

// hull is a convex polytope.
type hull struct {
	poly
	mass  Mass // of density 1
	core  float32
	reach float32
}

// bounds takes every vertex to space.
func (h *hull) bounds(f *geom.Frame) AABB {
	p := f.R.Mul(h.verts[0])
	b := AABB{p, p}
	for _, v := range h.verts[1:] {
		p = f.R.Mul(v)
		b.join(&AABB{p, p})
	}
	return AABB{b.Min.Add(f.P), b.Max.Add(f.P)}
}

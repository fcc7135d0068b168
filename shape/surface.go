package shape

import "github.com/foretick/foretick/geom"

// Part is a convex shape, a mesh or a field at its place.
type Part struct {
	Shape Shape
	Frame geom.Frame
}

// Parts appends what s is made of, in the frame f: the pieces of a compound,
// else s itself.
func (st *Store) Parts(s Shape, f *geom.Frame, out []Part) []Part {
	if s.Kind != Compound {
		return append(out, Part{s, *f})
	}
	if int(s.Ref) < len(st.compounds) {
		for i := range st.compounds[s.Ref].pieces {
			p := &st.compounds[s.Ref].pieces[i]
			out = append(out, Part{p.shape, f.Of(&p.frame)})
		}
	}
	return out
}

// Surface appends the triangles of a hull, a mesh or a field, three corners
// each, counterclockwise from the front; of other shapes nothing. It is for
// those who draw.
func (st *Store) Surface(s Shape, out []geom.Vec3) []geom.Vec3 {
	if !st.Has(s) {
		return out
	}
	switch s.Kind {
	case Hull:
		h := &st.hulls[s.Ref]
		for k := range h.faces {
			l := h.face(k)
			for i := 2; i < len(l); i++ {
				out = append(out, h.verts[l[0]], h.verts[l[i-1]], h.verts[l[i]])
			}
		}
	case Mesh:
		m := &st.meshes[s.Ref]
		for i := range uint32(len(m.tris)) {
			a, b, c := m.at(i)
			out = append(out, a, b, c)
		}
	case Field:
		f := &st.fields[s.Ref]
		for i := range 2 * (f.nx - 1) * (f.nz - 1) {
			a, b, c := f.at(i)
			out = append(out, a, b, c)
		}
	}
	return out
}

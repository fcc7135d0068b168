package shape

import (
	"slices"

	"github.com/foretick/foretick/geom"
)

// Triangle is one of a mesh or field, in the shape's own axes.
type Triangle struct {
	A, B, C geom.Vec3
	Feature uint32
}

// Normal returns the side that is in front, or zero if there is none.
func (t *Triangle) Normal() geom.Vec3 { return t.B.Sub(t.A).Cross(t.C.Sub(t.A)).Norm() }

// Triangles appends the triangles of a mesh or field whose boxes touch b, by
// Feature; of other shapes none.
func (st *Store) Triangles(s Shape, b *AABB, out []Triangle) []Triangle {
	if st == nil {
		return out
	}
	first := len(out)
	switch {
	case s.Kind == Mesh && int(s.Ref) < len(st.meshes):
		m := &st.meshes[s.Ref]
		for _, i := range m.tree.overlapping(b, nil) {
			t := Triangle{Feature: m.tree.items[i]}
			t.A, t.B, t.C = m.at(i)
			out = appendTouching(out, &t, b)
		}
	case s.Kind == Field && int(s.Ref) < len(st.fields):
		f := &st.fields[s.Ref]
		i0, i1 := f.cells(b.Min.X, b.Max.X, f.nx)
		j0, j1 := f.cells(b.Min.Z, b.Max.Z, f.nz)
		for j := j0; j < j1; j++ {
			for n := 2 * (j*(f.nx-1) + i0); n < 2*(j*(f.nx-1)+i1); n++ {
				t := Triangle{Feature: n}
				t.A, t.B, t.C = f.at(n)
				out = appendTouching(out, &t, b)
			}
		}
	}
	slices.SortFunc(out[first:], func(x, y Triangle) int { return int(x.Feature) - int(y.Feature) })
	return out
}

func appendTouching(out []Triangle, t *Triangle, b *AABB) []Triangle {
	if box := triBounds(t.A, t.B, t.C); box.Overlaps(b) {
		return append(out, *t)
	}
	return out
}

// cells returns the range of cells between lo and hi along an axis with n
// vertices, and one more on either side.
func (f *field) cells(lo, hi float32, n uint32) (from, to uint32) {
	last := float32(n - 1)
	a := geom.Clamp(lo/f.spacing-1, 0, last)
	b := geom.Clamp(hi/f.spacing+2, 0, last)
	return uint32(a), uint32(b)
}

// Vertices returns those of a hull, in its own axes; of other shapes none. Do
// not change them.
func (st *Store) Vertices(s Shape) []geom.Vec3 {
	if st == nil || s.Kind != Hull || int(s.Ref) >= len(st.hulls) {
		return nil
	}
	return st.hulls[s.Ref].verts
}

// Pieces returns how many pieces a compound has, 0 for other shapes.
func (st *Store) Pieces(s Shape) int {
	if st == nil || s.Kind != Compound || int(s.Ref) >= len(st.compounds) {
		return 0
	}
	return len(st.compounds[s.Ref].pieces)
}

// Piece returns a piece of a compound, and where it is in the compound.
func (st *Store) Piece(s Shape, child int) (Shape, geom.Frame) {
	p := &st.compounds[s.Ref].pieces[child]
	return p.shape, p.frame
}

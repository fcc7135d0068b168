package rapier

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// What is in a shape.Store, as Rapier wants it.

func pieces(st *shape.Store, s shape.Shape) ([]shape.Piece, bool) { return nil, false }

func hull(st *shape.Store, s shape.Shape) ([]geom.Vec3, bool) { return nil, false }

// mesh is a mesh or field.
type mesh struct {
	store *shape.Store
	shape shape.Shape
	near  []shape.Triangle
}

// newMesh returns a mesh with its vertices, three for each triangle, and how far
// it reaches; nil: the store has no such shape.
func newMesh(st *shape.Store, s shape.Shape) (m *mesh, verts []geom.Vec3, reach float32) {
	all := shape.AABB{}.Grown(2 * maxPos)
	m = &mesh{store: st, shape: s}
	for _, t := range st.Triangles(s, &all, nil) {
		verts = append(verts, t.A, t.B, t.C)
		reach = max(reach, t.A.Len(), t.B.Len(), t.C.Len())
	}
	if len(verts) == 0 {
		return nil, nil, 0
	}
	return m, verts, reach
}

// touching returns the triangles near a box, until the next call.
func (m *mesh) touching(box shape.AABB) []shape.Triangle {
	m.near = m.store.Triangles(m.shape, &box, m.near[:0])
	return m.near
}

package rapier

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// What is in a shape.Store, as Rapier wants it.

func pieces(st *shape.Store, s shape.Shape) ([]shape.Piece, bool) { return nil, false }

func hull(st *shape.Store, s shape.Shape) ([]geom.Vec3, bool) { return nil, false }

// mesh is the triangles of a mesh or field, numbered as the Store does.
type mesh struct {
	verts []geom.Vec3
	index []uint32
	reach float32
}

func newMesh(st *shape.Store, s shape.Shape) *mesh { return nil }

// triangle returns the corners of triangle i.
func (m *mesh) triangle(i int) (a, b, c geom.Vec3) {
	return m.verts[m.index[3*i]], m.verts[m.index[3*i+1]], m.verts[m.index[3*i+2]]
}

// normal is that of triangle i, by its winding; not of length 1.
func (m *mesh) normal(i int) geom.Vec3 {
	a, b, c := m.triangle(i)
	return b.Sub(a).Cross(c.Sub(a))
}

// near calls f for each triangle whose box meets another, in order.
func (m *mesh) near(box shape.AABB, f func(i int)) {
	for i := range len(m.index) / 3 {
		a, b, c := m.triangle(i)
		t := shape.AABB{
			Min: geom.V3(min(a.X, b.X, c.X), min(a.Y, b.Y, c.Y), min(a.Z, b.Z, c.Z)),
			Max: geom.V3(max(a.X, b.X, c.X), max(a.Y, b.Y, c.Y), max(a.Z, b.Z, c.Z)),
		}
		if t.Overlaps(&box) {
			f(i)
		}
	}
}

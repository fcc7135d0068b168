package rapier

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// What is in a shape.Store, as Rapier wants it.

// part is a piece of a compound.
type part struct {
	shape shape.Shape
	pos   geom.Vec3
	rot   geom.Quat
}

func parts(st *shape.Store, s shape.Shape) (p []part) {
	for i := range st.Pieces(s) {
		piece, f := st.Piece(s, i)
		p = append(p, part{piece, f.P, rotation(&f.R)})
	}
	return p
}

// rotation returns a matrix of unit axes as a quaternion: from the largest of
// its four squares, each of which is a sum over the diagonal.
func rotation(m *geom.Mat3) geom.Quat {
	x, y, z := m.X.X, m.Y.Y, m.Z.Z
	var q geom.Quat
	switch w := x + y + z; {
	case w >= x && w >= y && w >= z:
		q = geom.Quat{X: m.Y.Z - m.Z.Y, Y: m.Z.X - m.X.Z, Z: m.X.Y - m.Y.X, W: 1 + w}
	case x >= y && x >= z:
		q = geom.Quat{X: 1 + x - y - z, Y: m.X.Y + m.Y.X, Z: m.X.Z + m.Z.X, W: m.Y.Z - m.Z.Y}
	case y >= z:
		q = geom.Quat{X: m.X.Y + m.Y.X, Y: 1 + y - x - z, Z: m.Y.Z + m.Z.Y, W: m.Z.X - m.X.Z}
	default:
		q = geom.Quat{X: m.X.Z + m.Z.X, Y: m.Y.Z + m.Z.Y, Z: 1 + z - x - y, W: m.X.Y - m.Y.X}
	}
	return q.Norm()
}

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

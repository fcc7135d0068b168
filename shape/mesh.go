package shape

import (
	"errors"

	"github.com/foretick/foretick/geom"
)

// mesh is triangles in the order of the tree's leaves.
type mesh struct {
	verts []geom.Vec3
	tris  [][3]uint32
	edges []edgeFlags // of each triangle
	tree  Tree        // its items are the numbers that the triangles came with
	box   AABB
}

var (
	errMeshSize   = errors.New("shape: a mesh has no triangle, or more than 2^24")
	errMeshVertex = errors.New("shape: a vertex is not finite or beyond 100 km")
	errMeshIndex  = errors.New("shape: a triangle has a vertex that is not there")
	errMeshFlat   = errors.New("shape: no triangle of a mesh has an area")
)

// AddMesh adds triangles of vertices; the front of a triangle is where its
// vertices run counterclockwise. Triangles without area are left out, and each
// other one keeps its place in triangles as the Feature of hits and contacts.
// The arguments are copied.
//
// Bodies touch the front only, casts and overlaps both sides.
//
// Contacts push along the face of a triangle, not along an edge that it shares
// with exactly one other, unless the two make a ridge there: see edgeFlags.
// Vertices at one place count as one for this.
func (st *Store) AddMesh(vertices []geom.Vec3, triangles [][3]uint32) (Shape, error) {
	if len(triangles) == 0 || len(triangles) > maxTriangles || len(vertices) > 3*maxTriangles {
		return Shape{}, errMeshSize
	}
	for _, v := range vertices {
		if !coordOK(v.X) || !coordOK(v.Y) || !coordOK(v.Z) {
			return Shape{}, errMeshVertex
		}
	}
	n := uint32(len(vertices))
	for _, t := range triangles {
		if t[0] >= n || t[1] >= n || t[2] >= n {
			return Shape{}, errMeshIndex
		}
	}
	m := mesh{verts: append([]geom.Vec3(nil), vertices...)}
	kept := make([]uint32, 0, len(triangles))
	boxes := make([]AABB, 0, len(triangles))
	for i, t := range triangles {
		a, b, c := m.verts[t[0]], m.verts[t[1]], m.verts[t[2]]
		if hasArea(wide(a), wide(b), wide(c)) {
			kept = append(kept, uint32(i))
			boxes = append(boxes, triBounds(a, b, c))
		}
	}
	if len(kept) == 0 {
		return Shape{}, errMeshFlat
	}
	m.tree.build(boxes, meshLeaf)
	m.tris = make([][3]uint32, len(kept))
	for i, item := range m.tree.items {
		m.tree.items[i] = kept[item]
		m.tris[i] = triangles[kept[item]]
	}
	m.box = m.tree.bounds()
	m.edges = findEdges(m.verts, m.tris)
	st.meshes = append(st.meshes, m)
	return Shape{Kind: Mesh, Ref: uint32(len(st.meshes) - 1)}, nil
}

func coordOK(x float32) bool { return x >= -maxCoord && x <= maxCoord }

// hasArea reports whether a triangle is so far from a line that its normal
// means something.
func hasArea(a, b, c v3) bool {
	u, v, w := b.sub(a), c.sub(b), a.sub(c)
	l := u.len2()
	if k := v.len2(); k > l {
		l = k
	}
	if k := w.len2(); k > l {
		l = k
	}
	return l > float64(minEdge*minEdge) && u.cross(v).len() > float64(l*minSliver)
}

// meshBounds is the box of a mesh in a frame.
func (m *mesh) meshBounds(f *geom.Frame) AABB { return m.box.out(f) }

// at returns the corners of the triangle at a place in the tree's items.
func (m *mesh) at(i uint32) (a, b, c geom.Vec3) {
	t := &m.tris[i]
	return m.verts[t[0]], m.verts[t[1]], m.verts[t[2]]
}

// bounds is the box of all boxes of a tree that is not empty.
func (t *Tree) bounds() AABB {
	a, b := boundsOf(&t.nodes[0].box[0]), boundsOf(&t.nodes[0].box[1])
	a.join(&b)
	return a.aabb()
}

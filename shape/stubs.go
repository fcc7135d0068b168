package shape

import "github.com/foretick/foretick/geom"

// What follows is filled in with the meshes and fields themselves.
type (
	mesh  struct{}
	field struct{}
)

func (x *mesh) meshBounds(f *geom.Frame) AABB   { return AABB{f.P, f.P} }
func (x *field) fieldBounds(f *geom.Frame) AABB { return AABB{f.P, f.P} }

// meshContacts appends the contacts of a convex a with a mesh in the frame fb.
func (st *Store) meshContacts(a *Shape, fa *geom.Frame, x *mesh, fb *geom.Frame, margin float32, out []Manifold) []Manifold {
	return out
}

// fieldContacts appends the contacts of a convex a with a field in the frame fb.
func (st *Store) fieldContacts(a *Shape, fa *geom.Frame, x *field, fb *geom.Frame, margin float32, out []Manifold) []Manifold {
	return out
}

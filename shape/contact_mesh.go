package shape

import "github.com/foretick/foretick/geom"

// meshContacts appends the contacts of a convex a with a mesh in the frame fb.
func (st *Store) meshContacts(a *Shape, fa *geom.Frame, x *mesh, fb *geom.Frame, margin float32, out []Manifold) []Manifold {
	return out
}

// fieldContacts appends the contacts of a convex a with a field in the frame fb.
func (st *Store) fieldContacts(a *Shape, fa *geom.Frame, x *field, fb *geom.Frame, margin float32, out []Manifold) []Manifold {
	return out
}

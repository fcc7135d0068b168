package shape

import "github.com/foretick/foretick/geom"

// Piece is one convex part of a compound.
type Piece struct {
	Shape Shape // sphere, capsule, box or hull
	Pos   geom.Vec3
	Rot   geom.Quat
}

// compound is what AddCompound made of its pieces.
type compound struct {
	pieces []piece
	mass   Mass // of density 1
	core   float32
	reach  float32
}

type piece struct {
	shape Shape
	frame geom.Frame // in the compound
}

func (st *Store) compoundBounds(c *compound, f *geom.Frame) AABB {
	var all AABB
	for i := range c.pieces {
		g := f.Of(&c.pieces[i].frame)
		b := st.Bounds(c.pieces[i].shape, &g)
		if i == 0 {
			all = b
		}
		all.join(&b)
	}
	return all
}

// compoundContacts is Contacts of a compound a.
func (st *Store) compoundContacts(a *Shape, fa *geom.Frame, b *Shape, fb *geom.Frame, margin float32, out []Manifold) []Manifold {
	return out
}

// contactsCompound is Contacts of a convex a with a compound b.
func (st *Store) contactsCompound(a *Shape, fa *geom.Frame, b *Shape, fb *geom.Frame, margin float32, out []Manifold) []Manifold {
	return out
}

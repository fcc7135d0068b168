package shape

import "github.com/foretick/foretick/geom"

// Store holds hulls, compounds, meshes and height fields. What is added stays
// as it is for the Store's life.
type Store struct {
	hulls     []hull
	compounds []compound
	meshes    []mesh
	fields    []field
}

// Piece is one convex part of a compound.
type Piece struct {
	Shape Shape // sphere, capsule, box or hull
	Pos   geom.Vec3
	Rot   geom.Quat
}

type (
	hull     struct{}
	compound struct{ pieces []Piece }
)

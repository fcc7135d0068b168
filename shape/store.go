package shape

// Store holds hulls, compounds, meshes and height fields. What is added stays
// as it is for the Store's life.
type Store struct {
	hulls     []hull
	compounds []compound
	meshes    []mesh
	fields    []field
}

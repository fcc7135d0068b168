package scenes

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// Grid is the geometry of one body with a height field: Heights[row*Columns +
// column] stands at X = column*Cell, Z = row*Cell.
type Grid struct {
	ID            physics.ID
	Columns, Rows int
	Cell          float32
	Heights       []float32
}

func (b builder) mesh(vertices []geom.Vec3, triangles [][3]uint32) shape.Shape {
	return shape.Must(b.store.AddMesh(vertices, triangles))
}

func (b builder) field(g *Grid) shape.Shape {
	return shape.Must(b.store.AddField(g.Columns, g.Rows, g.Cell, g.Heights))
}

func (b builder) hull(points []geom.Vec3) shape.Shape {
	return shape.Must(b.store.AddHull(points))
}

func (b builder) compound(pieces ...shape.Piece) shape.Shape {
	return shape.Must(b.store.AddCompound(pieces))
}

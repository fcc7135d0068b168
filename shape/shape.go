package shape

import (
	"errors"

	"github.com/foretick/foretick/geom"
)

// Kind says which shape a Shape is.
type Kind uint8

const (
	None     Kind = iota // no shape: touches nothing
	Sphere               // A: radius
	Capsule              // A: radius, B: half height of the cylinder, along Y
	Box                  // A, B, C: half extents
	Hull                 // a convex polytope of the Store
	Compound             // several convex shapes of the Store, fixed to each other
	Mesh                 // triangles of the Store, static only
	Field                // a height field of the Store, static only
)

// Shape is a value without pointers; a component may hold one. Make it with
// NewSphere, NewCapsule, NewBox or a Store's Add methods.
type Shape struct {
	Kind    Kind
	_       [3]uint8
	A, B, C float32 // metres
	Ref     uint32  // number in the Store, of its kind
}

// Convex reports whether s is a sphere, capsule, box or hull.
func (s Shape) Convex() bool { return s.Kind >= Sphere && s.Kind <= Hull }

// Static reports whether only static bodies can have s.
func (s Shape) Static() bool { return s.Kind == Mesh || s.Kind == Field }

var errSize = errors.New("shape: a size is not finite, below 1 mm or above 10 km")

func sizeOK(x float32) bool { return x >= minSize && x <= maxSize }

// NewSphere returns a sphere of a radius from 1 mm to 10 km.
func NewSphere(radius float32) (Shape, error) {
	if !sizeOK(radius) {
		return Shape{}, errSize
	}
	return Shape{Kind: Sphere, A: radius}, nil
}

// NewCapsule returns a capsule along Y: halfHeight is that of its cylinder, so
// it is 2*(halfHeight+radius) high.
func NewCapsule(radius, halfHeight float32) (Shape, error) {
	if !sizeOK(radius) || !sizeOK(halfHeight) {
		return Shape{}, errSize
	}
	return Shape{Kind: Capsule, A: radius, B: halfHeight}, nil
}

// NewBox returns a box by its half extents.
func NewBox(half geom.Vec3) (Shape, error) {
	if !sizeOK(half.X) || !sizeOK(half.Y) || !sizeOK(half.Z) {
		return Shape{}, errSize
	}
	return Shape{Kind: Box, A: half.X, B: half.Y, C: half.Z}, nil
}

// Must is for shapes whose sizes stand in the source: it panics on an error.
func Must(s Shape, err error) Shape {
	if err != nil {
		panic(err)
	}
	return s
}

// Half returns the half extents of a box.
func (s Shape) Half() geom.Vec3 { return geom.Vec3{X: s.A, Y: s.B, Z: s.C} }

// AABB is a box along the axes.
type AABB struct{ Min, Max geom.Vec3 }

// Overlaps reports whether two boxes touch.
func (a *AABB) Overlaps(b *AABB) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X &&
		a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y &&
		a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}

// Grown returns a grown by d on every side.
func (a AABB) Grown(d float32) AABB {
	v := geom.Vec3{X: d, Y: d, Z: d}
	return AABB{a.Min.Sub(v), a.Max.Add(v)}
}

// Contact is one point where two shapes touch, or nearly do.
type Contact struct {
	P   geom.Vec3 // half way between the surfaces, from the first shape's origin, in world axes
	Sep float32   // along the normal; negative: penetration
}

// Manifold is up to four contacts of two convex pieces with one normal.
type Manifold struct {
	Normal         geom.Vec3 // unit, world axes, from the first shape to the second
	Count          int32     // of Points in use, at least 1
	ChildA, ChildB uint16    // piece of a compound, else 0
	Feature        uint32    // triangle of a mesh or field (the second shape), else 0
	Points         [4]Contact
}

package soup

import (
	"math"

	"github.com/foretick/foretick/geom"
)

// V is a point or direction.
type V struct{ X, Y, Z float64 }

// Of returns v in float64.
func Of(v geom.Vec3) V { return V{float64(v.X), float64(v.Y), float64(v.Z)} }

// Vec3 returns a, rounded.
func (a V) Vec3() geom.Vec3 { return geom.Vec3{X: float32(a.X), Y: float32(a.Y), Z: float32(a.Z)} }

// Add returns a + b.
func (a V) Add(b V) V { return V{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }

// Sub returns a - b.
func (a V) Sub(b V) V { return V{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }

// Mul returns a times k.
func (a V) Mul(k float64) V { return V{float64(a.X * k), float64(a.Y * k), float64(a.Z * k)} }

// Dot returns the scalar product.
func (a V) Dot(b V) float64 { return float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z) }

// Cross returns the vector product.
func (a V) Cross(b V) V {
	return V{
		float64(a.Y*b.Z) - float64(a.Z*b.Y),
		float64(a.Z*b.X) - float64(a.X*b.Z),
		float64(a.X*b.Y) - float64(a.Y*b.X),
	}
}

// Len returns the length.
func (a V) Len() float64 { return math.Sqrt(a.Dot(a)) }

// Unit returns a at length 1, zero if it has none.
func (a V) Unit() V {
	if l := a.Len(); l > 0 {
		return a.Mul(1 / l)
	}
	return V{}
}

func unit(x float64) float64 { return math.Max(0, math.Min(1, x)) }

package shape

import (
	"math"

	"github.com/foretick/foretick/geom"
)

// v3 is a vector of float64. Casts, overlaps and distances are computed in
// it: over tens of metres the squares of float32 lose the millimetres that
// are asked of them. Products that are added are rounded first, as in geom.
type v3 struct{ X, Y, Z float64 }

func wide(a geom.Vec3) v3 { return v3{float64(a.X), float64(a.Y), float64(a.Z)} }

func (a v3) narrow() geom.Vec3 {
	return geom.Vec3{X: float32(a.X) + 0, Y: float32(a.Y) + 0, Z: float32(a.Z) + 0} // no -0
}

func (a v3) add(b v3) v3 { return v3{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }

func (a v3) sub(b v3) v3 { return v3{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }

func (a v3) mul(k float64) v3 { return v3{float64(a.X * k), float64(a.Y * k), float64(a.Z * k)} }

func (a v3) neg() v3 { return v3{0 - a.X, 0 - a.Y, 0 - a.Z} }

// plus returns a + b*k.
func (a v3) plus(b v3, k float64) v3 {
	return v3{a.X + float64(b.X*k), a.Y + float64(b.Y*k), a.Z + float64(b.Z*k)}
}

func (a v3) dot(b v3) float64 { return float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z) }

func (a v3) cross(b v3) v3 {
	return v3{
		float64(a.Y*b.Z) - float64(a.Z*b.Y),
		float64(a.Z*b.X) - float64(a.X*b.Z),
		float64(a.X*b.Y) - float64(a.Y*b.X),
	}
}

func (a v3) len2() float64 { return a.dot(a) }

func (a v3) len() float64 { return math.Sqrt(a.dot(a)) }

// norm returns the unit vector along a, or zero.
func (a v3) norm() v3 {
	l := a.len2()
	if !(l > tiny64) {
		return v3{}
	}
	return a.mul(1 / math.Sqrt(l))
}

func clamp01(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	if x > 1 {
		return 1
	}
	return x
}

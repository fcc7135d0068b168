package geom

// Vec2 is a point or direction in the plane.
type Vec2 struct{ X, Y float32 }

// V2 returns (x, y).
func V2(x, y float32) Vec2 { return Vec2{x, y} }

// Add returns a + b.
func (a Vec2) Add(b Vec2) Vec2 { return Vec2{a.X + b.X, a.Y + b.Y} }

// Sub returns a - b.
func (a Vec2) Sub(b Vec2) Vec2 { return Vec2{a.X - b.X, a.Y - b.Y} }

// Mul returns a scaled by k.
func (a Vec2) Mul(k float32) Vec2 { return Vec2{float32(a.X * k), float32(a.Y * k)} }

// MulAdd returns a + b*k, each product rounded before it is added.
func (a Vec2) MulAdd(b Vec2, k float32) Vec2 {
	return Vec2{a.X + float32(b.X*k), a.Y + float32(b.Y*k)}
}

// Neg returns 0 - a, so it never makes a -0.
func (a Vec2) Neg() Vec2 { return Vec2{0 - a.X, 0 - a.Y} }

// Dot returns the scalar product.
func (a Vec2) Dot(b Vec2) float32 { return float32(a.X*b.X) + float32(a.Y*b.Y) }

// Cross returns the z of the product in space: positive if b lies
// counterclockwise of a.
func (a Vec2) Cross(b Vec2) float32 { return float32(a.X*b.Y) - float32(a.Y*b.X) }

// Perp returns a turned a quarter turn counterclockwise.
func (a Vec2) Perp() Vec2 { return Vec2{0 - a.Y, a.X} }

// Len2 returns the squared length.
func (a Vec2) Len2() float32 { return float32(a.X*a.X) + float32(a.Y*a.Y) }

// Len returns the length. Lengths above 1.8e19 overflow to +Inf.
func (a Vec2) Len() float32 { return Sqrt(a.Len2()) }

// Dist returns the distance between two points.
func (a Vec2) Dist(b Vec2) float32 { return a.Sub(b).Len() }

// Norm returns the unit vector along a, or zero if a has no usable direction:
// shorter than 1e-17, longer than 1.8e19, or NaN.
func (a Vec2) Norm() Vec2 {
	l := a.Len2()
	if !(l >= minLen2 && l <= maxFloat32) {
		return Vec2{}
	}
	return a.Mul(1 / Sqrt(l))
}

// Lerp returns a at t = 0 and b, within a rounding, at t = 1.
func (a Vec2) Lerp(b Vec2, t float32) Vec2 {
	return Vec2{a.X + float32((b.X-a.X)*t), a.Y + float32((b.Y-a.Y)*t)}
}

// Rotate returns a turned by an angle, counterclockwise.
func (a Vec2) Rotate(angle float32) Vec2 {
	s, c := SinCos(angle)
	return a.RotateBy(s, c)
}

// RotateBy is Rotate by an angle whose sine and cosine are known; with -sin it
// turns back.
func (a Vec2) RotateBy(sin, cos float32) Vec2 {
	return Vec2{float32(a.X*cos) - float32(a.Y*sin), float32(a.X*sin) + float32(a.Y*cos)}
}

// Angle returns the angle of a from +X, in (-Pi, Pi]; 0 for the zero vector.
func (a Vec2) Angle() float32 { return Atan2(a.Y, a.X) }

// Finite reports whether no part is infinite or NaN.
func (a Vec2) Finite() bool { return Finite(a.X) && Finite(a.Y) }

// Vec3 is a point or direction in space.
type Vec3 struct{ X, Y, Z float32 }

// V3 returns (x, y, z).
func V3(x, y, z float32) Vec3 { return Vec3{x, y, z} }

// Add returns a + b.
func (a Vec3) Add(b Vec3) Vec3 { return Vec3{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }

// Sub returns a - b.
func (a Vec3) Sub(b Vec3) Vec3 { return Vec3{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }

// Mul returns a scaled by k.
func (a Vec3) Mul(k float32) Vec3 {
	return Vec3{float32(a.X * k), float32(a.Y * k), float32(a.Z * k)}
}

// MulAdd returns a + b*k, each product rounded before it is added.
func (a Vec3) MulAdd(b Vec3, k float32) Vec3 {
	return Vec3{a.X + float32(b.X*k), a.Y + float32(b.Y*k), a.Z + float32(b.Z*k)}
}

// Neg returns 0 - a, so it never makes a -0.
func (a Vec3) Neg() Vec3 { return Vec3{0 - a.X, 0 - a.Y, 0 - a.Z} }

// Dot returns the scalar product.
func (a Vec3) Dot(b Vec3) float32 {
	return float32(a.X*b.X) + float32(a.Y*b.Y) + float32(a.Z*b.Z)
}

// Cross returns the vector product.
func (a Vec3) Cross(b Vec3) Vec3 {
	return Vec3{
		float32(a.Y*b.Z) - float32(a.Z*b.Y),
		float32(a.Z*b.X) - float32(a.X*b.Z),
		float32(a.X*b.Y) - float32(a.Y*b.X),
	}
}

// Len2 returns the squared length.
func (a Vec3) Len2() float32 { return float32(a.X*a.X) + float32(a.Y*a.Y) + float32(a.Z*a.Z) }

// Len returns the length. Lengths above 1.8e19 overflow to +Inf.
func (a Vec3) Len() float32 { return Sqrt(a.Len2()) }

// Dist returns the distance between two points.
func (a Vec3) Dist(b Vec3) float32 { return a.Sub(b).Len() }

// Norm returns the unit vector along a, or zero if a has no usable direction:
// shorter than 1e-17, longer than 1.8e19, or NaN.
func (a Vec3) Norm() Vec3 {
	l := a.Len2()
	if !(l >= minLen2 && l <= maxFloat32) {
		return Vec3{}
	}
	return a.Mul(1 / Sqrt(l))
}

// Lerp returns a at t = 0 and b, within a rounding, at t = 1.
func (a Vec3) Lerp(b Vec3, t float32) Vec3 {
	return Vec3{a.X + float32((b.X-a.X)*t), a.Y + float32((b.Y-a.Y)*t), a.Z + float32((b.Z-a.Z)*t)}
}

// Rotate returns a turned by q; q must be a unit quaternion.
func (a Vec3) Rotate(q Quat) Vec3 { return q.Rotate(a) }

// Finite reports whether no part is infinite or NaN.
func (a Vec3) Finite() bool { return Finite(a.X) && Finite(a.Y) && Finite(a.Z) }

package geom

// Quat is a rotation in space as a unit quaternion; W is the real part. The
// zero Quat is not a rotation: use Identity, or Norm, which mends it.
type Quat struct{ X, Y, Z, W float32 }

// Identity returns the rotation that turns nothing.
func Identity() Quat { return Quat{W: 1} }

// FromAxisAngle returns the right-handed turn by angle radians about axis,
// which need not be a unit vector; Identity if it has no direction.
func FromAxisAngle(axis Vec3, angle float32) Quat {
	n := axis.Norm()
	if n == (Vec3{}) {
		return Identity()
	}
	s, c := SinCos(float32(angle * 0.5))
	return Quat{float32(n.X * s), float32(n.Y * s), float32(n.Z * s), c}
}

// Mul returns the rotation that turns by b first and then by a.
func (a Quat) Mul(b Quat) Quat {
	return Quat{
		float32(a.W*b.X) + float32(a.X*b.W) + float32(a.Y*b.Z) - float32(a.Z*b.Y),
		float32(a.W*b.Y) - float32(a.X*b.Z) + float32(a.Y*b.W) + float32(a.Z*b.X),
		float32(a.W*b.Z) + float32(a.X*b.Y) - float32(a.Y*b.X) + float32(a.Z*b.W),
		float32(a.W*b.W) - float32(a.X*b.X) - float32(a.Y*b.Y) - float32(a.Z*b.Z),
	}
}

// Conj returns the rotation back.
func (a Quat) Conj() Quat { return Quat{0 - a.X, 0 - a.Y, 0 - a.Z, a.W} }

// Dot returns the cosine of half the angle between two rotations; its sign
// depends on the signs of the two quaternions.
func (a Quat) Dot(b Quat) float32 {
	return float32(a.X*b.X) + float32(a.Y*b.Y) + float32(a.Z*b.Z) + float32(a.W*b.W)
}

// Rotate returns v turned by a unit quaternion, within 1e-6 of its length:
// v + 2w(u x v) + 2u x (u x v), with u the imaginary part.
func (a Quat) Rotate(v Vec3) Vec3 {
	u := Vec3{a.X, a.Y, a.Z}
	t := u.Cross(v)
	t = t.Add(t)
	return v.MulAdd(t, a.W).Add(u.Cross(t))
}

// Unrotate returns v turned back: a.Conj().Rotate(v).
func (a Quat) Unrotate(v Vec3) Vec3 {
	u := Vec3{a.X, a.Y, a.Z}
	t := v.Cross(u)
	t = t.Add(t)
	return v.MulAdd(t, a.W).Add(t.Cross(u))
}

// Norm returns a scaled to unit length, or Identity if it has no direction:
// shorter than 1e-17, longer than 1.8e19, or NaN.
func (a Quat) Norm() Quat {
	l := a.Dot(a)
	if !(l >= minLen2 && l <= maxFloat32) {
		return Identity()
	}
	k := 1 / Sqrt(l)
	return Quat{float32(a.X * k), float32(a.Y * k), float32(a.Z * k), float32(a.W * k)}
}

// Canonical returns the one of a and -a, the same rotation, whose first part
// that is not 0 in the order W, X, Y, Z is positive, with no -0. Compare and
// send rotations in this form.
func (a Quat) Canonical() Quat {
	if a.W < 0 || a.W == 0 && (a.X < 0 || a.X == 0 && (a.Y < 0 || a.Y == 0 && a.Z < 0)) {
		return Quat{0 - a.X, 0 - a.Y, 0 - a.Z, 0 - a.W}
	}
	return Quat{a.X + 0, a.Y + 0, a.Z + 0, a.W + 0} // -0 + 0 is 0
}

// Nlerp returns the rotation between a (t = 0) and b (t = 1) the shortest way,
// as a unit quaternion. Its speed is not constant: between rotations 90 degrees
// apart it leads or trails the constant one by at most 1 degree.
func (a Quat) Nlerp(b Quat, t float32) Quat {
	if a.Dot(b) < 0 {
		b = Quat{0 - b.X, 0 - b.Y, 0 - b.Z, 0 - b.W}
	}
	return Quat{
		a.X + float32((b.X-a.X)*t),
		a.Y + float32((b.Y-a.Y)*t),
		a.Z + float32((b.Z-a.Z)*t),
		a.W + float32((b.W-a.W)*t),
	}.Norm()
}

// Integrate returns the rotation dt seconds later of a body that turns by
// omega, in radians a second and in world axes, as a unit quaternion.
//
// The turn by angle h+h about the axis n of omega is q + tan(h) n q,
// normalised; three terms of the tangent keep the turn within 8e-4 rad of the
// true one at |omega|*dt = 1 and within 2e-6 at 0.4.
func (a Quat) Integrate(omega Vec3, dt float32) Quat {
	h := omega.Mul(float32(dt * 0.5))
	z := h.Len2()
	h = h.Mul(1 + float32(z*(1.0/3+float32(z*(2.0/15)))))
	return Quat{
		a.X + float32(h.X*a.W) + float32(h.Y*a.Z) - float32(h.Z*a.Y),
		a.Y - float32(h.X*a.Z) + float32(h.Y*a.W) + float32(h.Z*a.X),
		a.Z + float32(h.X*a.Y) - float32(h.Y*a.X) + float32(h.Z*a.W),
		a.W - float32(h.X*a.X) - float32(h.Y*a.Y) - float32(h.Z*a.Z),
	}.Norm()
}

// Finite reports whether no part is infinite or NaN.
func (a Quat) Finite() bool {
	return Finite(a.X) && Finite(a.Y) && Finite(a.Z) && Finite(a.W)
}

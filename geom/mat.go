package geom

// Mat3 is a linear map of space, by its columns: where X, Y and Z go.
type Mat3 struct{ X, Y, Z Vec3 }

// Mat returns the rotation as a matrix; a must be a unit quaternion.
func (a Quat) Mat() Mat3 {
	x2, y2, z2 := a.X+a.X, a.Y+a.Y, a.Z+a.Z
	xx, yy, zz := float32(a.X*x2), float32(a.Y*y2), float32(a.Z*z2)
	xy, xz, yz := float32(a.X*y2), float32(a.X*z2), float32(a.Y*z2)
	wx, wy, wz := float32(a.W*x2), float32(a.W*y2), float32(a.W*z2)
	return Mat3{
		Vec3{1 - yy - zz, xy + wz, xz - wy},
		Vec3{xy - wz, 1 - xx - zz, yz + wx},
		Vec3{xz + wy, yz - wx, 1 - xx - yy},
	}
}

// Mul returns where v goes.
func (m *Mat3) Mul(v Vec3) Vec3 {
	return Vec3{
		float32(m.X.X*v.X) + float32(m.Y.X*v.Y) + float32(m.Z.X*v.Z),
		float32(m.X.Y*v.X) + float32(m.Y.Y*v.Y) + float32(m.Z.Y*v.Z),
		float32(m.X.Z*v.X) + float32(m.Y.Z*v.Y) + float32(m.Z.Z*v.Z),
	}
}

// MulT returns the transposed map of v: for a rotation, the way back.
func (m *Mat3) MulT(v Vec3) Vec3 { return Vec3{m.X.Dot(v), m.Y.Dot(v), m.Z.Dot(v)} }

// MulMat returns the map that does n first and then m.
func (m *Mat3) MulMat(n *Mat3) Mat3 { return Mat3{m.Mul(n.X), m.Mul(n.Y), m.Mul(n.Z)} }

// Transposed returns m with rows and columns exchanged.
func (m *Mat3) Transposed() Mat3 {
	return Mat3{Vec3{m.X.X, m.Y.X, m.Z.X}, Vec3{m.X.Y, m.Y.Y, m.Z.Y}, Vec3{m.X.Z, m.Y.Z, m.Z.Z}}
}

// Add returns the sum of two maps.
func (m Mat3) Add(n Mat3) Mat3 { return Mat3{m.X.Add(n.X), m.Y.Add(n.Y), m.Z.Add(n.Z)} }

// Scale returns m times k.
func (m Mat3) Scale(k float32) Mat3 { return Mat3{m.X.Mul(k), m.Y.Mul(k), m.Z.Mul(k)} }

// Inverse returns the map back, by cofactors, or the zero map if there is none.
func (m *Mat3) Inverse() Mat3 {
	a, b, c := m.Y.Cross(m.Z), m.Z.Cross(m.X), m.X.Cross(m.Y)
	d := m.X.Dot(a)
	if k := 1 / d; d != 0 && Finite(k) {
		r := Mat3{a.Mul(k), b.Mul(k), c.Mul(k)}
		return r.Transposed()
	}
	return Mat3{}
}

// Frame is a position and an orientation as a matrix: what a pose is turned
// into before many points go through it.
type Frame struct {
	P Vec3
	R Mat3
}

// FrameOf returns the frame of a pose; q must be a unit quaternion.
func FrameOf(p Vec3, q Quat) Frame { return Frame{p, q.Mat()} }

// Point returns where a point of the frame is in space.
func (f *Frame) Point(v Vec3) Vec3 { return f.R.Mul(v).Add(f.P) }

// Local returns where a point of space is in the frame.
func (f *Frame) Local(v Vec3) Vec3 { return f.R.MulT(v.Sub(f.P)) }

// To returns the frame g as seen from f.
func (f *Frame) To(g *Frame) Frame {
	rt := f.R.Transposed()
	return Frame{rt.Mul(g.P.Sub(f.P)), rt.MulMat(&g.R)}
}

// Of returns the frame in space of g, which is given in f.
func (f *Frame) Of(g *Frame) Frame { return Frame{f.Point(g.P), f.R.MulMat(&g.R)} }

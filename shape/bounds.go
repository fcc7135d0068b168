package shape

import (
	"math"

	"github.com/foretick/foretick/geom"
)

// bounds is a box as integers in the order of its floats, Min then Max: the
// smaller and larger of integers compile to moves without a jump.
type bounds [6]int32

// ordered returns an integer that is greater for a greater float; the same
// flip leads back. -0 must not come in, or stands below 0.
func ordered(x float32) int32 { return flip(int32(math.Float32bits(x))) }

func flip(i int32) int32 { return i ^ (i >> 31 & math.MaxInt32) }

func (b *bounds) at(k int) float32 { return math.Float32frombits(uint32(flip(b[k]))) }

var emptyBounds = boundsOf(&AABB{geom.Vec3{X: big, Y: big, Z: big}, geom.Vec3{X: -big, Y: -big, Z: -big}})

// nowhere is a box that nothing touches.
var nowhere = emptyBounds.aabb()

func boundsOf(b *AABB) bounds {
	return bounds{
		ordered(b.Min.X), ordered(b.Min.Y), ordered(b.Min.Z),
		ordered(b.Max.X), ordered(b.Max.Y), ordered(b.Max.Z),
	}
}

func (b *bounds) join(x *bounds) {
	b[0], b[1], b[2] = smaller(b[0], x[0]), smaller(b[1], x[1]), smaller(b[2], x[2])
	b[3], b[4], b[5] = larger(b[3], x[3]), larger(b[4], x[4]), larger(b[5], x[5])
}

// area is half of the surface.
func (b *bounds) area() float32 {
	x, y, z := b.at(3)-b.at(0), b.at(4)-b.at(1), b.at(5)-b.at(2)
	return float32(x*y) + float32(y*z) + float32(z*x)
}

func (b *bounds) aabb() AABB {
	return AABB{
		geom.Vec3{X: b.at(0), Y: b.at(1), Z: b.at(2)},
		geom.Vec3{X: b.at(3), Y: b.at(4), Z: b.at(5)},
	}
}

// out is the box around b of a frame, in space.
func (b *AABB) out(f *geom.Frame) AABB {
	c := f.Point(b.Min.Add(b.Max).Mul(0.5))
	return around(c, b.Max.Sub(b.Min).Mul(0.5), &f.R)
}

// around is the box about a turned box of half extents h.
func around(c, h geom.Vec3, r *geom.Mat3) AABB {
	x, y, z := r.X.Mul(h.X), r.Y.Mul(h.Y), r.Z.Mul(h.Z)
	e := geom.Vec3{
		X: geom.Abs(x.X) + geom.Abs(y.X) + geom.Abs(z.X),
		Y: geom.Abs(x.Y) + geom.Abs(y.Y) + geom.Abs(z.Y),
		Z: geom.Abs(x.Z) + geom.Abs(y.Z) + geom.Abs(z.Z),
	}
	return AABB{c.Sub(e), c.Add(e)}
}

// triBounds is the box of a triangle.
func triBounds(a, b, c geom.Vec3) AABB {
	return AABB{
		geom.Vec3{X: low3(a.X, b.X, c.X), Y: low3(a.Y, b.Y, c.Y), Z: low3(a.Z, b.Z, c.Z)},
		geom.Vec3{X: high3(a.X, b.X, c.X), Y: high3(a.Y, b.Y, c.Y), Z: high3(a.Z, b.Z, c.Z)},
	}
}

func low3(a, b, c float32) float32 {
	if b < a {
		a = b
	}
	if c < a {
		a = c
	}
	return a
}

func high3(a, b, c float32) float32 {
	if b > a {
		a = b
	}
	if c > a {
		a = c
	}
	return a
}

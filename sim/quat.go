package sim

import (
	"math"

	"github.com/foretick/foretick/geom"
)

func quatAt(b []byte) geom.Quat {
	at := func(i int) float32 { return math.Float32frombits(le.Uint32(b[4*i:])) }
	return geom.Quat{X: at(0), Y: at(1), Z: at(2), W: at(3)}
}

func putQuat(b []byte, q geom.Quat) {
	for i, v := range [4]float32{q.X, q.Y, q.Z, q.W} {
		le.PutUint32(b[4*i:], math.Float32bits(v))
	}
}

func (f *field) quantiseQuat(src []byte, dst []int32) {
	if f.bits == 0 {
		for i := range 4 {
			dst[i] = orderFloat(finite32(le.Uint32(src[4*i:])))
		}
		return
	}
	q := quatAt(src)
	// Mended only when far from unit length, so that rounding twice, which
	// sees a length off by what was rounded, changes nothing.
	if d := q.Dot(q) - 1; !(d < 1e-5 && d > -1e-5) {
		q = q.Norm()
	}
	w := f.smallestThree([4]float32{q.X, q.Y, q.Z, q.W})
	copy(dst[:4], w[:])
}

// smallestThree returns the index of the largest component, whose sign is made
// positive, and the three others in steps of sqrt(1/2)/top.
//
// Rounding may leave another component the largest, and then the words would
// not be what their own value is quantised to. So the largest of the three
// gives way, step by step, until the omitted one leads as largest would have
// it: then each rotation has one encoding, and rounding twice changes nothing.
func (f *field) smallestThree(c [4]float32) [4]int32 {
	big := largest(c)
	sign := 1.0
	if c[big] < 0 {
		sign = -1
	}
	top := f.top()
	w := [4]int32{int32(big)}
	j := 1
	for i := range c {
		if i == big {
			continue
		}
		n := float64(float64(c[i]) * sign * (math.Sqrt2 * top))
		switch {
		case n > top:
			n = top
		case n < -top:
			n = -top
		}
		w[j] = roundHalfUp(n)
		j++
	}
	for {
		i := largest(f.components(w))
		if i == big {
			return w
		}
		j := i + 1 // its word
		if i > big {
			j = i
		}
		if w[j] > 0 {
			w[j]--
		} else {
			w[j]++
		}
	}
}

// largest returns the index of the component of largest size, the first such.
func largest(c [4]float32) int {
	big := 0
	for i := range c {
		if geom.Abs(c[i]) > geom.Abs(c[big]) {
			big = i
		}
	}
	return big
}

// top is the largest of the three words.
func (f *field) top() float64 { return float64(int32(1)<<(f.bits-1) - 1) }

// components is the value of four words.
func (f *field) components(w [4]int32) (c [4]float32) {
	unit := 1 / (f.top() * math.Sqrt2)
	big := int(w[0]) & 3
	rest, j := 1.0, 1
	for i := range c {
		if i == big {
			continue
		}
		v := float64(float64(w[j]) * unit)
		rest -= float64(v * v)
		c[i] = float32(v)
		j++
	}
	if rest < 0 {
		rest = 0
	}
	c[big] = float32(math.Sqrt(rest))
	return c
}

func (f *field) dequantiseQuat(src []int32, dst []byte) {
	if f.bits == 0 {
		for i := range 4 {
			le.PutUint32(dst[4*i:], unorderFloat(src[i]))
		}
		return
	}
	c := f.components([4]int32(src[:4]))
	putQuat(dst, geom.Quat{X: c[0], Y: c[1], Z: c[2], W: c[3]})
}

func (f *field) validQuat(w []int32) bool {
	if f.bits == 0 {
		for i := range 4 {
			if unorderFloat(w[i])&0x7f800000 == 0x7f800000 {
				return false
			}
		}
		return true
	}
	top := int32(f.top())
	for _, v := range w[1:4] {
		if v < -top || v > top {
			return false
		}
	}
	// Nor a second spelling of a rotation: the omitted one leads.
	return w[0] >= 0 && w[0] < 4 && largest(f.components([4]int32(w[:4]))) == int(w[0])
}

package geom

import "math"

// Pi is half a turn, in radians.
const Pi float32 = pi

// Sqrt returns the correctly rounded square root, NaN for x < 0.
func Sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// Abs returns |x|; never -0.
func Abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// Floor returns the greatest whole number that is at most x.
func Floor(x float32) float32 { return float32(math.Floor(float64(x))) }

// Clamp returns x held within [lo, hi]. NaN gives lo.
func Clamp(x, lo, hi float32) float32 {
	if x > hi {
		return hi
	}
	if x >= lo {
		return x
	}
	return lo
}

// Lerp returns a + (b-a)*t: exactly a at t = 0, within a rounding of b at 1.
func Lerp(a, b, t float32) float32 { return a + float32((b-a)*t) }

// Finite reports whether x is neither infinite nor NaN.
func Finite(x float32) bool { return x-x == 0 }

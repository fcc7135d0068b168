package geom

import (
	. "math"
	stdmath "math"
	"math/cmplx" // want `math/cmplx in a step`
)

func Exact(x float64) float64 { return Sqrt(Floor(x)) + Pi }

func Wrong(x float64) float64 {
	x = Sin(x)                            // want `math.Sin in a step`
	x = stdmath.Pow(x, x)                 // want `math.Pow in a step`
	f := stdmath.Log                      // want `math.Log in a step`
	x = stdmath.FMA(x, x, f(x))           // want `math.FMA: it rounds once`
	return x + cmplx.Abs(1) + Hypot(1, 2) // want `math.Hypot in a step`
}

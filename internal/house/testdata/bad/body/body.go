package body

import "math"

func Tan(x float64) float64 { return math.Tan(x) } // want `math.Tan in a step`

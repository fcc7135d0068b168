package rules

import "math"

var Exp = math.Exp(1) // want `math.Exp in a step`

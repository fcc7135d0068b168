package pucks

import (
	_ "github.com/foretick/foretick/cli" // want `floor 6 may not import cli on floor 6` `may not import the shell cli` `does not type-check`
	"math"

	_ "github.com/foretick/foretick/tick"
)

var Sine = math.Sin(1) // want `math.Sin in a step`

package rewind

var x int = "not a number" // want `does not type-check`

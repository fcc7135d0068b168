// Package scenes has the scenes that tests, benchmarks, the gallery and the
// comparison with other engines share. A Scene is data: the bodies it starts
// with, and what is done to them before each step as a function of the step's
// number, so that any step can be taken again after a rewind.
//
// The random numbers are those of Rand, computed in float64 and rounded when
// stored, so that a scene can be built alike in any language.
package scenes

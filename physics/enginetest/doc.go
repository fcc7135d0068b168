// Package enginetest says what a physics.Engine must do, as tests that any
// engine can be put to.
//
// Engines may differ in how a pile settles, by fractions of a millimetre in
// where a cast ends, and in whether bodies lie on the backs of triangles; not
// in what a call means. What is asked for follows the comments of package
// physics; how near is near enough stands in tuning.go.
package enginetest

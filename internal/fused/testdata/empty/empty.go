// Package empty compiles to no instruction.
package empty

// Type is a type.
type Type int

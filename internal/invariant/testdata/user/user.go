// Package user is compiled by a test, which looks for what is left of it.
package user

import "github.com/foretick/foretick/internal/invariant"

//go:noinline
func even(n int) bool { return n&1 == 0 }

// Half has an assert of either form.
func Half(n int) int {
	invariant.Check(n >= 0, "planted plain")
	if invariant.On {
		invariant.Check(even(n), "planted costly")
	}
	return n >> 1
}

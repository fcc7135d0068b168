// Package user is compiled by a test, which looks for what is left of it.
package user

import "github.com/foretick/foretick/internal/fault"

//go:noinline
func harm(n int) int { return n + 2 }

// Next has a fault planted in it.
func Next(n int) int {
	if fault.Is("planted name") {
		return harm(n)
	}
	return n + 1
}

// Package invariant has the asserts of the core. They cost nothing in a
// release build; with the build tag "invariant" a broken one panics:
//
//	go test -tags invariant ./...
//
// Go evaluates Check's arguments unless they are free of effects and inline,
// so an assert that must compute something stands inside if invariant.On.
// An invariant is about our own code: input from the network never breaks one.
package invariant

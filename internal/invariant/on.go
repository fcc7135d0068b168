//go:build invariant

package invariant

// On reports whether invariants are checked in this build.
const On = true

// Check panics with msg unless ok.
func Check(ok bool, msg string) {
	if !ok {
		panic("invariant broken: " + msg)
	}
}

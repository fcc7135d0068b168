//go:build !invariant

package invariant

// On reports whether invariants are checked in this build.
const On = false

// Check does nothing in this build.
func Check(ok bool, msg string) {}

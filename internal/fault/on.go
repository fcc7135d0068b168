//go:build fault

package fault

// On reports whether faults can be planted in this build.
const On = true

var (
	planted string
	hits    int
)

// Set plants the named fault in place of the one before; "" plants none.
func Set(name string) { planted, hits = name, 0 }

// Is reports whether the named fault is planted. It may vary with nothing
// else, so that a run with a fault is as repeatable as one without.
func Is(name string) bool {
	if name != planted || name == "" {
		return false
	}
	hits++
	return true
}

// Hits returns how often the planted fault was met since Set: 0 means that the
// run never came by it, or that its name is misspelt.
func Hits() int { return hits }

//go:build !fault

package fault

// On reports whether faults can be planted in this build.
const On = false

// Set panics in this build unless name is "": a test of a fault that is not
// there would pass for the wrong reason. Ask On first.
func Set(name string) {
	if name != "" {
		panic("fault: built without -tags fault")
	}
}

// Is is false in this build.
func Is(name string) bool { return false }

// Hits is 0 in this build.
func Hits() int { return 0 }

package house

import "strings"

// A row places a package: what it may import, and which rules hold for it.
type row struct {
	path  string // below the module
	floor float32
	pure  bool // law 2: no clock, no goroutine, no I/O
}

const (
	pure  = true
	shell = false
)

// floors is the house. A package imports only packages on lower floors, a pure
// one only pure ones. A package that is not here but below one that is stands
// one floor above it for each step down, as pure as it.
var floors = []row{
	{"cmd/foretick", 7, shell},
	{"cmd/gallery", 7, shell},

	{"games/*", 6, pure},
	{"examples/*", 6, pure},
	{"cli", 6, shell},
	{"host", 6, shell},
	{"bench/*", 6, shell},

	{"web", 5, shell},
	{"server", 5, shell},
	{"client", 5, shell},
	{"lab", 5, pure},

	{"authority", 4, pure},
	{"replica", 4, pure},
	{"transport", 4, shell},

	{"impair", 3, pure},
	{"predict", 3, pure},
	{"body", 3, pure},
	{"view", 3, pure},
	{"rewind", 3, pure},
	{"snapshot", 3, pure},
	{"pace", 3, pure},
	{"link", 3, pure},
	{"record", 3, pure},
	{"gallery", 3, pure},

	{"sim", 2, pure},
	{"wire", 2, pure},
	{"physics/rapier", 2, shell},
	{"physics/enginetest", 2, shell},

	{"internal/soup", 2, pure}, // float64, slow: judges shape and physics
	{"level", 1, shell},
	{"ecs", 1, pure},
	{"physics", 1, pure},
	{"bits", 1, pure},

	{"shape", 0.5, pure}, // what physics is made of; see docs/decisions/015

	{"tick", 0, pure},
	{"geom", 0, pure},
	{"internal/invariant", 0, pure},
	{"internal/fault", 0, pure},
	{"internal/fused", 0, shell},
	{"internal/limit", 0, shell},
	{"internal/npm", 0, shell},
	{"internal/wasmpack", 0, pure},
	{"internal/changeling", 3, pure},
	{"internal/plot", 3, pure},
}

// programs is the floor of a main package below games or examples, above cli.
const programs = 7

// clientPath is what every client links. fmt, which brings reflect with it,
// would be most of a small game's WebAssembly.
var clientPath = words("tick geom bits ecs sim wire link pace snapshot predict view replica shape physics body gallery" +
	" internal/invariant internal/fault internal/limit")

// stepFloor: pure packages up to this floor run inside a step, or may, and so
// do the packages of stepPackages with those below them. There only the exact
// functions of package math give the same bits everywhere.
const stepFloor = 2

var stepPackages = words("body games examples internal/changeling")

// notInAStep lists files of step packages that no step runs, each with the
// reason; they may use all of package math.
var notInAStep = map[string]string{}

// owners: import path, and the only package that may import it.
var owners = map[string]string{"reflect": "sim", "unsafe": "ecs"}

// names that say nothing of what a package is for.
var emptyNames = words("util utils common types")

const (
	maxFileLines = 500
	maxFuncLines = 70
)

// place finds the row that holds for a package, by its path below the module.
func place(rel string, program bool) (row, bool) {
	seg := strings.Split(rel, "/")
	for n := len(seg); n > 0; n-- {
		for _, r := range floors {
			if !matches(r.path, seg[:n]) {
				continue
			}
			if program && strings.HasSuffix(r.path, "/*") && n < len(seg) {
				return row{rel, programs, shell}, true
			}
			return row{rel, r.floor + float32(len(seg)-n), r.pure}, true
		}
	}
	return row{}, false
}

func matches(pattern string, seg []string) bool {
	if parent, ok := strings.CutSuffix(pattern, "/*"); ok {
		return len(seg) == 2 && seg[0] == parent
	}
	return pattern == strings.Join(seg, "/")
}

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

package physics

import (
	"slices"

	"github.com/foretick/foretick/geom"
)

// table is bodies in order of id.
type table struct {
	ids  []ID
	st   []State
	defs []Def
	mass []mass
	// version names one list of ids, defs and masses, and for static bodies
	// poses: of two tables that were copied from each other, equal versions mean
	// equal lists. It saves copying and is never part of a result.
	version version
	changes uint64 // made to this very table; never goes back
}

// version names a list by the table that first had it and the change that made it.
type version struct {
	by     *table
	change uint64
}

// mass is what a step needs of a Def and its shape.
type mass struct {
	inv        float32   // 1/kg, 0: cannot be pushed
	inertia    geom.Mat3 // kg m^2 about the centre, in the body's axes
	invInertia geom.Mat3
	centre     geom.Vec3 // of mass, in the body's axes
	core       float32   // radius of a ball about the centre that is inside the shape
	reach      float32   // no point of the shape is further from the origin
	swing      float32   // nor further from the centre of mass
	round      bool      // inertia is the same about all axes
}

// changed gives the list a version that no table has had.
func (t *table) changed() {
	t.changes++
	t.version = version{t, t.changes}
}

func (t *table) row(id ID) (int, bool) { return slices.BinarySearch(t.ids, id) }

func (t *table) insert(id ID, d Def, s State, m mass) int {
	r, _ := t.row(id)
	t.ids = slices.Insert(t.ids, r, id)
	t.st = slices.Insert(t.st, r, s)
	t.defs = slices.Insert(t.defs, r, d)
	t.mass = slices.Insert(t.mass, r, m)
	t.changed()
	return r
}

func (t *table) remove(r int) {
	t.ids = slices.Delete(t.ids, r, r+1)
	t.st = slices.Delete(t.st, r, r+1)
	t.defs = slices.Delete(t.defs, r, r+1)
	t.mass = slices.Delete(t.mass, r, r+1)
	t.changed()
}

func (t *table) clear() {
	t.ids, t.st, t.defs, t.mass = t.ids[:0], t.st[:0], t.defs[:0], t.mass[:0]
	t.changed()
}

// copyFrom makes t equal to src. Static states are part of the version.
func (t *table) copyFrom(src *table, static bool) {
	if t.version != src.version {
		t.ids = append(t.ids[:0], src.ids...)
		t.defs = append(t.defs[:0], src.defs...)
		t.mass = append(t.mass[:0], src.mass...)
		t.version = src.version
	} else if static {
		return
	}
	t.st = append(t.st[:0], src.st...)
}

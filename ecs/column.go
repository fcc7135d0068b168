package ecs

import (
	"slices"
	"unsafe"

	"github.com/foretick/foretick/tick"
)

// Column holds one component of every entity that has it, densely and in
// ascending order of Entity. Rows move when entities are added or removed, so
// a row or a pointer lives only until the next such change.
type Column struct {
	size int
	ids  []tick.Entity
	// base points at memory allocated as uint64, so a T at row*size is aligned
	// (the size of a T is a multiple of its alignment, which is at most 8).
	base  unsafe.Pointer
	words int // room at base, in uint64
	// rows finds the row of an entity index. Entries of absent entities are
	// stale, not cleared: a reader compares ids, which also checks the generation.
	rows []uint16
	live *Column // the world's entities; nil in that column itself
	// Columns of equal version have equal ids, which saves comparing them. The
	// reverse need not hold, and nothing else may depend on it.
	version version
	changes uint64 // made to ids in this very column; never goes back
}

// version names a list of ids by the column that first had it and the change
// that made it. The zero version is that of the empty list of a new column.
type version struct {
	by     *Column
	change uint64
}

// changed gives ids a version that no column has had.
func (c *Column) changed() {
	c.changes++
	c.version = version{c, c.changes}
}

func (c *Column) init(size int, live *Column) {
	c.size, c.live = size, live
	c.words = max(1, (size+7)/8) // never nil, also for tags, and room for the row that Slice's type claims
	c.base = unsafe.Pointer(unsafe.SliceData(make([]uint64, c.words)))
}

// Len returns the number of rows.
func (c *Column) Len() int { return len(c.ids) }

// Size returns the bytes of one row.
func (c *Column) Size() int { return c.size }

// IDs returns the entity of each row, ascending. Do not change it.
func (c *Column) IDs() []tick.Entity { return c.ids }

// Row returns where e is.
func (c *Column) Row(e tick.Entity) (int, bool) {
	if i := int(e.Index()); i < len(c.rows) {
		if r := int(c.rows[i]); r < len(c.ids) && c.ids[r] == e {
			return r, true
		}
	}
	return 0, false
}

// Has reports whether e has this component.
func (c *Column) Has(e tick.Entity) bool {
	_, ok := c.Row(e)
	return ok
}

// Add gives e this component, zeroed, and returns its row; if e has it already
// it stays as it is. An entity that is not alive gets none: the row is then -1.
// The cost is constant if e is the highest entity, else the rows above it move.
func (c *Column) Add(e tick.Entity) int {
	if r, ok := c.Row(e); ok {
		return r
	}
	if !c.live.Has(e) {
		return -1
	}
	return c.insert(e)
}

// Remove takes this component from e, if it has it.
func (c *Column) Remove(e tick.Entity) {
	r, ok := c.Row(e)
	if !ok {
		return
	}
	d, s := c.data(), c.size
	copy(d[r*s:], d[(r+1)*s:])
	c.ids = slices.Delete(c.ids, r, r+1)
	c.renumber(r)
	c.changed()
}

// Clear removes every row and keeps the memory.
func (c *Column) Clear() {
	c.ids = c.ids[:0]
	c.changed()
}

// Bytes returns the data of a row.
func (c *Column) Bytes(row int) []byte {
	lo, hi := row*c.size, (row+1)*c.size
	return c.data()[lo:hi:hi]
}

// Data returns all rows, one after the other.
func (c *Column) Data() []byte { return c.data() }

// SameIDs reports whether both columns have the same entities, so that a row
// here is the same entity's there. It costs next to nothing where one was
// copied from the other.
func (c *Column) SameIDs(o *Column) bool { return c.sameIDs(o) }

// At returns row as a T, whose size must be the column's and which must hold
// no pointers.
func At[T any](c *Column, row int) *T {
	var t T
	if int(unsafe.Sizeof(t)) != c.size {
		panic(wrongSize)
	}
	_ = c.ids[row]
	return (*T)(unsafe.Add(c.base, uintptr(row)*unsafe.Sizeof(t)))
}

// Slice returns all rows as Ts, under the same terms as At.
func Slice[T any](c *Column) []T {
	var t T
	if int(unsafe.Sizeof(t)) != c.size {
		panic(wrongSize)
	}
	return unsafe.Slice((*T)(c.base), len(c.ids))
}

const wrongSize = "ecs: T is not of the column's size"

// data is all rows, one after the other.
func (c *Column) data() []byte { return unsafe.Slice((*byte)(c.base), len(c.ids)*c.size) }

// insert adds e, which must be absent together with all its generations.
func (c *Column) insert(e tick.Entity) int {
	n, s := len(c.ids), c.size
	at := n
	if n > 0 && c.ids[n-1] > e {
		at, _ = slices.BinarySearch(c.ids, e)
	}
	c.grow(n + 1)
	c.ids = append(c.ids, e)
	d := c.data()
	if at < n {
		copy(c.ids[at+1:], c.ids[at:n])
		c.ids[at] = e
		copy(d[(at+1)*s:], d[at*s:n*s])
	}
	clear(d[at*s : (at+1)*s])
	c.renumber(at)
	c.changed()
	return at
}

// grow makes room for the data of n rows and keeps what is there.
func (c *Column) grow(n int) {
	need := (n*c.size + 7) / 8
	if need <= c.words {
		return
	}
	need = max(need, 2*c.words, (firstRows*c.size+7)/8)
	b := make([]uint64, need)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b))), need*8), c.data())
	c.base, c.words = unsafe.Pointer(unsafe.SliceData(b)), need
}

// renumber sets the rows of all entities from row from on.
func (c *Column) renumber(from int) {
	if from >= len(c.ids) {
		return
	}
	if top := int(c.ids[len(c.ids)-1].Index()); top >= len(c.rows) {
		// Doubling, so that ascending inserts are constant in the mean.
		rows := make([]uint16, min(max(top+1, 2*len(c.rows), firstRows), 1<<16))
		copy(rows, c.rows)
		c.rows = rows
	}
	rows := c.rows
	for r := from; r < len(c.ids); r++ {
		rows[c.ids[r].Index()] = uint16(r)
	}
}

// other returns the entity of the given index here, whatever its generation.
func (c *Column) other(index uint16) (tick.Entity, bool) {
	if int(index) < len(c.rows) {
		if r := int(c.rows[index]); r < len(c.ids) && c.ids[r].Index() == index {
			return c.ids[r], true
		}
	}
	return tick.NoEntity, false
}

// copyFrom makes c equal to src, which has the same size.
func (c *Column) copyFrom(src *Column) {
	if !c.sameIDs(src) {
		from := commonIDs(c.ids, src.ids)
		c.grow(len(src.ids))
		c.ids = append(c.ids[:from], src.ids[from:]...)
		c.renumber(from)
	}
	c.version = src.version
	copy(c.data(), src.data())
}

// copyRow makes e the same here as in src; e must be alive here if src has it.
func (c *Column) copyRow(src *Column, e tick.Entity) {
	r, ok := src.Row(e)
	if !ok {
		c.Remove(e)
		return
	}
	if to := c.Add(e); to >= 0 {
		copy(c.Bytes(to), src.Bytes(r))
	}
}

func (c *Column) equal(o *Column) bool {
	return c.sameIDs(o) && string(c.data()) == string(o.data())
}

func (c *Column) sameIDs(o *Column) bool {
	if c.version == o.version {
		return true
	}
	// As bytes, many at a time, unlike slices.Equal.
	return len(c.ids) == len(o.ids) && string(idBytes(c.ids)) == string(idBytes(o.ids))
}

func idBytes(a []tick.Entity) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a))), len(a)*4)
}

// commonIDs returns how many entities a and b have in common at the front.
func commonIDs(a, b []tick.Entity) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

package predict

import (
	"cmp"
	"slices"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/tick"
)

// poses are entities as they stood in the world, to the byte: what a tick read
// of others. The list ascends.
type poses struct {
	list []pose
	data []byte
}

type pose struct {
	e     tick.Entity
	owner uint16
	mask  uint64 // of the game's travelling columns, in wire order
	off   int
}

func (v *poses) clear() { v.list, v.data = v.list[:0], v.data[:0] }

func (v *poses) copyFrom(o *poses) {
	v.list = append(v.list[:0], o.list...)
	v.data = append(v.data[:0], o.data...)
}

func (v *poses) place(e tick.Entity) (int, bool) {
	if n := len(v.list); n == 0 || v.list[n-1].e < e {
		return n, false
	}
	return slices.BinarySearchFunc(v.list, e, func(x pose, e tick.Entity) int { return cmp.Compare(x.e, e) })
}

func (v *poses) has(e tick.Entity) bool {
	_, ok := v.place(e)
	return ok
}

func (v *poses) drop(e tick.Entity) {
	if i, ok := v.place(e); ok {
		v.list = slices.Delete(v.list, i, i+1)
	}
}

// capture takes entity e down as it stands in w.
func (v *poses) capture(wire []int, w *ecs.World, e tick.Entity) {
	x := pose{e: e, owner: w.Owner(e), off: len(v.data)}
	for i, col := range wire {
		c := w.Column(col)
		if row, ok := c.Row(e); ok {
			x.mask |= 1 << uint(i)
			v.data = append(v.data, c.Bytes(row)...)
		}
	}
	switch i, ok := v.place(e); {
	case ok:
		v.list[i] = x
	case i == len(v.list):
		v.list = append(v.list, x)
	default:
		v.list = slices.Insert(v.list, i, x)
	}
}

// put makes them in w what they were: those in scope, or with nil all.
func (v *poses) put(wire []int, w *ecs.World, scope []tick.Entity) {
	for i := range v.list {
		x := &v.list[i]
		if scope != nil && !holds(scope, x.e) {
			continue
		}
		w.Insert(x.e)
		w.SetOwner(x.e, x.owner)
		at := x.off
		for i, col := range wire {
			c := w.Column(col)
			if x.mask>>uint(i)&1 == 0 {
				c.Remove(x.e)
				continue
			}
			at += copy(c.Bytes(c.Add(x.e)), v.data[at:])
		}
	}
}

package ecs

import (
	"slices"

	"github.com/foretick/foretick/tick"
)

// What a Diff can be about besides a component.
const (
	DiffEntity    = -1 // alive in one world only
	DiffOwner     = -2
	DiffAllocator = -3
)

// Diff is a place where two worlds differ.
type Diff struct {
	Entity    tick.Entity
	Component int // its index, or one of the negative constants
	// Offset is the first byte of the component that differs, or -1 if only one
	// of the worlds has the component. For DiffAllocator it is the place in the
	// line of freed indices, or -1 if what differs is how Entity's index is used.
	Offset int
}

// Equal reports whether the worlds are the same bit for bit, allocator
// included. The components must be the same.
func (w *World) Equal(o *World) bool {
	w.mustMatch(o)
	if !w.live.equal(&o.live) {
		return false
	}
	for i := range w.cols {
		if !w.cols[i].equal(&o.cols[i]) {
			return false
		}
	}
	return slices.Equal(w.alloc.slots, o.alloc.slots) && slices.Equal(w.alloc.queue(), o.alloc.queue())
}

// FirstDiff returns where the worlds differ first: by entity, in each by
// existence, owner and component, and in the allocator last. ok is false if
// they are Equal.
func (w *World) FirstDiff(o *World) (d Diff, ok bool) {
	w.mustMatch(o)
	a, b := w.live.ids, o.live.ids
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return Diff{b[i], DiffEntity, 0}, true
		case i >= len(b):
			return Diff{a[i], DiffEntity, 0}, true
		case a[i] != b[i]:
			return Diff{min(a[i], b[i]), DiffEntity, 0}, true
		}
		if d, ok := w.entityDiff(o, a[i]); ok {
			return d, true
		}
	}
	return w.alloc.diff(&o.alloc)
}

// entityDiff compares an entity alive in both worlds.
func (w *World) entityDiff(o *World, e tick.Entity) (Diff, bool) {
	if w.Owner(e) != o.Owner(e) {
		return Diff{e, DiffOwner, 0}, true
	}
	for i := range w.cols {
		c, p := &w.cols[i], &o.cols[i]
		r, has := c.Row(e)
		q, had := p.Row(e)
		if has != had {
			return Diff{e, i, -1}, true
		}
		if !has {
			continue
		}
		x, y := c.Bytes(r), p.Bytes(q)
		for k := range x {
			if x[k] != y[k] {
				return Diff{e, i, k}, true
			}
		}
	}
	return Diff{}, false
}

func (a *alloc) diff(b *alloc) (Diff, bool) {
	for i := range max(len(a.slots), len(b.slots)) {
		var x, y uint32
		if i < len(a.slots) {
			x = a.slots[i]
		}
		if i < len(b.slots) {
			y = b.slots[i]
		}
		if x != y {
			return Diff{tick.MakeEntity(uint16(i), uint16(x)), DiffAllocator, -1}, true
		}
	}
	// The same slots are freed, so the lines are of the same length.
	p, q := a.queue(), b.queue()
	for k := range p {
		if p[k] != q[k] {
			return Diff{tick.MakeEntity(p[k].index, uint16(a.slots[p[k].index])), DiffAllocator, k}, true
		}
	}
	return Diff{}, false
}

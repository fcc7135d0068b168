// Package ecs holds the state of a match: entities and their components, as
// plain bytes in tables that can be saved, restored, compared and hashed in a
// handful of copies.
//
// The order of entities, in a world and in every column, is that of
// tick.Entity and never that of creation, so a world rebuilt in another order
// is the same world. Component data holds no pointers and no padding. A World
// is not safe for concurrent use; reading one from several places is.
package ecs

import "github.com/foretick/foretick/tick"

// World is a set of entities, each with an owner and with some components.
type World struct {
	live  Column // every entity alive; its data is the owner, a uint16
	cols  []Column
	alloc alloc
}

// New makes an empty world whose component i is sizes[i] bytes long; 0 is a
// tag, which is there or not. There are at most MaxComponents.
func New(sizes []int) *World {
	if len(sizes) > MaxComponents {
		panic("ecs: more than 64 components")
	}
	w := &World{cols: make([]Column, len(sizes))}
	w.live.init(2, nil)
	for i, s := range sizes {
		if s < 0 {
			panic("ecs: negative component size")
		}
		w.cols[i].init(s, &w.live)
	}
	w.alloc.reset()
	return w
}

// Len returns the number of entities alive.
func (w *World) Len() int { return len(w.live.ids) }

// Entities returns those alive, ascending, until the next change. Do not
// change it.
func (w *World) Entities() []tick.Entity { return w.live.ids }

// Alive reports whether e, of exactly this generation, exists.
func (w *World) Alive(e tick.Entity) bool { return w.live.Has(e) }

// Create makes an entity without components or owner. It takes the index that
// has been free longest, with the next generation, if that was Quarantine
// ticks ago or more, else the lowest index never used; if there is neither, ok
// is false and nothing changes.
func (w *World) Create(now tick.Tick) (e tick.Entity, ok bool) {
	if e, ok = w.alloc.next(now); ok {
		w.live.insert(e)
	}
	return e, ok
}

// Insert makes exactly e, as a client does with what the server created. It
// does nothing if e is alive or has index 0. Another generation of the index
// is removed. Create will not return the index until e is destroyed.
func (w *World) Insert(e tick.Entity) {
	if e.Index() == 0 || w.Alive(e) {
		return
	}
	if old, ok := w.live.other(e.Index()); ok {
		w.remove(old)
	}
	w.alloc.use(e)
	w.live.insert(e)
}

// Destroy removes e with its components, if it is alive, and frees its index.
func (w *World) Destroy(e tick.Entity, now tick.Tick) {
	if w.Alive(e) {
		w.remove(e)
		w.alloc.free(e, now)
	}
}

// remove takes e out and leaves the allocator alone.
func (w *World) remove(e tick.Entity) {
	for i := range w.cols {
		w.cols[i].Remove(e)
	}
	w.live.Remove(e)
}

// Owner returns the player e belongs to; 0 is nobody, also if e is not alive.
func (w *World) Owner(e tick.Entity) uint16 {
	if r, ok := w.live.Row(e); ok {
		return *At[uint16](&w.live, r)
	}
	return 0
}

// SetOwner gives e, if it is alive, to a player, or with 0 to nobody.
func (w *World) SetOwner(e tick.Entity, owner uint16) {
	if r, ok := w.live.Row(e); ok {
		*At[uint16](&w.live, r) = owner
	}
}

// Column returns the table of component i, the same one for the world's life.
func (w *World) Column(i int) *Column { return &w.cols[i] }

// Clear makes the world as new and keeps the memory.
func (w *World) Clear() {
	w.live.Clear()
	for i := range w.cols {
		w.cols[i].Clear()
	}
	w.alloc.reset()
}

// CopyFrom makes w equal to src, allocator included: this saves and restores a
// world. The components must be the same. It allocates only while w has never
// been as large as src.
func (w *World) CopyFrom(src *World) {
	w.mustMatch(src)
	if w == src {
		return
	}
	w.live.copyFrom(&src.live)
	for i := range w.cols {
		w.cols[i].copyFrom(&src.cols[i])
	}
	w.alloc.copyFrom(&src.alloc)
}

// CopyEntity makes e the same as in src: owner, components, and whether it is
// alive. An entity removed this way does not go into quarantine: its index is
// not given out again by Create, which the peer that copies leaves to src's.
func (w *World) CopyEntity(src *World, e tick.Entity) {
	w.mustMatch(src)
	r, ok := src.live.Row(e)
	if !ok {
		if w.Alive(e) {
			w.remove(e)
		}
		return
	}
	w.Insert(e)
	w.SetOwner(e, *At[uint16](&src.live, r))
	for i := range w.cols {
		w.cols[i].copyRow(&src.cols[i], e)
	}
}

// CopyRow makes component i of e the same as in src, and whether e has it. It
// does nothing if e is not alive here.
func (w *World) CopyRow(i int, src *World, e tick.Entity) {
	c, from := &w.cols[i], &src.cols[i]
	if c.size != from.size {
		panic(wrongWorld)
	}
	c.copyRow(from, e)
}

const wrongWorld = "ecs: the worlds have different components"

func (w *World) mustMatch(o *World) {
	if len(w.cols) != len(o.cols) {
		panic(wrongWorld)
	}
	for i := range w.cols {
		if w.cols[i].size != o.cols[i].size {
			panic(wrongWorld)
		}
	}
}

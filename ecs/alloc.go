package ecs

import "github.com/foretick/foretick/tick"

// alloc gives out entity ids. It is state: it is saved, compared and hashed
// with the world, so that a replayed Create returns the same id. Every field
// but fresh and head says something of its own; those two follow from it.
type alloc struct {
	slots []uint32 // by index: slotUsed, slotFreed, generation; the last one is always used
	freed []rest   // oldest first, from head on; an index is in it at most once
	head  int
	fresh int // lowest index never used
}

// rest is an index in quarantine.
type rest struct {
	at    tick.Tick
	index uint16
}

const (
	slotUsed  = 1 << 31
	slotFreed = 1 << 30
)

func (a *alloc) reset() {
	a.slots = append(a.slots[:0], slotUsed) // index 0 is nobody's
	a.freed, a.head, a.fresh = a.freed[:0], 0, 1
}

// next takes an index out of quarantine, or the lowest one never used.
func (a *alloc) next(now tick.Tick) (tick.Entity, bool) {
	if a.head < len(a.freed) && now.Since(a.freed[a.head].at) >= Quarantine {
		i := a.freed[a.head].index
		a.head++
		if 2*a.head >= len(a.freed) {
			n := copy(a.freed, a.freed[a.head:])
			a.freed, a.head = a.freed[:n], 0
		}
		e := tick.MakeEntity(i, uint16(a.slots[i])+1)
		a.slots[i] = slotUsed | uint32(e.Generation())
		return e, true
	}
	if a.fresh > 0xffff {
		return tick.NoEntity, false
	}
	e := tick.MakeEntity(uint16(a.fresh), 0)
	a.use(e)
	return e, true
}

// use records that e lives, so that next never returns its index meanwhile.
func (a *alloc) use(e tick.Entity) {
	i := int(e.Index())
	for len(a.slots) <= i {
		a.slots = append(a.slots, 0)
	}
	if a.slots[i]&slotFreed != 0 {
		for k := a.head; k < len(a.freed); k++ {
			if a.freed[k].index == e.Index() {
				a.freed = append(a.freed[:k], a.freed[k+1:]...)
				break
			}
		}
	}
	a.slots[i] = slotUsed | uint32(e.Generation())
	for a.fresh < len(a.slots) && a.slots[a.fresh] != 0 {
		a.fresh++
	}
}

// free puts the index of e, which just died, into quarantine.
func (a *alloc) free(e tick.Entity, now tick.Tick) {
	a.slots[e.Index()] |= slotFreed
	a.freed = append(a.freed, rest{at: now, index: e.Index()})
}

func (a *alloc) queue() []rest { return a.freed[a.head:] }

func (a *alloc) copyFrom(src *alloc) {
	a.slots = append(a.slots[:0], src.slots...)
	a.freed, a.head = append(a.freed[:0], src.queue()...), 0
	a.fresh = src.fresh
}

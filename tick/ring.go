package tick

// Ring keeps one T for each of the last Len ticks. Each slot stores its tick
// and every read compares it, so a lapped read is "missing" and never another
// tick's value (the idea is reliable.io's sequence buffer).
type Ring[T any] struct {
	slots []slot[T]
	mask  uint32
}

type slot[T any] struct {
	tick Tick
	set  bool
	v    T
}

// NewRing makes a ring of at least size slots, rounded up to a power of two.
func NewRing[T any](size int) *Ring[T] {
	n := 1
	for n < size {
		n <<= 1
	}
	return &Ring[T]{slots: make([]slot[T], n), mask: uint32(n - 1)}
}

// Len returns the number of slots.
func (r *Ring[T]) Len() int { return len(r.slots) }

// At returns the value of tick t, or false if it is missing.
func (r *Ring[T]) At(t Tick) (*T, bool) {
	s := &r.slots[uint32(t)&r.mask]
	if !s.set || s.tick != t {
		return nil, false
	}
	return &s.v, true
}

// Put claims the slot of tick t and returns what it held before, whatever tick
// that was of, so that its memory can be used again. The caller overwrites it.
func (r *Ring[T]) Put(t Tick) *T {
	s := &r.slots[uint32(t)&r.mask]
	s.tick, s.set = t, true
	return &s.v
}

// Drop makes tick t missing.
func (r *Ring[T]) Drop(t Tick) {
	s := &r.slots[uint32(t)&r.mask]
	if s.tick == t {
		s.set = false
	}
}

// Clear makes every tick missing and keeps the memory.
func (r *Ring[T]) Clear() {
	for i := range r.slots {
		r.slots[i].set = false
	}
}

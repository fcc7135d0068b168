package snapshot

import "github.com/foretick/foretick/tick"

// versions are the records of one entity that a client holds, by tick. They
// leave oldest first, and floor is the newest that left: nothing up to it ever
// comes back, so that between two versions held none is missing that was held.
type versions struct {
	ring    []record // a power of two
	head, n int

	floor    tick.Tick
	hasFloor bool
	named    tick.Tick // the newest baseline that a change named
	hasNamed bool
}

func (v *versions) at(i int) *record { return &v.ring[(v.head+i)&(len(v.ring)-1)] }

func (v *versions) reset() { *v = versions{ring: v.ring} }

// newest returns the newest version not after t, or nil.
func (v *versions) newest(t tick.Tick) *record {
	for i := v.n - 1; i >= 0; i-- {
		if r := v.at(i); !r.tick.After(t) {
			return r
		}
	}
	return nil
}

// exactly returns the version of tick t, or nil.
func (v *versions) exactly(t tick.Tick) *record {
	if r := v.newest(t); r != nil && r.tick == t {
		return r
	}
	return nil
}

// put returns the place for the version of tick t, or nil if it is too old to
// be kept. If there is no room the oldest leaves, or, with grow, the ring grows
// unless the oldest is of no more use.
func (v *versions) put(t tick.Tick, grow bool) *record {
	if v.hasFloor && !t.After(v.floor) {
		return nil
	}
	p := v.n
	for p > 0 && v.at(p-1).tick.After(t) {
		p--
	}
	if p > 0 && v.at(p-1).tick == t {
		return v.at(p - 1)
	}
	if v.n == len(v.ring) {
		switch {
		case v.n == 0 || grow && v.n < maxVersions && !v.spent(v.at(0).tick):
			v.grow()
		case p == 0:
			v.floor, v.hasFloor = t, true
			return nil
		default:
			v.floor, v.hasFloor = v.at(0).tick, true
			v.head++
			v.n--
			p--
		}
	}
	for i := v.n; i > p; i-- { // swapped, so that each keeps its memory
		a, b := v.at(i), v.at(i-1)
		*a, *b = *b, *a
	}
	v.n++
	v.at(p).tick = t
	return v.at(p)
}

// spent reports whether no packet worth waiting for can name a version of tick t.
func (v *versions) spent(t tick.Tick) bool {
	return v.hasNamed && t.Before(v.named.Add(-lateMargin))
}

func (v *versions) grow() {
	size := 2 * len(v.ring)
	if size == 0 {
		size = firstVersions
	}
	ring := make([]record, size)
	for i := range v.n {
		ring[i] = *v.at(i)
	}
	v.ring, v.head = ring, 0
}

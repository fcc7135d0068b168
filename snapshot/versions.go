package snapshot

import "github.com/foretick/foretick/tick"

// versions are the records of one entity that a client holds, by tick. They
// leave oldest first, and floor is the newest that left: nothing up to it ever
// comes back, so that between two versions held none is missing that was held.
//
// A game's clients and server in one process hold many of them, each looked at
// once a tick: so they lie close together.
type versions struct {
	ring    []version // a power of two
	head, n int
	slab    []int32 // the words, stride of them for each slot
	stride  int

	floor    tick.Tick
	hasFloor bool
	named    tick.Tick // the newest baseline that a change named
	hasNamed bool
}

// version is a record whose words are in the slab.
type version struct {
	mask  uint64
	tick  tick.Tick
	words int32
	owner uint16
	slot  uint16
}

func (v *versions) at(i int) *version { return &v.ring[(v.head+i)&(len(v.ring)-1)] }

func (v *versions) reset() { *v = versions{ring: v.ring, slab: v.slab, stride: v.stride} }

// size is the memory taken, in words.
func (v *versions) size() int { return len(v.ring)*recordWords + len(v.slab) }

// words returns a version's words.
func (v *versions) words(r *version) []int32 {
	lo := int(r.slot) * v.stride
	hi := lo + int(r.words)
	return v.slab[lo:hi:hi]
}

// record returns the i-th version, which shares memory.
func (v *versions) record(i int) record {
	r := v.at(i)
	return record{r.tick, r.owner, r.mask, v.words(r)}
}

// newest returns which is the newest version not after t, or -1.
func (v *versions) newest(t tick.Tick) int {
	i := v.n - 1
	for i >= 0 && v.at(i).tick.After(t) {
		i--
	}
	return i
}

// exactly returns which is the version of tick t, or -1.
func (v *versions) exactly(t tick.Tick) int {
	if i := v.newest(t); i >= 0 && v.at(i).tick == t {
		return i
	}
	return -1
}

// store keeps a record unless it is too old. With grow it may take more memory.
func (v *versions) store(rec *record, grow bool) {
	if n := len(rec.words); n > v.stride {
		if !grow { // as little as can be: all but this one leave
			if v.n > 0 {
				v.floor, v.hasFloor = v.at(v.n-1).tick, true
			}
			v.n, v.ring, v.slab = 0, nil, nil
		}
		v.lay(len(v.ring), n)
	}
	if to := v.put(rec.tick, grow); to != nil {
		to.owner, to.mask, to.words = rec.owner, rec.mask, int32(len(rec.words))
		copy(v.words(to), rec.words)
	}
}

// put returns the place for the version of tick t, or nil if it is too old to
// be kept. If there is no room the oldest leaves, or, with grow, the ring grows
// unless the oldest is of no more use.
func (v *versions) put(t tick.Tick, grow bool) *version {
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
		case v.n == 0 && !grow:
			v.lay(1, v.stride)
		case v.n == 0:
			v.lay(firstVersions, v.stride)
		case grow && v.n < maxVersions && !v.spent(v.at(0).tick):
			v.lay(2*len(v.ring), v.stride)
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

// lay makes room for size versions of up to stride words.
func (v *versions) lay(size, stride int) {
	ring, slab := make([]version, size), make([]int32, size*stride)
	for i := range ring {
		if i < v.n {
			old := v.at(i)
			ring[i] = *old
			copy(slab[i*stride:], v.words(old))
		}
		ring[i].slot = uint16(i)
	}
	v.ring, v.head, v.slab, v.stride = ring, 0, slab, stride
}

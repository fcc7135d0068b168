package view

import (
	"slices"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Buffer keeps the recent versions of every entity a client receives, by
// server tick. Of one index it keeps two generations at most, so that the old
// one can still be shown when the new one is already known.
type Buffer struct {
	// TeleportDistance and MaxExtrapolation start as the constants of those
	// names and may be changed at any time.
	TeleportDistance float32
	MaxExtrapolation int32

	Stats BufferStats

	g     *sim.Game
	wire  []*sim.Plan // in wire order
	depth int
	empty *ecs.World // removes entities without touching the allocator

	ids   []tick.Entity // of all tracks, ascending
	slots []track
	free  []int32
	head  []int32 // by entity index: slot+1 of its newest generation, 0 if none

	newest tick.Tick
	any    bool
}

// BufferStats counts what came in.
type BufferStats struct {
	Added     uint64 // versions and ends kept
	Late      uint64 // of those, older than the newest of their entity
	Duplicate uint64 // of a tick that was there already
	Refused   uint64 // malformed, too old, or too many
}

// version is an entity at one tick, or that it is gone.
type version struct {
	tick  tick.Tick
	owner uint16
	gone  bool
	mask  uint64
	data  []byte // the components of mask one after the other
}

// track is the versions of one entity, ascending by tick, in a ring.
type track struct {
	id    tick.Entity
	next  int32 // slot+1 of the generation before
	start int
	n     int
	ring  []version
}

// NewBuffer makes a buffer with room for depth versions of each entity,
// rounded up to a power of two from 4 to 1024. That many snapshots must cover
// the view's delay.
func NewBuffer(g *sim.Game, depth int) *Buffer {
	g.Seal()
	b := &Buffer{g: g, empty: g.NewWorld(), depth: minDepth,
		TeleportDistance: TeleportDistance, MaxExtrapolation: MaxExtrapolation}
	for b.depth < depth && b.depth < maxDepth {
		b.depth <<= 1
	}
	for _, col := range g.Wire() {
		b.wire = append(b.wire, g.Plan(col))
	}
	return b
}

// Add keeps the full record of e at tick t: its owner, its presence mask in
// wire order, and the words of the present components one after the other. It
// is copied. Order of arrival does not matter; the second record of a tick is
// ignored, and so is one that is not of the game's form.
func (b *Buffer) Add(t tick.Tick, e tick.Entity, owner uint16, mask uint64, words []int32) {
	if !b.valid(mask, words) {
		b.Stats.Refused++
		return
	}
	v := b.claim(t, e)
	if v == nil {
		return
	}
	v.owner, v.mask, v.gone = owner, mask, false
	w, off := 0, 0
	for i, p := range b.wire {
		if mask>>uint(i)&1 == 0 {
			continue
		}
		v.data = slices.Grow(v.data, p.Size)[:off+p.Size]
		p.Dequantise(words[w:w+p.Words], v.data[off:])
		w, off = w+p.Words, off+p.Size
	}
}

// Gone says that e is not there at tick t. It may come back later.
func (b *Buffer) Gone(t tick.Tick, e tick.Entity) {
	if v := b.claim(t, e); v != nil {
		v.owner, v.mask, v.gone = 0, 0, true
	}
}

// Newest returns the latest tick that anything was said about.
func (b *Buffer) Newest() (tick.Tick, bool) { return b.newest, b.any }

// Entities returns all that something is known about, ascending, also those
// known to be gone; valid until the next change. Do not change it.
func (b *Buffer) Entities() []tick.Entity { return b.ids }

// Trim forgets what a Sample at tick before or later does not need.
func (b *Buffer) Trim(before tick.Tick) {
	kept := b.ids[:0]
	for _, e := range b.ids {
		k := b.find(e)
		if last := k.at(k.n - 1); last.gone && before.Since(last.tick) > goneKept {
			b.unlink(e)
			continue
		}
		for n := k.inForce(before) + 1; n > keepBehind; n-- {
			k.start, k.n = k.start+1, k.n-1
		}
		kept = append(kept, e)
	}
	b.ids = kept
}

// Reset forgets everything and keeps the memory.
func (b *Buffer) Reset() {
	for _, e := range b.ids {
		b.unlink(e)
	}
	b.ids, b.any = b.ids[:0], false
}

func (b *Buffer) valid(mask uint64, words []int32) bool {
	if len(b.wire) < 64 && mask>>uint(len(b.wire)) != 0 {
		return false
	}
	w := 0
	for i, p := range b.wire {
		if mask>>uint(i)&1 == 0 {
			continue
		}
		if w+p.Words > len(words) || !p.Valid(words[w:w+p.Words]) {
			return false
		}
		w += p.Words
	}
	return w == len(words)
}

// claim returns the place of a new version, its data empty, or nil.
func (b *Buffer) claim(t tick.Tick, e tick.Entity) *version {
	k := b.find(e)
	if k == nil {
		k = b.link(t, e)
	}
	if k == nil {
		b.Stats.Refused++
		return nil
	}
	late := k.n > 0 && t.Before(k.at(k.n-1).tick)
	v, dup := k.insert(t, b.depth)
	switch {
	case dup:
		b.Stats.Duplicate++
		return nil
	case v == nil:
		b.Stats.Refused++
		return nil
	case late:
		b.Stats.Late++
	}
	b.Stats.Added++
	if !b.any || t.After(b.newest) {
		b.newest, b.any = t, true
	}
	return v
}

func (b *Buffer) find(e tick.Entity) *track {
	if i := int(e.Index()); i < len(b.head) {
		for s := b.head[i]; s != 0; s = b.slots[s-1].next {
			if k := &b.slots[s-1]; k.id == e {
				return k
			}
		}
	}
	return nil
}

// link makes a track for e, which has none. An older generation than one that
// is known died long ago and gets none.
func (b *Buffer) link(t tick.Tick, e tick.Entity) *track {
	i := int(e.Index())
	if i == 0 {
		return nil
	}
	for len(b.head) <= i {
		b.head = append(b.head, 0)
	}
	if h := b.head[i]; h != 0 {
		old := &b.slots[h-1]
		if int16(e.Generation()-old.id.Generation()) < 0 {
			return nil
		}
		if old.next != 0 {
			b.drop(b.slots[old.next-1].id)
		}
	}
	if len(b.ids) == MaxEntities {
		return nil
	}
	if h := b.head[i]; h != 0 {
		b.slots[h-1].end(t, b.depth)
	}
	at, _ := slices.BinarySearch(b.ids, e)
	b.ids = slices.Insert(b.ids, at, e)
	s := len(b.slots)
	if n := len(b.free); n > 0 {
		s = int(b.free[n-1])
		b.free = b.free[:n-1]
	} else {
		b.slots = append(b.slots, track{})
	}
	k := &b.slots[s]
	k.id, k.next, k.start, k.n = e, b.head[i], 0, 0
	b.head[i] = int32(s + 1)
	return k
}

func (b *Buffer) drop(e tick.Entity) {
	if at, ok := slices.BinarySearch(b.ids, e); ok {
		b.ids = slices.Delete(b.ids, at, at+1)
		b.unlink(e)
	}
}

// unlink frees e's track and leaves ids to the caller.
func (b *Buffer) unlink(e tick.Entity) {
	for at := &b.head[e.Index()]; *at != 0; at = &b.slots[*at-1].next {
		if s := *at - 1; b.slots[s].id == e {
			*at = b.slots[s].next
			b.free = append(b.free, s)
			return
		}
	}
}

func (k *track) at(i int) *version { return &k.ring[(k.start+i)&(len(k.ring)-1)] }

// inForce returns the last version at or before t, or -1.
func (k *track) inForce(t tick.Tick) int {
	i := k.n - 1
	for i >= 0 && k.at(i).tick.After(t) {
		i--
	}
	return i
}

// end says that another generation took the index at t.
func (k *track) end(t tick.Tick, depth int) {
	if last := k.at(k.n - 1); !last.gone && last.tick.Before(t) {
		if v, _ := k.insert(t, depth); v != nil {
			v.owner, v.mask, v.gone = 0, 0, true
		}
	}
}

// insert makes room for a version of tick t, in order. When the track is full
// the oldest goes; one that is older still gets nil.
func (k *track) insert(t tick.Tick, depth int) (v *version, dup bool) {
	if k.n > 0 {
		switch d := t.Since(k.at(k.n - 1).tick); {
		case d > maxSpan:
			k.start, k.n = 0, 0
		case d < -maxSpan:
			return nil, false
		}
	}
	i := k.inForce(t) + 1
	if i > 0 && k.at(i-1).tick == t {
		return nil, true
	}
	if k.n == depth {
		if i == 0 {
			return nil, false
		}
		k.start, k.n, i = k.start+1, k.n-1, i-1
	}
	if k.n == len(k.ring) {
		k.grow()
	}
	spare := k.at(k.n).data
	for j := k.n; j > i; j-- {
		*k.at(j) = *k.at(j - 1)
	}
	k.n++
	v = k.at(i)
	v.tick, v.data = t, spare[:0]
	return v, false
}

func (k *track) grow() {
	ring := make([]version, max(2*len(k.ring), minDepth))
	for i := range k.n {
		ring[i] = *k.at(i)
	}
	k.ring, k.start = ring, 0
}

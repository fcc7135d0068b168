package snapshot

import (
	"slices"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/internal/fault"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Frame is one tick of the world in words: what travels, is compared and is
// coded. An entity's record is its owner, its mask (bit i: it has the i-th
// component of Game.Wire) and the words of those components, one after the
// other. The slices are parallel, entities ascending; do not change them.
type Frame struct {
	Tick    tick.Tick
	IDs     []tick.Entity
	Owners  []uint16
	Masks   []uint64
	Changed []tick.Tick // when the record last changed, or appeared

	off   []int32 // of each entity's words, and their end
	words []int32
	from  []column // only while it is built
}

// Len returns the number of entities.
func (f *Frame) Len() int { return len(f.IDs) }

// Find returns where e is.
func (f *Frame) Find(e tick.Entity) (int, bool) { return slices.BinarySearch(f.IDs, e) }

// Words returns the words of the i-th entity.
func (f *Frame) Words(i int) []int32 {
	lo, hi := f.off[i], f.off[i+1]
	return f.words[lo:hi:hi]
}

// Build fills f with the world at tick t. Every component is quantised once.
// prev is the frame before, from which Changed is carried on, or nil; it must
// not be f. It allocates only while f has never been as large.
func (f *Frame) Build(g *sim.Game, t tick.Tick, w *ecs.World, prev *Frame) {
	ids := w.Entities()
	f.Tick = t
	f.IDs = append(f.IDs[:0], ids...)
	f.Owners, f.Masks, f.Changed = f.Owners[:0], f.Masks[:0], f.Changed[:0]
	f.off, f.words = append(f.off[:0], 0), f.words[:0]
	f.open(g, w)
	p := 0
	for i, e := range ids {
		var mask uint64
		for k := range f.from {
			c := &f.from[k]
			if c.row == len(c.ids) || c.ids[c.row] != e {
				continue
			}
			mask |= 1 << uint(k)
			lo := c.row * c.plan.Size
			c.row++
			f.quantise(c.plan, c.data[lo:lo+c.plan.Size])
		}
		f.Owners = append(f.Owners, w.Owner(e))
		f.Masks = append(f.Masks, mask)
		f.off = append(f.off, int32(len(f.words)))
		since := t
		if prev != nil {
			for p < len(prev.IDs) && prev.IDs[p] < e {
				p++
			}
			if p < len(prev.IDs) && prev.IDs[p] == e && f.sameRecord(i, prev, p) {
				since = prev.Changed[p]
			}
		}
		f.Changed = append(f.Changed, since)
	}
}

// column is a table that a frame is built from.
type column struct {
	ids  []tick.Entity
	data []byte
	row  int // the first not yet taken
	plan *sim.Plan
}

func (f *Frame) open(g *sim.Game, w *ecs.World) {
	f.from = f.from[:0]
	for _, col := range g.Wire() {
		c := w.Column(col)
		f.from = append(f.from, column{c.IDs(), c.Data(), 0, g.Plan(col)})
	}
}

func (f *Frame) quantise(p *sim.Plan, src []byte) {
	n := len(f.words)
	if n+p.Words > cap(f.words) {
		f.words = slices.Grow(f.words, p.Words)
	}
	f.words = f.words[:n+p.Words]
	p.Quantise(src, f.words[n:])
}

func (f *Frame) sameRecord(i int, o *Frame, k int) bool {
	return f.Owners[i] == o.Owners[k] && f.Masks[i] == o.Masks[k] && same(f.Words(i), o.Words(k))
}

// History keeps the frames of the last ticks. Not safe for concurrent use.
type History struct {
	g      *sim.Game
	frames *tick.Ring[Frame]
	last   tick.Tick
	some   bool
	codes  codes // of the latest frame
}

// NewHistory makes a history of at least size ticks, and of two.
func NewHistory(g *sim.Game, size int) *History {
	g.Seal()
	if size < 2 {
		size = 2
	}
	return &History{g: g, frames: tick.NewRing[Frame](size)}
}

// Record puts the world at tick t into the history and returns its frame,
// which is good until the tick is lapped. Ticks are recorded in order; some
// may be left out.
func (h *History) Record(t tick.Tick, w *ecs.World) *Frame {
	prev, ok := h.Latest()
	f := h.frames.Put(t)
	if !ok || prev == f {
		prev = nil // everything counts as changed, which is true enough
	}
	f.Build(h.g, t, w, prev)
	h.last, h.some = t, true
	h.codes.reset(f)
	return f
}

// At returns the frame of tick t, or false if it is missing.
func (h *History) At(t tick.Tick) (*Frame, bool) {
	f, ok := h.frames.At(t)
	if !ok && fault.Is("inv7") { // the slot as it is, whatever tick lapped it
		return h.frames.At(t + tick.Tick(h.frames.Len()))
	}
	return f, ok
}

// Latest returns the frame recorded last, or false.
func (h *History) Latest() (*Frame, bool) {
	if !h.some {
		return nil, false
	}
	return h.frames.At(h.last)
}

// Clear forgets all frames and keeps the memory.
func (h *History) Clear() {
	h.frames.Clear()
	h.some = false
	h.codes.frame = nil
}

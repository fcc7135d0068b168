package snapshot

import (
	mathbits "math/bits"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/internal/fault"
)

// Order says how urgent the i-th entity of a frame is for this client. With
// first it goes before all others: what the player predicts. The rest go by
// importance times the ticks since something was last said of them.
type Order func(f *Frame, i int) (importance float32, first bool)

// candidate is an entity that waits to be chosen.
type candidate struct {
	score float32
	i     int32 // in the frame
	first bool
}

// before is the order of choice; by id where urgency is equal.
func (a candidate) before(b candidate) bool {
	switch {
	case a.first != b.first:
		return a.first
	case a.score != b.score:
		return a.score > b.score
	}
	return a.i < b.i
}

// Plan chooses what this tick's packets say and encodes it. partBits[k] is the
// room of the k-th packet for its section. It returns how many packets that
// takes, from the first on, and whether they cover every entity and every
// tombstone. f must be the history's latest frame. Nothing counts as said
// before Sent.
func (s *Sender) Plan(f *Frame, order Order, partBits []int) (parts int, all bool) {
	s.survey(f)
	s.begin(partBits)
	s.tick, s.ref = f.Tick, 1
	if s.any && f.Tick.After(s.acked) {
		s.ref = uint32(f.Tick.Since(s.acked))
	}
	if s.whole(f) {
		return 1, true
	}
	s.rank(f, order)
	all = s.choose(f, true)
	all = s.bodiesOfDead() && all
	all = s.choose(f, false) && all
	for k := range s.parts {
		s.assemble(&s.parts[k])
		if s.parts[k].n > 0 {
			parts = k + 1
		}
	}
	return parts, all
}

// Section returns the encoded section of a part of the last plan, which may be
// empty. It is good until the next Plan.
func (s *Sender) Section(part int) *bits.Writer { return &s.parts[part].w }

// begin makes the parts empty. There is always one, so that Section(0) is.
func (s *Sender) begin(partBits []int) {
	s.used = 0
	for len(s.parts) < len(partBits) || len(s.parts) == 0 {
		s.parts = append(s.parts, part{})
	}
	for k := range s.parts {
		room := 0
		if k < len(partBits) {
			room = partBits[k]
		}
		s.parts[k].reset(room, len(s.tracks))
	}
}

// rank puts every entity of the frame on the heap.
func (s *Sender) rank(f *Frame, order Order) {
	s.heap = s.heap[:0]
	for i, e := range f.IDs {
		tr := &s.tracks[e.Index()]
		importance, first := order(f, i)
		if !(importance > 0) {
			importance = 0
		}
		s.heap = append(s.heap, candidate{
			score: importance * float32(f.Tick.Since(tr.said)),
			i:     int32(i),
			// A successor is this urgent because it ends its predecessor.
			first: first || tr.older,
		})
	}
	for i := len(s.heap)/2 - 1; i >= 0; i-- {
		s.sink(i)
	}
}

func (s *Sender) pop() candidate {
	c, last := s.heap[0], len(s.heap)-1
	s.heap[0] = s.heap[last]
	s.heap = s.heap[:last]
	s.sink(0)
	return c
}

func (s *Sender) sink(i int) {
	h := s.heap
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].before(h[c]) {
			c++
		}
		if !h[c].before(h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

// choose places candidates while they fit, the first ones or the rest.
func (s *Sender) choose(f *Frame, first bool) (all bool) {
	all = true
	misses := 0
	for len(s.heap) > 0 && (!first || s.heap[0].first) {
		if misses == maxMisses {
			if !first { // else the rest's turn comes to them again
				s.count.Skipped += uint64(len(s.heap))
			}
			return false
		}
		c := s.pop()
		tr := &s.tracks[f.IDs[c.i].Index()]
		w := s.nextBody()
		tr.kind = s.encode(w, f, int(c.i), tr)
		if s.place(tr, w) {
			misses = 0
			continue
		}
		all = false
		misses++
		if s.oversized(w.Len()) {
			s.count.Oversized++
			s.release(tr)
		} else {
			s.count.Skipped++
		}
	}
	return all
}

// bodiesOfDead places the tombstones, each tick from where the last one ended.
func (s *Sender) bodiesOfDead() (all bool) {
	if fault.Is("inv21") {
		return true
	}
	n := len(s.dying)
	for k := range n {
		at := (s.turn + k) % n
		tr := &s.tracks[s.dying[at]]
		w := s.nextBody()
		tr.kind = kindGone
		writeGone(w, tr.entity)
		if !s.place(tr, w) {
			s.turn = at
			s.count.Skipped += uint64(n - k)
			return false
		}
	}
	return true
}

func (s *Sender) nextBody() *bits.Writer {
	if s.used == len(s.bodies) {
		s.bodies = append(s.bodies, bits.Writer{})
	}
	w := &s.bodies[s.used]
	w.Reset(nil)
	return w
}

// place puts the body last encoded into the first part with room for it.
func (s *Sender) place(tr *track, w *bits.Writer) bool {
	i := int(tr.entity.Index())
	for k := range s.parts {
		p := &s.parts[k]
		if cost := p.cost(i, s.ref) + w.Len(); cost <= p.room-p.size {
			p.size += cost
			p.n++
			p.set.add(i)
			tr.body = int32(s.used)
			s.used++
			return true
		}
	}
	return false
}

// oversized reports whether a body would not even fit into an empty part.
func (s *Sender) oversized(body int) bool {
	least := uvarLen(1) + uvarLen(0) + 1 + body
	for k := range s.parts {
		if least <= s.parts[k].room {
			return false
		}
	}
	return true
}

// assemble writes a part's section.
func (s *Sender) assemble(p *part) {
	p.w.Reset(nil)
	p.w.Uvar(uint64(p.n))
	if p.n == 0 {
		return
	}
	p.w.Uvar(uint64(s.ref - 1))
	prev := 0
	for i := p.set.next(0); i >= 0; i = p.set.next(i + 1) {
		p.w.Uvar(uint64(i - prev - 1))
		p.w.Append(&s.bodies[s.tracks[i].body])
		prev = i
	}
}

// part is what one packet says.
type part struct {
	room, size int // in bits
	n          int
	set        indexSet
	w          bits.Writer
}

func (p *part) reset(room, indices int) {
	p.room, p.size, p.n = room, uvarLen(0), 0
	p.set.reset(indices)
	p.w.Reset(nil)
	p.w.Uvar(0)
}

// cost returns by how much entity index i makes the section longer, not
// counting its body.
func (p *part) cost(i int, ref uint32) int {
	prev, next := p.set.prev(i), p.set.next(i)
	c := uvarLen(i-prev-1) + uvarLen(p.n+1) - uvarLen(p.n)
	if next >= 0 {
		c += uvarLen(next-i-1) - uvarLen(next-prev-1)
	}
	if p.n == 0 {
		c += uvarLen(int(ref - 1))
	}
	return c
}

// uvarLen is how many bits bits.Writer.Uvar takes.
func uvarLen(v int) int { return 2*mathbits.Len64(uint64(v)+1) - 1 }

// indexSet is a set of entity indices.
type indexSet []uint64

func (s *indexSet) reset(n int) {
	words := n>>6 + 1
	for len(*s) < words {
		*s = append(*s, 0)
	}
	clear(*s)
}

func (s indexSet) add(i int) { s[i>>6] |= 1 << (i & 63) }

// next returns the lowest member from i on, or -1.
func (s indexSet) next(i int) int {
	w := i >> 6
	if w >= len(s) {
		return -1
	}
	for m := s[w] >> (i & 63) << (i & 63); ; m = s[w] {
		if m != 0 {
			return w<<6 + mathbits.TrailingZeros64(m)
		}
		if w++; w == len(s) {
			return -1
		}
	}
}

// prev returns the highest member below i, or 0, which is nobody's index.
func (s indexSet) prev(i int) int {
	w := i >> 6
	for m := s[w] & (1<<(i&63) - 1); ; m = s[w] {
		if m != 0 {
			return w<<6 + mathbits.Len64(m) - 1
		}
		if w--; w < 0 {
			return 0
		}
	}
}

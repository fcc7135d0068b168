package snapshot

import (
	mathbits "math/bits"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/internal/fault"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// kind is a statement's code; its bits are written up to the first zero.
type kind uint8

const (
	kindUnchanged kind = iota // 0
	kindChanged               // 1 0
	kindFull                  // 1 1 0
	kindGone                  // 1 1 1
)

func writeKind(w *bits.Writer, k kind) {
	switch k {
	case kindUnchanged:
		w.Bits(0, 1)
	case kindChanged:
		w.Bits(1, 2)
	case kindFull:
		w.Bits(3, 3)
	case kindGone:
		w.Bits(7, 3)
	}
}

// record is an entity's state at a tick.
type record struct {
	tick  tick.Tick
	owner uint16
	mask  uint64
	words []int32
}

// encode writes the statement of the i-th entity, from its kind on.
func (s *Sender) encode(w *bits.Writer, f *Frame, i int, tr *track) kind {
	now := record{f.Tick, f.Owners[i], f.Masks[i], f.Words(i)}
	old := record{tr.base, tr.owner, tr.mask, tr.words}
	has := tr.has
	if fault.Is("inv8") {
		if h, ok := s.h.At(tr.said); ok && tr.sent && h != f {
			if k, ok := h.Find(tr.entity); ok {
				old, has = record{h.Tick, h.Owners[k], h.Masks[k], h.Words(k)}, true
			}
		}
	}
	aged := tr.ord-tr.baseOrd >= maxVersions
	switch {
	case has && (!f.Changed[i].After(old.tick) || fault.Is("inv10")):
		writeKind(w, kindUnchanged)
		return kindUnchanged
	case has && !aged:
		writeKind(w, kindChanged)
		s.writeBaseline(w, &old, &now)
		k := s.h.codes.find(f, i, old.tick)
		if k != nil && k.n > 0 && k.base == old.tick {
			w.Copy(&s.h.codes.w, int(k.at), int(k.n))
			return kindChanged
		}
		start := w.Len()
		s.writeChange(w, &old, &now)
		if k != nil && k.n == 0 {
			c := &s.h.codes.w
			*k = code{old.tick, int32(c.Len()), int32(w.Len() - start)}
			c.Copy(w, start, int(k.n))
		}
		return kindChanged
	}
	if has {
		s.count.Aged++
	}
	writeKind(w, kindFull)
	w.Uvar(uint64(tr.entity.Generation()))
	s.writeFull(w, &now)
	return kindFull
}

func writeGone(w *bits.Writer, e tick.Entity) {
	writeKind(w, kindGone)
	w.Uvar(uint64(e.Generation()))
}

func (s *Sender) writeFull(w *bits.Writer, now *record) {
	w.Uvar(uint64(now.owner))
	w.Bits(now.mask, len(s.plans))
	w.Deltas(now.words, nil)
}

// writeBaseline writes which version a change is against.
func (s *Sender) writeBaseline(w *bits.Writer, old, now *record) {
	d := uint32(now.tick.Since(old.tick))
	w.Bool(d != s.ref)
	if d != s.ref {
		w.Uvar(uint64(d - 1))
	}
}

// writeChange writes a change. It says nothing of this client, so that it
// serves others.
func (s *Sender) writeChange(w *bits.Writer, old, now *record) {
	owner, mask := now.owner != old.owner, now.mask != old.mask
	w.Bool(owner || mask)
	if owner || mask {
		w.Bool(mask)
		if mask {
			w.Bool(owner)
			w.Bits(now.mask^old.mask, len(s.plans))
		}
		if owner {
			w.Uvar(uint64(now.owner))
		}
	}
	a, b := old.words, now.words
	if !mask {
		s.writeWords(w, now.mask, a, b)
		return
	}
	for k, p := range s.plans {
		had, has := old.mask>>uint(k)&1 != 0, now.mask>>uint(k)&1 != 0
		switch {
		case had && has:
			s.writeWords(w, 1<<uint(k), a, b)
		case has:
			w.Deltas(b[:p.Words], nil)
		}
		if had {
			a = a[p.Words:]
		}
		if has {
			b = b[p.Words:]
		}
	}
}

// writeWords writes the components of a mask that are in both records, b
// against a. A tag, which has no words, cannot have changed and takes no bit.
func (s *Sender) writeWords(w *bits.Writer, mask uint64, a, b []int32) {
	flags := 0 // of unchanged components, not yet written
	for m := mask; m != 0; m &= m - 1 {
		n := s.lens[mathbits.TrailingZeros64(m)]
		if n == 0 {
			continue
		}
		x, y := a[:n], b[:n]
		a, b = a[n:], b[n:]
		if same(x, y) {
			flags++
			continue
		}
		w.Bits(1<<uint(flags), flags+1)
		w.Deltas(y, x)
		flags = 0
	}
	w.Bits(0, flags)
}

// same is slices.Equal for a few words.
func same(a, b []int32) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}

// MaxRecordBits bounds what a full record of an entity that has every
// component takes in a section: what a packet must have room for if none is
// ever to be left out.
func MaxRecordBits(g *sim.Game) int {
	g.Seal()
	const word = 36 // the longest code of bits.Writer.Delta
	// Count, reference distance, index, kind, generation, owner.
	n := uvarLen(1) + uvarLen(1<<31-1) + uvarLen(maxIndex) + 3 + 2*uvarLen(1<<16-1)
	plans := wirePlans(g)
	for _, p := range plans {
		n += word * p.Words
	}
	return n + len(plans)
}

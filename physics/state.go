package physics

import (
	"math"
	"math/bits"
	"slices"
)

// Saved is the state of a World between two steps. Its memory is used again by
// the next Save, so it must not be copied. What a game asked for the next step (forces, MoveTo) is input
// and not part of it.
type Saved struct {
	tick          uint32
	moving, fixed table
	ended         []Event
}

// Save copies the World's state into s. It allocates only while s has never
// been as large.
func (w *World) Save(s *Saved) {
	s.tick = w.tick
	s.moving.copyFrom(&w.moving, false)
	s.fixed.copyFrom(&w.fixed, true)
	s.ended = append(s.ended[:0], w.ended...)
}

// Restore makes the World what it was at the Save, bodies that came or went
// since included, and drops forces and targets given for the next step. The
// poses kept of other ticks stay. The World must have the Store of the one that
// was saved.
func (w *World) Restore(s *Saved) {
	w.tick = s.tick
	w.moving.copyFrom(&s.moving, false)
	w.fixed.copyFrom(&s.fixed, true)
	w.input = slices.Grow(w.input[:0], len(s.moving.ids))[:len(s.moving.ids)]
	clear(w.input)
	w.events, w.ended = w.events[:0], append(w.ended[:0], s.ended...)
	w.rerecord()
}

// Equal reports whether the World's bodies have the bits of s.
func (w *World) Equal(s *Saved) bool {
	return w.moving.equal(&s.moving) && w.fixed.equal(&s.fixed)
}

func (t *table) equal(o *table) bool {
	if t.version != o.version && !(slices.Equal(t.ids, o.ids) && slices.Equal(t.defs, o.defs)) || len(t.st) != len(o.st) {
		return false
	}
	for r := range t.st {
		if t.st[r].words() != o.st[r].words() {
			return false
		}
	}
	return true
}

// StateBytes is what Hash covers and what travels of one moving body: its id
// and its State.
const StateBytes = 60

// words is a State by its bits.
func (s *State) words() [14]uint32 {
	f := math.Float32bits
	return [14]uint32{
		f(s.Pos.X), f(s.Pos.Y), f(s.Pos.Z),
		f(s.Rot.X), f(s.Rot.Y), f(s.Rot.Z), f(s.Rot.W),
		f(s.Vel.X), f(s.Vel.Y), f(s.Vel.Z),
		f(s.Spin.X), f(s.Spin.Y), f(s.Spin.Z),
		s.Still,
	}
}

// Hash is over the ids and states of the moving bodies, StateBytes each: what
// a step changes. Static bodies and Defs are not in it. It is 64-bit, not
// cryptographic, and the same on every processor.
func (w *World) Hash() uint64 {
	h := uint64(len(w.moving.ids))
	for r, id := range w.moving.ids {
		s := w.moving.st[r].words()
		h = mixHash(h, uint64(id)<<32|uint64(s[0]))
		for i := 1; i < 13; i += 2 {
			h = mixHash(h, uint64(s[i])<<32|uint64(s[i+1]))
		}
		h = mixHash(h, uint64(s[13]))
	}
	h = (h ^ h>>32) * hashB
	return h ^ h>>29
}

// Odd constants with mixed bits: the fractions of sqrt 7 and 11.
const (
	hashA = 0xa54ff53a5f1d36f1
	hashB = 0x510e527fade682d1
)

func mixHash(h, word uint64) uint64 { return bits.RotateLeft64(h^word*hashA, 29) * hashB }

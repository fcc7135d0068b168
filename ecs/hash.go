package ecs

import (
	"math/bits"
	"unsafe"

	"github.com/foretick/foretick/tick"
)

// The hash is 64-bit, ours, not cryptographic, made to be compared between
// peers and never to be stored. A step is a bijection of the state for each
// word and of the word for each state, so two inputs that differ in one word
// never collide; others do by chance of 2^-64. Data is read as little-endian
// words in the machine's order: amd64, arm64 and wasm agree, a big-endian
// machine would not (nor would its saved worlds be of use to them).

// Odd constants with mixed bits: the fractions of sqrt 2, 3 and 5.
const (
	seed = 0x6a09e667f3bcc908
	mulA = 0xbb67ae8584caa73b
	mulB = 0x3c6ef372fe94f82b
)

func mix(h, word uint64) uint64 {
	return bits.RotateLeft64(h^word*mulA, 29) * mulB
}

// finish spreads the last words over all bits.
func finish(h uint64) uint64 {
	h = (h ^ h>>32) * mulA
	h = (h ^ h>>29) * mulB
	return h ^ h>>32
}

// Hash covers all that Equal compares.
func (w *World) Hash() uint64 {
	h := w.hash(^uint64(0))
	h = mix32(h, w.alloc.slots)
	q := w.alloc.queue()
	h = mix(h, uint64(len(q)))
	for _, r := range q {
		h = mix(h, uint64(r.at)<<16|uint64(r.index))
	}
	return finish(h)
}

// HashComponents covers the entities, their owners and the components whose
// bit is set in mask, but not the allocator: what client and server can share.
// It differs from Hash also where mask has every component.
func (w *World) HashComponents(mask uint64) uint64 { return finish(w.hash(mask)) }

func (w *World) hash(mask uint64) uint64 {
	h := w.live.hash(seed)
	for i := range w.cols {
		if mask>>uint(i)&1 != 0 {
			h = w.cols[i].hash(mix(h, uint64(i)))
		}
	}
	return h
}

func (c *Column) hash(h uint64) uint64 {
	h = mix32(h, c.ids)
	n := len(c.ids) * c.size
	words := unsafe.Slice((*uint64)(c.base), n/8)
	h = mixWords(h, words)
	var tail uint64
	for i, b := range c.data()[n&^7:] {
		tail |= uint64(b) << (8 * uint(i))
	}
	return mix(mix(h, tail), uint64(n))
}

// mixWords runs four chains side by side, which a processor does in the time
// of one.
func mixWords(h uint64, words []uint64) uint64 {
	a, b, c, d := h, uint64(mulA), uint64(mulB), uint64(seed)
	for len(words) >= 4 {
		a = mix(a, words[0])
		b = mix(b, words[1])
		c = mix(c, words[2])
		d = mix(d, words[3])
		words = words[4:]
	}
	h = mix(mix(mix(a, b), c), d)
	for _, x := range words {
		h = mix(h, x)
	}
	return h
}

// mix32 is mixWords on pairs, which need not lie as words in memory.
func mix32[T tick.Entity | uint32](h uint64, s []T) uint64 {
	a, b, c, d := mix(h, uint64(len(s))), uint64(mulA), uint64(mulB), uint64(seed)
	for len(s) >= 8 {
		a = mix(a, uint64(s[0])|uint64(s[1])<<32)
		b = mix(b, uint64(s[2])|uint64(s[3])<<32)
		c = mix(c, uint64(s[4])|uint64(s[5])<<32)
		d = mix(d, uint64(s[6])|uint64(s[7])<<32)
		s = s[8:]
	}
	h = mix(mix(mix(a, b), c), d)
	for _, x := range s {
		h = mix(h, uint64(x))
	}
	return h
}

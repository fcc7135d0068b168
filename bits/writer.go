// Package bits writes and reads bit streams: fixed widths, and codes in which
// small numbers are short. The first bit written is the lowest bit of the first
// byte, and a field's lowest bit goes first, so a field that happens to be
// byte-aligned is plain little-endian.
//
// Every value has exactly one code. A Reader treats all bytes as hostile: it
// never panics and never reads past the end; the first error sticks, and from
// then on every read returns zero.
//
// The codes, in the order their bits are written:
//
//	Uvar   v+1 has L+1 significant bits: L ones, a zero, then the L bits of v+1
//	       below the top one (Elias gamma). 0 costs 1 bit, 1..2 cost 3, 3..6 cost 5.
//	Svar   Uvar of the zigzag: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4.
//	Delta  0 is one zero bit. Else a one, 3 bits of class, and the class's bits of
//	       zigzag-1 less the sum of the ranges of the classes before it.
//
// Classes of Delta have 3, 6, 9, 12, 16, 20, 24 and 32 bits, so -4..4 costs at
// most 7 bits and anything 36. A range coder is not here yet.
package bits

import mathbits "math/bits"

// Delta's classes: how many bits each has, and the first zigzag-1 it covers
// (the sum of 2^bits before it, so no value belongs to two classes).
const classBits = 3

var (
	classWidth = [8]uint8{3, 6, 9, 12, 16, 20, 24, 32}
	classBase  = [9]uint64{0, 8, 72, 584, 4680, 70216, 1118792, 17896008, 1<<32 - 1}
	// classOf is the class of the smallest number of that bit length. A length
	// straddles at most one border, so one comparison settles it.
	classOf = [33]uint8{
		0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4,
		5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7,
	}
)

// codes has the classes as Deltas needs them.
var codes = func() (t [8]struct {
	first, mask uint64 // the first zigzag, and the class's bits
	bits        int    // of the whole code
}) {
	for c := range t {
		w := classWidth[c]
		t[c].first, t[c].mask, t[c].bits = classBase[c]+1, 1<<w-1, 1+classBits+int(w)
	}
	return t
}()

// Writer appends bits to a buffer that grows. The zero value is ready. It is
// not safe for concurrent use.
type Writer struct {
	buf []byte
	acc uint64 // the last n bits, not yet in buf
	n   uint   // 0..63
}

// Reset starts again in buf[:0] and keeps buf's capacity; nil means the buffer
// it already has. What Bytes returned before is overwritten in that case.
func (w *Writer) Reset(buf []byte) {
	if buf == nil {
		buf = w.buf
	}
	*w = Writer{buf: buf[:0]}
}

// Bits writes the low n bits of v, 0 <= n <= 64.
func (w *Writer) Bits(v uint64, n int) {
	v &= 1<<uint(n) - 1 // 1<<64 is 0 and 0-1 is all ones
	w.acc |= v << w.n
	total := w.n + uint(n)
	if total < 64 {
		w.n = total
		return
	}
	w.flush()
	w.acc = v >> (64 - w.n)
	w.n = total - 64
}

func (w *Writer) flush() {
	a := w.acc
	w.buf = append(w.buf, byte(a), byte(a>>8), byte(a>>16), byte(a>>24),
		byte(a>>32), byte(a>>40), byte(a>>48), byte(a>>56))
}

// Bool writes one bit.
func (w *Writer) Bool(b bool) {
	var v uint64
	if b {
		v = 1
	}
	w.Bits(v, 1)
}

// Uvar writes any number in 2*floor(log2(v+1))+1 bits.
func (w *Writer) Uvar(v uint64) {
	if v == ^uint64(0) { // v+1 has 65 bits
		w.Bits(v, 64)
		w.Bits(0, 65-64)
		w.Bits(0, 64)
		return
	}
	v++
	l := mathbits.Len64(v) - 1
	if l <= 31 {
		w.Bits(1<<uint(l)-1|v<<uint(l+1)&^(1<<uint(2*l+1)), 2*l+1)
		return
	}
	w.Bits(1<<uint(l)-1, l+1)
	w.Bits(v, l)
}

// Svar writes a signed number; those near zero are short.
func (w *Writer) Svar(v int64) { w.Uvar(uint64(v<<1) ^ uint64(v>>63)) }

// Delta writes the difference of two words: 1 bit if it is zero.
func (w *Writer) Delta(d int32) {
	if d == 0 {
		w.Bits(0, 1)
		return
	}
	u, c := deltaClass(d)
	w.Bits(1|uint64(c)<<1|(u-classBase[c])<<(1+classBits), 1+classBits+int(classWidth[c]))
}

// Deltas writes words[i]-old[i] of every i, as Delta does. old is at least as
// long; nil is all zeros.
func (w *Writer) Deltas(words, old []int32) {
	acc, n := w.acc, w.n
	if old != nil {
		old = old[:len(words)]
	}
	for i, d := range words {
		if old != nil {
			d -= old[i]
		}
		v, l := uint64(0), uint(1)
		if d != 0 {
			u, c := deltaClass(d)
			v, l = 1|uint64(c)<<1|(u-classBase[c])<<(1+classBits), 1+classBits+uint(classWidth[c])
		}
		acc |= v << (n & 63)
		if n += l; n >= 64 {
			w.acc = acc
			w.flush()
			n -= 64
			acc = v >> (l - n) // l-n bits of v were flushed
		}
	}
	w.acc, w.n = acc, n
}

// DeltaLen returns how many bits Delta takes.
func DeltaLen(d int32) int {
	if d == 0 {
		return 1
	}
	_, c := deltaClass(d)
	return 1 + classBits + int(classWidth[c])
}

// deltaClass returns zigzag-1 of d, which is not 0, and its class.
func deltaClass(d int32) (u uint64, c uint8) {
	u = uint64(uint32(d<<1)^uint32(d>>31)) - 1
	c = classOf[mathbits.Len64(u)]
	if u >= classBase[c+1] {
		c++
	}
	return u, c
}

// Append writes all bits of o. o is not changed.
func (w *Writer) Append(o *Writer) {
	b, acc, n := o.buf, o.acc, o.n
	if w.n == 0 {
		w.buf = append(w.buf, b...)
		w.Bits(acc, int(n))
		return
	}
	for ; len(b) >= 8; b = b[8:] {
		w.Bits(le64(b), 64)
	}
	w.Bits(acc, int(n))
}

// Copy writes n bits of o, from its bit at on. There must be as many. o is not
// changed, and is not w.
func (w *Writer) Copy(o *Writer, at, n int) {
	for i, shift := at>>6, uint(at&63); n > 0; i++ {
		v := o.group(i) >> shift
		if shift != 0 && n > 64-int(shift) {
			v |= o.group(i+1) << (64 - shift)
		}
		if n <= 64 {
			w.Bits(v, n)
			return
		}
		w.Bits(v, 64)
		n -= 64
	}
}

// group returns the i-th 64 bits.
func (w *Writer) group(i int) uint64 {
	if 8*i < len(w.buf) {
		return le64(w.buf[8*i:])
	}
	return w.acc
}

// Align writes zero bits up to the next byte.
func (w *Writer) Align() { w.Bits(0, int(-w.n&7)) }

// Truncate forgets all but the first n bits; no effect if there are fewer.
func (w *Writer) Truncate(n int) {
	if n >= w.Len() {
		return
	}
	whole := n >> 6 << 3 // buf holds whole groups of 8 bytes
	if whole < len(w.buf) {
		w.acc = le64(w.buf[whole:])
	}
	w.buf, w.n = w.buf[:whole], uint(n&63)
	w.acc &= 1<<w.n - 1
}

// Len returns the number of bits written.
func (w *Writer) Len() int { return len(w.buf)*8 + int(w.n) }

// Bytes returns what was written, the last byte padded with zero bits. It
// shares the Writer's memory: good until the next write or Reset.
func (w *Writer) Bytes() []byte {
	b := w.buf
	for i, a := uint(0), w.acc; i < w.n; i, a = i+8, a>>8 {
		b = append(b, byte(a))
	}
	w.buf = b[:len(w.buf)] // keeps a buffer that had to grow
	return b
}

func le64(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

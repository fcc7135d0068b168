package bits

import (
	"errors"
	mathbits "math/bits"
)

var (
	// ErrShort: a read went past the end.
	ErrShort = errors.New("bits: short")
	// ErrCanonical: the bits are not the one code of any value, or padding is
	// not zero, or something follows the end.
	ErrCanonical = errors.New("bits: not canonical")
)

// Reader reads what a Writer wrote, and survives anything else. The zero value
// is an empty stream. It keeps no copy of the bytes, and is not safe for
// concurrent use.
type Reader struct {
	buf []byte
	pos int // in bits
	end int
	err error
}

// Reset starts reading b and forgets any error.
func (r *Reader) Reset(b []byte) { *r = Reader{buf: b, end: len(b) * 8} }

// Err returns the first error.
func (r *Reader) Err() error { return r.err }

// Left returns how many bits are left, padding included; 0 after an error.
func (r *Reader) Left() int { return r.end - r.pos }

// Fail makes err the Reader's error unless it has one. Parsers use it for
// values that are out of their bounds.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.pos, r.end = 0, 0
	r.buf = nil
}

// Done returns the first error, or ErrCanonical if anything but zero padding
// within the last byte is left.
func (r *Reader) Done() error {
	if r.err == nil {
		if n := r.Left(); n >= 8 || r.Bits(n) != 0 {
			r.Fail(ErrCanonical)
		}
	}
	return r.err
}

// Peek returns the next bits without reading them, at least 57, those past the
// end zero. With Skip it reads several short fields at once; do nothing for
// what was peeked at before Skip and Err have said that it was there.
func (r *Reader) Peek() uint64 { return r.peek() }

// Skip reads n bits, n >= 0, that Peek has shown.
func (r *Reader) Skip(n int) {
	if n > r.end-r.pos {
		r.Fail(ErrShort)
		return
	}
	r.pos += n
}

// peek returns at least 57 bits from pos; those past the end are zero.
func (r *Reader) peek() uint64 {
	i := r.pos >> 3
	if i+8 <= len(r.buf) {
		return le64(r.buf[i:]) >> uint(r.pos&7)
	}
	return r.peekTail(i)
}

func (r *Reader) peekTail(i int) uint64 {
	var v uint64
	for s := uint(0); i < len(r.buf); i, s = i+1, s+8 {
		v |= uint64(r.buf[i]) << s
	}
	return v >> uint(r.pos&7)
}

// Bits reads n bits, 0 <= n <= 64.
func (r *Reader) Bits(n int) uint64 {
	if n > r.end-r.pos {
		r.Fail(ErrShort)
		return 0
	}
	if n > 57 {
		lo := r.peek() & (1<<32 - 1)
		r.pos += 32
		hi := r.peek() & (1<<uint(n-32) - 1)
		r.pos += n - 32
		return lo | hi<<32
	}
	v := r.peek() & (1<<uint(n) - 1)
	r.pos += n
	return v
}

// Bool reads one bit.
func (r *Reader) Bool() bool { return r.Bits(1) != 0 }

// Uvar reads what Writer.Uvar wrote.
func (r *Reader) Uvar() uint64 {
	x := r.peek()
	l := mathbits.TrailingZeros64(^x)
	if l > 28 {
		return r.uvarLong()
	}
	if 2*l+1 > r.end-r.pos {
		r.Fail(ErrShort)
		return 0
	}
	r.pos += 2*l + 1
	return x>>uint(l+1)&(1<<uint(l)-1) + 1<<uint(l) - 1
}

// uvarLong reads codes that do not fit in one peek.
func (r *Reader) uvarLong() uint64 {
	l := 0
	for r.Bool() {
		if l++; l > 64 {
			r.Fail(ErrCanonical)
			return 0
		}
	}
	low := r.Bits(l)
	if r.err != nil {
		return 0
	}
	if l == 64 {
		if low != 0 { // v+1 beyond 2^64
			r.Fail(ErrCanonical)
			return 0
		}
		return ^uint64(0)
	}
	return low + 1<<uint(l) - 1
}

// Svar reads what Writer.Svar wrote.
func (r *Reader) Svar() int64 {
	u := r.Uvar()
	return int64(u>>1) ^ -int64(u&1)
}

// Delta reads what Writer.Delta wrote.
func (r *Reader) Delta() int32 {
	x := r.peek()
	if x&1 == 0 {
		if r.pos == r.end {
			r.Fail(ErrShort)
			return 0
		}
		r.pos++
		return 0
	}
	c := x >> 1 & (1<<classBits - 1)
	n := 1 + classBits + int(classWidth[c])
	if n > r.end-r.pos {
		r.Fail(ErrShort)
		return 0
	}
	u := classBase[c] + x>>(1+classBits)&(1<<classWidth[c]-1) + 1
	if u > 1<<32-1 { // the last class has room for more than there is
		r.Fail(ErrCanonical)
		return 0
	}
	r.pos += n
	return int32(uint32(u)>>1) ^ -int32(u&1)
}

// Deltas reads len(words) times what Writer.Delta wrote and adds it to the
// words, which wrap. It returns zero only if every difference was. After an
// error the words are of no use.
func (r *Reader) Deltas(words []int32) (any int32) {
	buf, pos := r.buf, r.pos
	for i := range words {
		if pos>>3+8 > len(buf) {
			r.pos = pos
			return any | r.deltasTail(words[i:])
		}
		// The longest code has 36 bits, so all of it is in x.
		x := le64(buf[pos>>3:]) >> uint(pos&7)
		if x&1 == 0 {
			pos++
			continue
		}
		c := &codes[x>>1&(1<<classBits-1)]
		u := c.first + x>>(1+classBits)&c.mask
		if u > 1<<32-1 {
			r.Fail(ErrCanonical)
			return 0
		}
		pos += c.bits
		d := int32(uint32(u)>>1) ^ -int32(u&1)
		words[i] += d
		any |= d
	}
	r.pos = pos
	return any
}

func (r *Reader) deltasTail(words []int32) (any int32) {
	for i := range words {
		d := r.Delta()
		words[i] += d
		any |= d
	}
	return any
}

// Align skips to the next byte; what it skips must be zero.
func (r *Reader) Align() {
	if r.Bits(-r.pos&7) != 0 {
		r.Fail(ErrCanonical)
	}
}

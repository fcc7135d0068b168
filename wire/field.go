package wire

import (
	mathbits "math/bits"
	"slices"

	"github.com/foretick/foretick/bits"
)

func printable(c byte) bool { return c >= ' ' && c <= '~' }

// writeText writes a length and printable ASCII. What Parse would refuse is
// mended: the rest is cut off, other bytes become '?'.
func writeText(w *bits.Writer, s string, max int) {
	s = s[:min(len(s), max)]
	w.Bits(uint64(len(s)), mathbits.Len(uint(max)))
	for i := range len(s) {
		c := s[i]
		if !printable(c) {
			c = '?'
		}
		w.Bits(uint64(c), 8)
	}
}

// readText reads a text; if it is old, old is returned and nothing allocated.
func readText(r *bits.Reader, max int, old string) string {
	var b [MaxReason]byte
	n := readCount(r, max, 8)
	for i := range n {
		if b[i] = byte(r.Bits(8)); !printable(b[i]) {
			r.Fail(ErrBound)
			return ""
		}
	}
	if old == string(b[:n]) {
		return old
	}
	return string(b[:n])
}

// readCount reads a count of at most max things that take at least each bits.
func readCount(r *bits.Reader, max, each int) int {
	n := int(r.Bits(mathbits.Len(uint(max))))
	if n > max {
		r.Fail(ErrBound)
		return 0
	}
	if n*each > r.Left() {
		r.Fail(bits.ErrShort)
		return 0
	}
	return n
}

// readUvar reads a number of at most max.
func readUvar(r *bits.Reader, max uint64) uint64 {
	v := r.Uvar()
	if v > max {
		r.Fail(ErrBound)
		return 0
	}
	return v
}

// readSvar reads a number that fits in n bits, sign included.
func readSvar(r *bits.Reader, n int) int64 {
	v := r.Svar()
	if v < -1<<(n-1) || v >= 1<<(n-1) {
		r.Fail(ErrBound)
		return 0
	}
	return v
}

// A tick near another travels as the wrapped difference.
func writeNear(w *bits.Writer, t, base uint16) { w.Svar(int64(int16(t - base))) }

func readNear(r *bits.Reader, base uint16) uint16 { return base + uint16(readSvar(r, 16)) }

// grow returns s with length n; what it held is lost if it had to move.
func grow[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

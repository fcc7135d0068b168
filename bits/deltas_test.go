package bits

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestDeltas: many at once are the same bits as one by one, and read the same,
// errors included.
func TestDeltas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := rapid.Custom(func(t *rapid.T) int32 {
			return rapid.Int32().Draw(t, "v") >> rapid.IntRange(0, 31).Draw(t, "shift")
		})
		words := rapid.SliceOfN(small, 0, 20).Draw(t, "words")
		old := rapid.SliceOfN(small, len(words), len(words)).Draw(t, "old")
		lead := rapid.IntRange(0, 63).Draw(t, "lead")
		if rapid.Bool().Draw(t, "zeros") {
			old = nil
		}
		was := make([]int32, len(words))
		copy(was, old)
		var one, many Writer
		one.Bits(5, lead)
		many.Bits(5, lead)
		for i := range words {
			one.Delta(words[i] - was[i])
		}
		many.Deltas(words, old)
		if one.Len() != many.Len() || !bytes.Equal(one.Bytes(), many.Bytes()) {
			t.Fatalf("%x, one by one %x", many.Bytes(), one.Bytes())
		}
		b := slices.Clone(many.Bytes())
		for range rapid.IntRange(0, 2).Draw(t, "flips") {
			if len(b) > 0 {
				b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "by"))
			}
		}
		b = b[:rapid.IntRange(0, len(b)).Draw(t, "cut")]
		var r, q Reader
		r.Reset(b)
		q.Reset(b)
		r.Bits(lead)
		q.Bits(lead)
		x, y := slices.Clone(was), slices.Clone(was)
		any, want := r.Deltas(x), int32(0)
		for i := range y {
			d := q.Delta()
			y[i] += d
			want |= d
		}
		if r.Err() != q.Err() || r.Left() != q.Left() || q.Err() == nil && (any != want || !slices.Equal(x, y)) {
			t.Fatalf("%v %v %d %v, one by one %v %v %d %v", x, any, r.Left(), r.Err(), y, want, q.Left(), q.Err())
		}
	})
}

func TestPeekSkip(t *testing.T) {
	var w Writer
	w.Bits(0x1234567, 27)
	var r Reader
	r.Reset(w.Bytes())
	if p := r.Peek(); p != 0x1234567 {
		t.Fatalf("%x", p)
	}
	r.Skip(7)
	if p := r.Peek(); p != 0x1234567>>7 || r.Left() != 25 {
		t.Fatalf("%x, %d left", p, r.Left())
	}
	r.Skip(25)
	if r.Err() != nil || r.Peek() != 0 {
		t.Fatal(r.Err())
	}
	if r.Skip(1); r.Err() != ErrShort {
		t.Fatal(r.Err())
	}
}

func TestCopy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var o, w, want Writer
		vals := rapid.SliceOfN(rapid.Uint64(), 1, 6).Draw(t, "vals")
		for _, v := range vals {
			o.Bits(v, rapid.IntRange(0, 64).Draw(t, "n"))
		}
		at := rapid.IntRange(0, o.Len()).Draw(t, "at")
		n := rapid.IntRange(0, o.Len()-at).Draw(t, "count")
		lead := rapid.IntRange(0, 63).Draw(t, "lead")
		w.Bits(5, lead)
		want.Bits(5, lead)
		w.Copy(&o, at, n)
		var r Reader
		r.Reset(slices.Clone(o.Bytes()))
		for range at {
			r.Bool()
		}
		for range n {
			want.Bool(r.Bool())
		}
		if w.Len() != want.Len() || !bytes.Equal(w.Bytes(), want.Bytes()) {
			t.Fatalf("%x, bit by bit %x", w.Bytes(), want.Bytes())
		}
	})
}

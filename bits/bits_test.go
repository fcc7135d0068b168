package bits

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"
)

type op struct {
	kind int
	n    int
	v    uint64
}

const kinds = 6

func (o op) write(w *Writer) {
	switch o.kind {
	case 0:
		w.Bits(o.v, o.n)
	case 1:
		w.Bool(o.v&1 == 1)
	case 2:
		w.Uvar(o.v)
	case 3:
		w.Svar(int64(o.v))
	case 4:
		w.Delta(int32(o.v))
	case 5:
		w.Align()
	}
}

// read reads what the op's kind says and returns it as an op.
func (o op) read(r *Reader) op {
	switch o.kind {
	case 0:
		o.v = r.Bits(o.n)
	case 1:
		o.v = 0
		if r.Bool() {
			o.v = 1
		}
	case 2:
		o.v = r.Uvar()
	case 3:
		o.v = uint64(r.Svar())
	case 4:
		o.v = uint64(r.Delta())
	case 5:
		r.Align()
		o.v = 0
	}
	return o
}

// normal is the op with only what its kind can carry.
func (o op) normal() op {
	switch o.kind {
	case 0:
		if o.n < 64 {
			o.v &= 1<<uint(o.n) - 1
		}
	case 1:
		o.v &= 1
	case 4:
		o.v = uint64(int32(o.v))
	case 5:
		o.v = 0
	}
	return o
}

func genOps(t *rapid.T) []op {
	return rapid.SliceOf(rapid.Custom(func(t *rapid.T) op {
		o := op{kind: rapid.IntRange(0, kinds-1).Draw(t, "kind"), n: rapid.IntRange(0, 64).Draw(t, "n")}
		o.v = rapid.Uint64().Draw(t, "v") >> rapid.IntRange(0, 63).Draw(t, "shift")
		if rapid.Bool().Draw(t, "negate") {
			o.v = -o.v
		}
		return o.normal()
	})).Draw(t, "ops")
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ops := genOps(t)
		var w Writer
		for _, o := range ops {
			o.write(&w)
		}
		b := w.Bytes()
		if len(b) != (w.Len()+7)/8 {
			t.Fatalf("%d bytes for %d bits", len(b), w.Len())
		}
		var r Reader
		r.Reset(b)
		for i, o := range ops {
			if got := o.read(&r); got != o {
				t.Fatalf("op %d: wrote %v, read %v, err %v", i, o, got, r.Err())
			}
		}
		if err := r.Done(); err != nil {
			t.Fatal(err)
		}
		// One byte fewer must be noticed, wherever it was cut.
		if len(b) > 0 {
			r.Reset(b[:len(b)-1])
			for _, o := range ops {
				o.read(&r)
			}
			if w.Len() > 0 && r.Done() != ErrShort {
				t.Fatalf("cut stream: err %v", r.Err())
			}
		}
	})
}

// TestAgainstBitByBit holds the fast paths against the slow definition.
func TestAgainstBitByBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w Writer
		var want []byte
		n := 0
		put := func(bit uint64) {
			if n%8 == 0 {
				want = append(want, 0)
			}
			want[n/8] |= byte(bit&1) << (n % 8)
			n++
		}
		for _, o := range genOps(t) {
			switch o.kind {
			case 0:
				for i := range o.n {
					put(o.v >> i)
				}
			case 2: // Elias gamma of v+1, as the package says it
				l := 0
				for l < 63 && (o.v+1)>>(l+1) != 0 {
					l++
				}
				if o.v == math.MaxUint64 {
					l = 64
				}
				for range l {
					put(1)
				}
				put(0)
				for i := range l {
					put((o.v + 1) >> i)
				}
			default:
				continue
			}
			o.write(&w)
		}
		if w.Len() != n || !bytes.Equal(w.Bytes(), want) {
			t.Fatalf("got %x (%d bits), want %x (%d bits)", w.Bytes(), w.Len(), want, n)
		}
	})
}

func TestAppend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := genOps(t), genOps(t)
		var one, x, y Writer
		for _, o := range a {
			if o.kind != 5 {
				o.write(&one)
				o.write(&x)
			}
		}
		for _, o := range b {
			if o.kind != 5 {
				o.write(&one)
				o.write(&y)
			}
		}
		x.Append(&y)
		if x.Len() != one.Len() || !bytes.Equal(x.Bytes(), one.Bytes()) {
			t.Fatalf("got %x, want %x", x.Bytes(), one.Bytes())
		}
	})
}

func TestTruncate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := genOps(t), genOps(t)
		var one, x Writer
		for _, o := range a {
			o.write(&one)
			o.write(&x)
		}
		n := x.Len()
		for _, o := range b {
			o.write(&x)
		}
		x.Truncate(n)
		for _, o := range b {
			o.write(&one)
			o.write(&x)
		}
		if x.Len() != one.Len() || !bytes.Equal(x.Bytes(), one.Bytes()) {
			t.Fatalf("got %x, want %x", x.Bytes(), one.Bytes())
		}
	})
}

func TestBytesDoesNotDisturb(t *testing.T) {
	var a, b Writer
	for i := range 200 {
		a.Bits(uint64(i), 7)
		b.Bits(uint64(i), 7)
		a.Bytes()
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Fatal("Bytes changed what came after")
	}
}

func TestCosts(t *testing.T) {
	cost := func(f func(w *Writer)) int {
		var w Writer
		f(&w)
		return w.Len()
	}
	for _, c := range []struct {
		v    uint64
		want int
	}{{0, 1}, {1, 3}, {2, 3}, {3, 5}, {6, 5}, {7, 7}, {math.MaxUint64 - 1, 127}, {math.MaxUint64, 129}} {
		if got := cost(func(w *Writer) { w.Uvar(c.v) }); got != c.want {
			t.Errorf("Uvar(%d) costs %d, want %d", c.v, got, c.want)
		}
	}
	for _, c := range []struct {
		d    int32
		want int
	}{
		{0, 1}, {1, 7}, {-4, 7}, {4, 7}, {-5, 10}, {36, 10}, {37, 13}, {292, 13}, {-293, 16}, {2340, 16},
		{2341, 20}, {35108, 20}, {35109, 24}, {559396, 24}, {559397, 28}, {8948004, 28}, {8948005, 36},
		{math.MaxInt32, 36}, {math.MinInt32, 36},
	} {
		if got := cost(func(w *Writer) { w.Delta(c.d) }); got != c.want || DeltaLen(c.d) != c.want {
			t.Errorf("Delta(%d) costs %d, DeltaLen %d, want %d", c.d, got, DeltaLen(c.d), c.want)
		}
	}
}

func TestDeltaClassTables(t *testing.T) {
	sum := uint64(0)
	for c, n := range classWidth {
		if classBase[c] != sum {
			t.Errorf("base of class %d is %d, want %d", c, classBase[c], sum)
		}
		sum += 1 << n
	}
	for c := range classWidth { // both sides of every border
		for _, z := range []uint64{classBase[c], classBase[c+1] - 1} {
			var w Writer
			d := int32(uint32(z+1)>>1) ^ -int32((z+1)&1)
			w.Delta(d)
			if w.Len() != 4+int(classWidth[c]) {
				t.Errorf("class %d: Delta(%d) took %d bits", c, d, w.Len())
			}
			var r Reader
			r.Reset(w.Bytes())
			if got := r.Delta(); got != d {
				t.Errorf("class %d: Delta(%d) came back as %d", c, d, got)
			}
		}
	}
}

func TestNotCanonical(t *testing.T) {
	for name, c := range map[string]struct {
		write func(w *Writer)
		read  func(r *Reader)
	}{
		"uvar beyond 64 bits": {
			func(w *Writer) { w.Bits(math.MaxUint64, 64); w.Bits(0, 1); w.Bits(1, 64) },
			func(r *Reader) { r.Uvar() }},
		"uvar of 65 ones": {
			func(w *Writer) { w.Bits(math.MaxUint64, 64); w.Bits(1, 1); w.Bits(0, 64); w.Bits(0, 64) },
			func(r *Reader) { r.Uvar() }},
		"delta beyond 32 bits": {
			func(w *Writer) { w.Bits(0xf, 4); w.Bits(1<<32-1-17896008, 32) },
			func(r *Reader) { r.Delta() }},
		"dirty padding":    {func(w *Writer) { w.Bits(0x81, 8) }, func(r *Reader) { r.Bits(1) }},
		"a byte too many":  {func(w *Writer) { w.Bits(1, 16) }, func(r *Reader) { r.Bits(1) }},
		"dirty alignment":  {func(w *Writer) { w.Bits(0x3, 8) }, func(r *Reader) { r.Bits(1); r.Align() }},
		"alignment is end": {func(w *Writer) { w.Bits(1, 16) }, func(r *Reader) { r.Bits(1); r.Align() }},
	} {
		var w Writer
		c.write(&w)
		var r Reader
		r.Reset(w.Bytes())
		c.read(&r)
		if err := r.Done(); err != ErrCanonical {
			t.Errorf("%s: err %v, want %v", name, err, ErrCanonical)
		}
	}
	// Control: the largest values that fit are read.
	var w Writer
	w.Bits(0xf, 4)
	w.Bits(1<<32-2-17896008, 32)
	w.Uvar(math.MaxUint64)
	var r Reader
	r.Reset(w.Bytes())
	if d, u := r.Delta(), r.Uvar(); d != math.MinInt32 || u != math.MaxUint64 || r.Done() != nil {
		t.Errorf("largest values: %d, %d, %v", d, u, r.Err())
	}
}

func TestErrorSticks(t *testing.T) {
	var r Reader
	r.Reset([]byte{0xff})
	if r.Bits(9) != 0 || r.Err() != ErrShort {
		t.Fatalf("err %v", r.Err())
	}
	r.Fail(ErrCanonical)
	if r.Bits(1) != 0 || r.Bool() || r.Uvar() != 0 || r.Svar() != 0 || r.Delta() != 0 || r.Left() != 0 || r.Done() != ErrShort {
		t.Fatal("a read after an error returned something")
	}
	r.Reset([]byte{0xff})
	if r.Bits(8) != 0xff || r.Done() != nil {
		t.Fatal("Reset did not clear the error")
	}
}

func TestNoAllocation(t *testing.T) {
	var w, o Writer
	var r Reader
	o.Bits(3, 5)
	run := func() {
		w.Reset(nil)
		for i := range 100 {
			w.Uvar(uint64(i))
			w.Delta(int32(i) * 1000)
			w.Append(&o)
		}
		r.Reset(w.Bytes())
		for range 100 {
			r.Uvar()
			r.Delta()
			r.Bits(5)
		}
	}
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if r.Done() != nil {
		t.Error(r.Err())
	}
}

// FuzzReader runs any reads over any bytes. What was read, written again, must
// be the same bits: every value has one code.
func FuzzReader(f *testing.F) {
	f.Add([]byte{0, 7, 1, 2, 3, 4, 5}, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	f.Add([]byte{2, 2, 2}, bytes.Repeat([]byte{0xff}, 30))
	f.Add([]byte{4, 4, 5, 4}, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0, 0xfe, 1})
	f.Add([]byte{}, []byte{0})
	f.Fuzz(func(t *testing.T, ops, b []byte) {
		var r Reader
		r.Reset(b)
		var w Writer
		for _, o := range ops {
			left := r.Left()
			got := op{kind: int(o) % kinds, n: int(o) / kinds % 65}.read(&r)
			if r.Err() != nil {
				if got.v != 0 {
					t.Fatalf("%v with %v", got, r.Err())
				}
				return
			}
			before := w.Len()
			got.write(&w)
			if used := left - r.Left(); w.Len()-before != used {
				t.Fatalf("%v read from %d bits, written in %d", got, used, w.Len()-before)
			}
		}
		n := w.Len()
		w.Bits(r.Bits(min(r.Left(), -n&7)), -n&7)
		if !bytes.Equal(w.Bytes(), b[:(n+7)/8]) {
			t.Fatalf("read from %x, written %x", b, w.Bytes())
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	var w Writer
	for b.Loop() {
		w.Reset(nil)
		for i := range int32(100) {
			w.Bits(uint64(i), 9)
			w.Uvar(uint64(i))
			w.Delta(i * 37)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/300, "ns/code")
}

func BenchmarkRead(b *testing.B) {
	var w Writer
	for i := range int32(100) {
		w.Bits(uint64(i), 9)
		w.Uvar(uint64(i))
		w.Delta(i * 37)
	}
	buf := w.Bytes()
	var r Reader
	for b.Loop() {
		r.Reset(buf)
		for range 100 {
			r.Bits(9)
			r.Uvar()
			r.Delta()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/300, "ns/code")
}

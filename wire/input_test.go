package wire

import (
	"math"
	"testing"

	"github.com/foretick/foretick/bits"
)

func inputs(n int, word func(i int) int32) *threeWords {
	m := &threeWords{Input{Header: Header{Seq: 9, HasAck: true, Ack: 5, AckBits: math.MaxUint64}, Newest: 1000}}
	for i := range n {
		m.Entries = append(m.Entries, InputEntry{true, 384, []int32{word(i), 127, -3}})
	}
	return m
}

// TestUnchangedInputCostsABit is row I3.
func TestUnchangedInputCostsABit(t *testing.T) {
	cost := func(n int, word func(i int) int32) int {
		var w bits.Writer
		inputs(n, word).Append(&w)
		return w.Len()
	}
	still := func(int) int32 { return 5 }
	if d := cost(60, still) - cost(10, still); d != 50 {
		t.Errorf("50 unchanged inputs cost %d bits", d)
	}
	turning := func(i int) int32 { return int32(i) }
	if d := cost(60, turning) - cost(10, turning); d < 4*50 { // control
		t.Errorf("50 changed inputs cost only %d bits", d)
	}
}

// TestInputFits: the newest inputs are kept when not all fit in a packet.
func TestInputFits(t *testing.T) {
	for _, words := range []int{1, 30, MaxInputWords} {
		var m, got Input
		for i := range MaxInputs + 5 {
			e := InputEntry{Sampled: true, View: uint16(i) * 9973, Words: make([]int32, words)}
			for j := range e.Words {
				e.Words[j] = int32(uint32(i*words+j+1) * 2654435761)
			}
			m.Entries = append(m.Entries, e)
		}
		m.Newest = 2
		var w bits.Writer
		n := m.Append(&w, words)
		if n < 1 || n > MaxInputs || len(w.Bytes()) > MaxBody || words == 1 && n != MaxInputs {
			t.Fatalf("%d words: %d entries in %d bytes", words, n, len(w.Bytes()))
		}
		var r bits.Reader
		r.Reset(w.Bytes())
		if err := got.Parse(&r, words); err != nil {
			t.Fatal(err)
		}
		if d := equal(m.Entries[len(m.Entries)-n:], got.Entries); d != "" {
			t.Fatal(d)
		}
		if got.Tick(n-1) != 2 || got.Tick(0) != 2-uint16(n-1) {
			t.Errorf("ticks %d..%d", got.Tick(0), got.Tick(n-1))
		}
	}
}

func TestInputNotCanonical(t *testing.T) {
	head := func(count uint64) *bits.Writer {
		var w bits.Writer
		writeKind(&w, KindInput)
		new(Header).writeHeader(&w)
		w.Bits(0, 16)
		w.Bits(count, 7)
		return &w
	}
	first := func(w *bits.Writer) { // sampled, view 7, words all zero
		w.Bool(true)
		w.Bits(7, 16)
		w.Bool(false)
	}
	for name, c := range map[string]struct {
		count uint64
		write func(w *bits.Writer)
		want  error
	}{
		"control": {2, func(w *bits.Writer) { first(w); w.Bool(true) }, nil},
		"repeat spelled out": {2, func(w *bits.Writer) {
			first(w)
			w.Bits(0b10, 2)
			w.Svar(0)
			w.Bool(false)
		}, bits.ErrCanonical},
		"changed by nothing": {1, func(w *bits.Writer) { w.Bool(true); w.Bits(7, 16); w.Bool(true); w.Bits(0, 3) }, bits.ErrCanonical},
		"view below zero":    {2, func(w *bits.Writer) { first(w); w.Bits(0b10, 2); w.Svar(-8); w.Bool(false) }, ErrBound},
		"view too large":     {2, func(w *bits.Writer) { first(w); w.Bits(0b10, 2); w.Svar(65536 - 7); w.Bool(false) }, ErrBound},
		"view far too large": {2, func(w *bits.Writer) { first(w); w.Bits(0b10, 2); w.Svar(math.MaxInt64); w.Bool(false) }, ErrBound},
		"too many":           {65, func(w *bits.Writer) { w.Bits(0, 64); w.Bits(0, 64) }, ErrBound},
		"more than there is": {64, func(w *bits.Writer) { w.Bits(0, 30) }, bits.ErrShort},
	} {
		w := head(c.count)
		c.write(w)
		var m Input
		var r bits.Reader
		r.Reset(w.Bytes())
		if err := m.Parse(&r, testWords); err != c.want {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestHeaderCost(t *testing.T) {
	for _, c := range []struct {
		h    Header
		want int
	}{
		{Header{}, 17},
		{Header{HasAck: true, AckBits: math.MaxUint64}, 34},
		{Header{HasAck: true, AckBits: 1}, 98},
	} {
		var w bits.Writer
		c.h.writeHeader(&w)
		if w.Len() != c.want {
			t.Errorf("%+v costs %d bits, want %d", c.h, w.Len(), c.want)
		}
	}
	var w bits.Writer // all ones, the long way
	w.Bits(1<<16, 17)
	w.Bits(0, 17)
	w.Bits(math.MaxUint64, 64)
	var r bits.Reader
	r.Reset(w.Bytes())
	new(Header).readHeader(&r)
	if r.Err() != bits.ErrCanonical {
		t.Error(r.Err())
	}
}

// TestNoAllocation: inputs and snapshot heads, sealed and opened, once warm.
func TestNoAllocation(t *testing.T) {
	in := inputs(30, func(i int) int32 { return int32(i / 4) })
	head := sampleHead()
	var w bits.Writer
	var r bits.Reader
	var packet []byte
	var gotIn Input
	var gotHead SnapshotHead
	run := func() {
		w.Reset(nil)
		in.Input.Append(&w, testWords)
		packet = Seal(packet[:0], 42, w.Bytes())
		b, ok := Open(packet, 42)
		r.Reset(b)
		if err := gotIn.Parse(&r, testWords); !ok || err != nil {
			t.Fatal(err)
		}
		w.Reset(nil)
		head.FitEffects(4000)
		head.Append(&w)
		r.Reset(w.Bytes())
		if err := gotHead.Parse(&r); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if d := equal(in.Entries, gotIn.Entries) + equal(head, &gotHead); d != "" {
		t.Error(d)
	}
}

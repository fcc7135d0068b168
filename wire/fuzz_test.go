package wire

import (
	"bytes"
	"testing"

	"github.com/foretick/foretick/bits"
)

// fuzz holds for any bytes: what parses is appended as the same bytes. Each
// gets a struct of its own, or what it covers would depend on those before it.
func fuzz(f *testing.F, k Kind, fresh func() message) {
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xff}, MaxBody))
	for _, g := range golden {
		if b := body(g.m); PeekKind(b) == k {
			f.Add(b)
			f.Add(b[:len(b)/2])
			flipped := append([]byte{}, b...)
			flipped[len(b)/2] ^= 0x10
			f.Add(flipped)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > MaxBody {
			return // Open would not let it through
		}
		into := fresh()
		var r bits.Reader
		r.Reset(b)
		if into.Parse(&r) != nil {
			return
		}
		var w bits.Writer
		into.Append(&w)
		if k == KindSnapshot { // only the head is the message
			used := len(b)*8 - r.Left()
			if w.Len() != used {
				t.Fatalf("parsed %d bits, appended %d", used, w.Len())
			}
			r.Reset(b)
			var head bits.Writer
			for ; used > 0; used -= 64 {
				n := min(used, 64)
				head.Bits(r.Bits(n), n)
			}
			b = head.Bytes()
		}
		if !bytes.Equal(w.Bytes(), b) {
			t.Fatalf("parsed   %x\nappended %x", b, w.Bytes())
		}
	})
}

func FuzzHello(f *testing.F)        { fuzz(f, KindHello, func() message { return &Hello{} }) }
func FuzzWelcome(f *testing.F)      { fuzz(f, KindWelcome, func() message { return &Welcome{} }) }
func FuzzRefuse(f *testing.F)       { fuzz(f, KindRefuse, func() message { return &Refuse{} }) }
func FuzzPing(f *testing.F)         { fuzz(f, KindPing, func() message { return &Ping{} }) }
func FuzzPong(f *testing.F)         { fuzz(f, KindPong, func() message { return &Pong{} }) }
func FuzzBye(f *testing.F)          { fuzz(f, KindBye, func() message { return &Bye{} }) }
func FuzzInput(f *testing.F)        { fuzz(f, KindInput, func() message { return &threeWords{} }) }
func FuzzSnapshotHead(f *testing.F) { fuzz(f, KindSnapshot, func() message { return &SnapshotHead{} }) }

// FuzzOpen: no bytes make Open panic, and what opens is what Seal makes.
func FuzzOpen(f *testing.F) {
	for _, g := range golden {
		f.Add(g.salt, Seal(nil, g.salt, body(g.m)))
	}
	f.Fuzz(func(t *testing.T, salt uint64, packet []byte) {
		PeekKind(packet)
		if b, ok := Open(packet, salt); ok && !bytes.Equal(Seal(nil, salt, b), packet) {
			t.Fatalf("%x opened, but is not sealed like that", packet)
		}
	})
}

func BenchmarkInput(b *testing.B) {
	in := inputs(12, func(i int) int32 { return int32(i) * 900 })
	var w bits.Writer
	var r bits.Reader
	var got Input
	for b.Loop() {
		w.Reset(nil)
		in.Input.Append(&w, testWords)
		r.Reset(w.Bytes())
		if got.Parse(&r, testWords) != nil {
			b.Fatal(r.Err())
		}
	}
	b.ReportMetric(float64(len(w.Bytes())), "bytes")
}

func BenchmarkSealOpen(b *testing.B) {
	body := make([]byte, MaxBody)
	var p []byte
	for b.Loop() {
		p = Seal(p[:0], 7, body)
		if _, ok := Open(p, 7); !ok {
			b.Fatal("not opened")
		}
	}
}

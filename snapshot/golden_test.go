package snapshot

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

type A struct{ P, Q int32 }
type T struct{}

// example is the one of SECTION.md, as bits in the order written.
var example = []struct{ what, bits string }{
	{"4 statements", "110 10"},
	{"reference distance 10", "1110 010"},
	{"entity 1 unchanged", "0 0"},
	{"entity 2 full, generation 0, owner 3, A and T", "0 110 0 110 00 11"},
	{"A = 5, -1", "1 100 100000  1 000 000"},
	{"entity 4 changed, reference distance", "100 10 0"},
	{"mask differs, owner does not, T", "1 1 0 01"},
	{"A: +1, 0", "1  1 000 100  0"},
	{"entity 7 gone, generation 2", "101 111 101"},
}

const exampleHex = "eb84194f1048e688be"

func exampleBits() *bits.Writer {
	var w bits.Writer
	for _, x := range example {
		for _, c := range strings.ReplaceAll(x.bits, " ", "") {
			w.Bool(c == '1')
		}
	}
	return &w
}

// examplePair is server and client before the example's tick.
func examplePair(t testing.TB) *pair {
	g := sim.New("golden", 60)
	sim.Predicted[T](g)
	sim.Predicted[A](g)
	g.Seal()
	h := NewHistory(g, 64)
	p := &pair{t: t, g: g, w: g.NewWorld(), h: h, s: NewSender(h), r: NewReceiver(g), room: []int{9200}}
	for _, e := range []tick.Entity{tick.MakeEntity(1, 0), tick.MakeEntity(4, 0), tick.MakeEntity(7, 2)} {
		p.w.Insert(e)
		p.w.Column(0).Add(e)
		*ecs.At[A](p.w.Column(1), p.w.Column(1).Add(e)) = A{10, 20}
	}
	p.exchange(990)
	e := tick.MakeEntity(2, 0)
	p.w.Insert(e)
	p.w.SetOwner(e, 3)
	p.w.Column(0).Add(e)
	*ecs.At[A](p.w.Column(1), p.w.Column(1).Add(e)) = A{5, -1}
	p.w.Column(0).Remove(tick.MakeEntity(4, 0))
	row, _ := p.w.Column(1).Row(tick.MakeEntity(4, 0))
	ecs.At[A](p.w.Column(1), row).P++
	p.w.Destroy(tick.MakeEntity(7, 2), 1000)
	return p
}

func TestGolden(t *testing.T) {
	p := examplePair(t)
	want := exampleBits()
	if parts, all := p.plan(1000); parts != 1 || !all {
		t.Fatalf("%d parts, all %v", parts, all)
	}
	got := hex.EncodeToString(p.bytes(0))
	if w := hex.EncodeToString(want.Bytes()); got != w || p.s.Section(0).Len() != want.Len() {
		t.Fatalf("%s (%d bits), the page says %s (%d bits)", got, p.s.Section(0).Len(), w, want.Len())
	}
	if got != exampleHex {
		t.Fatalf("%s, want %s", got, exampleHex)
	}
	if err := p.decode(want.Bytes(), 1000); err != nil {
		t.Fatal(err)
	}
	for i, k := range []Kind{Unchanged, Changed, Changed, Gone} {
		if p.out.Items[i].Kind != k {
			t.Errorf("item %d: %+v", i, p.out.Items[i])
		}
	}
	if it := p.out.Items[2]; it.Mask != 1 || it.Words[0] != 11 || it.Words[1] != 20 {
		t.Errorf("entity 4: %+v", it)
	}
}

func TestRefused(t *testing.T) {
	num := func(v uint64) func(*bits.Writer) { return func(w *bits.Writer) { w.Uvar(v) } }
	raw := func(s string) func(*bits.Writer) {
		return func(w *bits.Writer) {
			for _, c := range strings.ReplaceAll(s, " ", "") {
				w.Bool(c == '1')
			}
		}
	}
	for _, c := range []struct {
		what  string
		want  error
		write []func(*bits.Writer)
	}{
		{"control: entity 1 unchanged", nil, []func(*bits.Writer){num(1), num(9), raw("0 0")}},
		{"more statements than bits", ErrMalformed, []func(*bits.Writer){num(60000), num(9)}},
		{"more statements than indices", ErrMalformed, []func(*bits.Writer){num(1 << 40), num(9)}},
		{"a distance of 2^31", ErrMalformed, []func(*bits.Writer){num(1), num(1<<31 - 1), raw("0 0")}},
		{"index 65536", ErrMalformed, []func(*bits.Writer){num(1), num(9), num(65535), raw("0 0")}},
		{"index beyond 64 bits", ErrMalformed, []func(*bits.Writer){num(2), num(9), raw("0 0"), num(1<<64 - 1), raw("0 0")}},
		{"unknown entity unchanged", ErrBaseline, []func(*bits.Writer){num(1), num(9), num(1), raw("0 0")}},
		{"unknown entity changed", ErrBaseline, []func(*bits.Writer){num(1), num(9), num(1), raw("10 0 0 00")}},
		{"baseline not held", ErrBaseline, []func(*bits.Writer){num(1), num(8), raw("0 10 0 0 00")}},
		{"reference distance spelt out", ErrMalformed, []func(*bits.Writer){num(1), num(9), raw("0 10 1"), num(9), raw("0 00")}},
		{"the same owner", ErrMalformed, []func(*bits.Writer){num(1), num(9), raw("0 10 0 1 0"), num(0), raw("00")}},
		{"control: another owner", nil, []func(*bits.Writer){num(1), num(9), raw("0 10 0 1 0"), num(9), raw("00")}},
		{"owner 65536", ErrMalformed, []func(*bits.Writer){num(1), num(9), raw("0 10 0 1 0"), num(65536), raw("00")}},
		{"the same mask", ErrMalformed, []func(*bits.Writer){num(1), num(9), raw("0 10 0 1 1 0 00 00")}},
		{"differs by nothing", ErrMalformed, []func(*bits.Writer){num(1), num(9), raw("0 10 0 0 1 00")}},
		{"generation 65536", ErrMalformed, []func(*bits.Writer){num(1), num(9), raw("0 111"), num(65536)}},
		{"cut short", bits.ErrShort, []func(*bits.Writer){num(1), num(9), raw("0 110 0 11111 11111")}},
	} {
		p := examplePair(t)
		var w bits.Writer
		for _, f := range c.write {
			f(&w)
		}
		if err := decodeAlone(p.r, w.Bytes(), 1000, &p.out); err != c.want {
			t.Errorf("%s: %v, want %v", c.what, err, c.want)
		} else if err != nil && len(p.out.Items) != 0 {
			t.Errorf("%s: refused, with items", c.what)
		}
	}
}

// TestRefusedValues: what a component may not hold is refused, in full and as
// a change.
func TestRefusedValues(t *testing.T) {
	nan := int32(0x7fc00000) // ordered as itself
	for _, c := range []struct {
		what  string
		mask  uint64
		words []int32
		want  error
	}{
		{"control", 1, []int32{0, 0, 0}, nil},
		{"NaN", 1, []int32{0, nan, 0}, ErrMalformed},
		{"infinity", 1, []int32{0x7f800000, 0, 0}, ErrMalformed},
		{"control: in range", 4, []int32{512, 0}, nil},
		{"beyond its maximum", 4, []int32{513, 0}, ErrMalformed},
	} {
		p := newPair(t, 9200)
		var w bits.Writer
		w.Uvar(1)
		w.Uvar(0)
		w.Bits(0, 1)
		writeKind(&w, kindFull)
		w.Uvar(0)
		p.s.writeFull(&w, &record{mask: c.mask, words: c.words})
		if err := decodeAlone(p.r, w.Bytes(), 5, &p.out); err != c.want {
			t.Errorf("%s in full: %v", c.what, err)
		}
		old := make([]int32, len(c.words))
		w.Reset(nil)
		w.Uvar(1)
		w.Uvar(0)
		w.Bits(0, 1)
		writeKind(&w, kindFull)
		w.Uvar(0)
		p.s.writeFull(&w, &record{mask: c.mask, words: old})
		if err := decodeAlone(p.r, w.Bytes(), 6, &p.out); err != nil {
			t.Fatal(err)
		}
		w.Reset(nil)
		w.Uvar(1)
		w.Uvar(0)
		w.Bits(0, 1)
		writeKind(&w, kindChanged)
		p.s.ref = 1
		was, now := record{tick: 6, mask: c.mask, words: old}, record{tick: 7, mask: c.mask, words: c.words}
		p.s.writeBaseline(&w, &was, &now)
		p.s.writeChange(&w, &was, &now)
		if err := decodeAlone(p.r, w.Bytes(), 7, &p.out); err != c.want {
			t.Errorf("%s as a change: %v", c.what, err)
		}
	}
}

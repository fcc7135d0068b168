package sim

import (
	"math"
	"strings"
	"testing"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/tick"
)

type textual struct {
	F64 float64
	I64 int64
	U64 uint64
	Rot geom.Quat
	F   float32
	I   int32
	U   uint32
	E   tick.Entity
	I16 int16
	N   Counter
	I8  int8
	U8  uint8
	B   [2]bool
}

// Other bits are another text.
func TestTexts(t *testing.T) {
	p := planOf[textual]()
	w := ecs.New([]int{p.Size})
	w.Insert(tick.MakeEntity(1, 0))
	c := w.Column(0)
	v := ecs.At[textual](c, c.Add(tick.MakeEntity(1, 0)))
	*v = textual{F64: -0.1, I64: -1, U64: math.MaxUint64, Rot: geom.Quat{W: 1}, F: 0.1, I: -7, U: 7, E: 65536, I16: -3, N: 9, I8: -5, U8: 200, B: [2]bool{true, false}}
	texts := func() string { return strings.Join(p.Texts(nil, c.Bytes(0)), "|") }
	got := texts()
	if want := "-0.1|-1|18446744073709551615|0 0 0 1|0.1|-7|7|65536|-3|9|-5|200|true|false"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if n := len(p.Texts(nil, c.Bytes(0))); n != len(p.Fields()) {
		t.Errorf("%d texts of %d fields", n, len(p.Fields()))
	}
	v.F = math.Float32frombits(math.Float32bits(v.F) ^ 1)
	if texts() == got {
		t.Error("another bit, and the same text")
	}
}

func TestInputTexts(t *testing.T) {
	g := New("texts", 60)
	type Stick struct{ X, Y float32 }
	type Click struct{ N Counter }
	Input[Stick](g)
	Input[Click](g)
	g.Seal()
	in := make([]byte, g.InputSize())
	le.PutUint32(in, math.Float32bits(0.5))
	le.PutUint16(in[8:], 3)
	if got := strings.Join(g.InputFields(), " "); got != "Stick.X Stick.Y Click.N" {
		t.Error(got)
	}
	if got := strings.Join(g.InputTexts(nil, in), " "); got != "0.5 0 3" {
		t.Error(got)
	}
}

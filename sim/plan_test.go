package sim

import (
	"reflect"
	"strings"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/tick"
)

type inner struct {
	X float32 `net:"step=1/64"`
	Y float32
}

type everything struct {
	I64  int64
	U64  uint64
	F64  float64
	F64s float64   `net:"step=0.001"`
	Rot  geom.Quat `net:"smooth"`
	Rot9 geom.Quat `net:"bits=9,tolerance=0.01"`
	In   inner     `net:"step=1/2,min=-4,max=4,smooth"`
	Arr  [3]uint32
	F32  float32
	F32s float32 `net:"step=0.01,min=-10,max=10,smooth"`
	Deg  float32 `net:"angle,tolerance=0.01"`
	Ent  tick.Entity
	I32  int32
	I32b int32  `net:"min=-5,max=1000"`
	U32b uint32 `net:"min=3,max=9"`
	U16  uint16
	I16  int16 `net:"min=-300,max=300"`
	Hits Counter
	U8   uint8 `net:"tolerance=2"`
	I8   int8
	B    bool
	B3   [3]bool
	Fill [4]uint8
}

func planOf[T any]() *Plan { return readPlan(reflect.TypeFor[T](), nil) }

func TestReadPlan(t *testing.T) {
	p := planOf[everything]()
	if p.Name != "everything" || p.Size != int(reflect.TypeFor[everything]().Size()) {
		t.Errorf("%s, %d bytes", p.Name, p.Size)
	}
	want := "I64 U64 F64 F64s Rot Rot9 In.X In.Y Arr[0] Arr[1] Arr[2] F32 F32s Deg Ent " +
		"I32 I32b U32b U16 I16 Hits U8 I8 B B3[0] B3[1] B3[2] Fill[0] Fill[1] Fill[2] Fill[3]"
	if got := strings.Join(p.Fields(), " "); got != want {
		t.Errorf("fields\n%s, want\n%s", got, want)
	}
	if p.Words != 2*4+4*2+25 {
		t.Errorf("%d words", p.Words)
	}
	if p.Exact() || !p.Smooth() {
		t.Error("exact or smooth is wrong")
	}
	byPath := map[string]field{}
	for _, f := range p.fields {
		byPath[f.path] = f
		if p.FieldAt(f.off) != f.path || p.FieldAt(f.off+kindSize[f.kind]-1) != f.path {
			t.Errorf("FieldAt(%d) is %s, want %s", f.off, p.FieldAt(f.off), f.path)
		}
	}
	if f := byPath["In.X"]; f.step != 1.0/64 || f.lo != -1<<23 || f.smooth {
		t.Errorf("a field's own tag does not replace the struct's: %+v", f)
	}
	if f := byPath["In.Y"]; f.step != 0.5 || f.lo != -8 || f.hi != 8 || !f.smooth {
		t.Errorf("a field does not inherit the struct's tag: %+v", f)
	}
	if f := byPath["Rot9"]; f.bits != 9 || f.tolerance != 0.01 {
		t.Errorf("%+v", f)
	}
	if p.FieldAt(p.Size) != "?" {
		t.Error("a field past the end")
	}
	type flag struct{}
	type switches struct{ A, B bool }
	if p := planOf[flag](); p.Size != 0 || p.Words != 0 || !p.Exact() {
		t.Error("a tag component")
	}
	if p := planOf[switches](); !p.Exact() || p.Smooth() {
		t.Error("bools do not travel exactly")
	}
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		got, _ := recover().(string)
		if !strings.Contains(got, what) || !strings.HasPrefix(got, "sim: ") {
			t.Errorf("panic %q, want one with %q", got, what)
		}
	}()
	f()
}

func TestPlanPanics(t *testing.T) {
	type pad struct {
		A uint8
		B uint16
	}
	mustPanic(t, "pad has padding before B: order its fields from large to small, or add Pad uint8 before it", func() { planOf[pad]() })
	type tail struct {
		A uint32
		B uint8
	}
	mustPanic(t, "padding at its end: add Pad [3]uint8", func() { planOf[tail]() })
	type blank struct {
		A uint16
		_ uint16
	}
	mustPanic(t, "blank field", func() { planOf[blank]() })
	type text struct{ Name string }
	mustPanic(t, "text.Name is a string", func() { planOf[text]() })
	type word struct{ N int }
	mustPanic(t, "word.N is a int", func() { planOf[word]() })
	type ptr struct{ P [2]*int32 }
	mustPanic(t, "ptr.P[0] is a *int32", func() { planOf[ptr]() })
	mustPanic(t, "not a struct", func() { planOf[Counter]() })
	mustPanic(t, "needs a name", func() { planOf[struct{ A uint8 }]() })

	for _, c := range []struct {
		v    any
		want string
	}{
		{struct{ A float32 }{}, "unknown tag setp:setp=1"},
		{struct{ A float32 }{}, "no number: x:step=x"},
		{struct{ A float32 }{}, "no number: 1/0:step=1/0"},
		{struct{ A float32 }{}, "step without a value:step"},
		{struct{ A float32 }{}, "tolerance without a value:tolerance="},
		{struct{ A float32 }{}, "is exact:exact,step=1/64"},
		{struct{ A geom.Quat }{}, "is exact:bits=9,exact"},
		{struct{ A float32 }{}, "a step from 1e-30:step=-1"},
		{struct{ A float32 }{}, "a step from 1e-30:step=1e-40"},
		{struct{ A float32 }{}, "more steps than:step=1/1000,min=-9000,max=9000"},
		{struct{ A float32 }{}, "min and max only with a step:min=0,max=1"},
		{struct{ A float32 }{}, "needs min and max:step=1,max=1"},
		{struct{ A float32 }{}, "min below max:step=1,min=1,max=1"},
		{struct{ A float32 }{}, "negative tolerance:tolerance=-1"},
		{struct{ A float32 }{}, "bits=2 to 24:bits=9"},
		{struct{ A float64 }{}, "angle only as a float32:angle"},
		{struct{ A geom.Quat }{}, "bits=2 to 24:bits=25"},
		{struct{ A geom.Quat }{}, "bits=2 to 24:bits=2.5"},
		{struct{ A geom.Quat }{}, "takes no step:step=1"},
		{struct{ A geom.Quat }{}, "no such min and max:min=0,max=1"},
		{struct{ A uint8 }{}, "takes no step:step=1"},
		{struct{ A uint8 }{}, "smooth only as:smooth"},
		{struct{ A uint8 }{}, "no such min and max:min=-1,max=1"},
		{struct{ A uint8 }{}, "no such min and max:min=0,max=256"},
		{struct{ A int16 }{}, "no such min and max:min=0.5,max=3"},
		{struct{ A uint32 }{}, "no such min and max:min=0,max=4e9"},
		{struct{ A int64 }{}, "no such min and max:min=0,max=1"},
		{struct{ A bool }{}, "no such min and max:min=0,max=1"},
		{struct{ A Counter }{}, "no such min and max:min=0,max=1"},
	} {
		what, tag, _ := strings.Cut(c.want, ":")
		if strings.HasPrefix(what, "no number") {
			i := strings.LastIndex(c.want, ":")
			what, tag = c.want[:i], c.want[i+1:]
		}
		mustPanic(t, what, func() {
			p := &Plan{Name: "T"}
			p.addStruct(reflect.TypeOf(c.v), "", 0, "", map[string]string{"A": tag})
		})
	}
}

func TestGamePanics(t *testing.T) {
	type a struct{ X uint32 }
	mustPanic(t, "1 to 1000", func() { New("x", 0) })
	mustPanic(t, "1 to 32 bytes", func() { New("", 60) })
	mustPanic(t, "declared twice", func() { g := New("x", 60); Predicted[a](g); Replicated[a](g) })
	g := New("x", 60)
	Predicted[a](g)
	g.Seal()
	for _, f := range []func(){
		func() { Predicted[inner](g) }, func() { g.Effect("e") }, func() { g.System("s", nil) },
		func() { g.Holes(HolePolicy{}) }, func() { g.RoundState() }, func() { g.Join(nil) },
		func() { g.Leave(nil) }, func() { g.ModeOf(nil) }, func() { g.Without("s") },
	} {
		mustPanic(t, "never changed afterwards", f)
	}
	mustPanic(t, "no component b", func() { g.Retag("b", nil) })
	mustPanic(t, "not all the fields", func() { g.Retag("a", map[string]string{"Y": "exact"}) })
	mustPanic(t, "no system s", func() { g.Variant("y").Without("s") })
}

type va struct {
	P geom.Vec2
	N uint32
}
type vb struct{ X Counter }
type vc struct{ X Counter }

func versionGame(change func(*Game)) *Game {
	g := New("v", 60)
	Predicted[va](g)
	Input[vb](g)
	g.Effect("bang")
	g.System("move", func(*Step) {})
	if change != nil {
		change(g)
	}
	return g.Seal()
}

func TestVersion(t *testing.T) {
	base := versionGame(nil)
	for i, change := range []func(*Game){
		func(g *Game) { g.ServerSystem("score", func(*Step) {}) },
		func(g *Game) { g.ClientSystem("dust", func(*Step) {}) },
		func(g *Game) { ServerOnly[vc](g) },
		func(g *Game) { ClientOnly[vc](g) },
		func(g *Game) { g.Join(func(*Step, Player) {}) },
	} {
		if versionGame(change).Version() != base.Version() {
			t.Errorf("change %d is nobody else's business, but the version differs", i)
		}
	}
	seen := map[uint32]string{base.Version(): "base"}
	add := func(name string, g *Game) {
		if was, ok := seen[g.Version()]; ok {
			t.Errorf("%s has the version of %s", name, was)
		}
		seen[g.Version()] = name
	}
	add("name", base.Variant("w").Seal())
	add("hz", func() *Game { g := *base; g.hz = 30; g.sealed = false; return g.Seal() }())
	add("another component", versionGame(func(g *Game) { Predicted[vc](g) }))
	add("another kind", versionGame(func(g *Game) { Replicated[vc](g) }))
	add("another input", versionGame(func(g *Game) { Input[vc](g) }))
	add("other input order", func() *Game {
		g := New("v", 60)
		Predicted[va](g)
		Input[vc](g)
		Input[vb](g)
		g.Effect("bang")
		g.System("move", func(*Step) {})
		return g.Seal()
	}())
	add("effect", versionGame(func(g *Game) { g.Effect("x") }))
	add("system", versionGame(func(g *Game) { g.System("x", func(*Step) {}) }))
	add("holes", versionGame(func(g *Game) { g.Holes(HolePolicy{Repeat: 3}) }))
	add("freeze", versionGame(func(g *Game) { g.Holes(HolePolicy{Freeze: true}) }))
	add("rounded", versionGame(func(g *Game) { g.RoundState() }))
	add("step", base.Retag("va", map[string]string{"P": "step=1/64"}))
	add("finer step", base.Retag("va", map[string]string{"P": "step=1/65"}))
	add("range", base.Retag("va", map[string]string{"P": "step=1/64,min=-8,max=8"}))
	add("integer range", base.Retag("va", map[string]string{"N": "min=0,max=8"}))
	twice := base.Retag("va", map[string]string{"P": "step=1/64"}).Retag("va", map[string]string{"N": "min=0,max=8"})
	add("retagged twice", twice)
	if p := twice.Plan(0); p.fields[0].step != 1.0/64 || !p.fields[2].bounded {
		t.Error("the second Retag has undone the first")
	}
	if base.Plan(0).fields[0].step != 0 || base.Version() != versionGame(nil).Version() {
		t.Error("Retag has changed the game it copied")
	}
	if v := base.Retag("va", map[string]string{"P": "exact,smooth,tolerance=0.1"}); v.Version() != base.Version() {
		t.Error("how a client shows and compares is nobody else's business")
	}
}

func TestVariant(t *testing.T) {
	runs := ""
	g := New("g", 60)
	h := Predicted[va](g)
	g.System("a", func(*Step) { runs += "a" }).System("b", func(*Step) { runs += "b" })
	v := g.Variant("v").Without("a").Holes(HolePolicy{Freeze: true}).System("c", func(*Step) { runs += "c" })
	for _, g := range []*Game{v, g} {
		r := NewRunner(g, 1)
		w := g.NewWorld()
		e, _ := w.Create(0)
		w.Column(h.Column()).Add(e)
		r.Begin(w, 0, ClientSide)
		if !h.Has(r.Step(), e) {
			t.Error("the handle does not fit")
		}
		r.Systems()
	}
	if runs != "bcab" || g.holes.Freeze || v.Name() != "v" {
		t.Errorf("ran %s", runs)
	}
}

func TestWireOrder(t *testing.T) {
	g := New("w", 60)
	Predicted[vc](g)
	ServerOnly[inner](g)
	Input[vb](g)
	ClientOnly[everything](g)
	Replicated[va](g)
	g.Seal()
	if got := g.Wire(); !reflect.DeepEqual(got, []int{4, 2, 0}) {
		t.Errorf("wire order %v, want va vb vc: 4 2 0", got)
	}
	if g.Components() != 5 || g.KindOf(1) != KindServerOnly || g.KindOf(2) != KindInput {
		t.Error("kinds")
	}
}

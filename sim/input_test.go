package sim

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
)

type stick struct {
	Move geom.Vec2 `net:"step=1/127,min=-1,max=1"`
	Free float32
	Fire Counter
	Duck bool
	Slot uint8 `net:"min=1,max=9"`
}

type look struct {
	Aim geom.Quat `net:"bits=11"`
	Use Counter
	Alt Counter
}

func inputGame(holes HolePolicy) (*Game, InputComp[stick], InputComp[look]) {
	g := New("inputs", 60).Holes(holes)
	st := Input[stick](g)
	lk := Input[look](g)
	return g.Seal(), st, lk
}

func TestCounterSince(t *testing.T) {
	for _, c := range []struct {
		now, last Counter
		limit     int
		want      int
	}{
		{5, 5, 9, 0}, {7, 5, 9, 2}, {2, 65534, 9, 4}, {3000, 5, 9, 9}, {4, 5, 9, 0},
		{0, 65535, 9, 1}, {5 + 1<<15, 5, 9, 0}, {4 + 1<<15, 5, 9, 9}, {7, 5, 0, 0},
	} {
		if got := c.now.Since(c.last, c.limit); got != c.want {
			t.Errorf("%d since %d is %d, want %d", c.now, c.last, got, c.want)
		}
	}
}

func TestSample(t *testing.T) {
	g, st, lk := inputGame(HolePolicy{})
	s := NewSample(g)
	if v := st.Get(s); v.Slot != 1 || v.Move != (geom.Vec2{}) {
		t.Errorf("neutral: %+v", v)
	}
	if v := lk.Get(s); v.Aim != geom.Identity() {
		t.Errorf("a neutral rotation is %v", v.Aim)
	}
	st.Set(s, stick{Move: geom.V2(0.5, 9), Free: float32(math.NaN()), Fire: 99, Duck: true, Slot: 12})
	st.Press(s, func(v *stick) *Counter { return &v.Fire })
	lk.Press(s, func(v *look) *Counter { return &v.Alt })
	st.Press(s, func(v *stick) *Counter { return &v.Fire })
	st.Set(s, stick{Move: geom.V2(0.5, 9), Free: float32(math.NaN()), Duck: true, Slot: 12})
	if v := st.Get(s); v.Fire != 2 || !v.Duck || v.Slot != 12 {
		t.Errorf("Set does not keep the counter of 2, or the rest: %+v", v)
	}
	if v := lk.Get(s); v.Alt != 1 || v.Use != 0 {
		t.Errorf("%+v", v)
	}
	in := make([]byte, g.InputSize())
	s.Take(in)
	w, _ := NewRunner(g, 1), 0
	world := g.NewWorld()
	e, _ := world.Create(0)
	world.SetOwner(e, 3)
	world.Column(st.Column()).Add(e)
	w.Begin(world, 0, ServerSide)
	w.SetInput(4, in)
	if v, _ := st.Of(world, e); v != (stick{}) {
		t.Error("another player's input was written")
	}
	w.SetInput(3, in)
	v, _ := st.Of(world, e)
	if v.Move != geom.V2(float32(64*(1.0/127)), 1) || v.Free != 0 || v.Slot != 9 || v.Fire != 2 {
		t.Errorf("taken: %+v, want it rounded, clamped and without NaN", v)
	}
	if st.Get(s).Move.Y != 9 {
		t.Error("Take has changed the sample")
	}
}

func words(g *Game, in []byte) []int32 {
	w := make([]int32, g.InputWords())
	g.QuantiseInput(in, w)
	return w
}

func TestInputRoundTrip(t *testing.T) {
	g, _, _ := inputGame(HolePolicy{})
	r := rng()
	a, b, c := make([]byte, g.InputSize()), make([]byte, g.InputSize()), make([]byte, g.InputSize())
	for range 50_000 {
		for i := range a {
			a[i] = byte(r.Uint32())
		}
		w := words(g, a)
		if !g.DequantiseInput(w, b) {
			t.Fatalf("seed %d: what was quantised is refused: %v", seed, w)
		}
		copy(c, a)
		g.RoundInput(c)
		if string(b) != string(c) {
			t.Fatalf("seed %d: RoundInput is not there and back", seed)
		}
	}
	w := words(g, a)
	copy(c, b)
	if g.DequantiseInput(w[1:], b) || g.DequantiseInput(append(w, 0), b) {
		t.Error("any number of words is accepted")
	}
	w[len(w)-1] = 1 << 20
	w[0]--
	if g.DequantiseInput(w, b) || string(b) != string(c) {
		t.Error("a refused input was written in part")
	}
}

// worldOf makes a world of one entity that has the input.
func worldOf(g *Game, in []byte) *ecs.World {
	w := g.NewWorld()
	e, _ := w.Create(0)
	w.SetOwner(e, 1)
	for _, col := range g.inputs {
		w.Column(col).Add(e)
	}
	r := NewRunner(g, 1)
	r.Begin(w, 0, ServerSide)
	r.SetInput(1, in)
	return w
}

func TestHoles(t *testing.T) {
	g, st, lk := inputGame(HolePolicy{Repeat: 2})
	s := NewSample(g)
	st.Set(s, stick{Move: geom.V2(1, 0), Free: 3, Duck: true, Slot: 5})
	lk.Set(s, look{Aim: geom.FromAxisAngle(zAxis, 1)})
	st.Press(s, func(v *stick) *Counter { return &v.Fire })
	lk.Press(s, func(v *look) *Counter { return &v.Use })
	last := make([]byte, g.InputSize())
	s.Take(last)
	dst, known := make([]byte, g.InputSize()), make([]byte, g.InputSize())
	get := func(b []byte) (stick, look) {
		return *ecs.At[stick](worldOf(g, b).Column(st.Column()), 0), *ecs.At[look](worldOf(g, b).Column(lk.Column()), 0)
	}
	for run, want := range map[int]How{1: Repeated, 2: Repeated, 3: Neutral, 400: Neutral} {
		if how := g.FillHole(dst, last, run); how != want {
			t.Errorf("hole %d: %v, want %v", run, how, want)
		}
		g.Fill(known, last, want)
		if string(known) != string(dst) {
			t.Errorf("hole %d: Fill differs from FillHole", run)
		}
		v, l := get(dst)
		if want == Repeated && string(dst) != string(last) {
			t.Errorf("hole %d does not repeat", run)
		}
		if want == Neutral && (v != stick{Fire: 1, Slot: 1} || l != look{Aim: geom.Identity(), Use: 1}) {
			t.Errorf("hole %d: %+v %+v", run, v, l)
		}
		rounded := append([]byte(nil), dst...)
		g.RoundInput(rounded)
		if string(rounded) != string(dst) {
			t.Errorf("hole %d is filled with what does not travel", run)
		}
	}
	once := append([]byte(nil), last...)
	g.FillHole(once, once, 3) // in place
	if g.FillHole(dst, last, 3); string(once) != string(dst) {
		t.Error("in place gives another result")
	}
	frozen, _, _ := inputGame(HolePolicy{Repeat: 2, Freeze: true})
	if how := frozen.FillHole(dst, last, 1); how != Frozen || string(dst) != string(last) {
		t.Errorf("freeze: %v", how)
	}
	none, _, _ := inputGame(HolePolicy{})
	if how := none.FillHole(dst, last, 1); how != Neutral {
		t.Errorf("Repeat 0: %v, want neutral at once", how)
	}
}

// Whatever words a client sends: they are refused, or they are a value that
// has these words only.
func FuzzInputWords(f *testing.F) {
	g, _, _ := inputGame(HolePolicy{})
	s := NewSample(g)
	in := make([]byte, g.InputSize())
	s.Take(in)
	var b []byte
	for _, w := range words(g, in) {
		b = binary.LittleEndian.AppendUint32(b, uint32(w))
	}
	f.Add(b)
	f.Add(b[:8])
	for i := 3; i < len(b); i += 4 {
		bad := append([]byte(nil), b...)
		bad[i] = 0x7f
		f.Add(bad)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var w []int32
		for ; len(b) >= 4; b = b[4:] {
			w = append(w, int32(binary.LittleEndian.Uint32(b)))
		}
		in := make([]byte, g.InputSize())
		if !g.DequantiseInput(w, in) {
			for _, v := range in {
				if v != 0 {
					t.Fatal("refused, yet written")
				}
			}
			return
		}
		for i, v := range words(g, in) {
			if v != w[i] {
				t.Fatalf("word %d: %d was accepted and is %d", i, w[i], v)
			}
		}
		again := append([]byte(nil), in...)
		if g.RoundInput(again); string(again) != string(in) {
			t.Fatal("accepted what does not travel")
		}
	})
}

func TestBytesOfInput(t *testing.T) {
	g, st, _ := inputGame(HolePolicy{})
	if g.InputSize() != 16+20 || g.InputWords() != 6+6 {
		t.Errorf("%d bytes, %d words", g.InputSize(), g.InputWords())
	}
	s, v := NewSample(g), stick{Slot: 2}
	press := func(v *stick) *Counter { return &v.Fire }
	in := make([]byte, g.InputSize())
	if n := testing.AllocsPerRun(100, func() { st.Set(s, v); s.Take(in); v = st.Get(s) }); n != 0 {
		t.Errorf("%v allocations to set and take", n)
	}
	if n := testing.AllocsPerRun(100, func() { st.Press(s, press) }); n != 0 {
		t.Errorf("%v allocations to press", n)
	}
	if len(ecs.BytesOf(&v)) != 16 {
		t.Error("size")
	}
}

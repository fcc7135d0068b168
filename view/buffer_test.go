package view

import (
	"testing"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/tick"
)

// start is just before the wrap, so that every test crosses it.
const start = tick.Tick(0xffffffff - 20)

func at(n int32) tick.Tick { return start.Add(n) }

func sampleX(t *testing.T, b *Buffer, n int32, frac float32) (float32, State) {
	t.Helper()
	w := game.NewWorld()
	s := b.Sample(w, one, at(n), frac)
	if s == Absent {
		if w.Alive(one) {
			t.Fatal("absent but alive")
		}
		return 0, s
	}
	return posX(t, w, one), s
}

func TestBlendsBridgesAndExtrapolates(t *testing.T) {
	b := NewBuffer(game, 8)
	add(b, at(30), one, 3, 7) // out of order
	add(b, at(10), one, 1, 5)
	add(b, at(12), one, 1.2, 6)
	for _, c := range []struct {
		n    int32
		frac float32
		x    float32
		s    State
	}{
		{9, 0.9, 0, Absent},
		{10, 0, 1, Interpolated},
		{11, 0.5, 1.15, Interpolated},
		{12, 0, 1.2, Interpolated},
		{21, 0, 2.1, Interpolated}, // across 17 missing snapshots
		{30, 0, 3, Interpolated},
		{30, 0.5, 3.05, Extrapolated},
		{36, 0, 3.6, Extrapolated},
		{36, 0.25, 3.6, Held},
		{500, 0, 3.6, Held},
	} {
		x, s := sampleX(t, b, c.n, c.frac)
		if !near(x, c.x, 1e-5) || s != c.s {
			t.Errorf("at %d+%v: %v, %v; want %v, %v", c.n, c.frac, x, s, c.x, c.s)
		}
	}
	w := game.NewWorld()
	b.Sample(w, one, at(29), 0.9)
	if v, _ := scores.Of(w, one); v.N != 6 {
		t.Errorf("an integer was blended: %d", v.N)
	}
	b.MaxExtrapolation = 0
	if x, s := sampleX(t, b, 33, 0); x != 3 || s != Held {
		t.Errorf("without extrapolation: %v, %v", x, s)
	}
}

func TestOneVersionIsHeldBitForBit(t *testing.T) {
	b := NewBuffer(game, 8)
	add(b, at(0), one, 0.1, 1)
	if x, s := sampleX(t, b, 0, 0); x != 0.1 || s != Interpolated {
		t.Errorf("%v, %v", x, s)
	}
	if x, s := sampleX(t, b, 3, 0.5); x != 0.1 || s != Held {
		t.Errorf("%v, %v", x, s)
	}
}

func TestPresenceAndOwnerStep(t *testing.T) {
	b := NewBuffer(game, 8)
	add(b, at(0), one, 0, -1)
	mask, words := wordsOf(1, 4)
	b.Add(at(10), one, 1, mask, words)
	mask, words = wordsOf(2, 4)
	b.Add(at(20), one, 9, mask, words)
	w := game.NewWorld()
	check := func(n int32, x float32, hasScore bool, owner uint16) {
		t.Helper()
		b.Sample(w, one, at(n), 0)
		if got := posX(t, w, one); !near(got, x, 1e-6) || scores.Column() < 0 ||
			w.Column(scores.Column()).Has(one) != hasScore || w.Owner(one) != owner {
			t.Errorf("at %d: x %v, score %v, owner %d", n, got, !hasScore, w.Owner(one))
		}
	}
	check(9, 0.9, false, 1)
	check(10, 1, true, 1)
	check(14, 1, true, 1) // the owner changes: no blend
	check(15, 2, true, 9)
	check(9, 0.9, false, 1) // back: the same world loses what was not there
}

func TestTeleport(t *testing.T) {
	for _, c := range []struct {
		name   string
		xs     []float32 // one each 10 ticks; the pair of interest is the 2nd
		blends bool
	}{
		{"below the distance", []float32{0, 0, 3, 3}, true},
		{"from rest to rest", []float32{0, 0, 10, 10}, false},
		{"back and forth in motion", []float32{0, 1, 21, 22}, false},
		{"fast motion", []float32{0, 20, 40, 60}, true},
		{"fast motion begins", []float32{0, 0, 20, 40}, true},
		{"fast motion ends", []float32{0, 20, 40, 40}, true},
	} {
		b := NewBuffer(game, 8)
		for i, x := range c.xs {
			add(b, at(int32(10*i)), one, x, 0)
		}
		lo, _ := sampleX(t, b, 14, 0.9)
		hi, _ := sampleX(t, b, 15, 0)
		blends := lo != c.xs[1] && hi != c.xs[2]
		steps := lo == c.xs[1] && hi == c.xs[2]
		if blends != c.blends || steps == c.blends {
			t.Errorf("%s: %v then %v", c.name, lo, hi)
		}
		if got := b.jumped(one, at(14), 0.9, at(15), 0); got == c.blends {
			t.Errorf("%s: reported as teleport: %v", c.name, got)
		}
		if b.jumped(one, at(15), 0, at(16), 0) || b.jumped(one, at(14), 0, at(14), 0.9) {
			t.Errorf("%s: reported twice or early", c.name)
		}
	}
	// No extrapolation out of a teleport.
	b := NewBuffer(game, 8)
	add(b, at(0), one, 0, 0)
	add(b, at(1), one, 50, 0)
	if x, s := sampleX(t, b, 2, 0); x != 50 || s != Held {
		t.Errorf("past a teleport: %v, %v", x, s)
	}
}

func TestGoneAndBack(t *testing.T) {
	b := NewBuffer(game, 8)
	add(b, at(0), one, 0, 0)
	add(b, at(2), one, 0.2, 0)
	b.Gone(at(6), one)
	add(b, at(20), one, 5, 0)
	want := []State{Interpolated, Interpolated, Interpolated, Extrapolated, Extrapolated, Extrapolated, Absent}
	for n, s := range want {
		if _, got := sampleX(t, b, int32(n), 0); got != s {
			t.Errorf("at %d: %v, want %v", n, got, s)
		}
	}
	if _, s := sampleX(t, b, 19, 0.5); s != Absent {
		t.Errorf("blended over an absence: %v", s)
	}
	if x, s := sampleX(t, b, 20, 0); x != 5 || s != Interpolated {
		t.Errorf("back: %v, %v", x, s)
	}
	if !b.jumped(one, at(5), 0, at(20), 0) || b.jumped(one, at(20), 0, at(21), 0) {
		t.Error("an absence is not a motion")
	}
	w := game.NewWorld()
	b.Sample(w, one, at(1), 0)
	b.Sample(w, one, at(7), 0)
	if w.Len() != 0 {
		t.Error("not removed")
	}
}

func TestGenerations(t *testing.T) {
	b := NewBuffer(game, 8)
	young, younger := tick.MakeEntity(1, 1), tick.MakeEntity(1, 2)
	add(b, at(0), one, 0, 0)
	add(b, at(10), young, 100, 0) // nothing said that one is gone
	w := game.NewWorld()
	for n := int32(0); n < 20; n++ {
		for _, e := range b.Entities() {
			b.Sample(w, e, at(n), 0)
		}
		if old := w.Alive(one); old != (n < 10) || w.Alive(young) == old || w.Len() != 1 {
			t.Fatalf("at %d: old %v of %d", n, old, w.Len())
		}
	}
	add(b, at(30), younger, 0, 0)
	add(b, at(31), one, 0, 0)
	if got := b.Entities(); len(got) != 2 || got[0] != young || got[1] != younger {
		t.Errorf("generations kept: %v", got)
	}
	if b.Stats.Refused != 1 {
		t.Errorf("refused %d", b.Stats.Refused)
	}
}

func TestDuplicatesLateAndMalformed(t *testing.T) {
	b := NewBuffer(game, 4)
	for n := int32(0); n < 10; n++ {
		add(b, at(n), one, float32(n), 0)
	}
	add(b, at(8), one, 99, 0) // duplicate
	b.Gone(at(8), one)        // contradicts: ignored
	add(b, at(2), one, 2, 0)  // older than the four kept
	mask, words := wordsOf(1, 1)
	b.Add(at(11), one, 0, mask, words[1:])
	b.Add(at(11), one, 0, mask, append(words, 0))
	b.Add(at(11), one, 0, 1<<63, nil)
	nan := append([]int32(nil), words...)
	for i := range nan {
		nan[i] = 0x7fc00000
	}
	b.Add(at(11), one, 0, mask, nan)
	b.Add(at(11), 0, 0, mask, words)
	b.Gone(at(11), tick.MakeEntity(0, 3))
	if b.Stats.Duplicate != 2 || b.Stats.Refused != 7 || b.Stats.Added != 10 {
		t.Errorf("%+v", b.Stats)
	}
	if x, _ := sampleX(t, b, 8, 0); x != 8 {
		t.Errorf("changed to %v", x)
	}
	if _, s := sampleX(t, b, 5, 0); s != Absent {
		t.Errorf("more than depth versions kept: %v", s)
	}
	if n, ok := b.Newest(); n != at(9) || !ok {
		t.Errorf("newest %d", n-start)
	}
	add(b, at(9+maxSpan), one, 9, 0)
	add(b, at(9-5), one, 9, 0)
	if x, s := sampleX(t, b, 9+maxSpan, 0); x != 9 || s != Interpolated {
		t.Errorf("after a long silence: %v, %v", x, s)
	}
}

func TestBoundedHowManyEntities(t *testing.T) {
	b := NewBuffer(game, 4)
	for g := range uint16(3) {
		for i := 1; i <= 0xffff; i++ {
			b.Gone(at(int32(g)), tick.MakeEntity(uint16(i), g))
		}
	}
	if n := len(b.Entities()); n != MaxEntities {
		t.Errorf("%d entities", n)
	}
	b.Trim(at(goneKept + 10))
	if n := len(b.Entities()); n != 0 {
		t.Errorf("%d dead entities after Trim", n)
	}
	add(b, at(0), one, 1, 1)
	b.Reset()
	if _, ok := b.Newest(); ok || len(b.Entities()) != 0 || b.find(one) != nil {
		t.Error("Reset left something")
	}
}

// What is shown depends on versions and time alone: not on the order of
// arrival, nor on what was trimmed, nor on the world it is written to.
func TestSampleIsPure(t *testing.T) {
	r := newRand(t, 1)
	for range 200 {
		type rec struct {
			n    int32
			x    float32
			gone bool
		}
		var recs []rec
		for n := int32(0); n < 60; n += 1 + r.Int31n(9) {
			recs = append(recs, rec{n, r.Float32() * 30, r.Intn(8) == 0})
		}
		fill := func(order []int) *Buffer {
			b := NewBuffer(game, 64)
			for _, i := range order {
				if recs[i].gone {
					b.Gone(at(recs[i].n), one)
				} else {
					add(b, at(recs[i].n), one, recs[i].x, recs[i].n%3-1)
				}
			}
			return b
		}
		sorted := make([]int, len(recs))
		for i := range sorted {
			sorted[i] = i
		}
		b, other := fill(sorted), fill(r.Perm(len(recs)))
		trim := r.Int31n(70)
		w1, w2 := game.NewWorld(), game.NewWorld()
		for range 60 {
			n, frac := r.Int31n(80), r.Float32()
			w0 := game.NewWorld()
			s0 := b.Sample(w0, one, at(n), frac)
			if s1 := b.Sample(w1, one, at(n), frac); s1 != s0 || !same(w0, w1) {
				t.Fatalf("another world: %v, %v", s0, s1)
			}
			if n < trim {
				continue
			}
			other.Trim(at(trim))
			if s2 := other.Sample(w2, one, at(n), frac); s2 != s0 || !same(w0, w2) {
				t.Fatalf("another order, trimmed: %v, %v", s0, s2)
			}
		}
	}
}

// same compares what is in the worlds; their allocators have other pasts.
func same(a, b *ecs.World) bool {
	x, y := game.NewWorld(), game.NewWorld()
	x.CopyEntity(a, one)
	y.CopyEntity(b, one)
	return x.Equal(y)
}

// At snapshot rates from 1 to 64 Hz, one equal to the frame rate included, an
// entity in linear motion moves in every frame.
func TestNeverFreezes(t *testing.T) {
	const frames = 60 // a second
	for hz := 1; hz <= 64; hz++ {
		b := NewBuffer(game, 64)
		r := newRand(t, int64(hz))
		interval := 60 / float32(hz)
		if interval < 1 {
			interval = 1
		}
		delay := interval + 4 // jitter of arrival and the rounding of its label, in ticks
		w := game.NewWorld()
		last, sent := float32(-1), float32(0)
		for f := 0; f < 10*frames; f++ {
			now := float32(f) * 60 / frames
			for ; sent+3 <= now || r.Intn(3) > 0 && sent <= now; sent += interval {
				n := int32(sent)
				add(b, at(n), one, float32(n)*10/60, 0)
			}
			view := now - delay
			if view < 0 {
				continue
			}
			n := int32(view)
			b.Trim(at(n))
			if s := b.Sample(w, one, at(n), view-float32(n)); s != Interpolated {
				t.Fatalf("%d Hz, frame %d: state %v", hz, f, s)
			}
			if x := posX(t, w, one); !near(x, view*10/60, 1e-3) || x <= last {
				t.Fatalf("%d Hz, frame %d: at %v after %v", hz, f, x, last)
			} else {
				last = x
			}
		}
	}
}

func TestBufferDoesNotAllocate(t *testing.T) {
	b := NewBuffer(game, 16)
	w := game.NewWorld()
	mask, words := wordsOf(1, 1)
	n := int32(0)
	step := func() {
		n++
		b.Add(at(n), one, 1, mask, words)
		b.Add(at(n-2), two, 1, mask, words)
		b.Sample(w, one, at(n-3), 0.5)
		b.Sample(w, one, at(n), 0.5)
		b.Sample(w, two, at(n-3), 0.5)
		b.Trim(at(n - 5))
	}
	for range 100 {
		step()
	}
	if a := testing.AllocsPerRun(100, step); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

func BenchmarkSample(b *testing.B) {
	buf := NewBuffer(game, 16)
	for n := range int32(10) {
		add(buf, at(3*n), one, float32(n), 1)
	}
	w := game.NewWorld()
	for b.Loop() {
		buf.Sample(w, one, at(22), 0.5)
	}
}

package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
)

const seed = 17 // of every random test here

func rng() *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

// odd are float32s where something may go wrong.
var odd = []uint32{
	0, 1 << 31, 1, 1<<31 | 1, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
	0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x3f800000, 0x4b000000, 0xcb000001,
}

// fillBytes makes a value of any bytes, with bools that are bools.
func fillBytes(r *rand.Rand, p *Plan, b []byte) {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	for _, f := range p.fields {
		switch f.kind {
		case fBool:
			b[f.off] &= 1
		case fFloat32:
			switch r.IntN(3) {
			case 0:
				le.PutUint32(b[f.off:], odd[r.IntN(len(odd))])
			case 1:
				le.PutUint32(b[f.off:], math.Float32bits((r.Float32()-0.5)*20))
			}
		case fFloat64:
			if r.IntN(2) == 0 {
				v := float64(math.Float32frombits(odd[r.IntN(len(odd))]))
				le.PutUint64(b[f.off:], math.Float64bits(v))
			}
		case fQuat:
			switch r.IntN(3) {
			case 0:
				putQuat(b[f.off:], randomQuat(r))
			case 1:
				le.PutUint32(b[f.off:], odd[r.IntN(len(odd))])
			}
		}
	}
}

func randomQuat(r *rand.Rand) geom.Quat {
	return geom.Quat{X: r.Float32() - 0.5, Y: r.Float32() - 0.5, Z: r.Float32() - 0.5, W: r.Float32() - 0.5}.Norm()
}

// Whatever the bytes: the words are valid, survive the way to bytes and back,
// and rounding is that way.
func TestWordsRoundTrip(t *testing.T) {
	p, r := planOf[everything](), rng()
	a, b, c := make([]byte, p.Size), make([]byte, p.Size), make([]byte, p.Size)
	w, v := make([]int32, p.Words), make([]int32, p.Words)
	for n := range 200_000 {
		fillBytes(r, p, a)
		p.Quantise(a, w)
		if !p.Valid(w) {
			t.Fatalf("seed %d, case %d: words %v of %x are not valid", seed, n, w, a)
		}
		p.Dequantise(w, b)
		p.Quantise(b, v)
		for i := range w {
			if w[i] != v[i] {
				t.Fatalf("seed %d, case %d: word %d is %d, there and back %d", seed, n, i, w[i], v[i])
			}
		}
		copy(c, a)
		p.Round(c)
		if string(b) != string(c) {
			t.Fatalf("seed %d, case %d: Round differs from there and back", seed, n)
		}
		p.Round(c)
		if string(b) != string(c) {
			t.Fatalf("seed %d, case %d: rounding twice changes something", seed, n)
		}
	}
}

func TestExactKeepsBits(t *testing.T) {
	type exact struct {
		D geom.Quat
		A float64
		C uint64
		B float32
		E int32
	}
	p, r := planOf[exact](), rng()
	a, b := make([]byte, p.Size), make([]byte, p.Size)
	for range 100_000 {
		for i := range a {
			a[i] = byte(r.Uint32())
		}
		copy(b, a)
		p.Round(b)
		for _, f := range p.fields {
			one := a[f.off : f.off+kindSize[f.kind]]
			bad := f.kind == fFloat32 && !geom.Finite(f32At(a, f.off)) || f.kind == fQuat && !quatAt(one).Finite() ||
				f.kind == fFloat64 && f64At(a, f.off)-f64At(a, f.off) != 0
			if !bad && string(one) != string(b[f.off:f.off+kindSize[f.kind]]) {
				t.Fatalf("seed %d: %s lost bits", seed, f.path)
			}
			if f.kind == fFloat32 && bad && f32At(b, f.off) != 0 {
				t.Fatalf("seed %d: %s kept NaN or infinity", seed, f.path)
			}
		}
	}
}

func TestStepsAndClamps(t *testing.T) {
	round := func(v everything) everything { planOf[everything]().Round(ecs.BytesOf(&v)); return v }
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct{ in, want float32 }{
		{0.014, 0.01}, {0.016, 0.02}, {-0.014, -0.01}, {10.5, 10}, {-1e30, -10}, {float32(nan), 0},
		{float32(inf), 10}, {float32(-inf), -10}, {0.0051, 0.01}, {-0.0049, 0}, {float32(math.Copysign(0, -1)), 0},
	} {
		if got := round(everything{F32s: c.in}).F32s; math.Float32bits(got) != math.Float32bits(c.want) {
			t.Errorf("%v becomes %v, want %v", c.in, got, c.want)
		}
	}
	if v := round(everything{F64s: 1e300}).F64s; v != (1<<30)*0.001 {
		t.Errorf("a float64 is held to %v", v)
	}
	in := everything{}
	in.In.X = 1e9
	if v := round(in).In.X; v != 1<<17 {
		t.Errorf("2^23 steps of 1/64 are %v", v)
	}
	v := round(everything{I32b: 1 << 30, U32b: 1 << 31, I16: -999})
	if v.I32b != 1000 || v.U32b != 9 || v.I16 != -300 {
		t.Errorf("integers are held to %d %d %d", v.I32b, v.U32b, v.I16)
	}
	if v := round(everything{}); v.U32b != 3 {
		t.Errorf("0 is held to %d, want 3", v.U32b)
	}
}

func TestValidRejects(t *testing.T) {
	p := planOf[everything]()
	good := make([]int32, p.Words)
	var zero everything
	zero.Rot9 = geom.Identity()
	p.Quantise(ecs.BytesOf(&zero), good)
	if !p.Valid(good) {
		t.Fatal("zero is not valid")
	}
	if p.Valid(good[1:]) || p.Valid(append(good[:p.Words:p.Words], 0)) {
		t.Error("any number of words is valid")
	}
	at := func(path string) int {
		for _, f := range p.fields {
			if f.path == path {
				return f.word
			}
		}
		t.Fatal(path)
		return 0
	}
	bits := func(v float64) int32 { return orderFloat(math.Float32bits(float32(v))) }
	for _, c := range []struct {
		path string
		off  int
		word int32
	}{
		{"F32", 0, bits(math.NaN())}, {"F32", 0, bits(math.Inf(1))}, {"F32", 0, bits(math.Inf(-1))},
		{"F32s", 0, 1001}, {"F32s", 0, -1001}, {"In.X", 0, 1<<23 + 1}, {"In.Y", 0, 9},
		{"F64", 1, 0x7ff00000}, {"F64", 1, -0x00100000}, {"F64s", 1, 1}, {"F64s", 0, 1<<30 + 1},
		{"Rot", 2, bits(math.NaN())}, {"Rot9", 0, 4}, {"Rot9", 0, -1}, {"Rot9", 1, 256}, {"Rot9", 3, -256},
		{"Rot9", 1, 255}, // then X is the largest, not W
		{"B", 0, 2}, {"B3[1]", 0, -1}, {"U8", 0, 256}, {"U8", 0, -1}, {"I8", 0, 128}, {"I8", 0, -129},
		{"U16", 0, 1 << 16}, {"U16", 0, -1}, {"I16", 0, 301}, {"Hits", 0, 1 << 16}, {"Hits", 0, -1},
		{"I32b", 0, 1001}, {"U32b", 0, 2}, {"U32b", 0, -1},
	} {
		bad := append([]int32(nil), good...)
		bad[at(c.path)+c.off] = c.word
		if p.Valid(bad) {
			t.Errorf("%s: word %d is valid", c.path, c.word)
		}
	}
}

func TestOrderFloat(t *testing.T) {
	r := rng()
	last := int32(math.MinInt32)
	// Monotone from -Inf to Inf, in strides that meet every exponent.
	for bits := uint32(0xff800000); bits > 1<<31; bits -= min(bits-1<<31, 4099) {
		if w := orderFloat(bits); w <= last {
			t.Fatalf("%x is not after what is smaller", bits)
		} else {
			last = w
		}
	}
	if n, z := orderFloat(1<<31), orderFloat(0); n != -1 || z != 0 || n <= last {
		t.Errorf("-0 is %d and 0 is %d, want -1 and 0", n, z)
	}
	last = 0
	for bits := uint32(1); bits < 0x7f800000; bits += 4099 {
		if w := orderFloat(bits); w <= last {
			t.Fatalf("%x is not after what is smaller", bits)
		} else {
			last = w
		}
	}
	for range 100_000 {
		if b := r.Uint32(); unorderFloat(orderFloat(b)) != b {
			t.Fatalf("%x does not come back", b)
		}
	}
}

// nudge moves each part of a rotation by up to k units of the last place.
func nudge(r *rand.Rand, q geom.Quat, k int32) geom.Quat {
	n := func(v float32) float32 {
		w := orderFloat(math.Float32bits(v)) + r.Int32N(2*k+1) - k
		return math.Float32frombits(unorderFloat(w))
	}
	return geom.Quat{X: n(q.X), Y: n(q.Y), Z: n(q.Z), W: n(q.W)}
}

func TestSmallestThree(t *testing.T) {
	r := rng()
	const h = math.Sqrt2 / 2
	ties := []geom.Quat{
		{X: 0.5, Y: 0.5, Z: 0.5, W: 0.5}, {X: -0.5, Y: 0.5, Z: -0.5, W: 0.5}, {X: h, W: h}, {Y: -h, Z: h},
		{X: 0.57735, Y: 0.57735, Z: 0.57735}, {Y: 0.57735, Z: -0.57735, W: 0.57735}, {W: 1}, {X: -1}, {},
	}
	for _, bits := range []uint{2, 3, 5, 9, 11, 15, 20, 24} {
		f := &field{kind: fQuat, bits: bits}
		var w, v [4]int32
		var a, b [16]byte
		worst, many := 0.0, 0
		for n := range 130_000 {
			q := randomQuat(r)
			switch n % 4 {
			case 1:
				q = nudge(r, ties[r.IntN(len(ties))], 4)
			case 2: // two parts nearly equal
				q.Y = q.X
				q = nudge(r, q.Norm(), 2)
			case 3: // what was already rounded, then touched
				f.quantise(b[:], w[:])
				q = nudge(r, quatAt(b[:]), 1)
			}
			putQuat(a[:], q)
			f.quantise(a[:], w[:])
			if !f.valid(w[:]) {
				t.Fatalf("bits %d, seed %d, case %d: %v gives %v, not valid", bits, seed, n, q, w)
			}
			f.dequantise(w[:], b[:])
			f.quantise(b[:], v[:])
			if w != v {
				t.Fatalf("bits %d, seed %d, case %d: %v gives %v, there and back %v", bits, seed, n, q, w, v)
			}
			if q.Dot(q) > 0.9 {
				// The omitted part takes up the rest, so its error is at most
				// twice that of the three together.
				got := quatAt(b[:])
				d := 1 - math.Abs(float64(got.Dot(q.Norm())))
				if e := math.Sqrt(max(0, 8*d)); e > worst {
					worst = e
				}
			}
			many++
		}
		unit := 1 / (float64(int32(1)<<(bits-1)-1) * math.Sqrt2)
		if worst > 6*unit+1e-3 { // 1e-3 rad is what the float32 dot product resolves
			t.Errorf("bits %d: off by up to %g rad, a step is %g", bits, worst, unit)
		}
		t.Logf("bits %d: %d rotations, off by up to %.4f rad", bits, many, worst)
	}
}

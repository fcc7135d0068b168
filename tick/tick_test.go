package tick

import (
	"math/rand/v2"
	"testing"
)

// Times at which arithmetic goes wrong first.
var times = []Tick{0, 1, 0x7fff, 0x8000, 0xffff, 0x10000, 1<<31 - 1, 1 << 31, 1<<32 - 1}

func TestOrderAcrossTheWrap(t *testing.T) {
	for _, a := range times {
		for _, d := range []int32{1, 2, 1000, 1<<31 - 1} {
			b := a.Add(d)
			if b.Since(a) != d || a.Since(b) != -d || !a.Before(b) || !b.After(a) || a.After(b) || b.Before(a) {
				t.Errorf("%d and %d ticks later", a, d)
			}
			if Later(a, b) != b || Later(b, a) != b || Earlier(a, b) != a || Earlier(b, a) != a || b.Add(-d) != a {
				t.Errorf("the later and the earlier of %d and %d", a, b)
			}
		}
		if a.Before(a) || a.After(a) || a.Since(a) != 0 {
			t.Errorf("%d and itself", a)
		}
	}
}

func TestWiden(t *testing.T) {
	for _, near := range times {
		for _, d := range []int32{0, 1, -1, 100, -100, 32767, -32767, -32768} {
			if at := near.Add(d); Widen(at.Wire(), near) != at {
				t.Errorf("%d, near %d, widens to %d", at, near, Widen(at.Wire(), near))
			}
		}
		if far := near.Add(32768); Widen(far.Wire(), near) == far {
			t.Error("32,768 ticks off, and still known")
		}
	}
}

func TestEntity(t *testing.T) {
	for _, c := range [][2]uint16{{1, 0}, {1, 1}, {0x1234, 0xabcd}, {0xffff, 0xffff}} {
		if e := MakeEntity(c[0], c[1]); e.Index() != c[0] || e.Generation() != c[1] || e == NoEntity {
			t.Errorf("%x: %d, %d", e, e.Index(), e.Generation())
		}
	}
	if MakeEntity(2, 0xffff) >= MakeEntity(3, 0) {
		t.Error("the order of ids is not that of indices")
	}
}

// A lapped read is missing, never another tick's value, across the wrap too.
func TestRing(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, seed))
	r := NewRing[int](20)
	if r.Len() != 32 {
		t.Fatalf("%d slots", r.Len())
	}
	model := map[Tick]int{}
	for k := range 5000 {
		at := Tick(1<<32 - 40).Add(rng.Int32N(80))
		switch rng.IntN(8) {
		case 0:
			r.Drop(at)
			delete(model, at)
		case 1, 2, 3:
			*r.Put(at) = k
			for u := range model {
				if (u-at)%32 == 0 {
					delete(model, u)
				}
			}
			model[at] = k
		default:
			v, ok := r.At(at)
			want, held := model[at]
			if ok != held || ok && *v != want {
				t.Fatalf("seed %d, step %d: tick %d reads %v, %v, want %d, %v", seed, k, at, v, ok, want, held)
			}
		}
		if k == 4000 {
			r.Clear()
			clear(model)
		}
	}
}

func TestRingKeepsMemory(t *testing.T) {
	r := NewRing[[]byte](4)
	*r.Put(3) = make([]byte, 100)
	if old := r.Put(7); cap(*old) != 100 {
		t.Error("the memory of the slot is lost")
	}
	r.Clear()
	if _, ok := r.At(7); ok || cap(*r.Put(7)) != 100 {
		t.Error("Clear leaves a tick or drops memory")
	}
	if n := testing.AllocsPerRun(100, func() { r.Put(9); r.At(9); r.Drop(9) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

package ecs

import (
	"testing"
	"unsafe"

	"github.com/foretick/foretick/tick"
)

// TestPlantedFlips is the negative control of every claim of equality: each
// bit of the state is flipped once, and Equal, FirstDiff and Hash must see it.
func TestPlantedFlips(t *testing.T) {
	w := randomWorld(newRand(t, 21), 40)
	for range 4 {
		w.Destroy(w.Entities()[5], 1<<20)
	}
	o := New(testSizes)
	o.CopyFrom(w)
	h, hc := w.Hash(), w.HashComponents(31)
	if d, ok := w.FirstDiff(o); ok || o.Hash() != h || !w.Equal(o) {
		t.Fatalf("equal worlds differ: %+v", d)
	}
	expect := func(want Diff, shared bool) {
		t.Helper()
		if d, ok := w.FirstDiff(o); !ok || d != want {
			t.Fatalf("FirstDiff %+v %v, want %+v", d, ok, want)
		}
		if d, ok := o.FirstDiff(w); !ok || d.Component != want.Component || d.Offset != want.Offset {
			t.Fatalf("reversed: %+v %v, want %+v", d, ok, want)
		}
		if w.Equal(o) || o.Hash() == h {
			t.Fatalf("%+v: Equal or Hash does not see it", want)
		}
		if shared != (o.HashComponents(31) != hc) {
			t.Fatalf("%+v: HashComponents sees it: %v, want %v", want, !shared, shared)
		}
	}
	for i := range testSizes {
		c := o.Column(i)
		for r, e := range c.IDs() {
			for k := range c.Bytes(r) {
				for bit := range 8 {
					c.Bytes(r)[k] ^= 1 << bit
					expect(Diff{e, i, k}, true)
					if o.HashComponents(31&^(1<<i)) != w.HashComponents(31&^(1<<i)) {
						t.Fatal("HashComponents covers what is not in the mask")
					}
					c.Bytes(r)[k] ^= 1 << bit
				}
			}
		}
	}
	for _, e := range w.Entities() {
		for bit := range 16 {
			o.SetOwner(e, w.Owner(e)^1<<bit)
			expect(Diff{e, DiffOwner, 0}, true)
			o.SetOwner(e, w.Owner(e))
		}
	}
	flipAllocator(t, o, expect)
	if d, ok := w.FirstDiff(o); ok {
		t.Fatalf("the flips were not all undone: %+v", d)
	}
}

func flipAllocator(t *testing.T, o *World, expect func(Diff, bool)) {
	if len(o.alloc.queue()) < 3 {
		t.Fatal("no freed indices to test with")
	}
	for k := range o.alloc.queue() {
		q := &o.alloc.queue()[k]
		e := tick.MakeEntity(q.index, uint16(o.alloc.slots[q.index]))
		for bit := range 32 {
			q.at ^= 1 << bit
			expect(Diff{e, DiffAllocator, k}, false)
			q.at ^= 1 << bit
		}
	}
	for i := range o.alloc.slots[1:] {
		s := &o.alloc.slots[i+1]
		e := tick.MakeEntity(uint16(i+1), uint16(*s))
		for bit := range 16 {
			*s ^= 1 << bit
			expect(Diff{e, DiffAllocator, -1}, false)
			*s ^= 1 << bit
		}
	}
}

func TestDiffOfPresence(t *testing.T) {
	w := randomWorld(newRand(t, 22), 40)
	o := New(testSizes)
	for _, e := range w.Entities() {
		for i := range testSizes {
			o.CopyFrom(w)
			if o.Column(i).Has(e) {
				o.Column(i).Remove(e)
			} else {
				o.Column(i).Add(e)
			}
			if d, _ := w.FirstDiff(o); d != (Diff{e, i, -1}) || w.Hash() == o.Hash() || w.Equal(o) {
				t.Fatalf("component %d of %x: %+v", i, e, d)
			}
		}
		o.CopyFrom(w)
		o.Destroy(e, 0)
		if d, _ := w.FirstDiff(o); d != (Diff{e, DiffEntity, 0}) || w.Hash() == o.Hash() || w.Equal(o) {
			t.Fatalf("%x destroyed: %+v", e, d)
		}
		if d, _ := o.FirstDiff(w); d != (Diff{e, DiffEntity, 0}) {
			t.Fatalf("%x destroyed, reversed: %+v", e, d)
		}
		o.CopyFrom(w)
		o.Insert(e + 1)
		if d, _ := w.FirstDiff(o); d != (Diff{e, DiffEntity, 0}) || w.HashComponents(0) == o.HashComponents(0) {
			t.Fatalf("generation of %x: %+v", e, d)
		}
	}
}

// TestHashIsFixed holds the hash on every architecture: its value depends on
// nothing but the state.
func TestHashIsFixed(t *testing.T) {
	w := New([]int{8, 5})
	for i := range 7 {
		e, _ := w.Create(3)
		w.SetOwner(e, uint16(i*i))
		*At[uint64](w.Column(0), w.Column(0).Add(e)) = uint64(i) * 0x123456789abcdef
		if i%2 == 0 {
			copy(w.Column(1).Bytes(w.Column(1).Add(e)), "hello")
		}
	}
	w.Destroy(tick.MakeEntity(2, 0), 4)
	const want, wantShared = 0xbb495d8ef35f8166, 0x8eb532e8dd4e12d5
	if h, s := w.Hash(), w.HashComponents(3); h != want || s != wantShared {
		t.Fatalf("Hash %#x, HashComponents %#x; want %#x, %#x", h, s, uint64(want), uint64(wantShared))
	}
}

// benchSizes are 48 bytes an entity.
var benchSizes = []int{12, 16, 12, 8}

func benchWorld(n int) *World {
	w := New(benchSizes)
	for range n {
		e, _ := w.Create(0)
		for i := range benchSizes {
			b := w.Column(i).Bytes(w.Column(i).Add(e))
			b[0], b[3] = byte(e.Index()), byte(i)
		}
	}
	return w
}

func BenchmarkSaveRestore(b *testing.B) {
	w := benchWorld(1000)
	b.Run("world", func(b *testing.B) {
		s := New(benchSizes)
		b.SetBytes(2 * 48000)
		for b.Loop() {
			s.CopyFrom(w)
			w.CopyFrom(s)
		}
	})
	b.Run("plaincopy", func(b *testing.B) {
		x, y := make([]byte, 48000), make([]byte, 48000)
		b.SetBytes(2 * 48000)
		for b.Loop() {
			copy(y, x)
			copy(x, y)
		}
	})
}

func BenchmarkHash(b *testing.B) {
	w := benchWorld(1000)
	b.SetBytes(48000)
	for b.Loop() {
		w.Hash()
	}
}

func BenchmarkEqual(b *testing.B) {
	w, o := benchWorld(1000), benchWorld(1000)
	for b.Loop() {
		if !w.Equal(o) {
			b.Fatal("differ")
		}
	}
}

func BenchmarkJoin5000(b *testing.B) {
	for b.Loop() {
		benchWorld(5000)
	}
}

// BenchmarkIterate adds one column to another, as a system does.
func BenchmarkIterate(b *testing.B) {
	type vec struct{ X, Y, Z float32 }
	if unsafe.Sizeof(vec{}) != 12 {
		b.Fatal("size")
	}
	w := benchWorld(1000)
	p, v := w.Column(0), w.Column(2)
	b.Run("rows", func(b *testing.B) {
		for b.Loop() {
			for r, e := range p.IDs() {
				if q, ok := v.Row(e); ok {
					At[vec](p, r).X += At[vec](v, q).X
				}
			}
		}
	})
	b.Run("slices", func(b *testing.B) {
		for b.Loop() {
			x, y := Slice[vec](p), Slice[vec](v)
			for i := range x {
				x[i].X += y[i].X
			}
		}
	})
}

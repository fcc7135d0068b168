package ecs

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/foretick/foretick/tick"
)

func TestQuarantine(t *testing.T) {
	for _, start := range []tick.Tick{0, ^tick.Tick(0) - 10} { // the second wraps
		w := New(nil)
		a, _ := w.Create(start)
		b, _ := w.Create(start)
		if a != tick.MakeEntity(1, 0) || b != tick.MakeEntity(2, 0) {
			t.Fatalf("first entities %x %x", a, b)
		}
		w.Destroy(a, start)
		w.Destroy(a, start) // dead: must not be freed twice
		if e, _ := w.Create(start.Add(Quarantine - 1)); e != tick.MakeEntity(3, 0) {
			t.Fatalf("start %d: %x came out of quarantine early", start, e)
		}
		if e, _ := w.Create(start.Add(Quarantine)); e != tick.MakeEntity(1, 1) {
			t.Fatalf("start %d: got %x, want index 1 generation 1", start, e)
		}
		if w.Alive(a) {
			t.Fatal("the old generation lives")
		}
		if e, _ := w.Create(start.Add(2 * Quarantine)); e != tick.MakeEntity(4, 0) {
			t.Fatalf("index freed once was given out twice: %x", e)
		}
	}
}

func TestGenerationWraps(t *testing.T) {
	w := New(nil)
	w.Insert(tick.MakeEntity(1, 0xffff))
	w.Destroy(tick.MakeEntity(1, 0xffff), 0)
	if e, _ := w.Create(Quarantine); e != tick.MakeEntity(1, 0) {
		t.Fatalf("got %x", e)
	}
}

func TestFull(t *testing.T) {
	w := New([]int{4})
	for range 65535 {
		e, ok := w.Create(0)
		if !ok {
			t.Fatal("full too early")
		}
		*At[uint32](w.Column(0), w.Column(0).Add(e)) = uint32(e)
	}
	h := w.Hash()
	if e, ok := w.Create(0); ok || e != tick.NoEntity {
		t.Fatalf("65,536th entity %x", e)
	}
	if w.Hash() != h {
		t.Fatal("a refused Create changed the world")
	}
	for _, e := range w.Entities() {
		if r, ok := w.Column(0).Row(e); !ok || *At[uint32](w.Column(0), r) != uint32(e) {
			t.Fatalf("%x has another's data", e)
		}
	}
	last := tick.MakeEntity(65535, 0)
	w.Destroy(last, 5)
	if _, ok := w.Create(5 + Quarantine - 1); ok {
		t.Fatal("a quarantined index was given out")
	}
	if e, ok := w.Create(5 + Quarantine); !ok || e != tick.MakeEntity(65535, 1) {
		t.Fatalf("got %x %v", e, ok)
	}
}

func TestInsert(t *testing.T) {
	w := New([]int{4})
	w.Insert(tick.NoEntity)
	w.Insert(tick.MakeEntity(0, 3))
	if w.Len() != 0 {
		t.Fatal("index 0 was inserted")
	}
	old, e := tick.MakeEntity(2, 4), tick.MakeEntity(2, 9)
	w.Insert(old)
	w.SetOwner(old, 3)
	*At[int32](w.Column(0), w.Column(0).Add(old)) = 5
	w.Insert(old) // alive: nothing
	if w.Owner(old) != 3 || !w.Column(0).Has(old) {
		t.Fatal("Insert of a living entity changed it")
	}
	w.Insert(e)
	if w.Alive(old) || !w.Alive(e) || w.Owner(e) != 0 || w.Column(0).Len() != 0 {
		t.Fatal("the old generation, or something of it, is still here")
	}
	for _, want := range []tick.Entity{tick.MakeEntity(1, 0), tick.MakeEntity(3, 0)} {
		if got, _ := w.Create(0); got != want {
			t.Fatalf("Create %x, want %x around the inserted one", got, want)
		}
	}
	// Inserted while in quarantine: Create must not come back to it.
	w.Destroy(e, 0)
	w.Insert(e)
	if got, _ := w.Create(1000); got != tick.MakeEntity(4, 0) {
		t.Fatalf("Create collided: %x", got)
	}
	w.Destroy(e, 1000)
	if got, _ := w.Create(2000); got != tick.MakeEntity(2, 10) {
		t.Fatalf("got %x, want the generation after the inserted one", got)
	}
}

func TestDeadEntities(t *testing.T) {
	w := New([]int{4})
	e := tick.MakeEntity(9, 9)
	h := w.Hash()
	w.Destroy(e, 1)
	w.SetOwner(e, 4)
	w.Column(0).Remove(e)
	if w.Column(0).Add(e) != -1 || w.Owner(e) != 0 || w.Column(0).Has(e) || w.Hash() != h {
		t.Fatal("a dead entity left a trace")
	}
}

func TestTyped(t *testing.T) {
	type pose struct {
		X, Y float32
		N    uint64
	}
	w := New([]int{int(unsafe.Sizeof(pose{})), 0})
	c, tag := w.Column(0), w.Column(1)
	for i := range 100 {
		e, _ := w.Create(0)
		p := At[pose](c, c.Add(e))
		if uintptr(unsafe.Pointer(p))%unsafe.Alignof(*p) != 0 {
			t.Fatal("not aligned")
		}
		*p = pose{float32(i), 2, uint64(e)}
		_ = *At[struct{}](tag, tag.Add(e))
	}
	for i, p := range Slice[pose](c) {
		if p != (pose{float32(i), 2, uint64(c.IDs()[i])}) {
			t.Fatalf("row %d is %v", i, p)
		}
	}
	if len(Slice[struct{}](tag)) != 100 || tag.Len() != 100 {
		t.Fatal("tags are missing")
	}
	mustPanic(t, "At of another size", func() { At[uint32](c, 0) })
	mustPanic(t, "Slice of another size", func() { Slice[uint32](c) })
	mustPanic(t, "At past the end", func() { At[pose](c, 100) })
	mustPanic(t, "At of -1", func() { At[struct{}](tag, -1) })
	mustPanic(t, "CopyFrom another layout", func() { w.CopyFrom(New([]int{4})) })
	mustPanic(t, "Equal of another layout", func() { w.Equal(New([]int{4, 4})) })
	mustPanic(t, "CopyRow of another size", func() { w.CopyRow(0, New([]int{4, 0}), 0) })
	mustPanic(t, "65 components", func() { New(make([]int, 65)) })
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}

func TestClear(t *testing.T) {
	w := randomWorld(newRand(t, 3), 50)
	w.Clear()
	if o := New(testSizes); !w.Equal(o) || w.Hash() != o.Hash() {
		t.Fatal("a cleared world is not a new one")
	}
}

// TestSaveRestore continues a world and a restored one alike.
func TestSaveRestore(t *testing.T) {
	r := newRand(t, 11)
	w := randomWorld(r, 200)
	save, branch := New(testSizes), New(testSizes)
	save.CopyFrom(w)
	play := func(w *World) uint64 {
		for n := range tick.Tick(200) {
			now := 100000 + n
			e, _ := w.Create(now)
			w.Column(0).Bytes(w.Column(0).Add(e))[n%12]++
			w.Destroy(w.Entities()[int(n*7)%w.Len()], now)
		}
		return w.Hash()
	}
	want := play(w)
	if w.Equal(save) {
		t.Fatal("the save moved with the world")
	}
	branch.CopyFrom(save)
	if play(branch) != want || !branch.Equal(w) {
		t.Fatal("a restored world goes elsewhere")
	}
	w.CopyFrom(save)
	if !w.Equal(save) || play(w) != want {
		t.Fatal("a rewound world goes elsewhere")
	}
}

func TestAllocationFree(t *testing.T) {
	r := newRand(t, 5)
	w, big, small := randomWorld(r, 500), randomWorld(r, 600), randomWorld(r, 300)
	w.CopyFrom(big)
	var now tick.Tick = 1 << 20
	for range 200 { // warm: indices in quarantine
		e, _ := w.Create(now)
		w.Column(0).Add(e)
		w.Destroy(e, now)
		now++
	}
	save := New(testSizes)
	save.CopyFrom(w)
	steps := map[string]func(){
		"CopyFrom": func() { w.CopyFrom(small); w.CopyFrom(big); w.CopyFrom(save) },
		"churn": func() {
			e, _ := w.Create(now)
			for i := range testSizes {
				w.Column(i).Add(e)
			}
			w.Destroy(e, now)
			now++
		},
		"CopyEntity": func() {
			e := w.Entities()[17]
			w.CopyEntity(big, e)
			w.CopyRow(0, small, e)
		},
		"compare": func() { w.Equal(save); w.Hash(); w.HashComponents(3); w.FirstDiff(save) },
	}
	for name, f := range steps {
		if n := testing.AllocsPerRun(300, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestCopyEntityLeavesAllocator(t *testing.T) {
	src, w := New([]int{4}), New([]int{4})
	e, _ := src.Create(0)
	w.CopyEntity(src, e)
	src.Destroy(e, 0)
	w.CopyEntity(src, e)
	if w.Len() != 0 || len(w.alloc.queue()) != 0 {
		t.Fatal("a copied removal went into quarantine")
	}
	if got, _ := w.Create(1000); got.Index() == e.Index() {
		t.Fatal("the index was given out")
	}
	// An older generation here gives way to the living one there.
	young := tick.MakeEntity(5, 2)
	src.Insert(young)
	w.Insert(tick.MakeEntity(5, 1))
	w.CopyEntity(src, young)
	if !slices.Contains(w.Entities(), young) || w.Alive(tick.MakeEntity(5, 1)) {
		t.Fatal("generations of one index side by side")
	}
}

// TestChurnIsBounded: making and destroying for ever keeps to few indices and
// little memory.
func TestChurnIsBounded(t *testing.T) {
	w := New([]int{4})
	for now := range tick.Tick(100000) {
		e, _ := w.Create(now)
		w.Destroy(e, now)
	}
	if n := len(w.alloc.slots); n > Quarantine+2 {
		t.Errorf("%d indices in use", n)
	}
	if n := cap(w.alloc.freed); n > 4*Quarantine {
		t.Errorf("room for %d freed indices", n)
	}
}

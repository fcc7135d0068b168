package snapshot

import (
	"slices"
	"testing"

	"github.com/foretick/foretick/tick"
)

// TestVersionsGrow: versions keep their words when the ring and the records
// grow, in whatever order they come, and take no more once memory is used up.
func TestVersionsGrow(t *testing.T) {
	var v versions
	words := func(n tick.Tick, k int) []int32 {
		w := make([]int32, k)
		for i := range w {
			w[i] = int32(n)*100 + int32(i)
		}
		return w
	}
	check := func(n tick.Tick, k int) {
		t.Helper()
		i := v.exactly(n)
		if i < 0 {
			t.Fatalf("version %d is gone", n)
		}
		if r := v.record(i); r.tick != n || r.mask != uint64(n) || !slices.Equal(r.words, words(n, k)) {
			t.Fatalf("version %d is %+v", n, r)
		}
	}
	long := func(n tick.Tick) int { return int(n)%3 + int(n)/20 }
	for i := range tick.Tick(40) {
		n := i ^ 1 // each second one before the first
		v.store(&record{tick: n, mask: uint64(n), words: words(n, long(n))}, true)
	}
	for n := range tick.Tick(40) {
		check(n, long(n))
	}
	size := v.size()
	for n := range tick.Tick(10) { // used up, but not longer: the oldest leave
		v.store(&record{tick: 40 + n, mask: uint64(40 + n), words: words(40+n, 1)}, false)
		check(40+n, 1)
	}
	if v.size() != size {
		t.Errorf("%d words, were %d", v.size(), size)
	}
	v.store(&record{tick: 60, mask: 60, words: words(60, 20)}, false)
	check(60, 20)
	if v.n != 1 || v.size() > 20+recordWords {
		t.Errorf("%d versions in %d words", v.n, v.size())
	}
	if v.store(&record{tick: 45, words: words(45, 1)}, true); v.exactly(45) >= 0 {
		t.Error("what left came back")
	}
	v.reset()
	v.store(&record{tick: 1, words: words(1, 30)}, false)
	if v.n != 1 || len(v.ring) != 1 {
		t.Errorf("%d versions in a ring of %d", v.n, len(v.ring))
	}
}

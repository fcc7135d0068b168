package ecs

import (
	"testing"

	"github.com/foretick/foretick/tick"
)

// matchWorld is as large as a match of pucks: 38 entities, of which eight have
// all seven components.
func matchWorld() *World {
	w := New([]int{16, 12, 12, 4, 1, 4, 8})
	for i := range 38 {
		e := tick.MakeEntity(uint16(i+1), 0)
		w.Insert(e)
		for c := range 7 {
			if i < 8 || c == 0 || c == 1 || c == 4 || c == 6 {
				w.Column(c).Add(e)
			}
		}
	}
	return w
}

func BenchmarkCopy38(b *testing.B) {
	w := matchWorld()
	o := New([]int{16, 12, 12, 4, 1, 4, 8})
	for b.Loop() {
		o.CopyFrom(w)
	}
}

func BenchmarkRow38(b *testing.B) {
	w := matchWorld()
	c := w.Column(0)
	sum := 0
	for b.Loop() {
		for _, e := range w.Entities() {
			r, _ := c.Row(e)
			sum += r
		}
	}
	if sum < 0 {
		b.Fatal(sum)
	}
}

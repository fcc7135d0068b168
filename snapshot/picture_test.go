package snapshot

import (
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/tick"
)

// A picture gives the world that it was taken of, as far as it travels, and
// whatever else is given as one gives an error and nothing.
func TestPicture(t *testing.T) {
	g := testGame()
	rng := rand.New(rand.NewPCG(3, 4))
	w, back := g.NewWorld(), g.NewWorld()
	for i := range 50 {
		e := tick.MakeEntity(uint16(1+3*i), uint16(i))
		w.Insert(e)
		w.SetOwner(e, uint16(i%5))
		for col := range columns {
			if rng.IntN(3) > 0 {
				scramble(rng, w, col, e)
			}
		}
	}
	var f, again Frame
	f.Build(g, 4_000_000_000, w, nil)
	b := f.AppendPicture(nil)
	n, err := ReadPicture(g, b, back)
	if err != nil || n != f.Tick {
		t.Fatalf("tick %d: %v", n, err)
	}
	again.Build(g, n, back, nil)
	for i := range f.IDs {
		if i >= len(again.IDs) || again.IDs[i] != f.IDs[i] || !again.sameRecord(i, &f, i) {
			t.Fatalf("entity %d is not what it was", f.IDs[i])
		}
	}
	if len(again.IDs) != len(f.IDs) {
		t.Fatalf("%d entities of %d", len(again.IDs), len(f.IDs))
	}
	whole := map[int]bool{4: true} // where a shorter picture ends, too
	for n := range f.IDs {
		short := f
		short.IDs = f.IDs[:n]
		whole[len(short.AppendPicture(nil))] = true
	}
	for n := range b {
		_, err := ReadPicture(g, b[:n], back)
		if (err == nil) != whole[n] || err != nil && back.Len() != 0 {
			t.Fatalf("cut to %d bytes: %v, %d entities", n, err, back.Len())
		}
	}
	refused := 0
	for range 5000 {
		x := append([]byte(nil), b...)
		for range 1 + rng.IntN(4) {
			x[rng.IntN(len(x))] ^= 1 << rng.IntN(8)
		}
		if _, err := ReadPicture(g, x, back); err != nil {
			refused++
			if back.Len() != 0 {
				t.Fatal("refused, and still there is something")
			}
		}
	}
	if refused < 100 {
		t.Errorf("%d of 5000 spoiled pictures are refused", refused)
	}
}

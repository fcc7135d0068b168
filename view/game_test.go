package view

import (
	"math/rand"
	"testing"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

type body struct {
	Pos geom.Vec2 `net:"smooth"`
	Vel geom.Vec2
}
type aim struct {
	Q geom.Quat `net:"smooth"`
}
type score struct{ N int32 }
type trail struct{ Len int32 }

var (
	game   = sim.New("view", 60)
	bodies = sim.Predicted[body](game)
	aims   = sim.Replicated[aim](game)
	scores = sim.Replicated[score](game)
	trails = sim.ClientOnly[trail](game)
)

var one, two = tick.MakeEntity(1, 0), tick.MakeEntity(2, 0)

// wordsOf makes the words of an entity with a score (if not negative) and a
// body at x, and its mask.
func wordsOf(x float32, n int32) (uint64, []int32) {
	var mask uint64
	var words []int32
	for i, col := range game.Seal().Wire() {
		p := game.Plan(col)
		b := make([]byte, p.Size)
		switch col {
		case bodies.Column():
			v := body{Pos: geom.Vec2{X: x, Y: 3}, Vel: geom.Vec2{X: 1}}
			copy(b, ecs.BytesOf(&v))
		case scores.Column():
			if n < 0 {
				continue
			}
			copy(b, ecs.BytesOf(&score{n}))
		default:
			continue
		}
		w := make([]int32, p.Words)
		p.Quantise(b, w)
		mask |= 1 << i
		words = append(words, w...)
	}
	return mask, words
}

func add(b *Buffer, t tick.Tick, e tick.Entity, x float32, n int32) {
	mask, words := wordsOf(x, n)
	b.Add(t, e, 1, mask, words)
}

func posX(t *testing.T, w *ecs.World, e tick.Entity) float32 {
	t.Helper()
	v, ok := bodies.Of(w, e)
	if !ok {
		t.Fatalf("entity %d has no body", e)
	}
	return v.Pos.X
}

func near(a, b, by float32) bool { return a-b <= by && b-a <= by }

func newRand(t *testing.T, seed int64) *rand.Rand {
	t.Logf("seed %d", seed)
	return rand.New(rand.NewSource(seed))
}

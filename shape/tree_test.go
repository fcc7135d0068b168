package shape

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/foretick/foretick/geom"
)

func randVec(r *rand.Rand, size float32) geom.Vec3 {
	return geom.V3((2*r.Float32()-1)*size, (2*r.Float32()-1)*size, (2*r.Float32()-1)*size)
}

// randBoxes returns boxes of many sizes, some flat, some the same.
func randBoxes(r *rand.Rand, n int) []AABB {
	out := make([]AABB, n)
	for i := range out {
		if i > 0 && r.Intn(8) == 0 {
			out[i] = out[r.Intn(i)]
			continue
		}
		c, h := randVec(r, 50), randVec(r, 3*r.Float32())
		h = geom.V3(geom.Abs(h.X), geom.Abs(h.Y), geom.Abs(h.Z))
		if r.Intn(4) == 0 {
			c, h.Y = geom.V3(geom.Floor(c.X), geom.Floor(c.Y), geom.Floor(c.Z)), 0
		}
		out[i] = AABB{c.Sub(h), c.Add(h)}
	}
	return out
}

// sweptMeets is the slab test in float64, in intervals that are closed.
func sweptMeets(b *AABB, c, h, d geom.Vec3) bool {
	lo, hi := 0.0, 1.0
	for _, a := range [3][5]float32{
		{b.Min.X, b.Max.X, c.X, h.X, d.X}, {b.Min.Y, b.Max.Y, c.Y, h.Y, d.Y}, {b.Min.Z, b.Max.Z, c.Z, h.Z, d.Z},
	} {
		p, q := float64(a[0])-float64(a[3])-float64(a[2]), float64(a[1])+float64(a[3])-float64(a[2])
		if v := float64(a[4]); v == 0 {
			if p > 0 || q < 0 {
				return false
			}
		} else {
			p, q = p/v, q/v
			lo, hi = max(lo, min(p, q)), min(hi, max(p, q))
		}
	}
	return lo <= hi
}

func TestTreeFindsAll(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewSource(seed))
	for _, n := range []int{0, 1, 2, 3, 7, 100, 3000} {
		boxes := randBoxes(r, n)
		for _, leaf := range []int{1, 2, 4} {
			var tree Tree
			tree.build(boxes, leaf)
			if tree.Len() != n {
				t.Fatalf("seed %d: %d boxes of %d", seed, tree.Len(), n)
			}
			for range 300 {
				q := AABB{Min: randVec(r, 50)}
				q.Max = q.Min.Add(geom.V3(r.Float32()*9, r.Float32()*9, r.Float32()*9))
				got := tree.Overlaps(&q, nil)
				slices.Sort(got)
				var want []uint32
				for i := range boxes {
					if boxes[i].Overlaps(&q) {
						want = append(want, uint32(i))
					}
				}
				if leaf == 1 && !slices.Equal(got, want) || !contains(got, want) {
					t.Fatalf("seed %d: %d boxes, leaf %d: overlaps %v, want %v", seed, n, leaf, got, want)
				}
			}
			walks(t, r, &tree, boxes, seed)
		}
	}
}

func walks(t *testing.T, r *rand.Rand, tree *Tree, boxes []AABB, seed int) {
	found := 0
	for range 300 {
		c, h, d := randVec(r, 50), geom.Vec3{}, randVec(r, 60)
		switch r.Intn(4) {
		case 0:
			c, d = geom.V3(geom.Floor(c.X), geom.Floor(c.Y), geom.Floor(c.Z)), geom.V3(d.X, 0, 0)
		case 1:
			h = geom.V3(r.Float32(), r.Float32(), 0)
		case 2:
			d = geom.Vec3{}
		}
		var w Walk
		var got, want []uint32
		for w.Start(tree, c, h, d); ; {
			i, j, ok := w.Next(1)
			if !ok {
				break
			}
			got = append(got, tree.items[i:j]...)
		}
		slices.Sort(got)
		for i := range boxes {
			if sweptMeets(&boxes[i], c, h, d) {
				want = append(want, uint32(i))
			}
		}
		found += len(want)
		if !contains(got, want) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Fatalf("seed %d: %d boxes: walk %v %v %v met %v, want %v", seed, len(boxes), c, h, d, got, want)
		}
	}
	if len(boxes) > 50 && found == 0 {
		t.Fatalf("seed %d: walks found nothing", seed)
	}
}

// contains reports whether all of b, ascending, are in a, ascending.
func contains(a, b []uint32) bool {
	for _, x := range b {
		if _, ok := slices.BinarySearch(a, x); !ok {
			return false
		}
	}
	return true
}

// TestTreeStaysShallow builds trees of boxes that mislead the builder: a stack
// of maxDepth levels must do.
func TestTreeStaysShallow(t *testing.T) {
	at := func(x float32) AABB { return AABB{geom.V3(x, 0, 0), geom.V3(x, 1, 1)} }
	for name, box := range map[string]func(i int) AABB{
		"one":     func(int) AABB { return at(1) },
		"halving": func(i int) AABB { return at(1 / float32(uint64(1)<<(i%100%60))) },
		"tripling": func(i int) AABB {
			x := float32(1)
			for range i % 30 {
				x *= 3
			}
			return at(x)
		},
		"line": func(i int) AABB { return at(float32(i)) },
	} {
		boxes := make([]AABB, 20000)
		for i := range boxes {
			boxes[i] = box(i)
		}
		var tree Tree
		tree.Build(boxes)
		all := AABB{geom.V3(-1e15, -1, -1), geom.V3(1e15, 2, 2)}
		if got := len(tree.Overlaps(&all, nil)); got != len(boxes) {
			t.Errorf("%s: %d boxes of %d", name, got, len(boxes))
		}
		if d := depth(&tree, 0); d > maxDepth {
			t.Errorf("%s: %d levels", name, d)
		}
	}
}

func depth(t *Tree, at uint32) int {
	d := 0
	for k, c := range t.nodes[at].count {
		if c == 0 && t.nodes[at].box[k].Min.X <= t.nodes[at].box[k].Max.X {
			d = max(d, depth(t, t.nodes[at].start[k]))
		}
	}
	return d + 1
}

func TestTreeAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	var tree Tree
	tree.Build(randBoxes(r, 1000))
	var out []uint32
	q := AABB{geom.V3(-20, -20, -20), geom.V3(20, 20, 20)}
	if n := testing.AllocsPerRun(10, func() {
		out = tree.Overlaps(&q, out[:0])
		var w Walk
		w.Start(&tree, geom.Vec3{}, geom.Vec3{}, geom.V3(9, 9, 9))
		for ok := true; ok; {
			_, _, ok = w.Next(1)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkTreeBuild(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"20k", 20_000}, {"2M", 2_000_000}} {
		boxes := make([]AABB, c.n)
		side := 100
		for side*side*2 < c.n {
			side *= 10
		}
		for i := range boxes {
			x, z := float32(i/2%side), float32(i/2/side)
			y := geom.Sin(float32(x/7)) * 9
			boxes[i] = AABB{geom.V3(x, y, z), geom.V3(x+1, y+1, z+1)}
		}
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				var t Tree
				t.build(boxes, meshLeaf)
			}
		})
	}
}

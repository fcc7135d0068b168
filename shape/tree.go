package shape

import (
	"math"

	"github.com/foretick/foretick/geom"
)

// Tree finds which of many boxes that never move touch a box or lie on the way
// of a cast. It is a function of the boxes and their order. The zero Tree has
// none.
type Tree struct {
	nodes []node
	items []uint32 // numbers of boxes, leaf by leaf
}

// node has the boxes of its two halves, so that one fetch decides on both.
// A half is another node, or, if its count is above 0, items from its start.
// A half that is not there has a box that nothing touches.
type node struct {
	box   [2]AABB
	start [2]uint32
	count [2]uint32
}

// Len returns the number of boxes.
func (t *Tree) Len() int { return len(t.items) }

// Item returns the number of the box at a place that a Walk gave.
func (t *Tree) Item(place uint32) uint32 { return t.items[place] }

// Overlaps appends the numbers of the boxes that touch b, in no useful order.
func (t *Tree) Overlaps(b *AABB, out []uint32) []uint32 {
	n := len(out)
	out = t.overlapping(b, out)
	for i := n; i < len(out); i++ {
		out[i] = t.items[out[i]]
	}
	return out
}

// overlapping is Overlaps with places in items in the stead of numbers. All
// items of a leaf are there if the leaf's box touches b.
func (t *Tree) overlapping(b *AABB, out []uint32) []uint32 {
	var l look
	for l.start(t, b); ; {
		i, j, ok := l.next()
		if !ok {
			return out
		}
		for ; i < j; i++ {
			out = append(out, i)
		}
	}
}

// look goes through the leaves of a tree whose boxes touch a box.
type look struct {
	t           *Tree
	box         AABB
	first, last uint32 // of a leaf that was found with the one before
	top         int
	stack       [maxDepth]uint32
}

func (l *look) start(t *Tree, b *AABB) {
	l.t, l.box, l.top, l.first, l.last = t, *b, 0, 0, 0
	if len(t.nodes) > 0 {
		l.stack[0], l.top = 0, 1
	}
}

// next returns the next leaf, as places in the tree's items.
func (l *look) next() (start, end uint32, ok bool) {
	if l.last > l.first {
		start, end = l.first, l.last
		l.last = 0
		return start, end, true
	}
	for l.top > 0 {
		l.top--
		n := &l.t.nodes[l.stack[l.top&(maxDepth-1)]]
		for k := 1; k >= 0; k-- {
			switch c := n.count[k]; {
			case !n.box[k].Overlaps(&l.box):
			case c == 0:
				l.stack[l.top&(maxDepth-1)] = n.start[k]
				l.top++
			case ok:
				l.first, l.last = start, end
				start, end = n.start[k], n.start[k]+c
			default:
				start, end, ok = n.start[k], n.start[k]+c, true
			}
		}
		if ok {
			return start, end, true
		}
	}
	return 0, 0, false
}

// Walk goes through the boxes of a tree that a moving box meets, nearest
// leaves first. Start it, then call Next until it says no.
type Walk struct {
	t      *Tree
	lo, hi geom.Vec3 // what the lower and upper sides of boxes are seen from
	inv    geom.Vec3 // 1/move
	stack  [maxDepth]later
	top    int
}

type later struct {
	enter        int32 // bits of the fraction at which the half is entered
	start, count uint32
}

// Start begins a walk with a box of half extents half that moves from a centre
// by move. The walk may report boxes that are missed by the rounding of
// float32, and never leaves out one that is met.
func (w *Walk) Start(t *Tree, centre, half, move geom.Vec3) {
	w.t, w.top = t, 0
	w.lo, w.hi = centre.Add(half), centre.Sub(half)
	w.lo.X, w.hi.X, w.inv.X = axisOf(w.lo.X, w.hi.X, move.X)
	w.lo.Y, w.hi.Y, w.inv.Y = axisOf(w.lo.Y, w.hi.Y, move.Y)
	w.lo.Z, w.hi.Z, w.inv.Z = axisOf(w.lo.Z, w.hi.Z, move.Z)
	if len(t.nodes) > 0 {
		w.stack[0] = later{}
		w.top = 1
	}
}

// axisOf returns what a walk needs along one axis: the sides and 1/move. What
// hardly moves is wider by a rounding, so that it does not leave at once a box
// that it touches.
func axisOf(lo, hi, move float32) (float32, float32, float32) {
	if move >= tinyMove || move <= -tinyMove {
		return lo, hi, 1 / move
	}
	return lo + float32(geom.Abs(lo)*0x1p-22) + touching, hi - float32(geom.Abs(hi)*0x1p-22) - touching, 1 / tinyMove
}

// Next returns the next leaf, as places in the tree's items, that is entered
// at a fraction of the move that is at most limit.
func (w *Walk) Next(limit float32) (start, end uint32, ok bool) {
	last := bits(float32(limit * putOff)) // where a leaf begins is rounded otherwise than where a hit is
	nodes := w.t.nodes
	for w.top > 0 {
		w.top--
		l := &w.stack[w.top&(maxDepth-1)]
		if l.enter > last {
			continue
		}
		if l.count > 0 {
			return l.start, l.start + l.count, true
		}
		at := l.start
		for {
			n := &nodes[at]
			a, b := w.enter(&n.box[0], last), w.enter(&n.box[1], last)
			near := 0
			if a > b {
				near, a, b = 1, b, a
			}
			if a == never {
				break
			}
			far := near ^ 1
			if b != never {
				w.stack[w.top&(maxDepth-1)] = later{b, n.start[far], n.count[far]}
				w.top++
			}
			at = n.start[near]
			if c := n.count[near]; c > 0 {
				return at, at + c, true
			}
		}
	}
	return 0, 0, false
}

// never is above the bits of every fraction.
const never = math.MaxInt32

// bits orders floats that are not negative as integers, whose smaller and
// larger compile to moves without a jump; negative ones come out below 0.
func bits(x float32) int32 { return int32(math.Float32bits(x)) }

// enter returns the bits of the fraction at which the moving box meets b, or
// never if it does not up to last. The slabs after Kay and Kajiya; the exit is
// put off by more than rounding can shorten it, after Ize, "Robust BVH Ray
// Traversal", JCGT 2013.
func (w *Walk) enter(b *AABB, last int32) int32 {
	x0, x1 := float32((b.Min.X-w.lo.X)*w.inv.X), float32((b.Max.X-w.hi.X)*w.inv.X)
	y0, y1 := float32((b.Min.Y-w.lo.Y)*w.inv.Y), float32((b.Max.Y-w.hi.Y)*w.inv.Y)
	z0, z1 := float32((b.Min.Z-w.lo.Z)*w.inv.Z), float32((b.Max.Z-w.hi.Z)*w.inv.Z)
	if w.inv.X < 0 {
		x0, x1 = x1, x0
	}
	if w.inv.Y < 0 {
		y0, y1 = y1, y0
	}
	if w.inv.Z < 0 {
		z0, z1 = z1, z0
	}
	in := larger(larger(bits(x0), 0), larger(bits(y0), bits(z0)))
	x1, y1, z1 = float32(x1*putOff)+0, float32(y1*putOff)+0, float32(z1*putOff)+0 // -0 + 0 is 0
	out := smaller(smaller(bits(x1), bits(y1)), smaller(bits(z1), last))
	if in > out {
		return never
	}
	return in
}

func larger(a, b int32) int32 {
	if a > b {
		return a
	}
	return b
}

func smaller(a, b int32) int32 {
	if a < b {
		return a
	}
	return b
}

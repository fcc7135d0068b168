package shape

import (
	"math"
	"slices"
)

// building is a tree in the making: boxes are parted in place.
type building struct {
	tree    *Tree
	prims   []prim
	maxLeaf int
}

// prim is a box and its number.
type prim struct {
	b    bounds
	c    [3]float32 // twice the centre
	item uint32
}

// part is a stretch of prims that is to become a half of a node.
type part struct {
	first, n int
	node     uint32
	half     uint32
	depth    int
}

// Build makes t the tree of boxes, in O(n log n). Boxes must be finite.
func (t *Tree) Build(boxes []AABB) { t.build(boxes, 1) }

// build is Build with leaves of up to maxLeaf boxes. It parts boxes where the
// areas of both sides, weighted by their numbers, are the least, seen at the
// borders of bins: Wald, "On fast construction of SAH-based bounding volume
// hierarchies", 2007.
func (t *Tree) build(boxes []AABB, maxLeaf int) {
	b := building{tree: t, prims: make([]prim, len(boxes)), maxLeaf: maxLeaf}
	for i := range boxes {
		x := &boxes[i]
		c := x.Min.Add(x.Max)
		b.prims[i] = prim{boundsOf(x), [3]float32{c.X, c.Y, c.Z}, uint32(i)}
	}
	t.nodes, t.items = t.nodes[:0], t.items[:0]
	if cap(t.items) < len(boxes) {
		t.items = make([]uint32, 0, len(boxes))
		t.nodes = make([]node, 0, len(boxes)/maxLeaf+1)
	}
	switch {
	case len(boxes) == 0:
		return
	case len(boxes) <= maxLeaf:
		t.nodes = append(t.nodes, node{box: [2]AABB{{}, nowhere}})
		b.leaf(part{0, len(boxes), 0, 0, 1})
		return
	}
	var stack [maxDepth]part
	top := 0
	b.node(part{0, len(boxes), 0, 0, 0}, stack[:], &top)
	for top > 0 {
		top--
		p := stack[top]
		if p.n <= maxLeaf {
			b.leaf(p)
			continue
		}
		t.nodes[p.node].start[p.half] = uint32(len(t.nodes))
		b.node(p, stack[:], &top)
	}
}

// leaf makes a part the leaf it was meant to be.
func (b *building) leaf(p part) {
	t := b.tree
	n := &t.nodes[p.node]
	n.start[p.half], n.count[p.half] = uint32(len(t.items)), uint32(p.n)
	box := emptyBounds
	for i := p.first; i < p.first+p.n; i++ {
		t.items = append(t.items, b.prims[i].item)
		box.join(&b.prims[i].b)
	}
	n.box[p.half] = box.aabb()
}

// node appends the node of a part and leaves its halves on the stack, the
// first on top, so that nodes stand in the order of a walk.
func (b *building) node(p part, stack []part, top *int) {
	at := uint32(len(b.tree.nodes))
	mid := 0
	if p.depth < maxDepth-26 { // by medians alone, 2^24 boxes are 24 levels
		mid = b.cut(p.first, p.n)
	}
	if mid == 0 {
		mid = p.n / 2
		b.median(p.first, p.n)
	}
	var n node
	parts := [2]part{
		{p.first, mid, at, 0, p.depth + 1},
		{p.first + mid, p.n - mid, at, 1, p.depth + 1},
	}
	for k, q := range parts {
		box := emptyBounds
		for i := q.first; i < q.first+q.n; i++ {
			box.join(&b.prims[i].b)
		}
		n.box[k] = box.aabb()
	}
	b.tree.nodes = append(b.tree.nodes, n)
	stack[*top], stack[*top+1] = parts[1], parts[0]
	*top += 2
}

// cut parts n prims and returns how many are in the first part, 0 if all
// centres are one.
func (b *building) cut(first, n int) int {
	ps := b.prims[first : first+n]
	lo, hi := centres(ps)
	long := 0
	for k := 1; k < 3; k++ {
		if hi[k]-lo[k] > hi[long]-lo[long] {
			long = k
		}
	}
	if n <= fewPrims {
		if !(hi[long] > lo[long]) {
			return 0
		}
		return cutFew(ps, long)
	}
	best, axis, border := float32(math.MaxFloat32), -1, 0
	for k := range 3 {
		if !(hi[k] > lo[k]) || n > manyPrims && k != long {
			continue
		}
		if c, at := binned(ps, k, lo[k], scale(lo[k], hi[k])); at > 0 && c < best {
			best, axis, border = c, k, at
		}
	}
	if axis < 0 {
		return 0
	}
	from, k := lo[axis], scale(lo[axis], hi[axis])
	i, j := 0, n
	for i < j {
		if binOf(ps[i].c[axis], from, k) < border {
			i++
			continue
		}
		j--
		ps[i], ps[j] = ps[j], ps[i]
	}
	if i == n {
		return 0
	}
	return i
}

// cutFew sorts a few prims along an axis, and parts them where it is best.
func cutFew(ps []prim, axis int) int {
	for i := 1; i < len(ps); i++ {
		for j := i; j > 0 && before(&ps[j], &ps[j-1], axis); j-- {
			ps[j], ps[j-1] = ps[j-1], ps[j]
		}
	}
	var right [fewPrims + 1]float32
	all := emptyBounds
	for i := len(ps) - 1; i > 0; i-- {
		all.join(&ps[i].b)
		right[i] = float32(all.area() * float32(len(ps)-i))
	}
	best, at := float32(math.MaxFloat32), 1
	all = emptyBounds
	for i := 1; i < len(ps); i++ {
		all.join(&ps[i-1].b)
		if c := float32(all.area()*float32(i)) + right[i]; c < best {
			best, at = c, i
		}
	}
	return at
}

// centres returns the box of twice the centres.
func centres(ps []prim) (lo, hi [3]float32) {
	b := emptyBounds
	for i := range ps {
		c := &ps[i].c
		one := bounds{ordered(c[0]), ordered(c[1]), ordered(c[2])}
		one[3], one[4], one[5] = one[0], one[1], one[2]
		b.join(&one)
	}
	for k := range 3 {
		lo[k], hi[k] = b.at(k), b.at(k+3)
	}
	return lo, hi
}

// scale is how many bins there are to a metre.
func scale(lo, hi float32) float32 { return bins / (hi - lo) }

// binOf returns the bin of twice a centre, always one there is.
func binOf(c, lo, scale float32) int {
	x := float32((c - lo) * scale)
	if !(x > 0) {
		return 0
	}
	if x >= bins {
		return bins - 1
	}
	return int(x)
}

// binned returns the least cost of parting along an axis, and the first bin of
// the second part; 0 if all are in one bin.
func binned(ps []prim, axis int, lo, scale float32) (float32, int) {
	var box [bins]bounds
	var count [bins]int32
	for i := range box {
		box[i] = emptyBounds
	}
	for i := range ps {
		at := binOf(ps[i].c[axis], lo, scale)
		count[at]++
		box[at].join(&ps[i].b)
	}
	var right [bins]float32 // cost of all from a bin on
	all, n := emptyBounds, int32(0)
	for i := bins - 1; i > 0; i-- {
		if count[i] > 0 {
			all.join(&box[i])
			n += count[i]
		}
		right[i] = float32(all.area() * float32(n))
	}
	best, border := float32(math.MaxFloat32), 0
	all, n = emptyBounds, 0
	for i := 1; i < bins; i++ {
		if count[i-1] == 0 {
			continue
		}
		all.join(&box[i-1])
		n += count[i-1]
		if int(n) == len(ps) {
			break
		}
		if c := float32(all.area()*float32(n)) + right[i]; c < best {
			best, border = c, i
		}
	}
	return best, border
}

// median sorts prims along the longest axis of their centres; ties go by number.
func (b *building) median(first, n int) {
	ps := b.prims[first : first+n]
	from, to := centres(ps)
	k := 0
	for i := 1; i < 3; i++ {
		if to[i]-from[i] > to[k]-from[k] {
			k = i
		}
	}
	slices.SortFunc(ps, func(a, b prim) int { // no order of boxes makes it slow
		if before(&a, &b, k) {
			return -1
		}
		return 1
	})
}

func before(a, b *prim, k int) bool {
	x, y := a.c[k], b.c[k]
	return x < y || x == y && a.item < b.item
}

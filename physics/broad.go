package physics

import (
	"math"
	"slices"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// A pair is two bodies whose swept boxes touch and whose filters agree. Rows
// are of World.moving; b from len(moving) on is a static body. The order of
// pairs is by a, then b: by id, never by what the sweep met first.
type pair struct {
	a, b  int32
	first int32 // of its manifolds
	count int32 // -1: not computed yet
}

// sweepBox is a box turned so that the axis of the sweep comes first.
type sweepBox struct {
	lo0, hi0, lo1, hi1, lo2, hi2 float32
	row                          int32
	_                            int32
}

// frameAll computes frames, velocities at the end of the step without contacts
// and swept boxes of all moving bodies.
func (w *World) frameAll() {
	s, n, st := &w.step, len(w.moving.ids), w.cfg.Shapes
	s.frames = resize(s.frames, n)
	s.boxes = resize(s.boxes, n)
	s.speed = resize(s.speed, n)
	s.turn = resize(s.turn, n)
	dt := w.cfg.Dt
	for r := range n {
		x, d, m := &w.moving.st[r], &w.moving.defs[r], &w.moving.mass[r]
		f := &s.frames[r]
		*f = geom.FrameOf(x.Pos, x.Rot)
		v := x.Vel
		if m.inv > 0 && s.awake[r] == awake {
			v = v.MulAdd(w.cfg.Gravity, d.Gravity*dt).MulAdd(w.input[r].force, m.inv*dt)
		}
		v = limited(v, maxSpeed)
		s.speed[r] = v
		turn := float32(x.Spin.Len() * m.swing * dt)
		if turn > m.swing {
			turn = m.swing
		}
		s.turn[r] = turn
		b := st.Bounds(d.Shape, f).Grown(nearness + turn)
		sweepOut(&b, v.Mul(dt))
		s.boxes[r] = b
	}
}

// sweepOut stretches b by a motion.
func sweepOut(b *shape.AABB, v geom.Vec3) {
	stretch(&b.Min.X, &b.Max.X, v.X)
	stretch(&b.Min.Y, &b.Max.Y, v.Y)
	stretch(&b.Min.Z, &b.Max.Z, v.Z)
}

func stretch(lo, hi *float32, d float32) {
	if d < 0 {
		*lo += d
	} else {
		*hi += d
	}
}

// findPairs fills s.pairs with the pairs of moving bodies, in order.
func (w *World) findPairs() {
	s, n := &w.step, len(w.moving.ids)
	s.sortBoxes(n)
	s.raw, s.crowded = s.raw[:0], false
	s.starts = resize(s.starts, n+1)
	s.owned = resize(s.owned, n)
	clear(s.starts)
	clear(s.owned)
	for i := range s.sorted {
		a := &s.sorted[i]
		for j := i + 1; j < len(s.sorted); j++ {
			b := &s.sorted[j]
			if b.lo0 > a.hi0 {
				break
			}
			if a.lo1 <= b.hi1 && b.lo1 <= a.hi1 && a.lo2 <= b.hi2 && b.lo2 <= a.hi2 {
				w.candidate(a.row, b.row)
			}
		}
	}
	if s.crowded {
		w.thin()
	}
	s.orderPairs(n)
}

// candidate keeps a pair that may touch. Once a body has too many it only
// counts: thin will choose.
func (w *World) candidate(a, b int32) {
	s := &w.step
	if b < a {
		a, b = b, a
	}
	if !w.mayTouch(a, b) {
		return
	}
	if s.labelling {
		s.join(a, b)
		return
	}
	o := a
	if w.owns(b, a) {
		o = b
	}
	s.owned[o]++
	if s.owned[o] > crowd {
		s.crowded = true
	}
	if !s.crowded {
		s.starts[a+1]++
		s.raw = append(s.raw, uint64(a)<<32|uint64(b))
	}
}

// owns reports whether a pair counts as one of a's: it does of the smaller
// body, so that a deck does not own what stands on it.
func (w *World) owns(a, b int32) bool {
	ra, rb := w.moving.mass[a].reach, w.moving.mass[b].reach
	return ra < rb || ra == rb && a < b
}

func (w *World) mayTouch(a, b int32) bool {
	da, db := &w.moving.defs[a], &w.moving.defs[b]
	return collide(da, db) && meets(da, db)
}

// thin lists the pairs anew where some body owns more than crowd: it keeps
// those whose boxes overlap deepest, ties to the lower id. That is a rule about
// the body's own pairs, so what else is in the world does not matter; and work
// stays bounded where thousands lie in one point.
func (w *World) thin() {
	s, n := &w.step, int32(len(w.moving.ids))
	s.raw = s.raw[:0]
	clear(s.starts)
	for o := range n {
		full := s.owned[o] > crowd
		s.best = s.best[:0]
		for b := range n {
			if b == o || !w.owns(o, b) {
				continue
			}
			d := depth(&s.boxes[o], &s.boxes[b])
			if d < 0 || !w.mayTouch(o, b) {
				continue
			}
			if !full {
				s.best = append(s.best, uint64(b))
				continue
			}
			s.keepBest(uint64(^ordered(d))<<32 | uint64(b))
		}
		for _, k := range s.best {
			a, b := uint64(o), uint64(uint32(k))
			if b < a {
				a, b = b, a
			}
			s.raw = append(s.raw, a<<32|b)
			s.starts[a+1]++
		}
	}
}

// keepBest keeps the crowdKeep lowest keys, ascending.
func (s *scratch) keepBest(k uint64) {
	if len(s.best) == crowdKeep {
		if k > s.best[crowdKeep-1] {
			return
		}
		s.best = s.best[:crowdKeep-1]
	}
	i := len(s.best)
	s.best = append(s.best, k)
	for i > 0 && s.best[i-1] > k {
		s.best[i] = s.best[i-1]
		i--
	}
	s.best[i] = k
}

// depth is how far two boxes overlap along the axis where it is least; negative
// if they do not.
func depth(a, b *shape.AABB) float32 {
	x := overlap(a.Min.X, a.Max.X, b.Min.X, b.Max.X)
	if y := overlap(a.Min.Y, a.Max.Y, b.Min.Y, b.Max.Y); y < x {
		x = y
	}
	if z := overlap(a.Min.Z, a.Max.Z, b.Min.Z, b.Max.Z); z < x {
		x = z
	}
	return x
}

func overlap(al, ah, bl, bh float32) float32 {
	if bl > al {
		al = bl
	}
	if bh < ah {
		ah = bh
	}
	return ah - al
}

// orderPairs sorts s.raw into s.pairs: into buckets by a, those by b.
func (s *scratch) orderPairs(n int) {
	for i := range n {
		s.starts[i+1] += s.starts[i]
	}
	s.pairs = resize(s.pairs, len(s.raw))
	s.next = append(s.next[:0], s.starts[:n]...)
	for _, k := range s.raw {
		a := int32(k >> 32)
		at := s.next[a]
		s.next[a]++
		p := pair{a: a, b: int32(uint32(k)), count: -1}
		for at > s.starts[a] && s.pairs[at-1].b > p.b {
			s.pairs[at] = s.pairs[at-1]
			at--
		}
		s.pairs[at] = p
	}
}

// sortBoxes fills s.sorted along the axis on which bodies lie widest.
func (s *scratch) sortBoxes(n int) {
	axis := widest(s.boxes)
	s.keys = resize(s.keys, n)
	for r := range s.boxes {
		lo := s.boxes[r].Min.X
		switch axis {
		case 1:
			lo = s.boxes[r].Min.Y
		case 2:
			lo = s.boxes[r].Min.Z
		}
		s.keys[r] = uint64(ordered(lo))<<32 | uint64(uint32(r))
	}
	s.radix()
	s.sorted = resize(s.sorted, n)
	for i, k := range s.keys {
		r := int32(uint32(k))
		b := &s.boxes[r]
		e := sweepBox{b.Min.X, b.Max.X, b.Min.Y, b.Max.Y, b.Min.Z, b.Max.Z, r, 0}
		switch axis {
		case 1:
			e.lo0, e.hi0, e.lo1, e.hi1 = e.lo1, e.hi1, e.lo0, e.hi0
		case 2:
			e.lo0, e.hi0, e.lo2, e.hi2 = e.lo2, e.hi2, e.lo0, e.hi0
		}
		s.sorted[i] = e
	}
}

// ordered maps floats to integers in the same order.
func ordered(f float32) uint32 {
	b := math.Float32bits(f)
	if b>>31 != 0 {
		return ^b
	}
	return b | 1<<31
}

// radix sorts s.keys by their high half; equal ones stay in order of row.
func (s *scratch) radix() {
	if len(s.keys) < 64 {
		slices.Sort(s.keys)
		return
	}
	s.keys2 = resize(s.keys2, len(s.keys))
	for shift := 32; shift < 64; shift += 11 {
		var count [1 << 11]int32
		for _, k := range s.keys {
			count[k>>shift&(1<<11-1)]++
		}
		at := int32(0)
		for i, c := range count {
			count[i] = at
			at += c
		}
		for _, k := range s.keys {
			d := k >> shift & (1<<11 - 1)
			s.keys2[count[d]] = k
			count[d]++
		}
		s.keys, s.keys2 = s.keys2, s.keys
	}
}

// widest is the axis of the largest variance of the boxes' centres.
func widest(boxes []shape.AABB) int {
	var sum, sq geom.Vec3
	for i := range boxes {
		c := boxes[i].Min.Add(boxes[i].Max)
		sum = sum.Add(c)
		sq = sq.Add(geom.Vec3{X: float32(c.X * c.X), Y: float32(c.Y * c.Y), Z: float32(c.Z * c.Z)})
	}
	k := 1 / float32(len(boxes)+1)
	m := sum.Mul(k)
	x := float32(sq.X*k) - float32(m.X*m.X)
	y := float32(sq.Y*k) - float32(m.Y*m.Y)
	z := float32(sq.Z*k) - float32(m.Z*m.Z)
	switch {
	case x >= y && x >= z:
		return 0
	case y >= z:
		return 1
	default:
		return 2
	}
}

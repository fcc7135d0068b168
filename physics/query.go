package physics

import (
	"slices"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// Casts and overlaps are functions of the poses at the time they ask for. Of
// several hits at one fraction, the one of the lowest id counts, then child,
// then feature, whichever way they were found. What package shape says of
// CastHit and Overlaps holds here.
//
// A cast with a value that is not finite, or is absurdly large, meets nothing.

// RayCast returns the first body that a ray meets. It allocates nothing.
func (w *World) RayCast(from, move geom.Vec3, q *Query) (Hit, bool) {
	return w.first(shape.Cast{Round: shape.Round{A: from, B: from}, Move: move, Ray: true}, q)
}

// RayAny reports whether a ray meets anything: a line of sight is not free.
func (w *World) RayAny(from, move geom.Vec3, q *Query) bool {
	_, ok := w.first(shape.Cast{Round: shape.Round{A: from, B: from}, Move: move, Ray: true, Any: true}, q)
	return ok
}

// RayAll appends the hits of a ray with all convex pieces and triangles, by
// fraction, id, child and feature.
func (w *World) RayAll(from, move geom.Vec3, q *Query, out []Hit) []Hit {
	return w.every(shape.Cast{Round: shape.Round{A: from, B: from}, Move: move, Ray: true}, q, out)
}

// SphereCast returns the first body that a moving sphere meets.
func (w *World) SphereCast(radius float32, from, move geom.Vec3, q *Query) (Hit, bool) {
	return w.first(shape.Cast{Round: ball(radius, from), Move: move}, q)
}

// SphereAny reports whether a moving sphere meets anything.
func (w *World) SphereAny(radius float32, from, move geom.Vec3, q *Query) bool {
	_, ok := w.first(shape.Cast{Round: ball(radius, from), Move: move, Any: true}, q)
	return ok
}

// SphereAll is RayAll for a moving sphere.
func (w *World) SphereAll(radius float32, from, move geom.Vec3, q *Query, out []Hit) []Hit {
	return w.every(shape.Cast{Round: ball(radius, from), Move: move}, q, out)
}

// CapsuleCast returns the first body that a moving capsule meets.
func (w *World) CapsuleCast(c Capsule, move geom.Vec3, q *Query) (Hit, bool) {
	return w.first(shape.Cast{Round: c.round(), Move: move}, q)
}

// CapsuleAny reports whether a moving capsule meets anything.
func (w *World) CapsuleAny(c Capsule, move geom.Vec3, q *Query) bool {
	_, ok := w.first(shape.Cast{Round: c.round(), Move: move, Any: true}, q)
	return ok
}

// CapsuleAll is RayAll for a moving capsule.
func (w *World) CapsuleAll(c Capsule, move geom.Vec3, q *Query, out []Hit) []Hit {
	return w.every(shape.Cast{Round: c.round(), Move: move}, q, out)
}

// CapsuleOverlap appends what a capsule is in, by id, child and feature: each
// convex piece and each triangle. A sphere is a capsule of no height.
func (w *World) CapsuleOverlap(c Capsule, q *Query, out []Overlap) []Overlap {
	s := &w.query
	first := len(out)
	if !s.begin(shape.Cast{Round: c.round()}, q) {
		return out
	}
	s.over = true
	w.lookAround()
	for i := range s.found {
		f := &s.found[i]
		for _, t := range s.touches[f.from:f.to] {
			out = append(out, Overlap{f.id, t.Child, t.Feature, t.Point, t.Normal, t.Depth})
		}
	}
	slices.SortFunc(out[first:], func(a, b Overlap) int {
		return inOrder(a.ID, b.ID, uint32(a.Child), uint32(b.Child), a.Feature, b.Feature)
	})
	return out
}

func inOrder(a, b ID, childA, childB, featureA, featureB uint32) int {
	switch {
	case a != b:
		return int(int64(a) - int64(b))
	case childA != childB:
		return int(int64(childA) - int64(childB))
	}
	return int(int64(featureA) - int64(featureB))
}

func ball(radius float32, at geom.Vec3) shape.Round { return shape.Round{A: at, B: at, R: radius} }

func (c *Capsule) round() shape.Round {
	half := c.Rot.Norm().Rotate(geom.Vec3{Y: c.HalfHeight})
	return shape.Round{A: c.Pos.Sub(half), B: c.Pos.Add(half), R: c.Radius}
}

// queryScratch is the query at hand, and the memory of all.
type queryScratch struct {
	cast   shape.Cast
	layers uint32
	ignore []ID
	behind float32

	all, over bool
	ok        bool
	best      Hit
	limit     float32 // fraction; hits further on do not count
	hits      []Hit

	// The ball about the cast at its start.
	centre geom.Vec3
	radius float32
	len2   float32 // of the move

	walk    shape.Walk
	casts   []shape.CastHit
	touches []shape.Touch
	found   []touched
	boxes   []shape.AABB // of the static bodies, as the World's tree has them
}

// touched is which touches are of a body.
type touched struct {
	id       ID
	from, to int
}

// begin starts a query; false if nothing can come of it.
func (s *queryScratch) begin(c shape.Cast, q *Query) bool {
	s.layers, s.ignore, s.behind = ^uint32(0), nil, 0
	if q != nil {
		s.ignore, s.behind = q.Ignore, q.Behind
		if q.Layers != 0 {
			s.layers = q.Layers
		}
	}
	s.all, s.over, s.ok, s.limit = false, false, false, 1
	s.found, s.touches = s.found[:0], s.touches[:0]
	if !vecOK(c.A, maxQuery) || !vecOK(c.B, maxQuery) || !vecOK(c.Move, maxQuery) {
		return false
	}
	axis := c.B.Sub(c.A)
	if !c.Ray {
		if !(c.R >= 0 && c.R <= maxRadius) || !vecOK(axis, maxRadius) {
			return false
		}
		if c.R < minRadius {
			c.R = minRadius
		}
	}
	s.cast = c
	s.centre = c.A.MulAdd(axis, 0.5)
	s.radius = c.R + float32(axis.Len()*0.5)
	s.len2 = c.Move.Len2()
	return true
}

// sees reports whether the query looks at a body.
func (s *queryScratch) sees(id ID, layer uint8, flags Flags) bool {
	if s.layers>>(layer&31)&1 == 0 || flags&Sensor != 0 {
		return false
	}
	for _, x := range s.ignore {
		if x == id {
			return false
		}
	}
	return true
}

func (w *World) first(c shape.Cast, q *Query) (Hit, bool) {
	s := &w.query
	if !s.begin(c, q) {
		return Hit{}, false
	}
	w.lookAround()
	if !s.ok {
		return Hit{}, false
	}
	return s.best, true
}

func (w *World) every(c shape.Cast, q *Query, out []Hit) []Hit {
	s := &w.query
	if !s.begin(c, q) {
		return out
	}
	s.all, s.hits = true, out
	first := len(out)
	w.lookAround()
	out, s.hits = s.hits, nil
	slices.SortFunc(out[first:], func(a, b Hit) int {
		if a.Fraction != b.Fraction {
			if a.Fraction < b.Fraction {
				return -1
			}
			return 1
		}
		return inOrder(a.ID, b.ID, uint32(a.Child), uint32(b.Child), a.Feature, b.Feature)
	})
	return out
}

// lookAround does the query at hand: static bodies, which have no past, then
// the others.
func (w *World) lookAround() {
	s := &w.query
	w.ensureTree()
	half := s.cast.B.Sub(s.cast.A).Mul(0.5)
	slack := s.cast.R + float32(boxSlack*(geom.Abs(s.centre.X)+geom.Abs(s.centre.Y)+geom.Abs(s.centre.Z)))
	half = geom.Vec3{X: geom.Abs(half.X) + slack, Y: geom.Abs(half.Y) + slack, Z: geom.Abs(half.Z) + slack}
	s.walk.Start(&w.tree, s.centre, half, s.cast.Move)
	for {
		from, to, ok := s.walk.Next(s.limit)
		if !ok {
			break
		}
		for ; from < to; from++ {
			r := w.tree.Item(from)
			d := &w.fixed.defs[r]
			if !s.sees(w.fixed.ids[r], d.Layer, d.Flags) {
				continue
			}
			f := geom.FrameOf(w.fixed.st[r].Pos, w.fixed.st[r].Rot)
			if w.tryBody(w.fixed.ids[r], d.Shape, &f) {
				return
			}
		}
	}
	if s.behind > 0 {
		w.lookBack()
		return
	}
	for r, id := range w.moving.ids {
		x, d := &w.moving.st[r], &w.moving.defs[r]
		if s.misses(x.Pos, w.moving.mass[r].reach) || !s.sees(id, d.Layer, d.Flags) {
			continue
		}
		f := geom.FrameOf(x.Pos, x.Rot)
		if w.tryBody(id, d.Shape, &f) {
			return
		}
	}
}

// misses reports whether a ball about a body is off the way of the cast.
func (s *queryScratch) misses(at geom.Vec3, reach float32) bool {
	v := at.Sub(s.centre)
	t := v.Dot(s.cast.Move)
	l2 := v.Len2()
	d2 := l2
	if t > 0 {
		if t < s.len2 {
			d2 -= float32(t*t) / s.len2
		} else {
			d2 = v.Sub(s.cast.Move).Len2()
		}
	}
	r := reach + s.radius
	return d2 > float32(float32(r*r)*(1+ballSlack))+float32(l2*ballSlack)+ballSlack
}

// tryBody tries one body. It reports whether the query is over.
func (w *World) tryBody(id ID, sh shape.Shape, f *geom.Frame) bool {
	s, st := &w.query, w.cfg.Shapes
	switch {
	case s.over:
		n := len(s.touches)
		if s.touches = st.Overlaps(sh, f, &s.cast.Round, s.touches); len(s.touches) > n {
			s.found = append(s.found, touched{id, n, len(s.touches)})
		}
	case s.all:
		s.casts = st.CastAll(sh, f, &s.cast, s.casts[:0])
		for i := range s.casts {
			s.hits = append(s.hits, hitOf(id, &s.casts[i]))
		}
	default:
		h, ok := st.Cast(sh, f, &s.cast, s.limit)
		if ok && (!s.ok || h.Fraction < s.limit || id < s.best.ID) {
			s.best, s.limit, s.ok = hitOf(id, &h), h.Fraction, true
			return s.cast.Any
		}
	}
	return false
}

func hitOf(id ID, h *shape.CastHit) Hit {
	return Hit{id, h.Child, h.Inside, h.Back, h.Feature, h.Point, h.Normal, h.Fraction}
}

package rapier

import (
	"slices"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

// Queries look at fixed bodies in Rapier's own tree, and at moving ones one by
// one where they are, or were: so the past needs no second world. Rapier does
// all geometry.

// asker is the shape that casts and overlaps ask with, kept for the next call.
type asker struct {
	shape, core        uint64 // core: a capsule's axis
	radius, halfHeight float32
	touched            []physics.Overlap
}

// asking is one query.
type asking struct {
	q      *physics.Query
	shape  uint64 // 0: a ray
	pos    geom.Vec3
	rot    geom.Quat
	reach  float32 // of the shape
	dir    geom.Vec3
	length float32
	leaves bool // what it touches at its start it may leave
}

var noGroups = f64(1<<53 - 1) // all groups

// wants reports whether a query looks at a body.
func wants(q *physics.Query, id physics.ID, layer uint8) bool {
	return (q.Layers == 0 || q.Layers>>layer&1 != 0) && !slices.Contains(q.Ignore, id)
}

// filter is the number of the function that says which fixed bodies to look at.
func (w *World) filter(q *physics.Query) uint64 {
	if q.Layers == 0 && len(q.Ignore) == 0 {
		return jsUndefined
	}
	w.vm.keep = func(c uint32) bool {
		r := w.ofFixed[c]
		return wants(q, r.id, r.layer)
	}
	return jsFilter
}

var everything physics.Query

// along begins a query of a move; false: there is nothing to ask.
func (w *World) along(from, move geom.Vec3, q *physics.Query) (asking, bool) {
	if q == nil {
		q = &everything
	}
	length := move.Len()
	if !finite(from, maxPos) || !finite(move, maxPos) || !geom.Finite(q.Behind) || w.vm.err != nil {
		return asking{}, false
	}
	a := asking{q: q, pos: from, rot: geom.Identity(), length: length}
	if length > 0 {
		a.dir = move.Mul(1 / length)
	}
	w.refresh()
	return a, true
}

// with gives a query a sphere or capsule.
func (w *World) with(a *asking, radius, halfHeight float32) bool {
	if !(radius > 0 && radius <= maxPos) || !(halfHeight >= 0 && halfHeight <= maxPos) {
		return false
	}
	k := &w.ask
	if k.shape == 0 || k.radius != radius || k.halfHeight != halfHeight {
		v := w.vm
		for _, old := range []uint64{k.shape, k.core} {
			if old != 0 {
				v.call(shapeFree, old, 0)
			}
		}
		if halfHeight == 0 {
			k.shape, k.core = v.call(shapeBall, f32(radius)), 0
		} else {
			k.shape = v.call(shapeCapsule, f32(halfHeight), f32(radius))
			k.core = v.call(shapeSegment, v.vec(0, geom.V3(0, -halfHeight, 0)), v.vec(1, geom.V3(0, halfHeight, 0)))
		}
		k.radius, k.halfHeight = radius, halfHeight
	}
	a.shape, a.reach = k.shape, radius+halfHeight
	return k.shape != 0
}

// RayCast returns where a ray first meets a body.
func (w *World) RayCast(from, move geom.Vec3, q *physics.Query) (physics.Hit, bool) {
	a, ok := w.along(from, move, q)
	if !ok || a.length == 0 {
		return physics.Hit{}, false
	}
	return w.closest(&a, w.rayFixed, w.rayPiece)
}

// SphereCast returns where a moving sphere first meets a body.
func (w *World) SphereCast(radius float32, from, move geom.Vec3, q *physics.Query) (physics.Hit, bool) {
	return w.CapsuleCast(physics.Capsule{Pos: from, Rot: geom.Identity(), Radius: radius}, move, q)
}

// CapsuleCast returns where a moving capsule first meets a body.
func (w *World) CapsuleCast(c physics.Capsule, move geom.Vec3, q *physics.Query) (physics.Hit, bool) {
	a, ok := w.along(c.Pos, move, q)
	if !ok || !turn(c.Rot) || !w.with(&a, c.Radius, c.HalfHeight) {
		return physics.Hit{}, false
	}
	a.rot = c.Rot.Norm()
	if a.length > 0 {
		if h, ok := w.closest(&a, w.castFixed, w.castPiece); !ok || h.Fraction > 0 {
			return h, ok
		}
	}
	// It starts in touch: inside of what it is deepest in, or on what it may leave
	// but not enter.
	var deepest *physics.Overlap
	w.ask.touched = w.overlaps(&a, touching, w.ask.touched[:0])
	for i := range w.ask.touched {
		o := &w.ask.touched[i]
		if (o.Depth > touching || o.Normal.Dot(a.dir) < 0-sharpAngle) && (deepest == nil || o.Depth > deepest.Depth) {
			deepest = o
		}
	}
	if o := deepest; o != nil {
		h := physics.Hit{ID: o.ID, Child: o.Child, Feature: o.Feature, Point: o.Point, Normal: o.Normal, Inside: o.Depth > touching}
		h.Back = w.isBack(o)
		return h, true
	}
	if a.length == 0 {
		return physics.Hit{}, false
	}
	a.leaves = true
	return w.closest(&a, w.castFixed, w.castPiece)
}

// met is what a cast finds before it is a Hit.
type met struct {
	ref
	piece  placed
	at     float32 // metres along the move
	point  geom.Vec3
	normal geom.Vec3
}

// placed is a piece of a body where it is in space.
type placed struct {
	*piece
	mesh *mesh
	pos  geom.Vec3
	rot  geom.Quat
}

func place(k *kit, child int, pos geom.Vec3, rot geom.Quat) placed {
	p := &k.pieces[child]
	return placed{p, k.mesh, pos.Add(rot.Rotate(p.pos)), rot.Mul(p.rot)}
}

// closest returns the first of what a move meets.
func (w *World) closest(a *asking, still func(*asking) (met, bool), moving func(*asking, placed) (met, bool)) (physics.Hit, bool) {
	best, ok := still(a)
	for _, b := range w.poses(a.q.Behind) {
		if !wants(a.q, b.id, b.layer) || !a.nears(b.pos, b.kit.reach) {
			continue
		}
		for child := range b.kit.pieces {
			p := place(b.kit, child, b.pos, b.rot)
			if m, hit := moving(a, p); hit && (!ok || m.at < best.at || m.at == best.at && b.id < best.id) {
				m.ref, m.piece = ref{b.id, uint16(child), b.layer}, p
				best, ok = m, true
			}
		}
	}
	if !ok || w.vm.err != nil {
		return physics.Hit{}, false
	}
	return w.hit(a, &best), true
}

// nears reports whether a ball may meet the move.
func (a *asking) nears(centre geom.Vec3, radius float32) bool {
	to := centre.Sub(a.pos)
	t := geom.Clamp(to.Dot(a.dir), 0, a.length)
	r := radius + a.reach + touching
	return to.MulAdd(a.dir, -t).Len2() <= float32(r*r)*1.0001
}

// hit makes a Hit of what was met.
func (w *World) hit(a *asking, m *met) physics.Hit {
	h := physics.Hit{ID: m.id, Child: m.child, Point: m.point, Normal: m.normal, Fraction: 0}
	if a.length > 0 {
		h.Fraction = geom.Clamp(m.at/a.length, 0, 1)
	}
	if m.piece.mesh == nil {
		if a.shape == 0 && m.at == 0 {
			h.Inside = true
			h.Normal = w.wayOut(a, m)
		}
		if a.shape != 0 && (m.at > 0 || a.leaves) {
			w.sharpen(a, m, &h, func(b *asking) (physics.Overlap, bool) { return w.contactPiece(b, &m.piece, sharp) })
		}
		return h
	}
	if a.shape == 0 && h.Normal.Dot(a.dir) > 0 {
		h.Normal = h.Normal.Neg()
	}
	if t, ok := w.triangleAt(&m.piece, m.point); ok { // Rapier does not say which
		if a.shape != 0 && (m.at > 0 || a.leaves) {
			ptr := w.triangle(&t)
			w.sharpen(a, m, &h, func(b *asking) (physics.Overlap, bool) { return w.contact(b, ptr, &m.piece, sharp) })
			w.vm.call(shapeFree, ptr, 0)
		}
		h.Feature = t.Feature
		h.Back = m.piece.rot.Rotate(t.Normal()).Dot(h.Normal) < 0
	}
	return h
}

// sharpen ends a cast where the gap closes: Rapier's casts stop millimetres off,
// and with normals that are some degrees off, its contacts do neither.
func (w *World) sharpen(a *asking, m *met, h *physics.Hit, contact func(*asking) (physics.Overlap, bool)) {
	b, at := *a, m.at
	for range sharpSteps {
		b.pos = a.pos.MulAdd(a.dir, at)
		o, ok := contact(&b)
		toward := 0 - o.Normal.Dot(a.dir)
		if !ok || toward < sharpAngle {
			break
		}
		h.Normal, h.Point = o.Normal, o.Point
		gap := (0 - o.Depth) / toward
		if at+gap > a.length || geom.Abs(gap) < touching {
			break
		}
		at = max(at+gap, 0)
	}
	h.Fraction = at / a.length
}

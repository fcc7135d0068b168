package rapier

import (
	"cmp"
	"slices"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// rayFixed is what a ray meets first of the fixed bodies.
func (w *World) rayFixed(a *asking) (met, bool) {
	v, r := w.vm, &w.still
	p := v.call(broadRay, r.broad, r.narrow, r.bodies, r.colliders, v.vec(0, a.pos), v.vec(1, a.dir), f32(a.length), 1, 0, noGroups,
		0, 0, 0, 0, w.filter(a.q))
	if p == 0 {
		return met{}, false
	}
	m := w.ofIndex(index(asF64(v.call(hitCollider, p))))
	v.call(hitNormal, p, jsBuffer)
	m.normal = v.out(0)
	m.at = asF32(v.call(hitTime, p))
	m.point = a.pos.MulAdd(a.dir, m.at)
	v.call(hitFree, p, 0)
	return m, v.err == nil
}

// ofIndex says whose a collider of still is.
func (w *World) ofIndex(c uint32) met {
	r := w.ofFixed[c]
	f := &w.fixed[w.fixedRow(r.id)]
	return met{ref: r, piece: place(f.kit, int(r.child), f.pos, f.rot)}
}

// fixedRow is where a body is in fixed, or would be.
func (w *World) fixedRow(id physics.ID) int {
	i, _ := slices.BinarySearchFunc(w.fixed, id, func(f fixed, id physics.ID) int { return cmp.Compare(f.id, id) })
	return i
}

// isBack reports whether an overlap is with the back of a triangle.
func (w *World) isBack(o *physics.Overlap) bool {
	i := w.fixedRow(o.ID)
	if i == len(w.fixed) || w.fixed[i].id != o.ID || w.fixed[i].kit.mesh == nil {
		return false
	}
	p := place(w.fixed[i].kit, 0, w.fixed[i].pos, w.fixed[i].rot)
	t, ok := w.triangleAt(&p, o.Point)
	return ok && p.rot.Rotate(t.Normal()).Dot(o.Normal) < 0
}

// rayPiece is where a ray meets a piece.
func (w *World) rayPiece(a *asking, p placed) (met, bool) {
	v := w.vm
	q := v.rot(p.rot)
	ptr := v.call(shapeRay, p.shape, v.vec(2, p.pos), q, v.vec(0, a.pos), v.vec(1, a.dir), f32(a.length), 1)
	v.freeRot(q)
	if ptr == 0 {
		return met{}, false
	}
	m := met{at: asF32(v.call(rayTime, ptr))}
	v.call(rayNormal, ptr, jsBuffer)
	m.normal = v.out(0)
	m.point = a.pos.MulAdd(a.dir, m.at)
	v.call(rayFree, ptr, 0)
	return m, v.err == nil
}

// castFixed is what a moving shape meets first of the fixed bodies.
func (w *World) castFixed(a *asking) (met, bool) {
	v, r := w.vm, &w.still
	q := v.rot(a.rot)
	p := v.call(broadCast, r.broad, r.narrow, r.bodies, r.colliders, v.vec(0, a.pos), q, v.vec(1, a.dir), a.shape, 0, f32(a.length), flag(!a.leaves),
		0, noGroups, 0, 0, 0, 0, w.filter(a.q))
	v.freeRot(q)
	if p == 0 {
		return met{}, false
	}
	m := w.ofIndex(index(asF64(v.call(sweepCollider, p))))
	v.call(sweepOut, p, jsBuffer)
	m.at, m.point, m.normal = v.buffer[0], v.out(1), v.out(7)
	v.call(sweepFree, p, 0)
	return m, v.err == nil
}

// castPiece is where a moving shape meets a piece.
func (w *World) castPiece(a *asking, p placed) (met, bool) {
	v := w.vm
	q, own := v.rot(p.rot), v.rot(a.rot)
	ptr := v.call(shapeCast, p.shape, v.vec(2, p.pos), q, v.vec(3, geom.Vec3{}), a.shape, v.vec(0, a.pos), own, v.vec(1, a.dir),
		0, f32(a.length), flag(!a.leaves))
	v.freeRot(q)
	v.freeRot(own)
	if ptr == 0 {
		return met{}, false
	}
	v.call(castOut, ptr, jsBuffer)
	m := met{at: v.buffer[0], point: p.pos.Add(p.rot.Rotate(v.out(1))), normal: p.rot.Rotate(v.out(7))}
	v.call(castFree, ptr, 0)
	return m, v.err == nil
}

// wayOut is the shortest way out of a convex piece for a point in it.
func (w *World) wayOut(a *asking, m *met) geom.Vec3 {
	v, p := w.vm, &m.piece
	q := v.rot(p.rot)
	ptr := v.call(shapeProject, p.shape, v.vec(2, p.pos), q, v.vec(0, a.pos), 0)
	v.freeRot(q)
	if ptr == 0 {
		return geom.V3(0, 1, 0)
	}
	v.call(pointOut, ptr, jsBuffer)
	n := v.out(0).Sub(a.pos)
	v.call(pointFree, ptr, 0)
	if l := n.Len(); l > 1e-9 {
		return n.Mul(1 / l)
	}
	return geom.V3(0, 1, 0) // on the surface, or right in the middle
}

// CapsuleOverlap appends what a capsule touches, by id, piece and triangle.
func (w *World) CapsuleOverlap(c physics.Capsule, q *physics.Query, out []physics.Overlap) []physics.Overlap {
	a, ok := w.along(c.Pos, geom.Vec3{}, q)
	if !ok || !turn(c.Rot) || !w.with(&a, c.Radius, c.HalfHeight) {
		return out
	}
	a.rot = c.Rot.Norm()
	return w.overlaps(&a, 0, out)
}

// overlaps appends what the shape touches where its move starts, to a distance.
func (w *World) overlaps(a *asking, distance float32, out []physics.Overlap) []physics.Overlap {
	v, r := w.vm, &w.still
	first := len(out)
	v.found = v.found[:0]
	q := v.rot(a.rot)
	v.call(broadTouch, r.broad, r.narrow, r.bodies, r.colliders, v.vec(0, a.pos), q, a.shape, jsCollect, 0, noGroups, 0, 0, 0, 0, w.filter(a.q))
	v.freeRot(q)
	for _, c := range v.found {
		m := w.ofIndex(c)
		out = w.touch(a, &m.piece, m.ref, distance, out)
	}
	at := *a
	at.length = 0
	for _, b := range w.poses(a.q.Behind) {
		if !wants(a.q, b.id, b.layer) || !at.nears(b.pos, b.kit.reach) {
			continue
		}
		for child := range b.kit.pieces {
			p := place(b.kit, child, b.pos, b.rot)
			out = w.touch(a, &p, ref{b.id, uint16(child), b.layer}, distance, out)
		}
	}
	slices.SortFunc(out[first:], func(x, y physics.Overlap) int {
		return cmp.Or(cmp.Compare(x.ID, y.ID), cmp.Compare(x.Child, y.Child), cmp.Compare(x.Feature, y.Feature))
	})
	return out
}

// touch appends where the shape touches a piece: of a mesh, each triangle.
func (w *World) touch(a *asking, p *placed, r ref, distance float32, out []physics.Overlap) []physics.Overlap {
	if p.mesh == nil {
		if o, ok := w.contactPiece(a, p, distance); ok {
			o.ID, o.Child = r.id, r.child
			out = append(out, o)
		}
		return out
	}
	local := p.rot.Unrotate(a.pos.Sub(p.pos))
	box := shape.AABB{Min: local, Max: local}.Grown(a.reach + distance)
	for _, t := range p.mesh.touching(box) {
		ptr := w.triangle(&t)
		if o, ok := w.contact(a, ptr, p, distance); ok {
			o.ID, o.Child, o.Feature = r.id, r.child, t.Feature
			out = append(out, o)
		}
		w.vm.call(shapeFree, ptr, 0)
	}
	return out
}

func (w *World) triangle(t *shape.Triangle) uint64 {
	v := w.vm
	return v.call(shapeTriangle, v.vec(0, t.A), v.vec(1, t.B), v.vec(2, t.C))
}

// contactPiece is where the shape touches a convex piece.
func (w *World) contactPiece(a *asking, p *placed, distance float32) (physics.Overlap, bool) {
	if k := p.kind; k.Kind == shape.Sphere || k.Kind == shape.Capsule {
		if k.Kind == shape.Sphere {
			k.B = 0
		}
		its, own := axis(p.pos, p.rot, k.A, k.B), axis(a.pos, a.rot, w.ask.radius, w.ask.halfHeight)
		o := touchRound(&its, &own)
		return o, o.Depth >= 0-distance
	}
	return w.contact(a, p.shape, p, distance)
}

// contact is where the shape touches one of Rapier's, which is where p is. A
// capsule's axis tells more exactly, unless it is in there itself.
func (w *World) contact(a *asking, shape uint64, p *placed, distance float32) (physics.Overlap, bool) {
	if r := w.ask.radius; w.ask.core != 0 {
		if o, ok := w.between(a, shape, p, w.ask.core, r+distance); !ok || 0-o.Depth > inCore*r {
			o.Depth += r
			return o, ok
		}
	}
	return w.between(a, shape, p, a.shape, distance)
}

// between is where one of Rapier's shapes, which is where p is, is nearest to
// another that is where the question is, to a distance.
func (w *World) between(a *asking, shape uint64, p *placed, asks uint64, distance float32) (physics.Overlap, bool) {
	v := w.vm
	q, own := v.rot(p.rot), v.rot(a.rot)
	ptr := v.call(shapeContact, shape, v.vec(0, p.pos), q, asks, v.vec(1, a.pos), own, f32(distance))
	v.freeRot(q)
	v.freeRot(own)
	if ptr == 0 {
		return physics.Overlap{}, false
	}
	v.call(contactOut, ptr, jsBuffer)
	o := physics.Overlap{Depth: 0 - v.buffer[0], Point: v.out(1), Normal: v.out(7)}
	v.call(contactFree, ptr, 0)
	return o, v.err == nil && o.Depth >= 0-distance
}

// triangleAt returns the triangle of a mesh at a point of space: the nearest,
// and of equals the first.
func (w *World) triangleAt(p *placed, point geom.Vec3) (found shape.Triangle, ok bool) {
	v := w.vm
	local := p.rot.Unrotate(point.Sub(p.pos))
	box := shape.AABB{Min: local, Max: local}.Grown(lookup)
	best := float32(lookup)
	for _, t := range p.mesh.touching(box) {
		tri := w.triangle(&t)
		ptr := v.call(shapeProject, tri, v.vec(3, geom.Vec3{}), v.still, v.vec(4, local), 0)
		v.call(pointOut, ptr, jsBuffer)
		if d := v.out(0).Dist(local); d < best {
			best, found, ok = d, t, true
		}
		v.call(pointFree, ptr, 0)
		v.call(shapeFree, tri, 0)
	}
	return found, ok
}

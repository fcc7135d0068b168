package mover

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

func (m *Mover) cast(pos, move geom.Vec3) (physics.Hit, bool) {
	c := m.body
	c.Pos = pos
	return m.w.CapsuleCast(c, move, m.q)
}

// short returns where a move ends that met something: a skin before it.
func (m *Mover) short(pos, move geom.Vec3, hit *physics.Hit) geom.Vec3 {
	into := 0 - move.Dot(hit.Normal)
	if !(into > 0) {
		return pos
	}
	k := hit.Fraction - skin/into // of the move
	if !(k > 0) {
		return pos
	}
	return pos.MulAdd(move, k)
}

// advance moves as far as nothing is in the way, and reports what was. It looks
// a little further, so that the gap is left also by a move that would have
// ended in it, down to angles of ten degrees.
func (m *Mover) advance(pos, move geom.Vec3) (end geom.Vec3, hit physics.Hit, met bool) {
	length := move.Len()
	longer := move.Mul(1 + ahead/length)
	hit, met = m.cast(pos, longer)
	if met && hit.Inside && move.Dot(hit.Normal) >= 0-float32(2*parallel*length) {
		hit, met = m.squeeze(pos, longer)
	}
	if !met {
		return pos.Add(move), hit, false
	}
	end = m.short(pos, longer, &hit)
	if end.Sub(pos).Len2() >= float32(length*length) {
		return pos.Add(move), hit, false
	}
	return end, hit, true
}

// slide moves along whatever is in the way. Then m.planes are the surfaces
// that it met; blocked is set if one was too steep to walk on.
func (m *Mover) slide(pos, move geom.Vec3) (end geom.Vec3, blocked bool) {
	m.nPlanes = m.nHeld
	copy(m.planes[:], m.held[:m.nHeld])
	if m.ground.Y > 0 {
		m.meet(m.ground)
	}
	rest := move
	for range bumps {
		way := m.hold(rest)
		length := way.Len()
		if length < minMove {
			break
		}
		next, hit, met := m.advance(pos, way)
		if !met {
			return next, blocked
		}
		rest = rest.Mul(1 - next.Sub(pos).Len()/length)
		pos = next
		m.last = hit.ID
		n := hit.Normal
		if m.ground.Y > 0 && n.Y < m.minY { // on foot nobody is pushed up a wall, or down by a ceiling
			blocked = true
			if f := (geom.Vec3{X: n.X, Z: n.Z}).Norm(); f != (geom.Vec3{}) {
				n = f
			}
		}
		if !m.meet(n) {
			break
		}
	}
	return pos, blocked
}

// squeeze casts a thinner capsule, where the usual one is caught in something
// that the way leads out of.
func (m *Mover) squeeze(pos, way geom.Vec3) (physics.Hit, bool) {
	c := m.body
	c.Pos = pos
	c.Radius = float32(c.Radius * 0.75)
	hit, ok := m.w.CapsuleCast(c, way, m.q)
	if into := 0 - way.Dot(hit.Normal); ok && into > 0 { // stop where the usual one would be in touch
		hit.Fraction -= (m.body.Radius - c.Radius) / into
	}
	return hit, ok
}

// meet notes a surface; false if there are too many.
func (m *Mover) meet(n geom.Vec3) bool {
	if m.nPlanes == maxPlanes {
		return false
	}
	m.planes[m.nPlanes] = n
	m.nPlanes++
	return true
}

// clip is hold for the velocity of a walk: only what is too steep stops it, so
// that slopes do not slow it down twice.
func (m *Mover) clip(v geom.Vec3) geom.Vec3 {
	n := 0
	for _, p := range m.planes[:m.nPlanes] {
		if p.Y < m.minY {
			m.planes[n] = p
			n++
		}
	}
	m.nPlanes = n
	v = m.hold(v)
	v.Y = 0
	return v
}

// hold returns the vector closest to v that leads into none of the planes: v
// itself, or v on one plane, or along the crease of two, or nothing.
func (m *Mover) hold(v geom.Vec3) geom.Vec3 {
	p := m.planes[:m.nPlanes]
	if m.free(v, -1, -1) {
		return v
	}
	var best geom.Vec3
	most := float32(0) // of its squared length: on a plane, the longest is the closest
	for i := range p {
		d := v.Dot(p[i])
		if d >= 0 {
			continue
		}
		if on := v.MulAdd(p[i], 0-d); on.Len2() > most && m.free(on, i, -1) {
			best, most = on, on.Len2()
		}
	}
	if most > 0 {
		return best
	}
	for i := range p {
		for j := range i {
			crease := p[i].Cross(p[j]).Norm()
			on := crease.Mul(v.Dot(crease))
			if on.Len2() > most && m.free(on, i, j) {
				best, most = on, on.Len2()
			}
		}
	}
	return best
}

// free reports whether v leads into no plane but i and j, which it lies in.
func (m *Mover) free(v geom.Vec3, i, j int) bool {
	least := 0 - float32(parallel*v.Len())
	for k := range m.planes[:m.nPlanes] {
		if k != i && k != j && m.planes[k].Dot(v) < least {
			return false
		}
	}
	return true
}

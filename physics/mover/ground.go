package mover

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

// footing is what a character stands on, if anything.
type footing struct {
	ok     bool
	normal geom.Vec3
	id     physics.ID
}

// settle lets the character down onto ground within reach. One at rest that
// is near enough is not moved at all.
func (m *Mover) settle(pos geom.Vec3, reach float32, still bool) (geom.Vec3, footing) {
	down := geom.Vec3{Y: 0 - reach}
	hit, ok := m.cast(pos, down)
	if !ok {
		return pos, footing{}
	}
	f := m.stand(&hit)
	if !f.ok {
		m.last = hit.ID
		return m.nestle(pos, down, still)
	}
	gap := float32(float32(hit.Fraction*reach) * hit.Normal.Y)
	if still && gap >= restLow && gap <= restHigh {
		return pos, f
	}
	return m.short(pos, down, &hit), f
}

// nestle slides down along what is too steep to stand on. That may end on a
// ground, or between surfaces whose crease, too, is no steeper than a ground
// may be: they are stood on together.
func (m *Mover) nestle(pos, down geom.Vec3, still bool) (geom.Vec3, footing) {
	m.ground = geom.Vec3{}
	end, _ := m.slide(pos, down)
	f := footing{true, up, m.last}
	for _, n := range m.planes[:m.nPlanes] {
		if n.Y >= m.minY {
			f.normal = n
		}
	}
	if m.hold(down.Norm()).Y < float32(m.minY*m.minY)-1 {
		return pos, footing{} // it goes on sliding
	}
	if still && end.Sub(pos).Len2() < restHigh*restHigh {
		return pos, f
	}
	return end, f
}

// stand judges what the foot touches. A round foot on the edge of a step has
// a slanted normal; what counts is whether there is a floor behind the edge.
func (m *Mover) stand(hit *physics.Hit) footing {
	n := hit.Normal
	if n.Y >= m.minY {
		return footing{true, n, hit.ID}
	}
	if n.Y < edgeMinY {
		return footing{}
	}
	behind := geom.Vec3{X: 0 - n.X, Z: 0 - n.Z}.Norm()
	from := hit.Point.MulAdd(behind, probeOut)
	from.Y += probeUp
	floor, ok := m.w.SphereCast(probeRadius, from, geom.Vec3{Y: 0 - probeDown}, m.q)
	if !ok || floor.Inside || floor.Normal.Y < m.minY {
		return footing{}
	}
	return footing{true, floor.Normal, floor.ID}
}

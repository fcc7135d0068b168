package physics

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// stopAtStatics returns how far the centre of mass of a body comes on its way
// through static geometry. Only what moves fast for its size is looked at: its
// core, a ball that no turn of the body changes, is swept from pose to pose and
// stops slop short of what it meets. The velocity stays, and the contact of the
// next step takes it; but the back of a triangle has no contact: there the sweep
// goes on to hold the body, at a speed that it still looks at.
func (w *World) stopAtStatics(r int, from, to, vel geom.Vec3) (geom.Vec3, geom.Vec3) {
	s, m, d := &w.step, &w.moving.mass[r], &w.moving.defs[r]
	move := to.Sub(from)
	length := move.Len()
	if m.core <= 0 || length <= m.core*sweepFrom || d.Flags&Sensor != 0 {
		return to, vel
	}
	ball := shape.Cast{Round: shape.Round{A: from, B: from, R: float32(m.core * sweepCore)}, Move: move}
	box := shape.AABB{Min: from, Max: from}.Grown(ball.R + slop)
	sweepOut(&box, move)
	s.near = w.tree.Overlaps(&box, s.near[:0])
	var met shape.CastHit
	met.Fraction = 1
	for _, f := range s.near {
		o := &w.fixed.defs[f]
		if o.Flags&Sensor != 0 || !collide(d, o) || !box.Overlaps(&w.query.boxes[f]) {
			continue
		}
		x := &w.fixed.st[f]
		g := geom.FrameOf(x.Pos, x.Rot)
		hit, ok := w.cfg.Shapes.Cast(o.Shape, &g, &ball, met.Fraction)
		if ok && hit.Inside { // the core has a share of it already; its middle must not get through
			hit, ok = w.cfg.Shapes.Ray(o.Shape, &g, from, move, met.Fraction)
		}
		if ok && !hit.Inside && hit.Fraction < met.Fraction {
			met = hit
		}
	}
	if met.Fraction == 1 {
		return to, vel
	}
	in := 0 - met.Normal.Dot(move)
	if least := length * 0.01; in < least {
		in = least
	}
	k := met.Fraction - slop/in
	if k < 0 {
		k = 0
	}
	if fast := 2 * sweepFrom * m.core / w.cfg.Dt; met.Back {
		if v := 0 - met.Normal.Dot(vel); v > fast {
			vel = vel.MulAdd(met.Normal, v-fast)
		}
	}
	return from.MulAdd(move, k), vel
}

package physics

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// stopAtStatics returns how far the centre of mass of a body comes on its way
// through static geometry. Only what moves fast for its size is looked at: its
// core, a ball that no turn of the body changes, is swept from pose to pose and
// stops slop short of what it meets. The velocity stays; the contact of the
// next step takes it.
func (w *World) stopAtStatics(r int, from, to geom.Vec3) geom.Vec3 {
	s, m, d := &w.step, &w.moving.mass[r], &w.moving.defs[r]
	move := to.Sub(from)
	length := move.Len()
	if length <= m.core*sweepFrom || d.Flags&Sensor != 0 {
		return to
	}
	ball := shape.Cast{Round: shape.Round{A: from, B: from, R: m.core * sweepCore}, Move: move}
	box := shape.AABB{Min: from, Max: from}.Grown(ball.R + slop)
	sweepOut(&box, move)
	s.near = w.tree.Overlaps(&box, s.near[:0])
	first := float32(1)
	for _, f := range s.near {
		o := &w.fixed.defs[f]
		if o.Flags&Sensor != 0 || !collide(d, o) || !box.Overlaps(&w.query.boxes[f]) {
			continue
		}
		x := &w.fixed.st[f]
		g := geom.FrameOf(x.Pos, x.Rot)
		hit, ok := w.cfg.Shapes.Cast(o.Shape, &g, &ball, first)
		if ok && hit.Inside { // the core has a share of it already; its middle must not get through
			hit, ok = w.cfg.Shapes.Ray(o.Shape, &g, from, move, first)
		}
		if ok && !hit.Inside && hit.Fraction < first {
			first = hit.Fraction
		}
	}
	if first == 1 {
		return to
	}
	k := first - slop/length
	if k < 0 {
		k = 0
	}
	return from.MulAdd(move, k)
}

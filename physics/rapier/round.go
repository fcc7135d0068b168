package rapier

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

// Rapier loses deep contacts between capsules, where their axes nearly cross.
// Two of them, or a ball and one, have a formula: that of their axes.

// segment is the axis of a ball or capsule, and how far its surface is.
type segment struct {
	from, to geom.Vec3
	radius   float32
}

func axis(pos geom.Vec3, rot geom.Quat, radius, halfHeight float32) segment {
	h := rot.Rotate(geom.V3(0, halfHeight, 0))
	return segment{pos.Sub(h), pos.Add(h), radius}
}

// nearest returns the points of two segments that are nearest to each other.
// After Ericson, Real-Time Collision Detection, 5.1.9.
func nearest(a, b *segment) (p, q geom.Vec3) {
	u, v, w := a.to.Sub(a.from), b.to.Sub(b.from), a.from.Sub(b.from)
	uu, vv, uv, uw, vw := u.Dot(u), v.Dot(v), u.Dot(v), u.Dot(w), v.Dot(w)
	s, t := float32(0), float32(0)
	if d := float32(uu*vv) - float32(uv*uv); d > 1e-6*uu*vv { // else they are parallel, or points
		s = geom.Clamp((float32(uv*vw)-float32(uw*vv))/d, 0, 1)
	}
	if vv > 0 {
		t = geom.Clamp((float32(uv*s)+vw)/vv, 0, 1)
	}
	if uu > 0 {
		s = geom.Clamp((float32(uv*t)-uw)/uu, 0, 1)
	}
	return a.from.MulAdd(u, s), b.from.MulAdd(v, t)
}

// touchRound is where b touches a: normal and point are of a's surface.
func touchRound(a, b *segment) physics.Overlap {
	p, q := nearest(a, b)
	n := q.Sub(p)
	l := n.Len()
	if l > 1e-6 {
		n = n.Mul(1 / l)
	} else { // the axes cross: out at right angles to both
		n = a.to.Sub(a.from).Cross(b.to.Sub(b.from))
		if n.Len2() < 1e-12 {
			n = across(a.to.Sub(a.from).Add(b.to.Sub(b.from)))
		}
		n, l = n.Norm(), 0
	}
	return physics.Overlap{Point: p.MulAdd(n, a.radius), Normal: n, Depth: a.radius + b.radius - l}
}

// across returns a vector at right angles to v.
func across(v geom.Vec3) geom.Vec3 {
	if geom.Abs(v.X) < geom.Abs(v.Y) {
		return geom.V3(0, v.Z, 0-v.Y)
	}
	if v == (geom.Vec3{}) {
		return geom.V3(0, 1, 0)
	}
	return geom.V3(0-v.Z, 0, v.X)
}

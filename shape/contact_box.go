package shape

import "github.com/foretick/foretick/geom"

// boxes is two boxes as the first one sees the second.
type boxes struct {
	ha, hb geom.Vec3
	d      geom.Vec3    // from a to b, world axes
	t      geom.Vec3    // the same in a's axes
	u      geom.Vec3    // the same in b's axes
	r      [3]geom.Vec3 // r[i]: cosines between a's axis i and b's axes
	c      [3]geom.Vec3 // their absolute values
	margin float32

	sepA, sepB, sepE float32 // of the best face of each, and of the best pair of edges
	faceA, faceB     int32   // axis
	edge             int32   // 3*i+j, -1: none
	edgeLen          float32 // of the cross product of the two edges' directions
	edgeSide         float32 // the projection of t on it
}

// boxBox is the contact of two boxes: 15 separating axes, then the face that
// touches clipped against the one that is touched, or one point of two edges.
func boxBox(a *Shape, fa *geom.Frame, b *Shape, fb *geom.Frame, margin float32, m *Manifold) bool {
	var p boxes
	p.ha, p.hb, p.margin = a.Half(), b.Half(), margin
	if !p.faces(fa, fb) {
		return false
	}
	slop := slopOf(lesser(lesser(a.A, a.B), a.C))
	sep, first := p.sepA, true
	if p.sepB > sep+bias(sep, slop) {
		sep, first = p.sepB, false
	}
	if !p.edges(sep + bias(sep, slop)) {
		return false
	}
	if p.edge >= 0 {
		p.edgePoint(fa, fb, m)
		return true
	}
	var q boxClip
	q.margin = margin
	if first {
		p.onA(&q)
		m.Normal = q.clip(fa, geom.Vec3{}, m)
	} else {
		p.onB(&q)
		m.Normal = q.clip(fb, p.d, m).Neg()
	}
	if m.Count > 0 && (sep >= 0 || q.low <= sep+2*bias(sep, slop)) { // else see lost
		return true
	}
	if p.edges(sep); p.edge >= 0 {
		p.edgePoint(fa, fb, m)
		return true
	}
	if m.Count > 0 {
		return true
	}
	if sep >= 0 {
		return false
	}
	if first {
		q.deepest(fa, geom.Vec3{}, sep, m)
	} else {
		q.deepest(fb, p.d, sep, m)
	}
	return true
}

// faces fills in all but the edges. It returns false if a face is further than
// the margin from the other box.
func (p *boxes) faces(fa, fb *geom.Frame) bool {
	d := fb.P.Sub(fa.P)
	tx, ty, tz := fa.R.X.Dot(d), fa.R.Y.Dot(d), fa.R.Z.Dot(d)
	ha, hb := p.ha, p.hb
	x, y, z := fb.R.X, fb.R.Y, fb.R.Z
	n := fa.R.X
	r00, r01, r02 := n.Dot(x), n.Dot(y), n.Dot(z)
	c00, c01, c02 := geom.Abs(r00), geom.Abs(r01), geom.Abs(r02)
	best, k := geom.Abs(tx)-ha.X-(float32(c00*hb.X)+float32(c01*hb.Y)+float32(c02*hb.Z)), int32(0)
	if best > p.margin {
		return false
	}
	n = fa.R.Y
	r10, r11, r12 := n.Dot(x), n.Dot(y), n.Dot(z)
	c10, c11, c12 := geom.Abs(r10), geom.Abs(r11), geom.Abs(r12)
	if s := geom.Abs(ty) - ha.Y - (float32(c10*hb.X) + float32(c11*hb.Y) + float32(c12*hb.Z)); s > best {
		if s > p.margin {
			return false
		}
		best, k = s, 1
	}
	n = fa.R.Z
	r20, r21, r22 := n.Dot(x), n.Dot(y), n.Dot(z)
	c20, c21, c22 := geom.Abs(r20), geom.Abs(r21), geom.Abs(r22)
	if s := geom.Abs(tz) - ha.Z - (float32(c20*hb.X) + float32(c21*hb.Y) + float32(c22*hb.Z)); s > best {
		if s > p.margin {
			return false
		}
		best, k = s, 2
	}
	p.sepA, p.faceA = best, k

	ux, uy, uz := x.Dot(d), y.Dot(d), z.Dot(d)
	best, k = geom.Abs(ux)-hb.X-(float32(c00*ha.X)+float32(c10*ha.Y)+float32(c20*ha.Z)), 0
	if s := geom.Abs(uy) - hb.Y - (float32(c01*ha.X) + float32(c11*ha.Y) + float32(c21*ha.Z)); s > best {
		best, k = s, 1
	}
	if s := geom.Abs(uz) - hb.Z - (float32(c02*ha.X) + float32(c12*ha.Y) + float32(c22*ha.Z)); s > best {
		best, k = s, 2
	}
	p.sepB, p.faceB = best, k
	p.d, p.t, p.u = d, geom.Vec3{X: tx, Y: ty, Z: tz}, geom.Vec3{X: ux, Y: uy, Z: uz}
	p.r[0], p.r[1], p.r[2] = geom.Vec3{X: r00, Y: r01, Z: r02}, geom.Vec3{X: r10, Y: r11, Z: r12}, geom.Vec3{X: r20, Y: r21, Z: r22}
	p.c[0], p.c[1], p.c[2] = geom.Vec3{X: c00, Y: c01, Z: c02}, geom.Vec3{X: c10, Y: c11, Z: c12}, geom.Vec3{X: c20, Y: c21, Z: c22}
	return best <= p.margin // also false for NaN
}

// edges looks for the best pair of edges that is better than least. It returns
// false if one separates.
//
// In a's axes, turned so that i comes first, the cross product of its axis i
// with an axis of b is (0, -y, x), where x and y are that axis along the two
// others, 1 and 2.
func (p *boxes) edges(least float32) bool {
	p.edge, p.sepE = -1, least
	hb := p.hb
	t, h := p.t, p.ha
	for i := int32(0); i < 3; i++ {
		t = geom.Vec3{X: t.Y, Y: t.Z, Z: t.X} // X is of 1, Y of 2
		h = geom.Vec3{X: h.Y, Y: h.Z, Z: h.X}
		j := int32(nextCorner[i])
		k := int32(nextCorner[j])
		r1, r2 := &p.r[j], &p.r[k]
		c0, c1, c2 := &p.c[i], &p.c[j], &p.c[k]
		x := float32(t.Y*r1.X) - float32(t.X*r2.X)
		if s := geom.Abs(x) - (float32(h.X*c2.X) + float32(h.Y*c1.X) + float32(hb.Y*c0.Z) + float32(hb.Z*c0.Y)); s > p.sepE || s > 0 {
			if !p.edgeAxis(3*i, s, x, float32(c1.X*c1.X)+float32(c2.X*c2.X)) {
				return false
			}
		}
		x = float32(t.Y*r1.Y) - float32(t.X*r2.Y)
		if s := geom.Abs(x) - (float32(h.X*c2.Y) + float32(h.Y*c1.Y) + float32(hb.Z*c0.X) + float32(hb.X*c0.Z)); s > p.sepE || s > 0 {
			if !p.edgeAxis(3*i+1, s, x, float32(c1.Y*c1.Y)+float32(c2.Y*c2.Y)) {
				return false
			}
		}
		x = float32(t.Y*r1.Z) - float32(t.X*r2.Z)
		if s := geom.Abs(x) - (float32(h.X*c2.Z) + float32(h.Y*c1.Z) + float32(hb.X*c0.Y) + float32(hb.Y*c0.X)); s > p.sepE || s > 0 {
			if !p.edgeAxis(3*i+2, s, x, float32(c1.Z*c1.Z)+float32(c2.Z*c2.Z)) {
				return false
			}
		}
	}
	return true
}

// edgeAxis takes note of a pair of edges that may be the best; s and x are
// along their cross product, whose squared length is l2.
func (p *boxes) edgeAxis(k int32, s, x, l2 float32) bool {
	if l2 < parallelSine2 {
		return true
	}
	l := geom.Sqrt(l2)
	s = float32(s / l)
	if s > p.margin {
		return false
	}
	if s > p.sepE {
		p.sepE, p.edge, p.edgeLen, p.edgeSide = s, k, l, x
	}
	return true
}

// edgePoint is the contact of the pair of edges: half way between where their
// lines come nearest.
func (p *boxes) edgePoint(fa, fb *geom.Frame, m *Manifold) {
	i, j := p.edge/3, p.edge%3
	ea, eb := axis(&fa.R, i), axis(&fb.R, j)
	n := ea.Cross(eb).Mul(1 / p.edgeLen)
	if p.edgeSide < 0 {
		n = n.Neg()
	}
	pa := edgeCentre(&fa.R, &p.ha, i, n)
	pb := edgeCentre(&fb.R, &p.hb, j, n.Neg()).Add(p.d)
	s, t := nearestOnCores(pb.Sub(pa), ea, eb, size(&p.ha, i), size(&p.hb, j), float32(p.edgeLen*p.edgeLen))
	m.Normal, m.Count = n, 0
	m.add(pa.MulAdd(ea, s).Add(pb.MulAdd(eb, t)).Mul(0.5), p.sepE)
}

// edgeCentre returns the middle of the edge along axis k that is furthest
// along n.
func edgeCentre(r *geom.Mat3, h *geom.Vec3, k int32, n geom.Vec3) geom.Vec3 {
	var p geom.Vec3
	for i := int32(0); i < 3; i++ {
		if i == k {
			continue
		}
		e, x := axis(r, i), size(h, i)
		if e.Dot(n) < 0 {
			x = 0 - x
		}
		p = p.MulAdd(e, x)
	}
	return p
}

func axis(r *geom.Mat3, k int32) geom.Vec3 {
	switch k {
	case 0:
		return r.X
	case 1:
		return r.Y
	}
	return r.Z
}

func size(h *geom.Vec3, k int32) float32 {
	switch k {
	case 0:
		return h.X
	case 1:
		return h.Y
	}
	return h.Z
}

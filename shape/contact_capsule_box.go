package shape

import "github.com/foretick/foretick/geom"

// capsuleBox works in the box's axes, where the core is the segment from c-e
// to c+e.
func capsuleBox(a *Shape, fa *geom.Frame, b *Shape, fb *geom.Frame, margin float32, m *Manifold) bool {
	c, e := fb.Local(fa.P), fb.R.MulT(fa.R.Y).Mul(a.B)
	h := b.Half()
	k, face := int32(0), geom.Abs(c.X)-geom.Abs(e.X)-h.X
	if s := geom.Abs(c.Y) - geom.Abs(e.Y) - h.Y; s > face {
		k, face = 1, s
	}
	if s := geom.Abs(c.Z) - geom.Abs(e.Z) - h.Z; s > face {
		k, face = 2, s
	}
	if !(face-a.A < margin) {
		return false
	}
	t := nearestToBox(c, e, h)
	p := c.MulAdd(e, t)
	q := geom.Vec3{X: geom.Clamp(p.X, 0-h.X, h.X), Y: geom.Clamp(p.Y, 0-h.Y, h.Y), Z: geom.Clamp(p.Z, 0-h.Z, h.Z)}
	n := q.Sub(p) // from the capsule to the box
	l := float32(0)
	if l2 := n.Len2(); l2 > coreTouch2 {
		l = geom.Sqrt(l2)
		n = n.Mul(1 / l)
	} else {
		n, l, p, q = coreInBox(c, e, h, k, face)
	}
	if !(l-a.A < margin) {
		return false
	}
	slop := lesser(featureSlop, float32(featureShare*a.A))
	if l <= face+slop && onBoxFace(c, e, h, k, a.A, margin, m) && (l <= 0 || m.deepest() <= l-a.A+slop) {
		m.turn(&fb.R)
		return true
	}
	m.Normal, m.Count = n, 0
	m.add(p.Add(q).MulAdd(n, a.A).Mul(0.5).Sub(c), l-a.A)
	m.turn(&fb.R)
	return true
}

// nearestToBox returns t of the point c+te, -1 to 1, nearest to a box. Half
// the slope of the squared distance never falls and is linear between the
// places where the segment crosses a face's plane.
func nearestToBox(c, e, h geom.Vec3) float32 {
	lo, hi := float32(-1), float32(1)
	at, end := slope(c, e, h, lo), slope(c, e, h, hi)
	if at >= 0 {
		if end > 0 || at > 0 {
			return lo
		}
		return 0 // as near all along
	}
	if end <= 0 {
		return hi
	}
	for i := int32(0); i < 3; i++ {
		d := size(&e, i)
		if geom.Abs(d) < 1e-6 {
			continue
		}
		x, k := size(&c, i), size(&h, i)
		for j := 0; j < 2; j++ {
			if t := (k - x) / d; t > lo && t < hi {
				if s := slope(c, e, h, t); s < 0 {
					lo, at = t, s
				} else {
					hi, end = t, s
				}
			}
			k = 0 - k
		}
	}
	return lo - float32(at*((hi-lo)/(end-at)))
}

func slope(c, e, h geom.Vec3, t float32) float32 {
	x, y, z := c.X+float32(e.X*t), c.Y+float32(e.Y*t), c.Z+float32(e.Z*t)
	return float32(e.X*(x-geom.Clamp(x, 0-h.X, h.X))) +
		float32(e.Y*(y-geom.Clamp(y, 0-h.Y, h.Y))) +
		float32(e.Z*(z-geom.Clamp(z, 0-h.Z, h.Z)))
}

// onBoxFace makes contacts of the stretch of the core that is above the face
// of axis k.
func onBoxFace(c, e, h geom.Vec3, k int32, radius, margin float32, m *Manifold) bool {
	lo, hi := float32(-1), float32(1)
	for i := int32(0); i < 3; i++ {
		if i == k {
			continue
		}
		x, d, s := size(&c, i), size(&e, i), size(&h, i)+clipGrow
		if geom.Abs(d) < 1e-6 {
			if geom.Abs(x) > s {
				return false
			}
			continue
		}
		a, b := (0-s-x)/d, (s-x)/d
		if a > b {
			a, b = b, a
		}
		lo, hi = greater(lo, a), lesser(hi, b)
	}
	if !(lo <= hi) {
		return false
	}
	var n geom.Vec3
	sign := against(size(&c, k))
	switch k {
	case 0:
		n.X = sign
	case 1:
		n.Y = sign
	case 2:
		n.Z = sign
	}
	m.Normal, m.Count = n, 0
	top := size(&h, k)
	for {
		p := e.Mul(lo)
		l := 0 - n.Dot(p.Add(c)) - top
		if sep := l - radius; sep < margin {
			m.add(p.MulAdd(n, float32((radius+l)*0.5)), sep)
		}
		if !(lo < hi) {
			return m.Count > 0
		}
		lo = hi
	}
}

// coreInBox finds the shortest way out for a core that meets the box: along a
// face's normal, or square to the core and an edge. l is below 0; p and q are
// the points of the core and of the box where that is measured.
func coreInBox(c, e, h geom.Vec3, k int32, face float32) (n geom.Vec3, l float32, p, q geom.Vec3) {
	n, l = unitAxis(k).Mul(against(size(&c, k))), face
	least := face + float32(geom.Abs(face)*featureShare) + featureSlop
	best := int32(-1)
	for j := int32(0); j < 3; j++ {
		x := unitAxis(j).Cross(e)
		l2 := x.Len2()
		if l2 <= float32(e.Len2()*parallelSine2) {
			continue
		}
		x = x.Mul(1 / geom.Sqrt(l2))
		d := c.Dot(x)
		s := geom.Abs(d) - (float32(h.X*geom.Abs(x.X)) + float32(h.Y*geom.Abs(x.Y)) + float32(h.Z*geom.Abs(x.Z)))
		if s > least {
			if d > 0 {
				x = x.Neg()
			}
			least, l, best, n = s, s, j, x
		}
	}
	if best < 0 { // the core will be clipped against the face
		return n, l, c, c
	}
	r := geom.Mat3{X: unitAxis(0), Y: unitAxis(1), Z: unitAxis(2)}
	q = edgeCentre(&r, &h, best, n.Neg())
	len := e.Len()
	u, v := e.Mul(1/len), unitAxis(best)
	s, t := nearestOnCores(q.Sub(c), u, v, len, size(&h, best), u.Cross(v).Len2())
	return n, l, c.MulAdd(u, s), q.MulAdd(v, t)
}

func unitAxis(k int32) geom.Vec3 {
	switch k {
	case 0:
		return geom.Vec3{X: 1}
	case 1:
		return geom.Vec3{Y: 1}
	}
	return geom.Vec3{Z: 1}
}

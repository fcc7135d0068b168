package shape

import "github.com/foretick/foretick/geom"

// up is the normal of two balls with one centre: any will do, as long as it is
// always the same.
var up = geom.Vec3{Y: 1}

// ballBall is the contact of two balls; d is from a's centre to b's, and P is
// from a's centre.
func ballBall(d geom.Vec3, ra, rb, margin float32, m *Manifold) bool {
	l2 := d.Len2()
	n, l := up, float32(0)
	if l2 > coreTouch2 {
		l = geom.Sqrt(l2)
		n = d.Mul(1 / l)
	}
	sep := l - ra - rb
	if !(sep < margin) {
		return false
	}
	m.Normal, m.Count = n, 1
	m.Points[0] = Contact{n.Mul(ra + float32(sep*0.5)), sep}
	return true
}

func sphereCapsule(a *Shape, fa *geom.Frame, b *Shape, fb *geom.Frame, margin float32, m *Manifold) bool {
	d, v := fb.P.Sub(fa.P), fb.R.Y
	d = d.MulAdd(v, geom.Clamp(0-d.Dot(v), 0-b.B, b.B))
	if !ballBall(d, a.A, b.A, margin, m) {
		return false
	}
	if d.Len2() <= coreTouch2 { // on the capsule's axis
		m.Normal = across(v)
		m.Points[0].P = m.Normal.Mul(a.A + float32(m.Points[0].Sep*0.5))
	}
	return true
}

// across returns a unit vector square to a unit vector.
func across(u geom.Vec3) geom.Vec3 {
	if geom.Abs(u.X) < 0.6 {
		return u.Cross(geom.Vec3{X: 1}).Norm()
	}
	return u.Cross(geom.Vec3{Y: 1}).Norm()
}

// capsuleCapsule finds the nearest points of the two cores. Where the cores
// run alongside each other, both ends of the common stretch are contacts.
func capsuleCapsule(a *Shape, fa *geom.Frame, b *Shape, fb *geom.Frame, margin float32, m *Manifold) bool {
	d, u, v := fb.P.Sub(fa.P), fa.R.Y, fb.R.Y
	far := a.A + a.B + b.A + b.B + margin
	if !(d.Len2() < float32(far*far)) {
		return false
	}
	c := u.Cross(v)
	c2 := c.Len2()
	s, t := nearestOnCores(d, u, v, a.B, b.B, c2)
	pa, pb := u.Mul(s), d.MulAdd(v, t)
	n := pb.Sub(pa)
	l := float32(0)
	if l2 := n.Len2(); l2 > coreTouch2 {
		l = geom.Sqrt(l2)
		n = n.Mul(1 / l)
	} else { // the cores cross
		n = across(u)
		if c2 > parallelSine2 {
			n = c.Mul(1 / geom.Sqrt(c2))
		}
		if n.Dot(d) < 0 {
			n = n.Neg()
		}
	}
	radii := a.A + b.A
	if !(l-radii < margin) {
		return false
	}
	m.Normal, m.Count = n, 0
	if c2 < alongSine2 && capsulesAlong(a, b, d, u, v, margin, m) {
		return true
	}
	m.Count = 0
	m.add(pa.Add(pb).MulAdd(n, a.A-b.A).Mul(0.5), l-radii)
	return true
}

// capsulesAlong makes contacts of the ends of the stretch that two nearly
// parallel cores have in common.
func capsulesAlong(a, b *Shape, d, u, v geom.Vec3, margin float32, m *Manifold) bool {
	lo, hi := commonStretch(d, u, v, a.B, b.B)
	if !(lo < hi) {
		return false
	}
	n, radii := m.Normal, a.A+b.A
	side := float32(alongShare * radii)
	turn := 1 / u.Dot(v) // not near 0: the cores are nearly parallel
	for i := 0; i < 2; i++ {
		pa := u.Mul(lo)
		pb := d.MulAdd(v, geom.Clamp(float32((lo-d.Dot(u))*turn), 0-b.B, b.B))
		x := pb.Sub(pa)
		l := x.Dot(n)
		if sep := l - radii; sep < margin && x.Len2()-float32(l*l) < float32(side*side) {
			m.add(pa.Add(pb).MulAdd(n, a.A-b.A).Mul(0.5), sep)
		}
		lo = hi
	}
	return m.Count == 2
}

// commonStretch returns where along u, from the centre of a core of half
// length ha, the other core runs too.
func commonStretch(d, u, v geom.Vec3, ha, hb float32) (lo, hi float32) {
	k, half := d.Dot(u), geom.Abs(float32(u.Dot(v)*hb))
	return greater(0-ha, k-half), lesser(ha, k+half)
}

// nearestOnCores returns the places along the unit vectors u and v, from the
// centres 0 and d, where two segments of half lengths ha and hb come nearest;
// c2 is the squared sine between them (C. Ericson 2005, 5.1.9).
func nearestOnCores(d, u, v geom.Vec3, ha, hb, c2 float32) (s, t float32) {
	k, du, dv := u.Dot(v), d.Dot(u), d.Dot(v)
	if c2 > parallelSine2 {
		s = float32((du - float32(k*dv)) / c2)
	} else {
		lo, hi := commonStretch(d, u, v, ha, hb)
		s = float32((lo + hi) * 0.5)
	}
	s = geom.Clamp(s, 0-ha, ha)
	t = geom.Clamp(float32(k*s)-dv, 0-hb, hb)
	return geom.Clamp(du+float32(k*t), 0-ha, ha), t
}

// sphereBox works in the box's axes.
func sphereBox(a *Shape, fa *geom.Frame, b *Shape, fb *geom.Frame, margin float32, m *Manifold) bool {
	p := fb.Local(fa.P)
	q := geom.Vec3{X: geom.Clamp(p.X, 0-b.A, b.A), Y: geom.Clamp(p.Y, 0-b.B, b.B), Z: geom.Clamp(p.Z, 0-b.C, b.C)}
	n := q.Sub(p)
	l2 := n.Len2()
	far := a.A + margin
	if !(l2 < float32(far*far)) && l2 > coreTouch2 {
		return false
	}
	var l float32 // of the centre, outwards
	if l2 > coreTouch2 {
		l = geom.Sqrt(l2)
		n = n.Mul(1 / l)
	} else {
		n, l = outOfBox(b, p)
	}
	sep := l - a.A
	if !(sep < margin) {
		return false
	}
	n = fb.R.Mul(n)
	m.Normal, m.Count = n, 1
	m.Points[0] = Contact{n.Mul(a.A + float32(sep*0.5)), sep}
	return true
}

// outOfBox returns the inward normal of the face next to a point inside a box,
// and how far outside that face the point is.
func outOfBox(b *Shape, p geom.Vec3) (n geom.Vec3, l float32) {
	x, y, z := geom.Abs(p.X)-b.A, geom.Abs(p.Y)-b.B, geom.Abs(p.Z)-b.C
	switch {
	case y >= x && y >= z: // up and down first
		return geom.Vec3{Y: against(p.Y)}, y
	case x >= z:
		return geom.Vec3{X: against(p.X)}, x
	}
	return geom.Vec3{Z: against(p.Z)}, z
}

// against returns -1 for what is not negative, else 1.
func against(x float32) float32 {
	if x < 0 {
		return 1
	}
	return -1
}

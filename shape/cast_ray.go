package shape

import "math"

func (k *casting) rayConvex(s *Shape) {
	switch s.Kind {
	case Sphere:
		k.raySphere(float64(s.A))
	case Capsule:
		k.rayCapsule(float64(s.A), float64(s.B))
	case Box:
		k.rayBox(wide(s.Half()))
	case Hull:
		k.rayHull(&k.st.hulls[s.Ref])
	}
}

// ballEntry returns the fraction at which a ray from p by d, from outside a
// ball of radius r about the origin, comes in.
func ballEntry(p, d v3, r float64) (float64, bool) {
	a, b, c := d.len2(), p.dot(d), p.len2()-float64(r*r)
	h := float64(b*b) - float64(a*c)
	if !(b < 0 && h >= 0) {
		return 0, false
	}
	t := (0 - b - math.Sqrt(h)) / a
	return t, t <= 1
}

func (k *casting) raySphere(r float64) {
	if l := k.p.len(); l < r {
		n := k.p.norm()
		if n == (v3{}) {
			n.Y = 1
		}
		k.offer(0, k.p, n, 0, true, false)
		return
	}
	if t, ok := ballEntry(k.p, k.d, r); ok {
		q := k.p.plus(k.d, t)
		k.offer(positive(t), q, q.norm(), 0, false, false)
	}
}

func positive(t float64) float64 {
	if t > 0 {
		return t
	}
	return 0
}

// rayCapsule is for a capsule of radius r along Y, whose core ends at h and -h.
func (k *casting) rayCapsule(r, h float64) {
	core := v3{Y: hold(k.p.Y, h)}
	if off := k.p.sub(core); off.len2() < float64(r*r) {
		n := off.norm()
		if n == (v3{}) {
			n.X = 1
		}
		k.offer(0, k.p, n, 0, true, false)
		return
	}
	best, axis := 2.0, v3{}
	o, d := v3{X: k.p.X, Z: k.p.Z}, v3{X: k.d.X, Z: k.d.Z}
	if o.len2() >= float64(r*r) {
		if t, ok := ballEntry(o, d, r); ok {
			if y := k.p.Y + float64(k.d.Y*t); y >= -h && y <= h {
				best, axis = t, v3{Y: y}
			}
		}
	}
	for _, y := range [2]float64{-h, h} {
		if t, ok := ballEntry(k.p.sub(v3{Y: y}), k.d, r); ok && t < best {
			best, axis = t, v3{Y: y}
		}
	}
	if best <= 1 {
		q := k.p.plus(k.d, best)
		k.offer(positive(best), q, q.sub(axis).norm(), 0, false, false)
	}
}

// hold returns x held within [-h, h].
func hold(x, h float64) float64 {
	if x > h {
		return h
	}
	if x < -h {
		return -h
	}
	return x
}

func (k *casting) rayBox(h v3) {
	p, d := [3]float64{k.p.X, k.p.Y, k.p.Z}, [3]float64{k.d.X, k.d.Y, k.d.Z}
	half := [3]float64{h.X, h.Y, h.Z}
	in, out, axis, sign := 0.0, 1.0, -1, 0.0
	inside, near := true, 0
	for i := range 3 {
		over := math.Abs(p[i]) - half[i]
		if over >= 0 {
			inside = false
		}
		if over > math.Abs(p[near])-half[near] {
			near = i
		}
		if d[i] == 0 {
			if over > 0 {
				return
			}
			continue
		}
		s := 1.0 // the side that is met first
		if d[i] > 0 {
			s = -1
		}
		t0, t1 := (float64(s*half[i])-p[i])/d[i], (float64(-s*half[i])-p[i])/d[i]
		if t0 >= in {
			in, axis, sign = t0, i, s
		}
		if t1 < out {
			out = t1
		}
	}
	if inside {
		sign = 1
		if p[near] < 0 {
			sign = -1
		}
		k.offer(0, k.p, axisNormal(near, sign), 0, true, false)
		return
	}
	if axis >= 0 && in <= out {
		k.offer(in, k.p.plus(k.d, in), axisNormal(axis, sign), 0, false, false)
	}
}

func axisNormal(axis int, sign float64) v3 {
	switch axis {
	case 0:
		return v3{X: sign}
	case 1:
		return v3{Y: sign}
	}
	return v3{Z: sign}
}

// rayTriangle decides by the volumes that the ray's line spans with the edges.
// Those of an edge that two triangles share are computed alike but for the
// sign, so that no ray passes between the two.
func (k *casting) rayTriangle(a, b, c v3, feature uint32) {
	a, b, c = a.sub(k.p), b.sub(k.p), c.sub(k.p)
	u, v, w := k.d.dot(c.cross(b)), k.d.dot(a.cross(c)), k.d.dot(b.cross(a))
	if !(u >= 0 && v >= 0 && w >= 0 || u <= 0 && v <= 0 && w <= 0) {
		return
	}
	n := b.sub(a).cross(c.sub(a))
	dn := n.dot(k.d)
	if dn == 0 {
		return
	}
	t := n.dot(a) / dn
	if !(t >= 0 && t <= 1) {
		return
	}
	n = n.norm()
	if dn > 0 {
		n = n.neg()
	}
	k.offer(t, k.p.plus(k.d, t), n, feature, false, dn > 0)
}

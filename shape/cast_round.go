package shape

import "math"

// obstacle is a convex shape, or, without one, a triangle and its normal.
type obstacle struct {
	shape      *Shape
	a, b, c, n v3
	feature    uint32
	edges      edgeFlags
}

// gap returns how far a Round of radius r with a core from p to p+s is off an
// obstacle, the unit vector from the obstacle to it and the point of the
// obstacle that is nearest; no vector if the cores meet.
func (st *Store) gap(o *obstacle, p, s v3, r float64) (g float64, n, q v3) {
	way := v3{}
	switch {
	case o.shape == nil:
		x := segmentTriangle(p, s, o.a, o.b, o.c, o.n)
		way, q = x.p.sub(x.q), x.q
	case o.shape.Kind == Sphere:
		way = p.plus(s, ratio(0-p.dot(s), s.len2()))
	case o.shape.Kind == Capsule:
		h := float64(o.shape.B)
		low, core := v3{Y: -h}, v3{Y: 2 * h}
		i, j := segments(p, s, low, core)
		q = low.plus(core, j)
		way = p.plus(s, i).sub(q)
	case o.shape.Kind == Box && s == (v3{}):
		q = v3{hold(p.X, float64(o.shape.A)), hold(p.Y, float64(o.shape.B)), hold(p.Z, float64(o.shape.C))}
		way = p.sub(q)
	default:
		way, q = st.coreGap(o.shape, p, s)
		way = way.neg()
	}
	l2 := way.len2()
	if l2 <= gjkMeet {
		return 0 - r - o.radius(), v3{}, q
	}
	l := math.Sqrt(l2)
	n = way.mul(1 / l)
	own := o.radius()
	return l - r - own, n, q.plus(n, own)
}

// radius is what an obstacle has about its core.
func (o *obstacle) radius() float64 {
	if o.shape != nil && (o.shape.Kind == Sphere || o.shape.Kind == Capsule) {
		return float64(o.shape.A)
	}
	return 0
}

// sweepTriangle leaves out triangles whose planes, or the planes through their
// edges across them, the whole way keeps clear of.
func (k *casting) sweepTriangle(a, b, c v3, feature uint32, e edgeFlags) {
	ab, bc, ca := b.sub(a), c.sub(b), a.sub(c)
	n := ab.cross(bc)
	n = n.mul(1 / n.len())
	p := k.p.sub(a)
	lo := n.dot(p)
	hi, dn, t := lo, n.dot(k.d), 0.0
	if x := n.dot(k.s); x < 0 {
		lo += x
	} else {
		hi += x
	}
	if lo > k.r {
		if lo+dn > k.r {
			return
		}
		t = (lo - k.r) / -dn
	} else if hi < -k.r {
		if hi+dn < -k.r {
			return
		}
		t = (hi + k.r) / -dn
	}
	if float32(t) > k.limit || k.beside(p, ab, n) || k.beside(k.p.sub(b), bc, n) || k.beside(k.p.sub(c), ca, n) {
		return
	}
	o := obstacle{a: a, b: b, c: c, n: n, feature: feature, edges: e}
	if k.over {
		k.touch(&o)
	} else {
		k.advance(&o, t)
	}
}

// beside reports whether the way stays off an edge, away from its triangle. p
// is the start from a point of the edge.
func (k *casting) beside(p, edge, n v3) bool {
	out := edge.cross(n)
	x := out.dot(p)
	if s := out.dot(k.s); s < 0 {
		x += s
	}
	if d := out.dot(k.d); d < 0 {
		x += d
	}
	return x > 0 && float64(x*x) > float64(float64(k.r*k.r)*out.len2())
}

// advance looks for the first touch with an obstacle from fraction t on, to
// where the way is known to be free. The distance of two convex sets, one of
// which moves straight on, is a convex function of the way: Newton's method
// comes from below to its first zero, and finds none if it begins to rise.
func (k *casting) advance(o *obstacle, t float64) {
	var q, n v3
	for range castSteps {
		var g float64
		g, n, q = k.st.gap(o, k.p.plus(k.d, t), k.s, k.r)
		if t == 0 && (g < -touchDepth || n == (v3{})) {
			if _, n, q = k.st.overlap(o, k.p, k.s, k.r); n == (v3{}) {
				return // the triangle beside it has the hit
			}
			k.offer(0, q, n, o.feature, true, o.shape == nil && n.dot(o.n) < 0)
			return
		}
		v := n.dot(k.d)
		if float64(v*(1-t)) >= -castGap {
			return
		}
		if g <= castGap {
			break
		}
		if t -= g / v; float32(t) > k.limit {
			return
		}
	}
	k.offer(t, q, n, o.feature, false, o.shape == nil && n.dot(o.n) < 0)
}

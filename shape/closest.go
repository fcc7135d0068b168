package shape

import "math"

// region says where on a triangle a point is: on the face, on the edge from
// corner k to the next, or at corner k.
type region uint8

const (
	onFace   region = 0
	onEdge   region = 1 // and 2, 3
	onCorner region = 4 // and 5, 6
)

// pointTriangle returns the point of the triangle abc that is nearest to p:
// Ericson, "Real-Time Collision Detection", 5.1.5.
func pointTriangle(p, a, b, c v3) (v3, region) {
	ab, ac, ap := b.sub(a), c.sub(a), p.sub(a)
	d1, d2 := ab.dot(ap), ac.dot(ap)
	if d1 <= 0 && d2 <= 0 {
		return a, onCorner
	}
	bp := p.sub(b)
	d3, d4 := ab.dot(bp), ac.dot(bp)
	if d3 >= 0 && d4 <= d3 {
		return b, onCorner + 1
	}
	vc := float64(d1*d4) - float64(d3*d2)
	if vc <= 0 && d1 >= 0 && d3 <= 0 {
		return a.plus(ab, ratio(d1, d1-d3)), onEdge
	}
	cp := p.sub(c)
	d5, d6 := ab.dot(cp), ac.dot(cp)
	if d6 >= 0 && d5 <= d6 {
		return c, onCorner + 2
	}
	vb := float64(d5*d2) - float64(d1*d6)
	if vb <= 0 && d2 >= 0 && d6 <= 0 {
		return a.plus(ac, ratio(d2, d2-d6)), onEdge + 2
	}
	va := float64(d3*d6) - float64(d5*d4)
	if va <= 0 && d4-d3 >= 0 && d5-d6 >= 0 {
		return b.plus(c.sub(b), ratio(d4-d3, d4-d3+d5-d6)), onEdge + 1
	}
	k := 1 / (va + vb + vc)
	return a.plus(ab, float64(vb*k)).plus(ac, float64(vc*k)), onFace
}

// ratio returns x/y within 0 and 1, 0 if y is 0.
func ratio(x, y float64) float64 {
	if y == 0 {
		return 0
	}
	return clamp01(x / y)
}

// segments returns the shares of p+u and q+v at which the two segments are the
// nearest: Ericson, 5.1.9. Both may be points.
func segments(p, u, q, v v3) (s, t float64) {
	r := p.sub(q)
	a, e, f := u.len2(), v.len2(), v.dot(r)
	if a <= tiny64 {
		return 0, ratio(f, e)
	}
	c := u.dot(r)
	if e <= tiny64 {
		return ratio(0-c, a), 0
	}
	b := u.dot(v)
	if den := float64(a*e) - float64(b*b); den > float64(a*e)*parallel64 {
		s = clamp01((float64(b*f) - float64(c*e)) / den)
	}
	t = (float64(b*s) + f) / e
	if t < 0 {
		return ratio(0-c, a), 0
	}
	if t > 1 {
		return ratio(b-c, a), 1
	}
	return s, t
}

// nearest is where a segment and a triangle are the nearest.
type nearest struct {
	p, q v3 // on the segment, on the triangle
	d2   float64
	at   region // of q
}

func (x *nearest) take(p, q v3, at region) {
	if d := p.sub(q).len2(); d < x.d2 {
		*x = nearest{p, q, d, at}
	}
}

// segmentTriangle returns where the segment from p to p+s is nearest to abc,
// whose normal, of any length, is n; the distance is 0 if it goes through.
func segmentTriangle(p, s, a, b, c, n v3) (x nearest) {
	q, at := pointTriangle(p, a, b, c)
	x = nearest{p, q, p.sub(q).len2(), at}
	if s == (v3{}) {
		return x
	}
	h0, h1 := n.dot(p.sub(a)), n.dot(p.add(s).sub(a))
	e := p.add(s)
	q, at = pointTriangle(e, a, b, c)
	x.take(e, q, at)
	if x.at == onFace && float64(h0*h1) > 0 && (x.p == p) == (math.Abs(h0) <= math.Abs(h1)) {
		return x // no other point is nearer to the plane
	}
	if h0 != h1 && float64(h0*h1) <= 0 {
		o := p.plus(s, h0/(h0-h1))
		if q, at = pointTriangle(o, a, b, c); at == onFace {
			return nearest{o, q, 0, onFace}
		}
	}
	corners := [3]v3{a, b, c}
	for k := range 3 {
		q, v := corners[k], corners[(k+1)%3].sub(corners[k])
		i, j := segments(p, s, q, v)
		at := onEdge + region(k)
		if j == 0 {
			at = onCorner + region(k)
		} else if j == 1 {
			at = onCorner + region((k+1)%3)
		}
		x.take(p.plus(s, i), q.plus(v, j), at)
	}
	return x
}

package soup

// Triangle is three corners, counterclockwise as seen from its front.
type Triangle struct{ A, B, C V }

// Normal returns the unit normal of the front, zero without area.
func (t *Triangle) Normal() V { return t.B.Sub(t.A).Cross(t.C.Sub(t.A)).Unit() }

// Area returns the area.
func (t *Triangle) Area() float64 { return t.B.Sub(t.A).Cross(t.C.Sub(t.A)).Len() / 2 }

// Crossed reports whether the line from p to q meets the triangle, edges
// included, and where on it: 0 at p, 1 at q.
func (t *Triangle) Crossed(p, q V) (at float64, ok bool) {
	n := t.B.Sub(t.A).Cross(t.C.Sub(t.A))
	d0, d1 := n.Dot(p.Sub(t.A)), n.Dot(q.Sub(t.A))
	if d0 > 0 && d1 > 0 || d0 < 0 && d1 < 0 || d0 == d1 {
		return 0, false
	}
	a, b, c := t.A.Sub(p), t.B.Sub(p), t.C.Sub(p)
	line := q.Sub(p)
	u, v, w := line.Dot(b.Cross(c)), line.Dot(c.Cross(a)), line.Dot(a.Cross(b))
	if (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0) {
		return 0, false
	}
	return unit(d0 / (d0 - d1)), true
}

// Closest returns the point of the triangle that is closest to p.
func (t *Triangle) Closest(p V) V {
	ab, ac := t.B.Sub(t.A), t.C.Sub(t.A)
	n := ab.Cross(ac)
	if nn := n.Dot(n); nn > 0 {
		on := p.Sub(n.Mul(n.Dot(p.Sub(t.A)) / nn))
		if n.Dot(ab.Cross(on.Sub(t.A))) >= 0 && n.Dot(t.C.Sub(t.B).Cross(on.Sub(t.B))) >= 0 &&
			n.Dot(t.A.Sub(t.C).Cross(on.Sub(t.C))) >= 0 {
			return on
		}
	}
	best := onLine(t.A, t.B, p)
	for _, c := range [2]V{onLine(t.B, t.C, p), onLine(t.C, t.A, p)} {
		if c.Sub(p).Len() < best.Sub(p).Len() {
			best = c
		}
	}
	return best
}

// onLine returns the point of the line from a to b that is closest to p.
func onLine(a, b, p V) V {
	d := b.Sub(a)
	if dd := d.Dot(d); dd > 0 {
		return a.Add(d.Mul(unit(d.Dot(p.Sub(a)) / dd)))
	}
	return a
}

// Distance returns the distance between the triangle and the line from p to q,
// and the two points that are closest: on the line, on the triangle.
func (t *Triangle) Distance(p, q V) (d float64, onP, onT V) {
	if at, ok := t.Crossed(p, q); ok {
		x := p.Add(q.Sub(p).Mul(at))
		return 0, x, x
	}
	onP, onT = p, t.Closest(p)
	d = onP.Sub(onT).Len()
	better := func(a, b V) {
		if l := a.Sub(b).Len(); l < d {
			d, onP, onT = l, a, b
		}
	}
	better(q, t.Closest(q))
	for _, e := range [3][2]V{{t.A, t.B}, {t.B, t.C}, {t.C, t.A}} {
		a, b := lines(p, q, e[0], e[1])
		better(a, b)
	}
	return d, onP, onT
}

// lines returns the closest points of two lines: the inside of both first;
// what leaves one of them is clamped to it and dropped on the other.
func lines(p, q, a, b V) (x, y V) {
	u, v, w := q.Sub(p), b.Sub(a), p.Sub(a)
	uu, uv, vv := u.Dot(u), u.Dot(v), v.Dot(v)
	s := 0.0
	if den := float64(uu*vv) - float64(uv*uv); den > 1e-12*uu*vv {
		s = unit((float64(uv*v.Dot(w)) - float64(vv*u.Dot(w))) / den)
	}
	y = onLine(a, b, p.Add(u.Mul(s)))
	x = onLine(p, q, y)
	return x, onLine(a, b, x)
}

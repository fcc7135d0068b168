package shape

import "math"

// simplex is up to four points of what a core lies off a probe: w = q - p, with
// q of the core and p of the probe's segment.
type simplex struct {
	w, q [4]v3
	l    [4]float64 // shares of the point nearest to the origin
	n    int
}

// coreGap returns the nearest point q of a box or hull to the segment from p to
// p+s, and the way there from the segment; zero if they meet. The algorithm is
// that of Gilbert, Johnson and Keerthi, 1988.
func (st *Store) coreGap(c *Shape, p, s v3) (way, q v3) {
	var x simplex
	q = st.support(c, p.neg())
	x.w[0], x.q[0], x.l[0], x.n = q.sub(p), q, 1, 1
	v := x.w[0]
	for range gjkSteps {
		l2 := v.len2()
		if l2 <= gjkMeet {
			return v3{}, q
		}
		q1, p1 := st.support(c, v.neg()), p
		if s.dot(v) > 0 {
			p1 = p.add(s)
		}
		w := q1.sub(p1)
		if l2-v.dot(w) <= float64(l2*gjkClose) {
			break
		}
		old := x
		x.w[x.n], x.q[x.n] = w, q1
		x.n++
		if !x.reduce() {
			return v3{}, q
		}
		u := v3{}
		for i := range x.n {
			u = u.plus(x.w[i], x.l[i])
		}
		if u.len2() >= l2 {
			x = old // rounding is all that is left
			break
		}
		v = u
	}
	q = v3{}
	for i := range x.n {
		q = q.plus(x.q[i], x.l[i])
	}
	return v, q
}

// support returns the point of a box or hull that is the furthest along d.
func (st *Store) support(c *Shape, d v3) v3 {
	if c.Kind == Hull {
		return st.hulls[c.Ref].support(d)
	}
	return v3{
		math.Copysign(float64(c.A), d.X), math.Copysign(float64(c.B), d.Y), math.Copysign(float64(c.C), d.Z),
	}
}

// reduce leaves the corners that span the point nearest to the origin, and
// their shares; false if the origin is inside.
func (x *simplex) reduce() bool {
	switch x.n {
	case 2:
		x.edge()
	case 3:
		x.face()
	case 4:
		return x.solid()
	}
	return true
}

func (x *simplex) keep(i, j, k int, a, b, c float64) {
	w, q := x.w, x.q
	x.n = 0
	for _, e := range [3]struct {
		i int
		l float64
	}{{i, a}, {j, b}, {k, c}} {
		if e.l > 0 {
			x.w[x.n], x.q[x.n], x.l[x.n] = w[e.i], q[e.i], e.l
			x.n++
		}
	}
}

func (x *simplex) edge() {
	u := x.w[1].sub(x.w[0])
	t := ratio(0-x.w[0].dot(u), u.len2())
	x.keep(0, 1, 0, 1-t, t, 0)
}

func (x *simplex) face() {
	a, b, c := shares(x.w[0], x.w[1], x.w[2])
	x.keep(0, 1, 2, a, b, c)
}

// shares returns those of a, b and c in the triangle's point nearest to the
// origin.
func shares(a, b, c v3) (float64, float64, float64) {
	q, at := pointTriangle(v3{}, a, b, c)
	switch at {
	case onCorner:
		return 1, 0, 0
	case onCorner + 1:
		return 0, 1, 0
	case onCorner + 2:
		return 0, 0, 1
	case onEdge:
		t := share(q, a, b)
		return 1 - t, t, 0
	case onEdge + 1:
		t := share(q, b, c)
		return 0, 1 - t, t
	case onEdge + 2:
		t := share(q, a, c)
		return 1 - t, 0, t
	}
	n := b.sub(a).cross(c.sub(a))
	k := n.len2()
	u, v := n.dot(b.cross(c))/k, n.dot(c.cross(a))/k
	return u, v, 1 - u - v
}

func share(q, a, b v3) float64 {
	u := b.sub(a)
	return ratio(q.sub(a).dot(u), u.len2())
}

func (x *simplex) solid() bool {
	best, at := math.MaxFloat64, -1
	var l [3]float64
	for f, s := range [4][4]int{{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}} {
		a, b, c, d := x.w[s[0]], x.w[s[1]], x.w[s[2]], x.w[s[3]]
		n := b.sub(a).cross(c.sub(a))
		if float64(n.dot(d.sub(a))*n.dot(a.neg())) > 0 {
			continue // the origin is on the side of the fourth corner
		}
		i, j, k := shares(a, b, c)
		if d2 := a.mul(i).plus(b, j).plus(c, k).len2(); d2 < best {
			best, at, l = d2, f, [3]float64{i, j, k}
		}
	}
	if at < 0 {
		return false
	}
	s := [4][3]int{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}[at]
	x.keep(s[0], s[1], s[2], l[0], l[1], l[2])
	return true
}

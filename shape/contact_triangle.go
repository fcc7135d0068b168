package shape

import "github.com/foretick/foretick/geom"

// convex is a convex shape on its way through many triangles.
type convex struct {
	f      geom.Frame // as the triangles are given
	round  bool       // a sphere or capsule
	radius float32
	e      geom.Vec3 // half the core of a capsule, in the triangles' axes
	p      poly      // of a box or hull, in its own axes
	slop   float32   // see featureSlop
}

// convexOf prepares a convex shape; f is its frame as the triangles are given.
func (st *Store) convexOf(s *Shape, f *geom.Frame, room *boxRoom) convex {
	c := convex{f: *f}
	switch s.Kind {
	case Sphere, Capsule:
		c.round, c.radius = true, s.A
		if s.Kind == Capsule {
			c.e = f.R.Y.Mul(s.B)
		}
		c.slop = slopOf(s.A)
	case Box:
		c.p = boxPoly(s.Half(), room)
		c.slop = slopOf(lesser(lesser(s.A, s.B), s.C))
	case Hull:
		h := &st.hulls[s.Ref]
		c.p, c.slop = h.poly, slopOf(h.core)
	}
	return c
}

// slopOf is the slop for a shape that is size in its smallest direction.
func slopOf(size float32) float32 { return lesser(featureSlop, float32(size*featureShare)) }

// triangle is one in the axes of the convex shape, from its origin, turned so
// that the shape is in front.
type triangle struct {
	v [3]geom.Vec3
	n geom.Vec3    // unit
	g [3]geom.Vec3 // outward in the plane, square to the edge from corner k to the next, not unit
	// active edges, bits 0 to 2: over the others a normal may not lean.
	active edgeFlags
}

// convexTriangle is the contact of a convex shape with a triangle that is
// given in the axes that c.f is in. The manifold is in these axes too, P from
// c.f.P, the normal from the shape to the triangle.
//
// A one-sided triangle touches nothing whose centre is behind it. Where the
// normal would lean over an inactive edge, away from the triangle, that of the
// face is taken.
func convexTriangle(c *convex, v *[3]geom.Vec3, edges edgeFlags, twoSided bool, margin float32, m *Manifold) bool {
	var t triangle
	p := c.f.P
	t.v = [3]geom.Vec3{v[0].Sub(p), v[1].Sub(p), v[2].Sub(p)}
	if !c.round {
		r := &c.f.R
		t.v = [3]geom.Vec3{r.MulT(t.v[0]), r.MulT(t.v[1]), r.MulT(t.v[2])}
	}
	u, w := t.v[1].Sub(t.v[0]), t.v[2].Sub(t.v[0])
	n := u.Cross(w).Norm()
	d := n.Dot(c.p.centre) - n.Dot(t.v[0]) // of the centre, in front
	t.n, t.active = n, edges.front()
	if d < 0 {
		if !twoSided {
			return false
		}
		t.n, t.active, d = n.Neg(), edges.back(), 0-d
	}
	if c.round {
		if !(d-geom.Abs(n.Dot(c.e))-c.radius < margin) || n == (geom.Vec3{}) {
			return false
		}
		t.g = [3]geom.Vec3{u.Cross(n), t.v[2].Sub(t.v[1]).Cross(n), n.Cross(w)}
		return roundTriangle(c, &t, d, margin, m)
	}
	if n == (geom.Vec3{}) {
		return false
	}
	t.g = [3]geom.Vec3{u.Cross(n), t.v[2].Sub(t.v[1]).Cross(n), n.Cross(w)}
	if !polyTriangle(c, &t, margin, m) {
		return false
	}
	m.turn(&c.f.R)
	return true
}

// leans reports whether w, at a corner or on an edge, leads over an inactive
// edge more than over an active one. touched are the edges that end there.
func (t *triangle) leans(w geom.Vec3, touched edgeFlags) bool {
	var on, off float32
	for k := range t.g {
		if touched>>k&1 == 0 {
			continue
		}
		s := float32(w.Dot(t.g[k]) / geom.Sqrt(t.g[k].Len2()))
		if t.active>>k&1 != 0 {
			on = greater(on, s)
		} else {
			off = greater(off, s)
		}
	}
	return off > on
}

// roundTriangle is convexTriangle of a core from -e to e, whose centre is d in
// front of the plane.
func roundTriangle(c *convex, t *triangle, d, margin float32, m *Manifold) bool {
	e := c.e
	slope := t.n.Dot(e)
	lo, hi, within := t.stretch(e)
	face, top := float32(-noAxis), float32(noAxis) // least and most in front
	low := d - geom.Abs(slope)
	if within {
		face, top = d+float32(slope*lo), d+float32(slope*hi)
		if face > top {
			face, top = top, face
		}
		if face >= 0 && face <= low || face <= coreTouch && top >= -coreTouch { // the nearest part of the core is over the face, or it goes through
			return roundFace(c, t, d, slope, lo, hi, margin, m)
		}
	}
	p, q, touched := t.nearestEdge(e)
	n := q.Sub(p)
	l2 := n.Len2()
	if far := c.radius + margin; !(l2 < float32(far*far)) && !(within && geom.Abs(top) < far) || far <= 0 {
		return false
	}
	if face < 0 && t.through(touched) {
		return roundFace(c, t, d, slope, lo, hi, margin, m)
	}
	if l2 <= coreTouch2 {
		return within && roundFace(c, t, d, slope, lo, hi, margin, m)
	}
	if face < 0 { // around an open edge or a ridge, to the back
		t.n, slope, d, face = t.n.Neg(), 0-slope, 0-d, 0-top
		low = d - geom.Abs(slope)
	}
	l := geom.Sqrt(l2)
	n = n.Mul(1 / l)
	lean := t.leans(n.Neg(), touched)
	if within && (lean || face <= low || l <= low+c.slop && face <= l+c.slop) {
		return roundFace(c, t, d, slope, lo, hi, margin, m)
	}
	sep := l - c.radius
	if !(sep < margin) {
		return false
	}
	if lean {
		n = t.n.Neg()
	}
	m.Normal, m.Count = n, 0
	m.add(p.MulAdd(n, c.radius+float32(sep*0.5)), sep)
	return true
}

// through reports whether what is behind the face came there through the
// triangle beyond an edge, for all that this edge tells.
func (t *triangle) through(touched edgeFlags) bool { return touched&^t.active != 0 }

// roundFace makes contacts of the stretch of the core that is over the face.
func roundFace(c *convex, t *triangle, d, slope, lo, hi, margin float32, m *Manifold) bool {
	if c.e == (geom.Vec3{}) {
		lo, hi = 0, 0
	}
	return coreOnFace(&plane{n: t.n}, c.e, d, slope, lo, hi, c.radius, margin, m)
}

// stretch returns which part of the core, -1 to 1, is in the prism over the
// triangle.
func (t *triangle) stretch(e geom.Vec3) (lo, hi float32, ok bool) {
	lo, hi = -1, 1
	for k := range t.g {
		if !trim(t.g[k], 0-t.g[k].Dot(t.v[k]), e, &lo, &hi) {
			return 0, 0, false
		}
	}
	return lo, hi, lo <= hi
}

// nearestEdge returns where the core comes nearest to the triangle's border,
// and the edges that this point is on.
func (t *triangle) nearestEdge(e geom.Vec3) (p, q geom.Vec3, touched edgeFlags) {
	best := float32(-noAxis)
	h := e.Len()
	var u geom.Vec3
	if h > 0 {
		u = e.Mul(1 / h)
	}
	for k := 0; k < 3; k++ {
		a := t.v[k]
		v := t.v[nextCorner[k]].Sub(a).Mul(0.5)
		hv := v.Len()
		v1 := v.Mul(1 / hv)
		c := a.Add(v)
		var s, r float32
		if h > 0 {
			s, r = nearestOnCores(c, u, v1, h, hv, u.Cross(v1).Len2())
		} else {
			r = geom.Clamp(0-c.Dot(v1), 0-hv, hv)
		}
		x, y := u.Mul(s), c.MulAdd(v1, r)
		if l := y.Sub(x).Len2(); l < best {
			best, p, q = l, x, y
			touched = 1 << k
			if r >= hv {
				touched |= 1 << nextCorner[k]
			} else if r <= 0-hv {
				touched |= 1 << nextCorner[nextCorner[k]]
			}
		}
	}
	return p, q, touched
}

var nextCorner = [3]uint8{1, 2, 0}

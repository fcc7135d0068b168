package shape

import "github.com/foretick/foretick/geom"

// boxHull and hullHull work in the first one's axes.
func boxHull(a *Shape, fa *geom.Frame, b *hull, fb *geom.Frame, margin float32, m *Manifold) bool {
	var room boxRoom
	p := boxPoly(a.Half(), &room)
	return polyHull(&p, slopOf(lesser(lesser(a.A, a.B), a.C)), fa, b, fb, margin, m)
}

func hullHull(a *hull, fa *geom.Frame, b *hull, fb *geom.Frame, margin float32, m *Manifold) bool {
	return polyHull(&a.poly, slopOf(a.core), fa, b, fb, margin, m)
}

func polyHull(a *poly, slop float32, fa *geom.Frame, b *hull, fb *geom.Frame, margin float32, m *Manifold) bool {
	var room polyRoom
	f := fa.To(fb)
	q := b.seen(&f, &room)
	if !polyPoly(a, &q, slop, margin, m) {
		return false
	}
	m.turn(&fa.R)
	return true
}

// sphereHull works in the hull's axes.
func sphereHull(radius float32, fa *geom.Frame, b *hull, fb *geom.Frame, margin float32, m *Manifold) bool {
	c := fb.Local(fa.P)
	k, face := b.highest(c)
	if !(face-radius < margin) {
		return false
	}
	n, l := b.planes[k].n, face // outwards
	if face > coreTouch && !b.inPrism(k, c) {
		q := b.nearestOnEdges(c)
		d := c.Sub(q)
		if l2 := d.Len2(); l2 > coreTouch2 {
			l = geom.Sqrt(l2)
			n = d.Mul(1 / l)
		}
	}
	sep := l - radius
	if !(sep < margin) {
		return false
	}
	n = fb.R.Mul(n).Neg()
	m.Normal, m.Count = n, 0
	m.add(n.Mul(radius+float32(sep*0.5)), sep)
	return true
}

// highest returns the face that a point is highest above, and how high.
func (p *poly) highest(c geom.Vec3) (int, float32) {
	k, best := 0, float32(noAxis)
	for i := range p.planes {
		if l := p.planes[i].above(c); l > best {
			k, best = i, l
		}
	}
	return k, best
}

// inPrism reports whether a point is over a face.
func (p *poly) inPrism(k int, c geom.Vec3) bool {
	loop, n := p.face(k), p.planes[k].n
	a := p.verts[loop[len(loop)-1]]
	for _, i := range loop {
		b := p.verts[i]
		if b.Sub(a).Cross(n).Dot(c.Sub(a)) > 0 {
			return false
		}
		a = b
	}
	return true
}

// nearestOnEdges returns the point of the edges that is nearest to c.
func (p *poly) nearestOnEdges(c geom.Vec3) geom.Vec3 {
	best, q := float32(-noAxis), c
	for i := range p.edges {
		a := p.verts[p.edges[i].a]
		u := p.verts[p.edges[i].b].Sub(a)
		x := a.MulAdd(u, geom.Clamp(u.Dot(c.Sub(a))/u.Len2(), 0, 1))
		if l := x.Sub(c).Len2(); l < best {
			best, q = l, x
		}
	}
	return q
}

package shape

import "github.com/foretick/foretick/geom"

// capsuleHull works in the hull's axes, where the core is the segment from c-e
// to c+e. What is nearest is an end over the face that separates most, or else
// a place on an edge.
func capsuleHull(a *Shape, fa *geom.Frame, b *hull, fb *geom.Frame, margin float32, m *Manifold) bool {
	c, e := fb.Local(fa.P), fb.R.MulT(fa.R.Y).Mul(a.B)
	p := &b.poly
	k, face := 0, float32(noAxis)
	for i := range p.planes {
		if l := p.planes[i].above(c) - geom.Abs(p.planes[i].n.Dot(e)); l > face {
			k, face = i, l
			if face-a.A >= margin {
				return false
			}
		}
	}
	pl := &p.planes[k]
	d, slope := pl.above(c), pl.n.Dot(e)
	lo, hi, over := p.stretch(k, c, e)
	slop := slopOf(lesser(a.A, b.core))
	low := d + float32(slope*lo)
	if l := d + float32(slope*hi); l < low {
		low = l
	}
	if over && low <= face && face > 0 { // the nearest end is over the face
		return coreOnFace(pl, e, d, slope, lo, hi, a.A, margin, m) && m.turned(&fb.R)
	}
	n, l, x, y, deep := p.nearestToCore(c, e, k, face)
	if over && l <= face+slop && (deep || low <= l+slop) && coreOnFace(pl, e, d, slope, lo, hi, a.A, margin, m) {
		return m.turned(&fb.R)
	}
	if !(l-a.A < margin) {
		return false
	}
	m.Normal, m.Count = n, 0
	m.add(x.Add(y).MulAdd(n, a.A).Mul(0.5).Sub(c), l-a.A)
	return m.turned(&fb.R)
}

// turned is turn where more is to be returned.
func (m *Manifold) turned(r *geom.Mat3) bool {
	m.turn(r)
	return true
}

// stretch returns which part of a core, -1 to 1, is over a face.
func (p *poly) stretch(k int, c, e geom.Vec3) (lo, hi float32, ok bool) {
	lo, hi = -1, 1
	loop, n := p.face(k), p.planes[k].n
	a := p.verts[loop[len(loop)-1]]
	for _, i := range loop {
		b := p.verts[i]
		g := b.Sub(a).Cross(n)
		if !trim(g, g.Dot(c.Sub(a)), e, &lo, &hi) {
			return 0, 0, false
		}
		a = b
	}
	return lo, hi, lo <= hi
}

// trim cuts lo and hi where a core leaves one side of a prism; g is outwards,
// not unit, x how far outside the centre is times g's length.
func trim(g geom.Vec3, x float32, e geom.Vec3, lo, hi *float32) bool {
	s := g.Dot(e)
	size := geom.Abs(g.X) + geom.Abs(g.Y) + geom.Abs(g.Z)
	x -= float32(clipGrow * size)
	switch {
	case geom.Abs(s) <= float32(1e-6*size):
		return x <= 0
	case s > 0:
		*hi = lesser(*hi, float32((0-x)/s))
	default:
		*lo = greater(*lo, float32((0-x)/s))
	}
	return true
}

// coreOnFace makes contacts of the stretch of a core over a face: its centre is d
// above the plane, and rises by slope from the centre to e.
func coreOnFace(pl *plane, e geom.Vec3, d, slope, lo, hi, radius, margin float32, m *Manifold) bool {
	m.Normal, m.Count = pl.n.Neg(), 0
	for {
		l := d + float32(slope*lo)
		if sep := l - radius; sep < margin {
			m.add(e.Mul(lo).MulAdd(m.Normal, float32((l+radius)*0.5)), sep)
		}
		if !(lo < hi) {
			return m.Count > 0
		}
		lo = hi
	}
}

// nearestToCore returns the normal from a core to a polytope, how far they are
// apart along it, and where: x on the core, y on an edge. If they overlap, deep,
// l is below 0, and the way out is along the face or square to an edge.
func (p *poly) nearestToCore(c, e geom.Vec3, face int, sep float32) (n geom.Vec3, l float32, x, y geom.Vec3, deep bool) {
	best := float32(-noAxis)
	for i := range p.edges {
		u, v := nearestOnSegments(c.Sub(e), c.Add(e), p.verts[p.edges[i].a], p.verts[p.edges[i].b])
		if d := v.Sub(u).Len2(); d < best {
			best, x, y = d, u, v
		}
	}
	if deep = sep <= coreTouch && p.meets(c, e); !deep && best > coreTouch2 {
		l = geom.Sqrt(best)
		return y.Sub(x).Mul(1 / l), l, x, y, false
	}
	pl := &p.planes[face]
	end := c.Add(e)
	if pl.n.Dot(e) > 0 {
		end = c.Sub(e)
	}
	n, l, x, y = pl.n.Neg(), sep, end, end.MulAdd(pl.n, 0-sep)
	least := sep + bias(sep, featureSlop)
	for i := range p.edges {
		g := &p.edges[i]
		a, b := p.planes[g.left].n, p.planes[g.right].n
		if float32(a.Dot(e)*b.Dot(e)) >= 0 {
			continue
		}
		v := p.verts[g.b].Sub(p.verts[g.a])
		w := v.Cross(e)
		w2 := w.Len2()
		if w2 <= float32(float32(v.Len2()*e.Len2())*parallelSine2) {
			continue
		}
		w = w.Mul(1 / geom.Sqrt(w2))
		if w.Dot(a)+w.Dot(b) < 0 {
			w = w.Neg()
		}
		if s := w.Dot(c.Sub(p.verts[g.a])); s > least {
			least, l, n = s, s, w.Neg()
			x, y = nearestOnSegments(c.Sub(e), c.Add(e), p.verts[g.a], p.verts[g.b])
		}
	}
	return n, l, x, y, true
}

// meets reports whether a core and a polytope have a point in common.
func (p *poly) meets(c, e geom.Vec3) bool {
	lo, hi := float32(-1), float32(1)
	for i := range p.planes {
		if !trim(p.planes[i].n, p.planes[i].above(c), e, &lo, &hi) || lo > hi {
			return false
		}
	}
	return true
}

package shape

// support returns the corner of a polytope that is the furthest along d.
func (p *poly) support(d v3) v3 {
	best, at := -1e300, 0
	for i := range p.verts {
		if x := wide(p.verts[i]).dot(d); x > best {
			best, at = x, i
		}
	}
	return wide(p.verts[at])
}

// waysOut tries the ways out of a polytope that may be the shortest: along its
// faces' normals, and across an edge and the core.
func (p *poly) waysOut(w *wayOut) {
	for i := range p.planes {
		n := wide(p.planes[i].n).norm()
		w.along(n, n.dot(p.support(n)))
	}
	if w.s == (v3{}) {
		return
	}
	for _, e := range p.edges {
		a, b := wide(p.verts[e.a]), wide(p.verts[e.b])
		n := w.s.cross(b.sub(a)).norm()
		if n == (v3{}) {
			continue
		}
		w.along(n, n.dot(p.support(n)))
		n = n.neg()
		w.along(n, n.dot(p.support(n)))
	}
}

// rayHull cuts the ray by all faces: Cyrus and Beck, 1978.
func (k *casting) rayHull(h *hull) {
	in, out, face := 0.0, 1.0, -1
	near, over, inside := 0, -1e300, true
	for i := range h.planes {
		p := &h.planes[i]
		n := wide(p.n)
		x, v := n.dot(k.p)-float64(p.d), n.dot(k.d)
		if x > over {
			near, over = i, x
		}
		inside = inside && x < 0
		switch {
		case v < 0:
			if t := x / -v; t >= in {
				in, face = t, i
			}
		case v > 0:
			if t := x / -v; t < out {
				out = t
			}
		case x > 0:
			return
		}
	}
	if inside {
		k.offer(0, k.p, wide(h.planes[near].n).norm(), 0, true, false)
		return
	}
	if face >= 0 && in <= out {
		k.offer(in, k.p.plus(k.d, in), wide(h.planes[face].n).norm(), 0, false, false)
	}
}

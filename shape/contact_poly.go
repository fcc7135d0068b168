package shape

import "github.com/foretick/foretick/geom"

// polyAxis is the best separating axis so far of two polytopes a and b.
type polyAxis struct {
	sep    float32
	normal geom.Vec3 // from a to b
	face   int       // of a, or b with ofB; -1: the edges
	ofB    bool
	ea, eb int
}

// bias is how much better than sep an axis that comes later must separate.
func bias(sep, slop float32) float32 { return slop + float32(geom.Abs(sep)*featureShare) }

// lost reports whether clipping has left out what is deepest below a face by
// so much that the preference for the face cannot be why: the faces pass each
// other, and edges meet.
func lost(sep, slop float32, m *Manifold) bool {
	return sep < 0 && m.deepest() > sep+2*bias(sep, slop)
}

// polyPoly is the contact of two polytopes in the axes of one frame; P is from
// its origin. Pairs of edges count if their arcs cross on the Gauss map
// (D. Gregorius 2013).
func polyPoly(a, b *poly, slop, margin float32, m *Manifold) bool {
	x := polyAxis{sep: noAxis, face: -1}
	x.face, x.sep = bestFace(a.planes, b.verts, b.centre, b.core, margin)
	if !(x.sep <= margin) {
		return false
	}
	k, s := bestFace(b.planes, a.verts, a.centre, a.core, margin)
	if !(s <= margin) {
		return false
	}
	if s > x.sep+bias(x.sep, slop) {
		x.sep, x.face, x.ofB = s, k, true
	}
	face := x
	if !polyEdges(a, b, x.sep+bias(x.sep, slop), margin, &x) {
		return false
	}
	m.Count = 0
	if x.face >= 0 {
		found := face.clip(a, b, margin, m)
		if found && !lost(x.sep, slop, m) {
			return true
		}
		if polyEdges(a, b, x.sep, margin, &x); x.face >= 0 {
			return found || x.sep < 0 && face.corner(a, b, m)
		}
	}
	polyEdgePoint(a, b, &x, m)
	return true
}

// bestFace returns the plane that most separates the points of a polytope, in
// which there is a ball, from another one. It stops at one that separates by
// more than the margin.
func bestFace(planes []plane, verts []geom.Vec3, ball geom.Vec3, radius, margin float32) (int, float32) {
	best, at := float32(noAxis), -1
	for i := range planes {
		n, d := planes[i].n, planes[i].d
		if n.Dot(ball)-d-radius <= best {
			continue
		}
		low := n.Dot(verts[0])
		for _, v := range verts[1:] {
			if l := n.Dot(v); l < low {
				low = l
			}
		}
		if low -= d; low > best {
			best, at = low, i
			if best > margin {
				break
			}
		}
	}
	return at, best
}

// polyEdges looks for a pair of edges that separates better than least, and
// returns false if one separates by more than the margin. The balls inside
// bound what a normal can separate, and so which edges are tried.
func polyEdges(a, b *poly, least, margin float32, x *polyAxis) bool {
	var roomA, roomB [3 * maxHullVerts]uint8
	d := b.centre.Sub(a.centre)
	q := least + a.core + b.core - float32(edgeSlop*d.Len())
	back := b.edgesToward(d.Neg(), q, &roomB)
	if len(back) == 0 {
		return true
	}
	for _, i := range a.edgesToward(d, q, &roomA) {
		e := &a.edges[i]
		pa := a.verts[e.a]
		u := a.verts[e.b].Sub(pa)
		l, r := a.planes[e.left].n, a.planes[e.right].n
		u2 := float32(u.Len2() * parallelSine2)
		for _, j := range back {
			g := &b.edges[j]
			m, o := b.planes[g.left].n, b.planes[g.right].n
			if float32(u.Dot(m)*u.Dot(o)) >= 0 {
				continue
			}
			pb := b.verts[g.a]
			v := b.verts[g.b].Sub(pb)
			if float32(l.Dot(v)*r.Dot(v)) >= 0 {
				continue
			}
			n := u.Cross(v)
			l2 := n.Len2()
			if l2 <= float32(u2*v.Len2()) {
				continue
			}
			n = n.Mul(1 / geom.Sqrt(l2))
			if n.Dot(l)+n.Dot(r) < 0 {
				n = n.Neg()
			}
			if n.Dot(m)+n.Dot(o) > 0 {
				continue // crosses on the other side
			}
			if s := n.Dot(pb.Sub(pa)); s > least {
				if s > margin {
					return false
				}
				least = s
				*x = polyAxis{sep: s, normal: n, face: -1, ea: int(i), eb: int(j)}
			}
		}
	}
	return true
}

// clip makes the contacts of a face.
func (x *polyAxis) clip(a, b *poly, margin float32, m *Manifold) bool {
	ref, inc, sign := a, b, float32(1)
	if x.ofB {
		ref, inc, sign = b, a, -1
	}
	pl := &ref.planes[x.face]
	m.Normal = pl.n.Mul(sign)
	return clipFaces(ref.verts, ref.face(x.face), pl, inc.verts, inc.face(inc.lookingAt(pl.n)), margin, m)
}

// corner makes a contact of the vertex that is deepest below the face.
func (x *polyAxis) corner(a, b *poly, m *Manifold) bool {
	ref, inc := a, b
	if x.ofB {
		ref, inc = b, a
	}
	pl := &ref.planes[x.face]
	at, low := 0, float32(-noAxis)
	for i, v := range inc.verts {
		if l := pl.n.Dot(v); l < low {
			at, low = i, l
		}
	}
	s := pl.above(inc.verts[at])
	m.Count = 0
	m.add(inc.verts[at].MulAdd(pl.n, float32(s*-0.5)), s)
	return true
}

func polyEdgePoint(a, b *poly, x *polyAxis, m *Manifold) {
	ea, eb := &a.edges[x.ea], &b.edges[x.eb]
	p, q := nearestOnSegments(a.verts[ea.a], a.verts[ea.b], b.verts[eb.a], b.verts[eb.b])
	m.Normal, m.Count = x.normal, 0
	m.add(p.Add(q).Mul(0.5), x.sep)
}

// nearestOnSegments returns where the segments from a to b and from c to d,
// none of them a point, come nearest.
func nearestOnSegments(a, b, c, d geom.Vec3) (p, q geom.Vec3) {
	u, v := b.Sub(a).Mul(0.5), d.Sub(c).Mul(0.5)
	a, c = a.Add(u), c.Add(v)
	hu, hv := u.Len(), v.Len()
	u, v = u.Mul(1/hu), v.Mul(1/hv)
	s, t := nearestOnCores(c.Sub(a), u, v, hu, hv, u.Cross(v).Len2())
	return a.MulAdd(u, s), c.MulAdd(v, t)
}

package shape

import "github.com/foretick/foretick/geom"

var (
	triangleLoop = [3]uint8{0, 1, 2}
	triangleBack = [3]uint8{2, 1, 0}
)

// triAxis is the best separating axis of a polytope and a triangle.
type triAxis struct {
	sep  float32
	n    geom.Vec3 // from the polytope to the triangle
	face int       // of the polytope; -1: the triangle's; -2: two edges
	e, k int       // edge of the polytope, edge of the triangle
}

// polyTriangle is convexTriangle of a polytope, in its axes. The face of the
// triangle is preferred to those of the polytope, these to edges.
func polyTriangle(c *convex, t *triangle, margin float32, m *Manifold) bool {
	p := &c.p
	low := t.n.Dot(p.verts[0])
	for _, v := range p.verts[1:] {
		low = lesser(low, t.n.Dot(v))
	}
	x := triAxis{sep: low - t.n.Dot(t.v[0]), n: t.n.Neg(), face: -1}
	if !(x.sep <= margin) {
		return false
	}
	k, s := bestFace(p.planes, t.v[:], t.v[0], 0, margin)
	if !(s <= margin) {
		return false
	}
	if s > x.sep+bias(x.sep, c.slop) {
		x.sep, x.n, x.face = s, p.planes[k].n, k
	}
	face := x
	if !t.edges(p, x.sep+bias(x.sep, c.slop), margin, &x) {
		return false
	}
	if x.face != -1 && t.leans(x.n.Neg(), t.touched(&x)) {
		if !t.onFace(p, margin, m) {
			return false
		}
		for i := range m.Points[:m.Count] { // no deeper than they are
			m.Points[i].Sep = greater(m.Points[i].Sep, x.sep)
		}
		return true
	}
	if x.face == -2 {
		t.edgePoint(p, &x, m)
		return true
	}
	if x.face == -1 && t.onFace(p, margin, m) || x.face >= 0 && t.underFace(p, x.face, margin, m) {
		return true
	}
	// The faces pass each other.
	if t.edges(p, face.sep, margin, &x); x.face != -2 || t.leans(x.n.Neg(), t.touched(&x)) {
		return false
	}
	t.edgePoint(p, &x, m)
	return true
}

// edges looks for an edge of each that separate better than least, and returns
// false if they separate by more than the margin.
func (t *triangle) edges(p *poly, least, margin float32, x *triAxis) bool {
	var room [3 * maxHullVerts]uint8
	d := t.v[0].Sub(p.centre)
	for _, i := range p.edgesToward(d, least+p.core-float32(edgeSlop*d.Len()), &room) {
		e := &p.edges[i]
		pa := p.verts[e.a]
		u := p.verts[e.b].Sub(pa)
		l, r := p.planes[e.left].n, p.planes[e.right].n
		for k := 0; k < 3; k++ {
			pb := t.v[k]
			v := t.v[nextCorner[k]].Sub(pb)
			if float32(l.Dot(v)*r.Dot(v)) >= 0 {
				continue
			}
			n := u.Cross(v)
			l2 := n.Len2()
			if l2 <= float32(float32(u.Len2()*v.Len2())*parallelSine2) {
				continue
			}
			n = n.Mul(1 / geom.Sqrt(l2))
			if n.Dot(l)+n.Dot(r) < 0 {
				n = n.Neg()
			}
			if n.Dot(t.g[k]) > 0 {
				continue // the third corner is nearer
			}
			if s := n.Dot(pb.Sub(pa)); s > least {
				if s > margin {
					return false
				}
				least = s
				*x = triAxis{s, n, -2, int(i), k}
			}
		}
	}
	return true
}

// touched returns the edges that the nearest point of the triangle is on:
// both at a corner, none within the face.
func (t *triangle) touched(x *triAxis) edgeFlags {
	if x.face == -2 {
		return 1 << x.k
	}
	a, b, c := x.n.Dot(t.v[0]), x.n.Dot(t.v[1]), x.n.Dot(t.v[2])
	low := lesser(lesser(a, b), c) + featureSlop
	var on edgeFlags // corners
	if a <= low {
		on |= 1
	}
	if b <= low {
		on |= 2
	}
	if c <= low {
		on |= 4
	}
	return touchedBy[on&7]
}

// touchedBy has the edges of corners, as sets: one corner is on two edges, two
// are on the one between them, three are the face.
var touchedBy = [8]edgeFlags{0, 1 | 4, 1 | 2, 1, 4 | 2, 4, 2, 0}

// onFace makes contacts of a polytope's face over the triangle.
func (t *triangle) onFace(p *poly, margin float32, m *Manifold) bool {
	pl := plane{t.n, t.n.Dot(t.v[0])}
	m.Normal = t.n.Neg()
	loop := triangleLoop[:]
	if t.g[0].Dot(t.v[1].Sub(t.v[0]).Cross(t.n)) < 0 { // seen from behind
		loop = triangleBack[:]
	}
	return clipFaces(t.v[:], loop, &pl, p.verts, p.face(p.lookingAt(t.n)), margin, m)
}

// underFace makes contacts of the triangle under a polytope's face.
func (t *triangle) underFace(p *poly, k int, margin float32, m *Manifold) bool {
	pl := &p.planes[k]
	m.Normal = pl.n
	return clipFaces(p.verts, p.face(k), pl, t.v[:], triangleLoop[:], margin, m)
}

func (t *triangle) edgePoint(p *poly, x *triAxis, m *Manifold) {
	e := &p.edges[x.e]
	a, b := nearestOnSegments(p.verts[e.a], p.verts[e.b], t.v[x.k], t.v[nextCorner[x.k]])
	m.Normal, m.Count = x.n, 0
	m.add(a.Add(b).Mul(0.5), x.sep)
}

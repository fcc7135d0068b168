package shape

import "github.com/foretick/foretick/geom"

// poly is a convex polytope in flat tables.
type poly struct {
	verts  []geom.Vec3
	planes []plane // of the faces, outwards
	faces  []span  // of loop
	loop   []uint8 // numbers of vertices, face by face, counterclockwise from outside
	edges  []polyEdge
	centre geom.Vec3 // a point inside
	core   float32   // a ball of this radius about centre is inside
}

// plane is where n.x = d; n is a unit vector.
type plane struct {
	n geom.Vec3
	d float32
}

func (p *plane) above(v geom.Vec3) float32 { return p.n.Dot(v) - p.d }

type span struct{ first, n uint16 }

// polyEdge runs from a to b in the loop of left, and back in that of right.
type polyEdge struct{ a, b, left, right uint8 }

// face returns the vertices of a face.
func (p *poly) face(k int) []uint8 {
	s := p.faces[k]
	return p.loop[s.first : s.first+s.n]
}

// Box k's faces are -X, +X, -Y, +Y, -Z, +Z; bit i of a corner's number says
// that it is on the positive side of axis i.
var (
	boxFaces = [6]span{{0, 4}, {4, 4}, {8, 4}, {12, 4}, {16, 4}, {20, 4}}
	boxLoop  = [24]uint8{
		0, 4, 6, 2,
		1, 3, 7, 5,
		0, 1, 5, 4,
		2, 6, 7, 3,
		0, 2, 3, 1,
		4, 5, 7, 6,
	}
	boxEdges = edgesOf(boxLoop[:], boxFaces[:])
)

// edgesOf finds the edges of a closed surface: each pair of vertices that runs
// one way in one face and back in another.
func edgesOf(loop []uint8, faces []span) []polyEdge {
	var edges []polyEdge
	for k, s := range faces {
		l := loop[s.first : s.first+s.n]
		for i, a := range l {
			b := l[(i+1)%len(l)]
			if a > b {
				continue
			}
			for o, t := range faces {
				r := loop[t.first : t.first+t.n]
				for j := range r {
					if r[j] == b && r[(j+1)%len(r)] == a {
						edges = append(edges, polyEdge{a, b, uint8(k), uint8(o)})
					}
				}
			}
		}
	}
	return edges
}

// polyRoom is what a polytope is built in.
type polyRoom struct {
	verts  [maxHullVerts]geom.Vec3
	planes [maxHullFaces]plane
}

// boxPoly returns a box as a polytope in its own axes.
func boxPoly(h geom.Vec3, room *boxRoom) poly {
	for i := range room.verts {
		v := h
		if i&1 == 0 {
			v.X = 0 - v.X
		}
		if i&2 == 0 {
			v.Y = 0 - v.Y
		}
		if i&4 == 0 {
			v.Z = 0 - v.Z
		}
		room.verts[i] = v
	}
	room.planes = [6]plane{
		{geom.Vec3{X: -1}, h.X}, {geom.Vec3{X: 1}, h.X},
		{geom.Vec3{Y: -1}, h.Y}, {geom.Vec3{Y: 1}, h.Y},
		{geom.Vec3{Z: -1}, h.Z}, {geom.Vec3{Z: 1}, h.Z},
	}
	return poly{verts: room.verts[:], planes: room.planes[:], faces: boxFaces[:], loop: boxLoop[:], edges: boxEdges, core: lesser(lesser(h.X, h.Y), h.Z)}
}

// boxRoom is what a box is turned into a polytope in.
type boxRoom struct {
	verts  [8]geom.Vec3
	planes [6]plane
}

// seen returns p as seen from the frame that f is given in, built in room.
func (p *poly) seen(f *geom.Frame, room *polyRoom) poly {
	q := *p
	for i, v := range p.verts {
		room.verts[i] = f.Point(v)
	}
	for i := range p.planes {
		n := f.R.Mul(p.planes[i].n)
		room.planes[i] = plane{n, p.planes[i].d + n.Dot(f.P)}
	}
	q.verts, q.planes = room.verts[:len(p.verts)], room.planes[:len(p.planes)]
	q.centre = f.Point(p.centre)
	return q
}

// lookingAt returns, of the faces at the vertex that is furthest against n, the
// one whose normal is most against n. Of thin hulls another face may be more so.
func (p *poly) lookingAt(n geom.Vec3) int {
	v, low := 0, n.Dot(p.verts[0])
	for i := range p.verts {
		if l := n.Dot(p.verts[i]); l < low {
			v, low = i, l
		}
	}
	k, least := 0, float32(2)
	for i := range p.planes {
		d := p.planes[i].n.Dot(n)
		if d >= least {
			continue
		}
		for _, j := range p.face(i) {
			if int(j) == v {
				k, least = i, d
				break
			}
		}
	}
	return k
}

// edgesToward finds the edges at which p may be furthest along a normal n with
// n.d > q: those between two faces on whose arc there is one.
func (p *poly) edgesToward(d geom.Vec3, q float32, keep *[3 * maxHullVerts]uint8) []uint8 {
	n := 0
	for i := range p.edges {
		e := &p.edges[i]
		a, b := p.planes[e.left].n, p.planes[e.right].n
		x, y := a.Dot(d), b.Dot(d)
		if x <= q && y <= q {
			// Is the arc's nearest normal to d between the two, and near enough?
			c := a.Dot(b)
			if x <= float32(c*y) || y <= float32(c*x) {
				continue
			}
			if q > 0 && float32(x*x)+float32(y*y)-float32(2*float32(c*float32(x*y))) <= float32(float32(q*q)*(1-float32(c*c))) {
				continue
			}
		}
		keep[n] = uint8(i)
		n++
	}
	return keep[:n]
}

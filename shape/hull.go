package shape

import (
	"errors"

	"github.com/foretick/foretick/geom"
)

// hull is a convex polytope with what a body needs of it.
type hull struct {
	poly
	mass  Mass // of density 1
	reach float32
}

var (
	errHullPoints = errors.New("shape: a hull has less than 4 points, or more than 2^16")
	errHullPoint  = errors.New("shape: a point of a hull is not finite or beyond 10 km")
	errHullFlat   = errors.New("shape: a hull is thinner than 1 mm, or than a ten-thousandth of its length")
	errHullBuild  = errors.New("shape: the points of a hull lie so that its faces cannot be told apart in float32")
)

// AddHull adds the convex hull of points, which are copied. Points within about
// a hundred-thousandth of its size inside or outside a face count as on it; a
// hull of more than 64 vertices is made smaller, by leaving out what sticks out
// least. The origin of the shape is that of the points, inside or not.
func (st *Store) AddHull(points []geom.Vec3) (Shape, error) {
	b, err := buildHull(points)
	if err != nil {
		return Shape{}, err
	}
	st.hulls = append(st.hulls, b.finish())
	return Shape{Kind: Hull, Ref: uint32(len(st.hulls) - 1)}, nil
}

// bounds takes every vertex to space.
func (h *hull) bounds(f *geom.Frame) AABB {
	p := f.R.Mul(h.verts[0])
	b := AABB{p, p}
	for _, v := range h.verts[1:] {
		p = f.R.Mul(v)
		b.join(&AABB{p, p})
	}
	return AABB{b.Min.Add(f.P), b.Max.Add(f.P)}
}

// finish turns what was built into float32.
func (b *hullBuild) finish() hull {
	var h hull
	for _, v := range b.pts {
		h.verts = append(h.verts, v.narrow())
		h.reach = greater(h.reach, v.narrow().Len())
	}
	for _, f := range b.faces {
		h.faces = append(h.faces, span{uint16(len(h.loop)), uint16(len(f.loop))})
		h.loop = append(h.loop, f.loop...)
		n := f.n.narrow()
		d := n.Dot(h.verts[0])
		for _, v := range h.verts[1:] {
			d = greater(d, n.Dot(v))
		}
		h.planes = append(h.planes, plane{n, d})
	}
	h.edges = edgesOf(h.loop, h.faces)
	h.mass = b.mass()
	h.centre = h.mass.Centre
	h.core = maxSize
	for i := range h.planes {
		h.core = lesser(h.core, 0-h.planes[i].above(h.centre))
	}
	h.core = greater(h.core, 0)
	return h
}

// mass adds up the tetrahedra between a point inside and the triangles of the
// surface, for density 1 (D. Eberly 2002, on polyhedral mass properties).
func (b *hullBuild) mass() Mass {
	var o v3
	for _, p := range b.pts {
		o = o.plus(p, 1/float64(len(b.pts)))
	}
	var vol, xx, yy, zz, xy, yz, zx float64
	var mid v3
	for _, f := range b.faces {
		p := b.pts[f.loop[0]].sub(o)
		for i := 2; i < len(f.loop); i++ {
			q, r := b.pts[f.loop[i-1]].sub(o), b.pts[f.loop[i]].sub(o)
			det := p.dot(q.cross(r))
			s := p.add(q).add(r)
			vol += det
			mid = mid.plus(s, det)
			xx += float64(det * second(p.X, q.X, r.X, s.X, p.X, q.X, r.X, s.X))
			yy += float64(det * second(p.Y, q.Y, r.Y, s.Y, p.Y, q.Y, r.Y, s.Y))
			zz += float64(det * second(p.Z, q.Z, r.Z, s.Z, p.Z, q.Z, r.Z, s.Z))
			xy += float64(det * second(p.X, q.X, r.X, s.X, p.Y, q.Y, r.Y, s.Y))
			yz += float64(det * second(p.Y, q.Y, r.Y, s.Y, p.Z, q.Z, r.Z, s.Z))
			zx += float64(det * second(p.Z, q.Z, r.Z, s.Z, p.X, q.X, r.X, s.X))
		}
	}
	vol /= 6
	c := mid.mul(1 / (24 * vol))
	// From the point o to the centre of mass.
	xx, yy, zz = xx/120-float64(vol*float64(c.X*c.X)), yy/120-float64(vol*float64(c.Y*c.Y)), zz/120-float64(vol*float64(c.Z*c.Z))
	xy, yz, zx = xy/120-float64(vol*float64(c.X*c.Y)), yz/120-float64(vol*float64(c.Y*c.Z)), zx/120-float64(vol*float64(c.Z*c.X))
	return Mass{
		Mass:   float32(vol),
		Centre: o.add(c).narrow(),
		Inertia: geom.Mat3{
			X: v3{yy + zz, 0 - xy, 0 - zx}.narrow(),
			Y: v3{0 - xy, zz + xx, 0 - yz}.narrow(),
			Z: v3{0 - zx, 0 - yz, xx + yy}.narrow(),
		},
	}
}

// second is 120 times the integral of a coordinate a times b over the
// tetrahedron from 0 to p, q and r of determinant 1; s is the sum of the three.
func second(pa, qa, ra, sa, pb, qb, rb, sb float64) float64 {
	return float64(pa*pb) + float64(qa*qb) + float64(ra*rb) + float64(sa*sb)
}

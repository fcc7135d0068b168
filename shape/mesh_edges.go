package shape

import (
	"cmp"
	"math"
	"slices"

	"github.com/foretick/foretick/geom"
)

// edgeFlags says which edges of a triangle are active: a contact may push
// along a normal that leans over the edge, away from the face. Edge k runs from
// corner k to the next. Bits 0 to 2 are for what touches the front, bits 3 to 5
// for the back, since a ridge is a valley from behind.
//
// Active are open edges, edges of more than two triangles, and ridges of more
// than ridgeSine, whichever way the other triangle runs round. Over an inactive
// edge the other triangle is in the way, and its own contact holds.
type edgeFlags uint8

const (
	frontEdge edgeFlags = 1
	backEdge  edgeFlags = 8
	allEdges  edgeFlags = 63
)

// front and back return the flags of one side as bits 0 to 2.
func (e edgeFlags) front() edgeFlags { return e & 7 }
func (e edgeFlags) back() edgeFlags  { return e >> 3 }

// side is one triangle's part of an edge.
type side struct {
	to   uint32 // the edge's vertex with the larger number
	edge uint32 // 3*triangle + number of the edge
}

// findEdges returns the flags of triangles by geometric adjacency, in about
// linear time.
func findEdges(verts []geom.Vec3, tris [][3]uint32) []edgeFlags {
	one := weld(verts)
	ends := func(edge uint32) (uint32, uint32) {
		t := &tris[edge/3]
		a, b := one[t[edge%3]], one[t[(edge+1)%3]]
		if a > b {
			return b, a
		}
		return a, b
	}
	// Sides by their vertex with the smaller number: counted, then placed.
	first := make([]uint32, len(verts)+1)
	for e := range uint32(3 * len(tris)) {
		from, _ := ends(e)
		first[from+1]++
	}
	for i := range verts {
		first[i+1] += first[i]
	}
	sides := make([]side, 3*len(tris))
	for e := range uint32(3 * len(tris)) {
		from, to := ends(e)
		sides[first[from]] = side{to, e} // first[from] runs on to where from+1 began
		first[from]++
	}
	flags := make([]edgeFlags, len(tris))
	start := uint32(0)
	for i := range verts {
		end := first[i]
		group := sides[start:end]
		slices.SortFunc(group, func(a, b side) int {
			if a.to != b.to {
				return int(int64(a.to) - int64(b.to))
			}
			return int(int64(a.edge) - int64(b.edge))
		})
		for len(group) > 0 {
			n := 1
			for n < len(group) && group[n].to == group[0].to {
				n++
			}
			flagEdge(verts, tris, group[:n], flags)
			group = group[n:]
		}
		start = end
	}
	return flags
}

// flagEdge sets the flags of the triangles that share one edge.
func flagEdge(verts []geom.Vec3, tris [][3]uint32, sides []side, flags []edgeFlags) {
	for i := range sides {
		t, k := sides[i].edge/3, sides[i].edge%3
		f := (frontEdge | backEdge) << k
		if len(sides) == 2 {
			o := sides[1-i].edge
			other := verts[tris[o/3][(o+2)%3]] // o%3+2 and o+2 are the same, modulo 3
			c := &tris[t]
			f = fold(wide(verts[c[k]]), wide(verts[c[(k+1)%3]]), wide(verts[c[(k+2)%3]]), wide(other)) << k
		}
		flags[t] |= f
	}
}

// fold returns frontEdge, backEdge, both or none, for edge ab of the triangle
// abc and a neighbour with the third corner d.
func fold(a, b, c, d v3) edgeFlags {
	n := b.sub(a).cross(c.sub(a)).norm()
	away := b.sub(a).cross(n).norm() // in the plane, from c
	h, o := d.sub(a).dot(n), d.sub(a).dot(away)
	l := math.Sqrt(float64(h*h) + float64(o*o))
	switch {
	case h < -ridgeSine*l:
		return frontEdge
	case h > ridgeSine*l:
		return backEdge
	case o > 0:
		return 0
	}
	return frontEdge | backEdge // folded back on itself
}

// weld returns for every vertex the first one at its place. It sorts: a table
// could be flooded by vertices that are made to meet in one slot.
func weld(verts []geom.Vec3) []uint32 {
	order := make([]uint32, len(verts))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int {
		a, b := &verts[i], &verts[j]
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z), cmp.Compare(i, j))
	})
	one := make([]uint32, len(verts))
	for k, i := range order {
		if k > 0 && verts[order[k-1]] == verts[i] {
			one[i] = one[order[k-1]]
		} else {
			one[i] = i
		}
	}
	return one
}

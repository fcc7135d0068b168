package shape

import (
	"errors"

	"github.com/foretick/foretick/geom"
)

// field is heights over a grid. Vertex j*nx+i is at (i, j)*spacing of (x, z).
// Cell (i, j) has the triangles 2*(j*(nx-1)+i) and that plus 1: with v = j*nx+i
// they are (v, v+nx, v+1) and (v+1, v+nx, v+nx+1), whose fronts look up.
type field struct {
	nx, nz  uint32
	spacing float32
	heights []float32
	edges   []edgeFlags // of each triangle
	box     AABB
}

var (
	errFieldSize   = errors.New("shape: a height field has less than 2 rows or columns, or more than 2^24 triangles, or another number of heights")
	errFieldHeight = errors.New("shape: a height or the spacing of a field is not finite, too small, or beyond 100 km")
)

// AddField adds a height field: nx heights along X for each of nz rows along
// Z, row by row, from the origin of the shape on, spacing metres apart. Its
// Features are numbers of triangles, two to a cell, whose fronts look up. The
// heights are copied.
func (st *Store) AddField(nx, nz int, spacing float32, heights []float32) (Shape, error) {
	const most = maxTriangles / 2
	if nx < 2 || nz < 2 || nx > most || nz > most || (nx-1)*(nz-1) > most || len(heights) != nx*nz {
		return Shape{}, errFieldSize
	}
	if !sizeOK(spacing) || !coordOK(float32(float32(nx)*spacing)) || !coordOK(float32(float32(nz)*spacing)) {
		return Shape{}, errFieldHeight
	}
	f := field{nx: uint32(nx), nz: uint32(nz), spacing: spacing}
	f.heights = append([]float32(nil), heights...)
	lo, hi := heights[0], heights[0]
	for _, h := range heights {
		if !coordOK(h) {
			return Shape{}, errFieldHeight
		}
		lo, hi = low3(lo, lo, h), high3(hi, hi, h)
	}
	f.box = AABB{geom.Vec3{Y: lo}, f.vertex(f.nx-1, f.nz-1)}
	f.box.Max.Y = hi
	f.edges = make([]edgeFlags, 2*(nx-1)*(nz-1))
	for j := range f.nz - 1 {
		for i := range f.nx - 1 {
			f.flagCell(i, j)
		}
	}
	st.fields = append(st.fields, f)
	return Shape{Kind: Field, Ref: uint32(len(st.fields) - 1)}, nil
}

// fieldBounds is the box of a field in a frame.
func (f *field) fieldBounds(fr *geom.Frame) AABB { return f.box.out(fr) }

func (f *field) vertex(i, j uint32) geom.Vec3 {
	return geom.Vec3{X: float32(float32(i) * f.spacing), Y: f.heights[j*f.nx+i], Z: float32(float32(j) * f.spacing)}
}

// at returns the corners of a triangle by its number.
func (f *field) at(n uint32) (a, b, c geom.Vec3) {
	j, i := n/2/(f.nx-1), n/2%(f.nx-1)
	if n&1 == 0 {
		return f.vertex(i, j), f.vertex(i, j+1), f.vertex(i+1, j)
	}
	return f.vertex(i+1, j), f.vertex(i, j+1), f.vertex(i+1, j+1)
}

// flagCell sets the edges of both triangles of a cell: see edgeFlags.
func (f *field) flagCell(i, j uint32) {
	n := 2 * (j*(f.nx-1) + i)
	c := f.corner(i, j)
	p, q, r, s := c(0, 0), c(1, 0), c(0, 1), c(1, 1)
	const open = frontEdge | backEdge
	a, b := fold(r, q, p, s)<<1, fold(q, r, s, p) // the diagonal
	if i > 0 {
		a |= fold(p, r, q, c(-1, 1))
	} else {
		a |= open
	}
	if j > 0 {
		a |= fold(q, p, r, c(1, -1)) << 2
	} else {
		a |= open << 2
	}
	if j+2 < f.nz {
		b |= fold(r, s, q, c(0, 2)) << 1
	} else {
		b |= open << 1
	}
	if i+2 < f.nx {
		b |= fold(s, q, r, c(2, 0)) << 2
	} else {
		b |= open << 2
	}
	f.edges[n], f.edges[n+1] = a, b
}

// corner gives vertices by their steps from (i, j).
func (f *field) corner(i, j uint32) func(di, dj int32) v3 {
	return func(di, dj int32) v3 { return wide(f.vertex(uint32(int32(i)+di), uint32(int32(j)+dj))) }
}

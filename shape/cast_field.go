package shape

import (
	"math"
)

// field goes through the columns of cells across the axis along which the cast
// moves the most, nearest first, and in each through the cells that the cast
// passes over while it is in the column.
func (k *casting) field(f *field) {
	c, h := k.swept()
	g := grid{p: [2]float64{float64(c.X), float64(c.Z)}, h: [2]float64{float64(h.X), float64(h.Z)},
		d: [2]float64{k.d.X, k.d.Z}, n: [2]int{int(f.nx) - 1, int(f.nz) - 1}, size: float64(f.spacing)}
	// Vertices are rounded to float32, cells are not.
	slack := float64(float64(f.spacing) * float64(max(f.nx, f.nz)) * 0x1p-23)
	g.h[0] += slack
	g.h[1] += slack
	major := 0
	if math.Abs(g.d[1]) > math.Abs(g.d[0]) {
		major = 1
	}
	y, hy := float64(c.Y), float64(h.Y)+castGap
	first, last, ok := g.span(major, 0, 1)
	step := 1
	if g.d[major] < 0 {
		first, last, step = last, first, -1
	}
	for i := first; ok && i != last+step; i += step {
		t0, t1 := g.during(major, i)
		if float32(t0) > k.limit {
			return
		}
		from, to, meets := g.span(1-major, t0, t1)
		if !meets {
			continue
		}
		y0, y1 := y+float64(k.d.Y*t0), y+float64(k.d.Y*t1)
		if y0 > y1 {
			y0, y1 = y1, y0
		}
		for j := from; j <= to; j++ {
			cell := [2]int{i, j}
			if major == 1 {
				cell = [2]int{j, i}
			}
			if k.cell(f, uint32(cell[0]), uint32(cell[1]), y0-hy, y1+hy); k.done() {
				return
			}
		}
	}
}

// cell tries the two triangles of a cell if its heights reach into [lo, hi].
func (k *casting) cell(f *field, i, j uint32, lo, hi float64) {
	v := j*f.nx + i
	a, b := float64(f.heights[v]), float64(f.heights[v+1])
	c, d := float64(f.heights[v+f.nx]), float64(f.heights[v+f.nx+1])
	if a < lo && b < lo && c < lo && d < lo || a > hi && b > hi && c > hi && d > hi {
		return
	}
	n := 2 * (j*(f.nx-1) + i)
	p, q, r, s := f.vertex(i, j), f.vertex(i+1, j), f.vertex(i, j+1), f.vertex(i+1, j+1)
	k.triangle(wide(p), wide(r), wide(q), n, f.edges[n])
	k.triangle(wide(q), wide(r), wide(s), n+1, f.edges[n+1])
}

// grid is the ground of a cast over cells: the centre p, half extents h and
// move d of its box, along X and Z.
type grid struct {
	p, h, d [2]float64
	n       [2]int // cells
	size    float64
}

// span returns the cells along an axis that the box is over between two
// fractions, and whether there are any.
func (g *grid) span(axis int, t0, t1 float64) (from, to int, ok bool) {
	a, b := g.p[axis]+float64(g.d[axis]*t0), g.p[axis]+float64(g.d[axis]*t1)
	if a > b {
		a, b = b, a
	}
	a, b = a-g.h[axis]-castGap, b+g.h[axis]+castGap
	n := float64(g.n[axis])
	if b < 0 || a > float64(n*g.size) {
		return 0, 0, false
	}
	return cellOf(a/g.size, n), cellOf(b/g.size, n), true
}

// cellOf returns x rounded down to a cell of n that is there.
func cellOf(x, n float64) int {
	if !(x > 0) {
		return 0
	}
	if x >= n {
		return int(n) - 1
	}
	return int(x)
}

// during returns the fractions between which the box may be over column i.
func (g *grid) during(axis, i int) (t0, t1 float64) {
	d := g.d[axis]
	if d > -tinyMove && d < tinyMove {
		return 0, 1
	}
	w := g.h[axis] + castGap
	t0 = (float64(float64(i)*g.size) - w - g.p[axis]) / d
	t1 = (float64(float64(i+1)*g.size) + w - g.p[axis]) / d
	if t0 > t1 {
		t0, t1 = t1, t0
	}
	return clamp01(t0), clamp01(t1)
}

package shape

import "github.com/foretick/foretick/geom"

// clipRoom is a polygon that is being clipped.
type clipRoom [2][2 * maxHullVerts]geom.Vec3

// clipFaces makes contacts of the part of the face il that lies within the
// prism over the face rl and below the margin over its plane pl: at most four
// points, half way between the two. It sets no normal.
func clipFaces(rv []geom.Vec3, rl []uint8, pl *plane, iv []geom.Vec3, il []uint8, margin float32, m *Manifold) bool {
	var room clipRoom
	now, next := &room[0], &room[1]
	n := 0
	for _, k := range il {
		now[n&(len(now)-1)] = iv[k]
		n++
	}
	from := rv[rl[len(rl)-1]]
	for _, k := range rl {
		to := rv[k]
		side := to.Sub(from).Cross(pl.n) // outwards
		l2 := side.Len2()
		if l2 > 0 {
			side = side.Mul(1 / geom.Sqrt(l2))
			n = clipSide(now[:n], next, side, side.Dot(from)+clipGrow)
			now, next = next, now
		}
		from = to
	}
	return keepBelow(now[:n], pl, margin, m)
}

// clipSide keeps what of a polygon has n.x <= d (I. Sutherland and G. Hodgman
// 1974).
func clipSide(in []geom.Vec3, out *[2 * maxHullVerts]geom.Vec3, n geom.Vec3, d float32) int {
	if len(in) == 0 {
		return 0
	}
	k := 0
	p := in[len(in)-1]
	lp := n.Dot(p) - d
	for _, q := range in {
		lq := n.Dot(q) - d
		if (lp <= 0) != (lq <= 0) {
			out[k&(len(out)-1)] = p.MulAdd(q.Sub(p), lp/(lp-lq))
			k++
		}
		if lq <= 0 {
			out[k&(len(out)-1)] = q
			k++
		}
		p, lp = q, lq
	}
	if k > len(out) {
		k = len(out)
	}
	return k
}

// keepBelow makes contacts of the points of a polygon that are less than the
// margin above a plane.
func keepBelow(in []geom.Vec3, pl *plane, margin float32, m *Manifold) bool {
	m.Count = 0
	n := 0
	for _, v := range in {
		if pl.above(v) < margin {
			in[n] = v
			n++
		}
	}
	in = in[:n]
	if n <= 4 {
		for _, v := range in {
			s := pl.above(v)
			m.add(v.MulAdd(pl.n, float32(s*-0.5)), s)
		}
		return n > 0
	}
	var x, y, z [2 * maxHullVerts]float32
	u := across(pl.n)
	w := pl.n.Cross(u)
	for i, v := range in {
		x[i], y[i], z[i] = u.Dot(v), w.Dot(v), pl.above(v)
	}
	pick, count := spread(x[:n], y[:n], z[:n])
	for _, i := range pick[:count] {
		m.add(in[i].MulAdd(pl.n, float32(z[i]*-0.5)), z[i])
	}
	return true
}

package shape

// spread picks up to four of more points of one plane: the deepest, the
// farthest from it, and the farthest to either side of the line between them,
// or, if all are on one side, what adds most to the triangle. First ones win.
func spread(x, y, z []float32) (pick [4]int32, n int) {
	y, z = y[:len(x)], z[:len(x)]
	a := 0
	for i := range x {
		if z[i] < z[a] {
			a = i
		}
	}
	ax, ay := x[a], y[a]
	b, far := a, float32(0)
	for i := range x {
		dx, dy := x[i]-ax, y[i]-ay
		if l := float32(dx*dx) + float32(dy*dy); l > far {
			b, far = i, l
		}
	}
	pick[0], pick[1] = int32(a), int32(b)
	if b == a {
		return pick, 1
	}
	bx, by := x[b], y[b]
	ux, uy := bx-ax, by-ay
	flat := float32(far * spreadFlat)
	left, right := flat, 0-flat
	c, d := -1, -1
	for i := range x {
		s := float32(ux*(y[i]-ay)) - float32(uy*(x[i]-ax))
		if s > left {
			c, left = i, s
		}
		if s < right {
			d, right = i, s
		}
	}
	n = 2
	if c >= 0 {
		pick[n] = int32(c)
		n++
	}
	if d >= 0 {
		pick[n] = int32(d)
		n++
	}
	if n != 3 {
		return pick, n
	}
	// One side only: beyond which of the other two sides is there most?
	side := float32(1)
	if c < 0 {
		c, side = d, -1
	}
	best := flat
	cx, cy := x[c], y[c]
	for i := range x {
		s := float32((float32((cx-bx)*(y[i]-by)) - float32((cy-by)*(x[i]-bx))) * (0 - side))
		r := float32((float32((ax-cx)*(y[i]-cy)) - float32((ay-cy)*(x[i]-cx))) * (0 - side))
		if r > s {
			s = r
		}
		if s > best {
			best, pick[3], n = s, int32(i), 4
		}
	}
	return pick, n
}

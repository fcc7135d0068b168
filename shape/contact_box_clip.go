package shape

import "github.com/foretick/foretick/geom"

// boxClip is a face of one box, the reference, and the face of another that
// looks at it most. X and Y are along the reference, Z is its outward normal.
type boxClip struct {
	k       int32        // axis of Z in the reference's frame
	flip    bool         // Z is against that axis
	h       geom.Vec3    // half extents of the reference
	q       [3]geom.Vec3 // the other box's axes
	g       [3]float32   // its half extents
	c       geom.Vec3    // its centre
	n       int          // points
	x, y, z [12]float32  // z: above the reference
}

// onA sets q up with a's best face as the reference.
func (p *boxes) onA(q *boxClip) {
	r := &p.r
	q.k, q.g = p.faceA, [3]float32{p.hb.X, p.hb.Y, p.hb.Z}
	row0, row1, row2 := geom.Vec3{X: r[0], Y: r[1], Z: r[2]}, geom.Vec3{X: r[3], Y: r[4], Z: r[5]}, geom.Vec3{X: r[6], Y: r[7], Z: r[8]}
	q.set(p.ha, p.t, row0, row1, row2)
}

// onB is onA with b's best face.
func (p *boxes) onB(q *boxClip) {
	r := &p.r
	q.k, q.g = p.faceB, [3]float32{p.ha.X, p.ha.Y, p.ha.Z}
	row0, row1, row2 := geom.Vec3{X: r[0], Y: r[3], Z: r[6]}, geom.Vec3{X: r[1], Y: r[4], Z: r[7]}, geom.Vec3{X: r[2], Y: r[5], Z: r[8]}
	q.set(p.hb, p.u.Neg(), row0, row1, row2)
}

// set turns the axes so that Z is the reference's normal. Row i has the parts
// along the reference's axis i of the other box's axes.
func (q *boxClip) set(h, c, row0, row1, row2 geom.Vec3) {
	switch q.k {
	case 0:
		row0, row1, row2 = row1, row2, row0
		h, c = geom.Vec3{X: h.Y, Y: h.Z, Z: h.X}, geom.Vec3{X: c.Y, Y: c.Z, Z: c.X}
	case 1:
		row0, row1, row2 = row2, row0, row1
		h, c = geom.Vec3{X: h.Z, Y: h.X, Z: h.Y}, geom.Vec3{X: c.Z, Y: c.X, Z: c.Y}
	}
	if c.Z < 0 {
		q.flip = true
		c.Z, row2 = 0-c.Z, row2.Neg()
	}
	q.h, q.c = h, c
	q.q[0] = geom.Vec3{X: row0.X, Y: row1.X, Z: row2.X}
	q.q[1] = geom.Vec3{X: row0.Y, Y: row1.Y, Z: row2.Y}
	q.q[2] = geom.Vec3{X: row0.Z, Y: row1.Z, Z: row2.Z}
}

// clip makes contacts of the corners of what the two faces have in common, and
// returns the outward normal of the reference; f is its frame, d its origin.
func (q *boxClip) clip(f *geom.Frame, d geom.Vec3, margin float32, m *Manifold) geom.Vec3 {
	q.common()
	n := 0
	for i := 0; i < q.n; i++ {
		if q.z[i] < margin {
			q.x[n], q.y[n], q.z[n] = q.x[i], q.y[i], q.z[i]
			n++
		}
	}
	x, y, z := q.axes(f)
	d = d.MulAdd(z, q.h.Z)
	m.Count = 0
	if n <= 4 {
		for i := 0; i < n; i++ {
			m.add(d.MulAdd(x, q.x[i]).MulAdd(y, q.y[i]).MulAdd(z, float32(q.z[i]*0.5)), q.z[i])
		}
		return z
	}
	pick, count := spread(q.x[:n], q.y[:n], q.z[:n])
	for _, i := range pick[:count] {
		m.add(d.MulAdd(x, q.x[i]).MulAdd(y, q.y[i]).MulAdd(z, float32(q.z[i]*0.5)), q.z[i])
	}
	return z
}

// axes returns X, Y and Z in space.
func (q *boxClip) axes(f *geom.Frame) (x, y, z geom.Vec3) {
	switch q.k {
	case 0:
		x, y, z = f.R.Y, f.R.Z, f.R.X
	case 1:
		x, y, z = f.R.Z, f.R.X, f.R.Y
	case 2:
		x, y, z = f.R.X, f.R.Y, f.R.Z
	}
	if q.flip {
		z = z.Neg()
	}
	return x, y, z
}

// deepest makes a contact of the other box's corner that is deepest below the
// reference.
func (q *boxClip) deepest(f *geom.Frame, d geom.Vec3, sep float32, m *Manifold) {
	p := q.c
	for k := range q.q {
		g := q.g[k]
		if q.q[k].Z > 0 {
			g = 0 - g
		}
		p = p.MulAdd(q.q[k], g)
	}
	x, y, z := q.axes(f)
	m.Count = 0
	m.add(d.MulAdd(x, p.X).MulAdd(y, p.Y).MulAdd(z, p.Z-float32(sep*0.5)), sep)
}

// common finds the corners of what the two faces have in common: the ends of
// what is left of the four edges of the other face, and the corners of the
// reference within it.
func (q *boxClip) common() {
	x, y, z := geom.Abs(q.q[0].Z), geom.Abs(q.q[1].Z), geom.Abs(q.q[2].Z)
	k, i, j := 2, 0, 1
	if x >= y && x >= z {
		k, i, j = 0, 1, 2
	} else if y >= z {
		k, i, j = 1, 2, 0
	}
	out := q.g[k]
	if q.q[k].Z > 0 {
		out = 0 - out
	}
	u, v := q.q[i].Mul(q.g[i]), q.q[j].Mul(q.g[j])
	p := q.c.MulAdd(q.q[k], out).Sub(u).Sub(v)
	u, v = u.Add(u), v.Add(v)
	hx, hy := q.h.X+clipGrow, q.h.Y+clipGrow
	uix, uiy, vix, viy := inverse(u.X), inverse(u.Y), inverse(v.X), inverse(v.Y)
	q.edge(p, u, uix, uiy, hx, hy)
	q.edge(p.Add(u), v, vix, viy, hx, hy)
	q.edge(p.Add(u).Add(v), u.Neg(), 0-uix, 0-uiy, hx, hy)
	q.edge(p.Add(v), v.Neg(), 0-vix, 0-viy, hx, hy)
	q.corners(p, u, v)
}

// inverse is 1/x with bounds that keep products of lengths finite.
func inverse(x float32) float32 {
	if geom.Abs(x) < 1e-12 {
		if x < 0 {
			return -1e12
		}
		return 1e12
	}
	return 1 / x
}

// edge appends the ends of what is left of the edge from p to p+d; ix and iy
// are 1/d. The end of a whole edge is the next one's start.
func (q *boxClip) edge(p, d geom.Vec3, ix, iy, hx, hy float32) {
	t0, t1 := float32(0), float32(1)
	m, s := float32((0-p.X)*ix), geom.Abs(float32(hx*ix))
	if m-s > t0 {
		t0 = m - s
	}
	if m+s < t1 {
		t1 = m + s
	}
	m, s = float32((0-p.Y)*iy), geom.Abs(float32(hy*iy))
	if m-s > t0 {
		t0 = m - s
	}
	if m+s < t1 {
		t1 = m + s
	}
	if !(t0 <= t1) {
		return
	}
	n, h := q.n, q.h.Z
	q.x[n], q.y[n], q.z[n] = p.X+float32(d.X*t0), p.Y+float32(d.Y*t0), p.Z+float32(d.Z*t0)-h
	q.n++
	if t1 < 1 && t0 < t1 {
		n++
		q.x[n], q.y[n], q.z[n] = p.X+float32(d.X*t1), p.Y+float32(d.Y*t1), p.Z+float32(d.Z*t1)-h
		q.n++
	}
}

// corners appends the corners of the reference that lie strictly within the
// other face, which starts at p and has the sides u and v.
func (q *boxClip) corners(p, u, v geom.Vec3) {
	det := float32(u.X*v.Y) - float32(u.Y*v.X)
	if det == 0 {
		return
	}
	// A corner is p + s*u + t*v, and s and t are linear in its X and Y.
	k := 1 / det
	s0, sx, sy := float32((float32(p.Y*v.X)-float32(p.X*v.Y))*k), float32(float32(q.h.X*v.Y)*k), float32(float32(q.h.Y*v.X)*k)
	t0, tx, ty := float32((float32(p.X*u.Y)-float32(p.Y*u.X))*k), float32(float32(q.h.X*u.Y)*k), float32(float32(q.h.Y*u.X)*k)
	x, y := q.h.X, q.h.Y
	q.corner(p, u, v, x, y, s0+sx-sy, t0-tx+ty)
	q.corner(p, u, v, 0-x, y, s0-sx-sy, t0+tx+ty)
	q.corner(p, u, v, x, 0-y, s0+sx+sy, t0-tx-ty)
	q.corner(p, u, v, 0-x, 0-y, s0-sx+sy, t0+tx-ty)
}

// corner appends the corner (x, y) of the reference if it is within.
func (q *boxClip) corner(p, u, v geom.Vec3, x, y, s, t float32) {
	if s > clipInside && s < 1-clipInside && t > clipInside && t < 1-clipInside {
		n := q.n
		q.x[n], q.y[n], q.z[n] = x, y, p.Z+float32(u.Z*s)+float32(v.Z*t)-q.h.Z
		q.n++
	}
}

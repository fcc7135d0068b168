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
	margin  float32      // points at least this far above the reference are left out
	low     float32      // z of the lowest point
	n       int          // points
	x, y, z [12]float32  // z: above the reference
}

// onA sets q up with a's best face as the reference.
func (p *boxes) onA(q *boxClip) {
	q.k, q.g = p.faceA, [3]float32{p.hb.X, p.hb.Y, p.hb.Z}
	q.set(p.ha, p.t, p.r[0], p.r[1], p.r[2])
}

// onB is onA with b's best face.
func (p *boxes) onB(q *boxClip) {
	x, y, z := p.r[0], p.r[1], p.r[2]
	q.k, q.g = p.faceB, [3]float32{p.ha.X, p.ha.Y, p.ha.Z}
	q.set(p.hb, p.u.Neg(), geom.Vec3{X: x.X, Y: y.X, Z: z.X}, geom.Vec3{X: x.Y, Y: y.Y, Z: z.Y}, geom.Vec3{X: x.Z, Y: y.Z, Z: z.Z})
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
func (q *boxClip) clip(f *geom.Frame, d geom.Vec3, m *Manifold) geom.Vec3 {
	q.common()
	x, y, z := q.axes(f)
	d = d.MulAdd(z, q.h.Z)
	pick, n := [4]int32{0, 1, 2, 3}, q.n
	if n > 4 {
		pick, n = spread(q.x[:n], q.y[:n], q.z[:n])
	}
	for i := 0; i < n; i++ {
		k := pick[i&3]
		s := q.z[k]
		m.Points[i&3] = Contact{d.MulAdd(x, q.x[k]).MulAdd(y, q.y[k]).MulAdd(z, float32(s*0.5)), s}
	}
	m.Count = int32(n)
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
	q.low = -noAxis
	q.edges(p, u, v)
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

// edges appends the ends of what is left of the four edges of a face that
// starts at p and has the sides u and v. The end of a whole edge is the next
// one's start.
func (q *boxClip) edges(p, u, v geom.Vec3) {
	hx, hy := q.h.X+clipGrow, q.h.Y+clipGrow
	ix, iy, jx, jy := inverse(u.X), inverse(u.Y), inverse(v.X), inverse(v.Y)
	p.Z -= q.h.Z
	for k := 0; k < 4; k++ {
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
		if t0 <= t1 {
			q.put(p.X+float32(u.X*t0), p.Y+float32(u.Y*t0), p.Z+float32(u.Z*t0))
			if t1 < 1 && t0 < t1 {
				q.put(p.X+float32(u.X*t1), p.Y+float32(u.Y*t1), p.Z+float32(u.Z*t1))
			}
		}
		p = p.Add(u)
		u, v = v, u.Neg()
		ix, iy, jx, jy = jx, jy, 0-ix, 0-iy
	}
}

// put appends a point.
func (q *boxClip) put(x, y, z float32) {
	if !(z < q.margin) {
		return
	}
	n := q.n
	q.x[n], q.y[n], q.z[n] = x, y, z
	q.n = n + 1
	if z < q.low {
		q.low = z
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
		q.put(x, y, p.Z+float32(u.Z*s)+float32(v.Z*t)-q.h.Z)
	}
}

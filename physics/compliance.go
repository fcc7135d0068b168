package physics

import "github.com/foretick/foretick/geom"

// compliance is how the relative motion at a constraint's mean point answers
// an impulse there, in the constraint's frame: linear x y z, then turns p q r
// about the same axes. It is symmetric; what nobody reads is left out.
type compliance struct {
	xx, xy, yy, zx, zy, zz float32
	px, py, pz             float32 // turn p by force
	qx, qy, qz             float32
	zr, pp, pq, qq, rr     float32
	pr, qr                 float32
}

// add adds one body, whose centre of mass is at -r from the mean point.
func (k *compliance) add(c *constraint, b *solverBody, r geom.Vec3) {
	if b.cannot() {
		return
	}
	x, y, z := r.Dot(c.t), r.Dot(c.u), r.Dot(c.n)
	// The inverse inertia in the constraint's frame.
	it, iu, in := b.turn(c.t), b.turn(c.u), b.turn(c.n)
	pp, pq, pr := c.t.Dot(it), c.t.Dot(iu), c.t.Dot(in)
	qq, qr, rr := c.u.Dot(iu), c.u.Dot(in), c.n.Dot(in)
	// Force f at r turns by I (r x f): columns for f along x, y, z.
	pfx, qfx, rfx := float32(pq*z)-float32(pr*y), float32(qq*z)-float32(qr*y), float32(qr*z)-float32(rr*y)
	pfy, qfy, rfy := float32(pr*x)-float32(pp*z), float32(qr*x)-float32(pq*z), float32(rr*x)-float32(pr*z)
	pfz, qfz := float32(pp*y)-float32(pq*x), float32(pq*y)-float32(qq*x)
	k.px, k.py, k.pz = k.px+pfx, k.py+pfy, k.pz+pfz
	k.qx, k.qy, k.qz = k.qx+qfx, k.qy+qfy, k.qz+qfz
	// That turn moves the point by turn x r.
	k.xx += float32(qfx*z) - float32(rfx*y)
	k.xy += float32(qfy*z) - float32(rfy*y)
	k.yy += float32(rfy*x) - float32(pfy*z)
	k.zx += float32(pfx*y) - float32(qfx*x)
	k.zy += float32(pfy*y) - float32(qfy*x)
	k.zz += float32(pfz*y) - float32(qfz*x)
	k.zr += float32(pr*y) - float32(qr*x)
	k.pp, k.pq, k.qq, k.rr = k.pp+pp, k.pq+pq, k.qq+qq, k.rr+rr
	k.pr, k.qr = k.pr+pr, k.qr+qr
	if b.mx == b.my && b.my == b.mz {
		k.xx, k.yy, k.zz = k.xx+b.mx, k.yy+b.mx, k.zz+b.mx
		return
	}
	t := geom.Vec3{X: float32(c.t.X * b.mx), Y: float32(c.t.Y * b.my), Z: float32(c.t.Z * b.mz)}
	u := geom.Vec3{X: float32(c.u.X * b.mx), Y: float32(c.u.Y * b.my), Z: float32(c.u.Z * b.mz)}
	n := geom.Vec3{X: float32(c.n.X * b.mx), Y: float32(c.n.Y * b.my), Z: float32(c.n.Z * b.mz)}
	k.xx, k.yy, k.zz = k.xx+c.t.Dot(t), k.yy+c.u.Dot(u), k.zz+c.n.Dot(n)
	k.xy, k.zx, k.zy = k.xy+c.t.Dot(u), k.zx+c.n.Dot(t), k.zy+c.n.Dot(u)
}

// finish fills what the solver reads.
func (k *compliance) finish(c *constraint) {
	var gz, gp, gq [4]float32 // what an impulse at point i changes of z, p, q
	for i := range c.points {
		x, y := c.x[i], c.y[i]
		gz[i] = k.zz + float32(y*k.pz) - float32(x*k.qz)
		gp[i] = k.pz + float32(y*k.pp) - float32(x*k.pq)
		gq[i] = k.qz + float32(y*k.pq) - float32(x*k.qq)
		c.inv[i] = inverse(gz[i] + float32(y*gp[i]) - float32(x*gq[i]))
	}
	at := func(i, j int) float32 { return gz[i] + float32(c.y[j]*gp[i]) - float32(c.x[j]*gq[i]) }
	c.m = [6]float32{at(0, 1), at(0, 2), at(0, 3), at(1, 2), at(1, 3), at(2, 3)}
	c.c = [9]float32{k.zx, k.zy, k.zr, k.px, k.py, k.pr, k.qx, k.qy, k.qr}
	d := float32(k.xx*k.yy) - float32(k.xy*k.xy)
	if d <= 1e-6*k.xx*k.yy {
		d = 0
	}
	d = inverse(d)
	c.k = [3]float32{k.yy * d, 0 - float32(k.xy*d), k.xx * d}
	c.twist = inverse(k.rr)
}

// inverse is 1/x, or 0 where nothing moves.
func inverse(x float32) float32 {
	if y := 1 / x; x > 0 && geom.Finite(y) {
		return y
	}
	return 0
}

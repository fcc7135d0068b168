package pucks

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
)

// drive turns inputs into speed.
func drive(s *sim.Step) {
	for e, m := range drivers.In(s) { // in id order
		stick := m.A.Move
		if stick.Len2() > 1 {
			stick = stick.Norm()
		}
		b, d := Bodies.Write(s, e), Dashers.Write(s, e)
		b.Vel = b.Vel.MulAdd(stick, float32(accel*s.Dt))

		clicks := m.A.Dash.Since(d.Last, dashClicks)
		d.Last = m.A.Dash // also when it went back: a new session counts anew
		if d.Cooldown > 0 {
			d.Cooldown--
			continue // clicks meanwhile are spent
		}
		dir := stick.Norm()
		if clicks == 0 || dir == (geom.Vec2{}) {
			continue
		}
		b.Vel = b.Vel.MulAdd(dir, float32(clicks)*dashSpeed)
		d.Cooldown = dashRest
		Dash.Emit(s, e, b.Pos.X, b.Pos.Y, dir.Angle())
	}
}

// bodies is a step's working copy, in id order, one array for each number so
// that the search for pairs reads little.
type bodies struct {
	n         int
	x, y      [maxBodies]float32
	vx, vy    [maxBodies]float32
	radius    [maxBodies]float32
	invMass   [maxBodies]float32
	quiet     [maxBodies]uint8
	row       [maxBodies]uint8 // in Bodies
	wasQuiet  [maxBodies]uint8
	bumps     [maxBodies]bump
	bumpCount int
}

type bump struct {
	at    uint8
	x, y  float32
	speed float32
}

// collide moves everything by one tick. Bodies that this client only
// interpolates are moved like the rest, and what is written to them is
// discarded: a step need not know.
func collide(s *sim.Step) {
	var w bodies
	w.gather(s)
	for i := range w.n {
		w.pairs(i)
	}
	w.walls()
	w.scatter(s)
}

// gather reads all that has Body, Puck and Bell, slows it down and moves it.
func (w *bodies) gather(s *sim.Step) {
	es, bs := Bodies.All(s)
	pe, ps := Pucks.All(s)
	be, bells := Bells.All(s)
	p, l := 0, 0
	for row, e := range es {
		for p < len(pe) && pe[p] < e {
			p++
		}
		for l < len(be) && be[l] < e {
			l++
		}
		if p == len(pe) || pe[p] != e || l == len(be) || be[l] != e {
			continue
		}
		if w.n == maxBodies {
			break
		}
		i, b, puck := w.n, &bs[row], &ps[p]
		v := b.Vel.Mul(1 - float32(puck.Drag*s.Dt))
		switch l := v.Len2(); {
		case l < restSpeed*restSpeed:
			v = geom.Vec2{}
		case l > maxSpeed*maxSpeed:
			v = v.Mul(maxSpeed / geom.Sqrt(l))
		}
		w.vx[i], w.vy[i] = v.X, v.Y
		w.x[i], w.y[i] = b.Pos.X+float32(v.X*s.Dt), b.Pos.Y+float32(v.Y*s.Dt)
		w.radius[i], w.invMass[i] = puck.Radius, puck.InvMass
		w.row[i], w.wasQuiet[i] = uint8(row), bells[l].Quiet
		if q := bells[l].Quiet; q > 0 {
			w.quiet[i] = q - 1
		}
		w.n++
	}
}

// pairs handles i with every later body, in id order, each pair at once: what
// the first pair did is what the second one finds.
func (w *bodies) pairs(i int) {
	n := w.n
	xs, ys, rs := w.x[:n], w.y[:n], w.radius[:n]
	xi, yi, ri := xs[i], ys[i], rs[i]
	for j := i + 1; j < n; j++ {
		dx, dy, reach := xs[j]-xi, ys[j]-yi, rs[j]+ri
		if float32(dx*dx)+float32(dy*dy) < float32(reach*reach) {
			w.contact(i, j)
			xi, yi = xs[i], ys[i]
		}
	}
}

// contact pushes two overlapping circles apart and exchanges momentum, i being
// the lower id.
func (w *bodies) contact(i, j int) {
	d := geom.Vec2{X: w.x[j] - w.x[i], Y: w.y[j] - w.y[i]}
	dist := d.Len()
	n := geom.Vec2{X: 1}
	if dist > 1e-6 {
		n = d.Mul(1 / dist)
	}
	mi, mj := w.invMass[i], w.invMass[j]
	m := mi + mj
	if !(m > 0) {
		return
	}
	push := (w.radius[i] + w.radius[j] - dist) / m
	w.x[i] -= float32(n.X * float32(push*mi))
	w.y[i] -= float32(n.Y * float32(push*mi))
	w.x[j] += float32(n.X * float32(push*mj))
	w.y[j] += float32(n.Y * float32(push*mj))

	closing := float32((w.vx[i]-w.vx[j])*n.X) + float32((w.vy[i]-w.vy[j])*n.Y)
	if closing <= 0 {
		return
	}
	impulse := float32(closing*(1+bouncy)) / m
	w.vx[i] -= float32(n.X * float32(impulse*mi))
	w.vy[i] -= float32(n.Y * float32(impulse*mi))
	w.vx[j] += float32(n.X * float32(impulse*mj))
	w.vy[j] += float32(n.Y * float32(impulse*mj))

	if closing < bumpSpeed || w.quiet[i] > 0 || w.quiet[j] > 0 {
		return
	}
	w.quiet[i], w.quiet[j] = bellRest, bellRest
	// Both bells were silent, so there are fewer bumps than bodies.
	w.bumps[w.bumpCount] = bump{
		at: uint8(i), speed: closing,
		x: w.x[i] + float32(n.X*w.radius[i]), y: w.y[i] + float32(n.Y*w.radius[i]),
	}
	w.bumpCount++
}

// walls comes last, so nothing is ever outside.
func (w *bodies) walls() {
	for i := range w.n {
		limit := half - w.radius[i]
		w.x[i], w.vx[i] = wall(w.x[i], w.vx[i], limit)
		w.y[i], w.vy[i] = wall(w.y[i], w.vy[i], limit)
	}
}

func wall(x, v, limit float32) (float32, float32) {
	switch {
	case x > limit:
		x = limit
		if v > 0 {
			v *= -bouncy
		}
	case x < -limit:
		x = -limit
		if v < 0 {
			v *= -bouncy
		}
	}
	return x, v
}

// scatter writes what has changed.
func (w *bodies) scatter(s *sim.Step) {
	es, bs := Bodies.All(s)
	for i := range w.n {
		row := w.row[i]
		now := Body{geom.Vec2{X: w.x[i], Y: w.y[i]}, geom.Vec2{X: w.vx[i], Y: w.vy[i]}}
		if bs[row] != now {
			*Bodies.Write(s, es[row]) = now
		}
		if w.quiet[i] != w.wasQuiet[i] {
			Bells.Write(s, es[row]).Quiet = w.quiet[i]
		}
	}
	for i := range w.bumpCount {
		b := &w.bumps[i]
		Bump.Emit(s, es[w.row[b.at]], b.x, b.y, b.speed)
	}
}

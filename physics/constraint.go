package physics

import (
	"math/bits"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// A constraint is one manifold for the solver, in a frame of its own: x and y
// along the surface (t, u), z along the normal, from the mean of its points.
// There the relative motion of the two bodies is six numbers, an impulse at a
// point needs only that point's x and y, and the points of a manifold answer
// each other by a small matrix, so that a pass reads and writes each body once.
type constraint struct {
	a, b       int32
	points     int32
	apart      bool // some point does not touch yet
	bouncy     bool
	still      bool // b is static
	held       bool // has impulses of the first guess
	soft       softness
	t, u, n    geom.Vec3
	ra, rb     geom.Vec3  // from the centres of mass to the mean point
	x, y       [4]float32 // of the points
	sep        [4]float32
	acc        [4]float32 // normal impulses, N s a substep
	peak       [4]float32 // the largest of them
	step       [4]float32 // what the last pass changed of them
	inv        [4]float32 // kg: 1 / what an impulse at the point changes there
	m          [6]float32 // what an impulse at one changes at another: 01 02 03 12 13 23
	c          [9]float32 // what friction changes of the normal motion
	k          [3]float32 // inverse of what a tangential impulse changes along t, u: tt tu uu
	twist      float32    // the same about n
	mu, arm    float32
	fx, fy, tz float32 // friction so far
	bounce     float32
	approach   [4]float32 // m/s at the start of the step
}

// softness turns an overlap into a velocity that parts it, as a damped spring
// of which only frequency and damping are chosen (Catto, "Solver2D", 2024).
type softness struct{ rate, mass, impulse float32 }

func soft(hz, ratio, h float32) softness {
	omega := 2 * geom.Pi * hz
	a := float32(2*ratio) + float32(h*omega)
	b := float32(h * omega * a)
	return softness{omega / a, b / (1 + b), 1 / (1 + b)}
}

const colours = 64 // and what is left over

// prepare sorts the manifolds into colours: of one colour, no two share a body
// that moves, so that they could be solved side by side. Who is static does
// not count. The choice is greedy in order, hence the same for a part of the
// world that is solved alone.
func (w *World) prepare() {
	s, n := &w.step, len(w.moving.ids)
	s.used = resize(s.used, n+1)
	clear(s.used)
	var count [colours + 2]int32
	for i := range s.order {
		c := &s.order[i]
		moves := c.b < int32(n) && w.moving.mass[c.b].inv > 0
		switch {
		case moves && w.moving.mass[c.a].inv > 0:
			c.colour = int32(bits.TrailingZeros64(^(s.used[c.a] | s.used[c.b])))
			s.used[c.b] |= 1 << uint(c.colour)
			s.used[c.a] |= 1 << uint(c.colour)
		default: // last, from the top: what cannot move has the last word
			r := c.a
			if moves {
				r = c.b
			}
			c.colour = int32(63 - bits.LeadingZeros64(^s.used[r]))
			if c.colour < 0 {
				c.colour = colours
			}
			s.used[r] |= 1 << uint(c.colour)
		}
		count[c.colour+1]++
	}
	for i := range colours + 1 {
		count[i+1] += count[i]
	}
	s.sorts = resize(s.sorts, len(s.order))
	for _, c := range s.order {
		s.sorts[count[c.colour]] = c
		count[c.colour]++
	}
	w.loadBodies()
	s.cons = resize(s.cons, len(s.sorts))
	h := w.cfg.Dt / substeps
	still, moving := soft(2*hertz, dampRatio, h), soft(hertz, dampRatio, h)
	for i := range s.sorts {
		r, c := &s.sorts[i], &s.cons[i]
		c.a, c.b, c.soft, c.still = r.a, r.b, moving, int(r.b) == n
		if s.bodies[r.a].cannot() || s.bodies[r.b].cannot() {
			c.soft = still
		}
		w.build(c, &s.manifolds[r.manifold], r)
	}
}

// build fills c from a manifold.
func (w *World) build(c *constraint, m *shape.Manifold, r *contactRef) {
	s := &w.step
	a, b := &s.bodies[c.a], &s.bodies[c.b]
	da, db := &w.moving.defs[r.a], w.def(r.pairB)
	c.mu = geom.Sqrt(float32(da.Friction * db.Friction))
	c.bounce = da.Restitution
	if db.Restitution > c.bounce {
		c.bounce = db.Restitution
	}
	c.bouncy = c.bounce > 0
	c.n = m.Normal
	c.t = tangent(c.n)
	c.u = c.n.Cross(c.t)
	c.points = m.Count
	k := 1 / float32(m.Count)
	var mean geom.Vec3
	for i := range m.Count {
		mean = mean.Add(m.Points[i].P)
	}
	mean = mean.Mul(k)
	c.ra = mean.Sub(s.free[c.a].arm)
	c.rb = geom.Vec3{}
	if c.b < int32(len(w.moving.ids)) {
		at := w.moving.st[c.a].Pos.Sub(w.moving.st[c.b].Pos)
		c.rb = mean.Add(at).Sub(s.free[c.b].arm)
	}
	c.acc, c.peak, c.x, c.y, c.sep, c.inv = [4]float32{}, [4]float32{}, [4]float32{}, [4]float32{}, [4]float32{}, [4]float32{}
	c.fx, c.fy, c.tz, c.arm = 0, 0, 0, 0
	c.apart, c.held = false, false
	for i := range m.Count {
		p := m.Points[i].P.Sub(mean)
		c.x[i], c.y[i], c.sep[i] = p.Dot(c.t), p.Dot(c.u), m.Points[i].Sep
		c.apart = c.apart || m.Points[i].Sep > 0
		c.arm += float32(p.Len() * k)
	}
	var q compliance
	q.add(c, a, c.ra)
	q.add(c, b, c.rb)
	q.finish(c)
	if c.bouncy {
		_, _, z, p, q, _ := c.motion(a, b)
		for i := range m.Count {
			c.approach[i] = z + float32(c.y[i]*p) - float32(c.x[i]*q)
		}
	}
}

// tangent returns a unit vector across n, which is one.
func tangent(n geom.Vec3) geom.Vec3 {
	if geom.Abs(n.Y) < 0.7 {
		return geom.Vec3{X: n.Z, Z: 0 - n.X}.Norm()
	}
	return geom.Vec3{X: n.Y, Y: 0 - n.X}.Norm()
}

package mover

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

// Move plays one tick of a character: the one function of movement, for server
// and client. The result is a function of state, input and what w answers; q
// says what is in the way and must leave out the character's own body.
//
// The invariant: the cast capsule, a skin thinner than the character, is in
// touch with nothing. Each way it goes is cast first and ends a skin short of
// what it meets, so its axis never passes through a triangle, whichever side
// that faces, and normals are those of the closest points: always against the
// motion, and along a flat seam those of the face. What breaks the invariant
// from outside, a platform or a teleport, is mended by unstick.
//
// A state that is not finite is left as it is, and no other becomes so.
func (m *Mover) Move(s *State, in Input, w Space, q *physics.Query) {
	if !s.Pos.Finite() || !s.Vel.Finite() || !s.Normal.Finite() {
		return
	}
	m.w, m.q = w, q
	pos := m.unstick(s.Pos)
	vel := m.steer(s, in)
	if m.ground = s.Normal.Norm(); s.Grounded() && m.ground.Y < flattest {
		m.ground = up // nothing that Move makes
	}
	if s.Grounded() && in.Jump {
		vel.Y, m.ground = m.c.Jump, geom.Vec3{}
	}
	var f footing
	if m.ground.Y > 0 {
		from := pos
		pos, vel = m.walk(pos, vel)
		reach := float32(pos.Dist(from) * m.tan)
		if reach < m.c.Step {
			reach = m.c.Step
		}
		pos, f = m.settle(pos, reach+skin, vel == geom.Vec3{})
	} else {
		pos, vel = m.fly(pos, vel)
		if vel.Y <= 0 {
			pos, f = m.settle(pos, float32((skin+landing)/m.minY), false)
		}
	}
	if f.ok {
		vel.Y = 0
	}
	zero := geom.Vec3{} // plus 0: no -0 in a state
	*s = State{Pos: pos.Add(zero), Vel: vel.Add(zero), Normal: f.normal.Add(zero), Ground: f.id}
	m.w, m.q = nil, nil
}

// steer returns the velocity that the input makes of the last one.
func (m *Mover) steer(s *State, in Input) geom.Vec3 {
	vel := s.Vel
	if !(vel.Len2() <= fastest*fastest) {
		vel = vel.Norm().Mul(fastest)
	}
	wish := geom.Vec3{X: in.Move.X, Z: in.Move.Z}
	if l := wish.Len2(); !(l <= 1) {
		wish = wish.Norm() // zero if it is not finite
	}
	accel := m.c.AirAccel
	if s.Grounded() {
		accel = m.c.Accel
	} else if wish == (geom.Vec3{}) {
		return vel // in the air nobody brakes
	}
	change := wish.Mul(m.c.Speed).Sub(geom.Vec3{X: vel.X, Z: vel.Z})
	if most := float32(accel * m.c.Dt); change.Len2() > float32(most*most) {
		change = change.Norm().Mul(most)
		return vel.Add(change)
	}
	v := wish.Mul(m.c.Speed)
	return geom.Vec3{X: v.X, Y: vel.Y, Z: v.Z}
}

// walk moves along the ground, up and over steps.
func (m *Mover) walk(pos, vel geom.Vec3) (geom.Vec3, geom.Vec3) {
	vel.Y = 0
	flat := vel.Mul(m.c.Dt)
	length := flat.Len()
	if length < minMove {
		return pos, geom.Vec3{}
	}
	along := flat
	along.Y = float32((0 - float32(m.ground.X*flat.X) - float32(m.ground.Z*flat.Z)) / m.ground.Y)
	along = along.Mul(length / along.Len())
	end, blocked := m.slide(pos, along)
	clipped := m.clip(vel)
	if blocked && m.c.Step > 0 {
		dir := flat.Mul(1 / length)
		if over, ok := m.step(pos, flat, end.Sub(pos).Dot(dir)); ok {
			return over, vel
		}
	}
	return end, clipped
}

// step tries the way over an obstacle: up, along, down onto a ground. gain is
// how far sliding came.
func (m *Mover) step(pos, flat geom.Vec3, gain float32) (geom.Vec3, bool) {
	feet := pos.Y - m.half - m.c.Radius
	high, _, _ := m.advance(pos, up.Mul(m.c.Step))
	rise := high.Y - pos.Y
	if rise < skin {
		return pos, false
	}
	length := flat.Len()
	if length < stepReach {
		flat = flat.Mul(stepReach / length)
	}
	slope := m.ground
	m.ground = up
	over, _ := m.slide(high, flat)
	m.ground = slope
	if float32(over.Sub(pos).Dot(flat)/flat.Len()) < gain+stepGain {
		return pos, false
	}
	down := geom.Vec3{Y: 0 - rise - skin}
	hit, ok := m.cast(over, down)
	if !ok || hit.Inside || hit.Point.Y-feet > m.c.Step+stepOver {
		return pos, false
	}
	if f := m.stand(&hit); !f.ok {
		return pos, false
	}
	return m.short(over, down, &hit), true
}

// fly moves through the air. Half of gravity's work is in the way of this tick
// already, so that a jump is the parabola of the books.
func (m *Mover) fly(pos, vel geom.Vec3) (geom.Vec3, geom.Vec3) {
	end := vel
	if end.Y -= float32(m.c.Gravity * m.c.Dt); end.Y < 0-m.c.MaxFall {
		end.Y = 0 - m.c.MaxFall
	}
	pos, _ = m.slide(pos, vel.Add(end).Mul(m.c.Dt/2))
	return pos, m.hold(end)
}

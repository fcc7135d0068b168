package mover

import "github.com/foretick/foretick/geom"

// unstick restores the gap to all surfaces at once, by the shortest way out of
// all of them. Where there is none, as between walls that are too close, what
// the casts keep clear is enough. Surfaces that the cast capsule is in after
// all are held: no way leads further into them.
func (m *Mover) unstick(pos geom.Vec3) geom.Vec3 {
	m.nHeld = 0
	for range 2 {
		c := m.body
		c.Pos, c.Radius = pos, m.c.Radius-skin+kept
		m.over = m.w.CapsuleOverlap(c, m.q, m.over[:0])
		if len(m.over) == 0 {
			return pos
		}
		push, ok := m.push(kept)
		if !ok {
			break
		}
		next, moved := m.shift(pos, push)
		pos = next
		if !moved {
			break
		}
	}
	for i := range m.over {
		if o := &m.over[i]; o.Depth > kept && m.nHeld < maxPlanes/2 {
			m.held[m.nHeld] = o.Normal
			m.nHeld++
		}
	}
	return pos
}

// push returns a short vector that leads out of all overlaps: each sweep goes
// out of the one that is violated most.
func (m *Mover) push(inside float32) (geom.Vec3, bool) {
	var p geom.Vec3
	for range sweeps {
		worst, at := float32(0), -1
		for i := range m.over {
			o := &m.over[i]
			if v := o.Depth + slop - p.Dot(o.Normal); v > worst {
				worst, at = v, i
			}
		}
		if worst <= slop {
			return p, true
		}
		p = p.MulAdd(m.over[at].Normal, worst)
	}
	deepest := 0
	for i := range m.over {
		if m.over[i].Depth > m.over[deepest].Depth {
			deepest = i
		}
	}
	if d := m.over[deepest].Depth; d > inside { // no way out of all: half way out of the worst
		return m.over[deepest].Normal.Mul(float32((d - inside) / 2)), true
	}
	return geom.Vec3{}, false
}

// shift moves by a push as far as nothing is in the way; moved is false if
// that is nowhere.
func (m *Mover) shift(pos, push geom.Vec3) (geom.Vec3, bool) {
	if l, most := push.Len(), m.c.Radius/2; l > most {
		push = push.Mul(most / l)
	}
	hit, ok := m.cast(pos, push)
	if ok && !hit.Inside {
		push = push.Mul(hit.Fraction)
	}
	return pos.Add(push), push.Len2() > minMove*minMove
}

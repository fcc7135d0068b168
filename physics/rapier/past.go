package rapier

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

// past is where moving bodies were at the last ticks, oldest first.
type past struct {
	depth int
	ticks []moment
	spare []moment
	now   []pose // scratch: the present
	mid   []pose // scratch: between two ticks
}

// moment is where moving bodies were when a tick ended, by id.
type moment struct {
	tick  uint32
	poses []pose
}

type pose struct {
	id     physics.ID
	layer  uint8
	jumped bool // it was teleported here, or made, since the moment before
	kit    *kit
	pos    geom.Vec3
	rot    geom.Quat
}

func (b *body) pose() pose { return pose{b.id, b.def.Layer, b.jumped, b.kit, b.st.Pos, b.st.Rot} }

// seen reports whether queries look for a body among the poses.
func (b *body) seen() bool { return b.def.Kind != physics.Static && b.def.Flags&physics.Sensor == 0 }

// leave keeps the present, which is over, and forgets what is not before the
// tick that comes.
func (p *past) leave(w *World, next uint32) {
	p.forget(next)
	if p.depth > 0 && int32(w.tick-next) < 0 {
		var m moment
		if n := len(p.ticks); n == p.depth {
			m = p.ticks[0]
			copy(p.ticks, p.ticks[1:])
			p.ticks = p.ticks[:n-1]
		} else if n := len(p.spare); n > 0 {
			m, p.spare = p.spare[n-1], p.spare[:n-1]
		}
		m.tick, m.poses = w.tick, m.poses[:0]
		for i := range w.bodies {
			if b := &w.bodies[i]; b.seen() {
				m.poses = append(m.poses, b.pose())
			}
		}
		p.ticks = append(p.ticks, m)
	}
	for i := range w.bodies {
		w.bodies[i].jumped = false
	}
}

// forget drops what is kept of a tick and later ones.
func (p *past) forget(t uint32) {
	for n := len(p.ticks); n > 0 && int32(p.ticks[n-1].tick-t) >= 0; n = len(p.ticks) {
		p.spare = append(p.spare, p.ticks[n-1])
		p.ticks = p.ticks[:n-1]
	}
}

// poses returns the moving bodies at a time, by id. Before the oldest tick that
// is kept it is that one.
func (w *World) poses(behind float32) []pose {
	p := &w.past
	p.now = p.now[:0]
	for i := range w.bodies {
		if b := &w.bodies[i]; b.seen() {
			p.now = append(p.now, b.pose())
		}
	}
	if !(behind > 0) || len(p.ticks) == 0 {
		return p.now
	}
	// The last moment that is not later, and how far the next one is on.
	n := len(p.ticks)
	i := n - 1
	for i > 0 && float32(w.tick-p.ticks[i].tick) < behind {
		i--
	}
	ago, to := float32(w.tick-p.ticks[i].tick), float32(0)
	after := p.now
	if i+1 < n {
		after, to = p.ticks[i+1].poses, float32(w.tick-p.ticks[i+1].tick)
	}
	part := geom.Clamp((ago-behind)/(ago-to), 0, 1)
	if part == 0 {
		return p.ticks[i].poses
	}
	p.mid = between(p.ticks[i].poses, after, part, p.mid[:0])
	return p.mid
}

// between returns the bodies of two moments part of the way from one to the
// other. What jumped, or is in one alone, is where the first moment has it.
func between(a, b []pose, part float32, out []pose) []pose {
	j := 0
	for _, x := range a {
		for j < len(b) && b[j].id < x.id {
			j++
		}
		if j < len(b) && b[j].id == x.id && !b[j].jumped && b[j].kit == x.kit {
			x.pos, x.rot = x.pos.Lerp(b[j].pos, part), x.rot.Nlerp(b[j].rot, part)
		}
		out = append(out, x)
	}
	return out
}

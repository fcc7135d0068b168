package rapier

import (
	"cmp"
	"slices"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

// past is where moving bodies were at the last ticks. Tick t is in slot t modulo
// their number, if it is in any.
type past struct {
	slots []moment
	now   []pose // the present, if fresh
	fresh bool
	mid   []pose // scratch: between two ticks
}

// moment is where moving bodies were at a tick, by id.
type moment struct {
	tick  uint32
	kept  bool
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

// Record keeps where moving bodies are at this tick, if Config.Past asks for
// any. Step does it at its end.
func (w *World) Record() {
	if len(w.past.slots) == 0 {
		return
	}
	m := &w.past.slots[w.tick%uint32(len(w.past.slots))]
	m.tick, m.kept = w.tick, true
	m.poses = w.present(m.poses[:0])
}

func (w *World) present(out []pose) []pose {
	for i := range w.bodies {
		if b := &w.bodies[i]; b.seen() {
			out = append(out, b.pose())
		}
	}
	return out
}

// at returns what is kept of a tick, or nil.
func (p *past) at(tick uint32) *moment {
	if len(p.slots) == 0 {
		return nil
	}
	if m := &p.slots[tick%uint32(len(p.slots))]; m.kept && m.tick == tick {
		return m
	}
	return nil
}

// teleported is told of a body that was put elsewhere after the present was
// recorded.
func (p *past) teleported(tick uint32, b *body) {
	m := p.at(tick)
	if m == nil || !b.seen() {
		return
	}
	if i, ok := slices.BinarySearchFunc(m.poses, b.id, func(x pose, id physics.ID) int { return cmp.Compare(x.id, id) }); ok {
		m.poses[i] = b.pose()
	}
}

// poses returns the moving bodies at a time, by id: none where a tick is not
// kept.
func (w *World) poses(behind float32) []pose {
	p := &w.past
	if !(behind > 0) {
		if !p.fresh {
			p.now, p.fresh = w.present(p.now[:0]), true
		}
		return p.now
	}
	if behind >= float32(len(p.slots)) {
		return nil
	}
	whole := geom.Floor(behind)
	tick := w.tick - uint32(whole)
	b := p.at(tick)
	if b == nil || whole == behind {
		if b == nil {
			return nil
		}
		return b.poses
	}
	a := p.at(tick - 1)
	if a == nil {
		return nil
	}
	p.mid = between(a.poses, b.poses, 1-(behind-whole), p.mid[:0])
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

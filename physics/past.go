package physics

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// past is the poses of moving bodies at the last ticks. Static bodies have no
// past: they count as having always been where they are.
//
// It is memory of what was, not state: no step reads it. After a rollback the
// ticks that are stepped again are written over.
type past struct {
	slots []moment // tick t is in slot t modulo their number, if it is in any
	lists []roster // one more than slots, so that one is always free
}

// moment is the poses at one tick.
type moment struct {
	tick   uint32
	list   int32 // number of its roster; -1: nothing is here
	poses  []pose
	jumped []uint64 // bit n: body n was put where it is, it did not come
	jumps  bool     // any did
}

type pose struct {
	pos geom.Vec3
	rot geom.Quat
}

// roster is who was there. Ticks with the same bodies share one.
type roster struct {
	of     version
	users  int32 // moments
	bodies []member
}

type member struct {
	id    ID
	shape shape.Shape
	reach float32
	layer uint8
	flags Flags
}

func (w *World) initPast() {
	n := w.cfg.Past
	if n <= 0 {
		w.cfg.Past = 0
		return
	}
	if n > maxPast {
		n = maxPast
	}
	w.cfg.Past = n
	w.past.slots = make([]moment, n)
	w.past.lists = make([]roster, n+1)
	for i := range w.past.slots {
		w.past.slots[i].list = -1
	}
}

func (w *World) record() {
	if w.cfg.Past > 0 {
		w.Record()
	}
}

// Record keeps the poses of the present under its tick, if Config.Past asks
// for any. Step does it at its end. A game that moves bodies itself and does
// not step calls it once a tick, after its last write.
func (w *World) Record() {
	if w.cfg.Past == 0 {
		return
	}
	m := w.past.slot(w.tick)
	if m.list >= 0 {
		w.past.lists[m.list].users--
	}
	m.list = w.rosterOf()
	w.past.lists[m.list].users++
	n := len(w.moving.ids)
	m.tick = w.tick
	m.poses = exact(m.poses, n)
	m.jumped = exact(m.jumped, (n+63)/64)
	clear(m.jumped)
	m.jumps = false
	for r := range w.moving.st {
		x := &w.moving.st[r]
		m.poses[r] = pose{x.Pos, x.Rot}
		if x.Still&Placed != 0 {
			m.jumped[r>>6] |= 1 << (r & 63)
			m.jumps = true
		}
	}
}

// exact is resize without a reserve: a past is many slices.
func exact[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func (p *past) slot(tick uint32) *moment { return &p.slots[tick%uint32(len(p.slots))] }

// at returns what is known of a tick, or nil.
func (p *past) at(tick uint32) *moment {
	if len(p.slots) == 0 {
		return nil
	}
	if m := p.slot(tick); m.list >= 0 && m.tick == tick {
		return m
	}
	return nil
}

// rosterOf returns the number of the roster of the bodies there are, which is
// made if no tick has it.
func (w *World) rosterOf() int32 {
	free := int32(-1)
	for i := range w.past.lists {
		l := &w.past.lists[i]
		if l.of == w.moving.version && l.of != (version{}) {
			return int32(i)
		}
		if l.users == 0 {
			free = int32(i)
		}
	}
	l := &w.past.lists[free]
	l.of = w.moving.version
	l.bodies = exact(l.bodies, len(w.moving.ids))
	for r, id := range w.moving.ids {
		d := &w.moving.defs[r]
		l.bodies[r] = member{id, d.Shape, w.moving.mass[r].reach, d.Layer, d.Flags}
	}
	return free
}

// markTeleport is called after a write put a moving body elsewhere: it is
// there at the present tick, and was not on its way before.
func (w *World) markTeleport(row int) {
	m := w.past.at(w.tick)
	if m == nil {
		return
	}
	id := w.moving.ids[row]
	for i := range w.past.lists[m.list].bodies {
		if w.past.lists[m.list].bodies[i].id == id {
			m.poses[i] = pose{w.moving.st[row].Pos, w.moving.st[row].Rot}
			m.jumped[i>>6] |= 1 << (i & 63)
			m.jumps = true
		}
	}
}

// Knows reports whether queries so far Behind see moving bodies. Where a tick
// was not recorded or is no longer kept they see static ones only.
func (w *World) Knows(behind float32) bool {
	if !(behind > 0) {
		return true
	}
	_, _, _, ok := w.moments(behind)
	return ok
}

// moments returns the two ticks around a time and how far it is from the
// first to the second; at a tick, both are the same.
func (w *World) moments(behind float32) (a, b *moment, t float32, ok bool) {
	if !(behind <= float32(w.cfg.Past)) {
		return nil, nil, 0, false
	}
	whole := geom.Floor(behind)
	tick := w.tick - uint32(whole)
	b = w.past.at(tick)
	if whole == behind {
		return b, b, 0, b != nil
	}
	a = w.past.at(tick - 1)
	return a, b, 1 - (behind - whole), a != nil && b != nil
}

// lookBack is lookAround for the moving bodies of another time. Between two
// ticks a body is between its two poses; one that jumped, or was gone at the
// later tick, is still at the earlier one, and one that came is not there yet.
func (w *World) lookBack() {
	s := &w.query
	a, b, t, ok := w.moments(s.behind)
	if !ok {
		return
	}
	from, to := w.past.lists[a.list].bodies, w.past.lists[b.list].bodies
	if a.list == b.list && (t == 0 || !b.jumps) {
		w.lookBetween(from, a.poses, b.poses, t)
		return
	}
	j := 0
	for i := range from {
		m, p := &from[i], a.poses[i]
		for j < len(to) && to[j].id < m.id {
			j++
		}
		if j < len(to) && to[j].id == m.id && b.jumped[j>>6]>>(j&63)&1 == 0 {
			p.pos, p.rot = p.pos.Lerp(b.poses[j].pos, t), p.rot.Nlerp(b.poses[j].rot, t)
		}
		if s.misses(p.pos, m.reach) || !s.sees(m.id, m.layer, m.flags) {
			continue
		}
		f := geom.FrameOf(p.pos, p.rot)
		if w.tryBody(m.id, m.shape, &f) {
			return
		}
	}
}

// lookBetween is lookBack where the same bodies went from one place to another,
// which is nearly always. Turning them waits until the ball about one is hit.
func (w *World) lookBetween(who []member, a, b []pose, t float32) {
	s := &w.query
	a, b = a[:len(who)], b[:len(who)]
	for i := range who {
		m := &who[i]
		pos := a[i].pos.Lerp(b[i].pos, t)
		if s.misses(pos, m.reach) || !s.sees(m.id, m.layer, m.flags) {
			continue
		}
		rot := a[i].rot
		if t > 0 { // at a tick, the bits of then
			rot = rot.Nlerp(b[i].rot, t)
		}
		f := geom.FrameOf(pos, rot)
		if w.tryBody(m.id, m.shape, &f) {
			return
		}
	}
}

// rerecord has the present's poses kept anew after a Restore, if they were: a
// game may have moved bodies since.
func (w *World) rerecord() {
	if w.past.at(w.tick) != nil {
		w.Record()
	}
}

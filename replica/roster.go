package replica

import (
	"slices"

	"github.com/foretick/foretick/tick"
)

// roster lists what the server has spoken of, ascending.
type roster struct {
	ids  []tick.Entity
	list []member
	near int // where note looks first
}

type member struct {
	owner uint16
	mask  uint64
	since tick.Tick // the newest tick it was spoken of
	gone  bool      // since then
}

// goneTicks is how long the end of an entity is remembered: a packet that
// tells of it alive and comes later than that is older than any history.
const goneTicks = 1024

func (r *roster) clear() { r.ids, r.list = r.ids[:0], r.list[:0] }

func (r *roster) find(e tick.Entity) (*member, bool) {
	i, ok := slices.BinarySearch(r.ids, e)
	if !ok {
		return nil, false
	}
	return &r.list[i], true
}

// alive reports whether e is there, as far as is known.
func (r *roster) alive(e tick.Entity) bool {
	m, ok := r.find(e)
	return ok && !m.gone
}

// note takes down what a packet said at tick t; older news is ignored.
func (r *roster) note(e tick.Entity, owner uint16, mask uint64, t tick.Tick) {
	i := r.near // packets speak of entities in this order
	if i >= len(r.ids) || r.ids[i] != e {
		var ok bool
		if i, ok = slices.BinarySearch(r.ids, e); !ok {
			r.ids = slices.Insert(r.ids, i, e)
			r.list = slices.Insert(r.list, i, member{owner: owner, mask: mask, since: t})
			return
		}
	}
	r.near = i + 1
	if !t.Before(r.list[i].since) {
		r.list[i] = member{owner: owner, mask: mask, since: t}
	}
}

// drop takes down that e is gone, unless it was heard of later.
func (r *roster) drop(e tick.Entity, t tick.Tick) {
	r.note(e, 0, 0, t)
	if m, ok := r.find(e); ok && m.since == t {
		m.gone = true
	}
}

// forget leaves out those that are gone for long.
func (r *roster) forget(now tick.Tick) {
	n := 0
	for i, m := range r.list {
		if m.gone && now.Since(m.since) > goneTicks {
			continue
		}
		if n != i {
			r.ids[n], r.list[n] = r.ids[i], m
		}
		n++
	}
	r.ids, r.list = r.ids[:n], r.list[:n]
}

func (r *roster) ownedBy(owner uint16) tick.Entity {
	if owner == 0 {
		return tick.NoEntity
	}
	for i := range r.list {
		if r.list[i].owner == owner {
			return r.ids[i]
		}
	}
	return tick.NoEntity
}

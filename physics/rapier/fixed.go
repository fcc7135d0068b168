package rapier

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

// fixed is a static body as still has it: colliders without a body.
type fixed struct {
	id      physics.ID
	kit     *kit
	layer   uint8
	pos     geom.Vec3
	rot     geom.Quat
	handles []float64
}

func (f *fixed) is(b *body) bool {
	return f.id == b.id && f.kit == b.kit && f.layer == b.def.Layer && f.pos == b.st.Pos && f.rot == b.st.Rot
}

// refresh makes still what bodies say. What it has of bodies that are as they
// were stays; a step without anything that moves sorts the rest in.
func (w *World) refresh() {
	if !w.stale || w.vm.err != nil {
		return
	}
	v := w.vm
	old := w.fixed
	w.fixed = nil
	for i := range w.bodies {
		b := &w.bodies[i]
		if b.def.Kind != physics.Static || b.def.Flags&physics.Sensor != 0 {
			continue
		}
		for len(old) > 0 && old[0].id < b.id {
			w.unfix(&old[0])
			old = old[1:]
		}
		if len(old) > 0 && old[0].is(b) {
			w.fixed = append(w.fixed, old[0])
			old = old[1:]
			continue
		}
		f := fixed{b.id, b.kit, b.def.Layer, b.st.Pos, b.st.Rot, nil}
		for n, p := range b.kit.pieces {
			p.pos, p.rot = f.pos.Add(f.rot.Rotate(p.pos)), f.rot.Mul(p.rot)
			h := v.createCollider(&w.still, &b.def, p, false, 0, 0xffffffff, 0)
			f.handles = append(f.handles, h)
			w.ofFixed = put(w.ofFixed, index(h), ref{b.id, uint16(n), b.def.Layer})
		}
		w.fixed = append(w.fixed, f)
	}
	for i := range old {
		w.unfix(&old[i])
	}
	v.step(&w.still, false)
	w.stale = false
}

func (w *World) unfix(f *fixed) {
	r := &w.still
	for _, h := range f.handles {
		w.vm.call(colliderRemove, r.colliders, f64(h), r.islands, r.bodies, r.soft, 0)
	}
}

package rapier

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/foretick/foretick/physics"
)

var errSnapshot = errors.New("rapier: this is no snapshot of a World with these shapes")

const (
	snapshotMagic = 0x52504652 // "RFPR"
	maxSnapshot   = 1 << 30    // bytes of Rapier's part; its memory ends at 4 GB
)

// head is how a snapshot begins; little endian. Then come the bodies, the
// handles of those that Rapier is to lose, and what Rapier writes itself.
type head struct {
	Magic, Tick, Bodies, Gone, Size uint32
	Wide                            bool
}

type savedBody struct {
	ID                          physics.ID
	Def                         physics.Def
	State                       physics.State
	Handle                      float64
	Told, Moved, Pushed, Jumped bool
}

// Save returns the whole World but its past, contact caches included: restored,
// it goes on with the same bits. Shapes of the Store are not in it.
func (w *World) Save() ([]byte, error) {
	rapiers := w.vm.serialize(&w.sim)
	if w.vm.err != nil {
		return nil, w.vm.err
	}
	var b bytes.Buffer
	saved := make([]savedBody, len(w.bodies))
	for i := range w.bodies {
		x := &w.bodies[i]
		saved[i] = savedBody{x.id, x.def, x.st, x.handle, x.told, x.moved, x.pushed, x.jumped}
	}
	h := head{snapshotMagic, w.tick, uint32(len(saved)), uint32(len(w.gone)), uint32(len(rapiers)), w.wide}
	for _, part := range []any{h, saved, w.gone, rapiers} {
		if err := binary.Write(&b, binary.LittleEndian, part); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// Restore makes the World what it was when b was saved, by this World or by
// another with the same Config and shapes. What is recorded of
// ticks stays. After an error nothing has changed.
func (w *World) Restore(b []byte) error {
	var h head
	r := bytes.NewReader(b)
	if binary.Read(r, binary.LittleEndian, &h) != nil || h.Magic != snapshotMagic || h.Size > maxSnapshot ||
		int64(h.Bodies)*int64(binary.Size(savedBody{}))+8*int64(h.Gone)+int64(h.Size) != int64(r.Len()) {
		return errSnapshot
	}
	saved, gone := make([]savedBody, h.Bodies), make([]float64, h.Gone)
	if err := errors.Join(binary.Read(r, binary.LittleEndian, saved), binary.Read(r, binary.LittleEndian, gone)); err != nil {
		return errSnapshot
	}
	bodies := make([]body, len(saved))
	for i, s := range saved {
		if check(&s.Def, &s.State) != nil || s.ID == 0 || i > 0 && s.ID <= saved[i-1].ID {
			return errSnapshot
		}
		k, err := w.kit(s.Def.Shape)
		if err != nil {
			return err
		}
		bodies[i] = body{id: s.ID, def: s.Def, st: s.State, kit: k, mass: w.massOf(k, &s.Def), handle: s.Handle,
			told: s.Told, moved: s.Moved, pushed: s.Pushed, jumped: s.Jumped}
	}
	if !w.vm.deserialize(&w.sim, b[len(b)-r.Len():]) {
		return w.fault(errSnapshot)
	}
	w.bodies, w.gone, w.wide, w.stale = bodies, gone, h.Wide, true
	w.tick, w.past.fresh = h.Tick, false
	for i := range w.bodies {
		if x := &w.bodies[i]; x.told {
			for n := range x.kit.pieces {
				c := w.vm.call(bodyCollider, w.sim.bodies, f64(x.handle), uint64(n))
				w.ofSim = put(w.ofSim, index(asF64(c)), x.id)
			}
		}
	}
	return w.vm.err
}

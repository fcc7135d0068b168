package physics

import (
	"slices"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// Config is what holds for a whole World, for its life.
type Config struct {
	Gravity geom.Vec3    // m/s^2; none if zero, not finite or above 1e4; see Earth
	Dt      float32      // seconds a step, from 1e-5 to 0.1; else 1/60
	NoSleep bool         // nothing falls asleep
	Past    int          // ticks of poses kept for queries into the past; 0: none
	Shapes  *shape.Store // may be nil where no body needs it
}

// Earth is the gravity of a game on the ground.
var Earth = geom.Vec3{Y: -9.81}

// World is a set of bodies. See the package comment.
type World struct {
	cfg    Config
	tick   uint32
	moving table // dynamic and kinematic
	fixed  table // static
	input  []push
	tree   shape.Tree // over fixed
	treeOf version    // of fixed, that tree is of
	events []Event
	ended  []Event // touches that writes ended or began, for the next step's events
	step   scratch
	query  queryScratch
	past   past
}

// New returns an empty World.
func New(cfg Config) *World {
	if !(cfg.Dt >= minDt && cfg.Dt <= maxDt) {
		cfg.Dt = 1.0 / 60
	}
	if !vecOK(cfg.Gravity, maxAccel) {
		cfg.Gravity = geom.Vec3{}
	}
	if cfg.Shapes == nil {
		cfg.Shapes = new(shape.Store)
	}
	w := &World{cfg: cfg}
	w.initPast()
	return w
}

// Config returns what the World was made with, defaults filled in.
func (w *World) Config() Config { return w.cfg }

// Tick is the present, as SetTick and Step have it.
func (w *World) Tick() uint32 { return w.tick }

// SetTick names the present.
func (w *World) SetTick(t uint32) { w.tick = t }

// Has reports whether a body has this id.
func (w *World) Has(id ID) bool {
	_, ok := w.moving.row(id)
	if !ok {
		_, ok = w.fixed.row(id)
	}
	return ok
}

// Bodies returns the ids of all kinematic and dynamic bodies, ascending, until
// the next change. Do not change it.
func (w *World) Bodies() []ID { return w.moving.ids }

// States returns the state of each of Bodies. Do not change it.
func (w *World) States() []State { return w.moving.st }

// Statics returns the ids of all static bodies, ascending, until the next
// change. Do not change it.
func (w *World) Statics() []ID { return w.fixed.ids }

// State returns a body's state.
func (w *World) State(id ID) (State, bool) {
	if t, r, ok := w.find(id); ok {
		return t.st[r], true
	}
	return State{}, false
}

// Def returns what a body is.
func (w *World) Def(id ID) (Def, bool) {
	if t, r, ok := w.find(id); ok {
		return t.defs[r], true
	}
	return Def{}, false
}

// Add makes a body. What sleeps beside a static or kinematic one wakes.
func (w *World) Add(id ID, d Def, s State) error {
	s.Still = Placed
	if err := w.Put(id, d, s); err != nil {
		return err
	}
	if d.Kind != Dynamic {
		w.wakeAround(id)
	}
	w.beginTouches(id)
	return nil
}

// Put makes a body with exactly these values and wakes nothing: it is for
// building a world anew from components.
func (w *World) Put(id ID, d Def, s State) error {
	if id == 0 {
		return ErrID
	}
	if w.Has(id) {
		return ErrExists
	}
	m, err := w.check(&d, &s)
	if err != nil {
		return err
	}
	if d.Kind == Static {
		w.fixed.insert(id, d, State{Pos: s.Pos, Rot: s.Rot}, m)
		return nil
	}
	r := w.moving.insert(id, d, s, m)
	w.input = slices.Insert(w.input, r, push{})
	return nil
}

// Remove takes a body out and wakes what touched it.
func (w *World) Remove(id ID) bool {
	t, r, ok := w.find(id)
	if !ok {
		return false
	}
	w.endTouches(id)
	w.wakeAround(id)
	t.remove(r)
	if t == &w.moving {
		w.input = slices.Delete(w.input, r, r+1)
	}
	return true
}

// RemoveOrphans removes the dynamic bodies that are not in alive, which is
// ascending.
func (w *World) RemoveOrphans(alive []ID) {
	for r := len(w.moving.ids) - 1; r >= 0; r-- {
		if _, ok := slices.BinarySearch(alive, w.moving.ids[r]); !ok && w.moving.defs[r].Kind == Dynamic {
			w.Remove(w.moving.ids[r])
		}
	}
}

// Clear removes all bodies, wakes nothing and keeps the memory.
func (w *World) Clear() {
	w.moving.clear()
	w.fixed.clear()
	w.input, w.events, w.ended = w.input[:0], w.events[:0], w.ended[:0]
}

// find returns where a body is.
func (w *World) find(id ID) (t *table, row int, ok bool) {
	if r, ok := w.moving.row(id); ok {
		return &w.moving, r, true
	}
	r, ok := w.fixed.row(id)
	return &w.fixed, r, ok
}

var _ Engine = (*World)(nil)

package view

import (
	"slices"
	"time"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Source is what there is to show at a moment.
type Source struct {
	// Prev and Cur are the last two predicted states, and Alpha in [0, 1] the
	// time between them. Prev may be nil; so may Cur: nothing is predicted yet.
	Prev, Cur *ecs.World
	Alpha     float32
	// Predicted says whether an entity is shown from Prev and Cur or from
	// Buffer. nil: all from Buffer. It must not change during a call.
	Predicted func(e tick.Entity) bool

	// Buffer has the others, shown as at ViewTick+ViewFrac. nil: no others.
	Buffer   *Buffer
	ViewTick tick.Tick
	ViewFrac float32

	Smooth bool          // hide corrections
	Now    time.Duration // of this peer's clock
}

// Frame is what to draw. It is valid until the next call of Display.Frame.
type Frame struct {
	World *ecs.World // what is shown, components that do not travel included where predicted
	// By entity, ascending. What teleported is not to be drawn as moving there.
	Appeared, Gone, Teleported []tick.Entity
	// Jump is the largest Display.JumpOf of a predicted entity.
	Jump float32
	Now  time.Duration
}

// Display keeps what was shown, so that what comes next does not jump away
// from it. An entity keeps its id, predicted or not.
type Display struct {
	// SnapDistance and TeleportDistance start as the constants of those names
	// and may be changed at any time.
	SnapDistance, TeleportDistance float32

	g      *sim.Game
	smooth []int // columns that are shown smoothly
	local  []int // columns that do not travel
	empty  *ecs.World
	past   *ecs.World // the buffer again, as of the last frame

	// Of this frame and the last: as shown, and (smooth columns only) before
	// the error was added. frame is what the next Frame compares with.
	now, last picture
	frame     Frame
	recs      []record // by entity index

	// The error still shown is record.left times (from - to).
	from, to *ecs.World
	a, b, c  []byte // one component each

	lifted lift // of this frame

	alpha     float32
	viewTick  tick.Tick
	viewFrac  float32
	viewed    bool // there was a view time
	smoothing bool
	started   bool
}

type picture struct {
	shown, raw *ecs.World
	ids        []tick.Entity
}

type record struct {
	id        tick.Entity
	predicted bool
	state     State // if not predicted
	left      float32
	jump      float32
	off       bool // it is in from and to
	plain     bool // shown without an error: as it is in raw
}

// NewDisplay makes a display that has shown nothing yet.
func NewDisplay(g *sim.Game) *Display {
	g.Seal()
	d := &Display{SnapDistance: SnapDistance, TeleportDistance: TeleportDistance, g: g,
		empty: g.NewWorld(), past: g.NewWorld(), from: g.NewWorld(), to: g.NewWorld()}
	d.now.shown, d.now.raw = g.NewWorld(), g.NewWorld()
	d.last.shown, d.last.raw = g.NewWorld(), g.NewWorld()
	size := 0
	for col := range g.Components() {
		size = max(size, g.Plan(col).Size)
		if g.Plan(col).Smooth() {
			d.smooth = append(d.smooth, col)
		}
		if !slices.Contains(g.Wire(), col) {
			d.local = append(d.local, col)
		}
	}
	d.a, d.b, d.c = make([]byte, size), make([]byte, size), make([]byte, size)
	return d
}

// Frame works out what to show at s.Now.
func (d *Display) Frame(s *Source) *Frame {
	d.now, d.last = d.last, d.now
	d.now.ids = d.now.ids[:0]
	f := &d.frame
	f.Appeared, f.Gone, f.Teleported = f.Appeared[:0], f.Gone[:0], f.Teleported[:0]
	f.World, f.Jump = d.now.shown, 0
	keep := float32(0)
	if s.Smooth {
		keep = 1
		if d.started {
			keep = decay(s.Now - f.Now)
		}
	}
	f.Now = s.Now
	d.liftAll(s)
	var mine, others []tick.Entity
	if s.Cur != nil && s.Predicted != nil {
		mine = s.Cur.Entities()
	}
	if s.Buffer != nil {
		others = s.Buffer.Entities()
	}
	for len(mine) > 0 || len(others) > 0 {
		var e tick.Entity
		if len(others) == 0 || len(mine) > 0 && mine[0] <= others[0] {
			e = mine[0]
		} else {
			e = others[0]
		}
		known := len(others) > 0 && others[0] == e
		if known {
			others = others[1:]
		}
		alive := len(mine) > 0 && mine[0] == e
		if alive {
			mine = mine[1:]
		}
		d.show(s, e, alive, known, keep)
	}
	d.alpha, d.smoothing, d.started = held(s.Alpha), s.Smooth, true
	d.viewTick, d.viewFrac, d.viewed = s.ViewTick, s.ViewFrac, s.Buffer != nil
	d.finish()
	return f
}

// show puts one entity into the picture, from whichever source it has.
func (d *Display) show(s *Source, e tick.Entity, alive, known bool, keep float32) {
	predicted, state := s.Predicted != nil && s.Predicted(e), Interpolated
	switch {
	case predicted && alive:
		d.blend(s.Prev, s.Cur, e, held(s.Alpha))
	case !predicted && known:
		if state = s.Buffer.Sample(d.now.shown, e, s.ViewTick, s.ViewFrac); state == Absent {
			return
		}
		for _, col := range d.local {
			d.now.shown.Column(col).Remove(e)
		}
	default:
		return
	}
	// A lower generation of the same index may have been put in just before.
	if n := len(d.now.ids); n > 0 && d.now.ids[n-1].Index() == e.Index() {
		d.now.ids = d.now.ids[:n-1]
	}
	d.now.ids = append(d.now.ids, e)
	if !predicted || !d.lifted.raw {
		copySmooth(d.now.raw, d.now.shown, e, d.smooth)
	}
	r := d.record(e)
	if !d.last.shown.Alive(e) {
		r.off = true
		d.drop(e, r)
		*r = record{id: e, predicted: predicted, state: state, plain: true}
		return
	}
	d.carryOn(s, e, r, predicted, state, keep)
	r.predicted, r.state = predicted, state
}

// carryOn joins the new pose of e with the one shown last.
func (d *Display) carryOn(s *Source, e tick.Entity, r *record, predicted bool, state State, keep float32) {
	f := &d.frame
	changed, was := r.predicted != predicted, r.plain
	r.left *= keep
	teleported := false
	switch {
	case !predicted && d.viewed:
		teleported = s.Buffer.jumped(e, d.viewTick, d.viewFrac, s.ViewTick, s.ViewFrac)
		// What was shown last may be known better now, or from this source only
		// now: the difference, as of then, is the error.
		if changed || r.state != Interpolated {
			if s.Buffer.Sample(d.past, e, d.viewTick, d.viewFrac) == Absent {
				d.rebase(e, r, d.now.raw, 1)
			} else if changed || d.differs(d.past, d.last.raw, e) {
				d.rebase(e, r, d.past, keep)
			}
		}
	case changed:
		d.rebase(e, r, d.now.raw, 1)
	case predicted:
		teleported = d.far(d.now.raw, d.last.raw, e)
	}
	if r.plain = r.left < leastLeft || teleported || !s.Smooth; r.plain {
		d.drop(e, r)
	} else {
		for _, col := range d.smooth {
			if p, ok := cell(d.now.shown, col, e); ok {
				d.addError(p, e, r, col)
			}
		}
	}
	if was && r.plain && predicted && !changed { // both are as in raw
		if teleported {
			f.Teleported = append(f.Teleported, e)
		}
		r.jump = 0
		return
	}
	if teleported || (predicted || changed) && d.far(d.now.shown, d.last.shown, e) {
		f.Teleported = append(f.Teleported, e)
	}
	r.jump = 0
	if predicted || changed {
		r.jump = d.jump(e, !changed)
	}
	if predicted && r.jump > f.Jump {
		f.Jump = r.jump
	}
}

// blend puts the predicted pose of e into the picture.
func (d *Display) blend(prev, cur *ecs.World, e tick.Entity, alpha float32) {
	w := d.now.shown
	w.Insert(e)
	w.SetOwner(e, cur.Owner(e))
	for _, col := range d.lifted.rest {
		to := w.Column(col)
		if !cur.Column(col).Has(e) {
			to.Remove(e)
			continue
		}
		d.pose(to.Bytes(to.Add(e)), prev, cur, e, col, alpha)
	}
}

// pose writes to dst component col of e between prev and cur, and reports
// whether e has it in cur.
func (d *Display) pose(dst []byte, prev, cur *ecs.World, e tick.Entity, col int, alpha float32) bool {
	to, ok := cell(cur, col, e)
	if !ok {
		return false
	}
	from := to
	if prev != nil {
		if v, ok := cell(prev, col, e); ok {
			from = v
		}
	}
	d.between(dst, from, to, col, alpha)
	return true
}

// finish removes what is no longer shown and finds out what came and went.
func (d *Display) finish() {
	keepOnly(d.now.shown, d.empty, d.now.ids)
	keepOnly(d.now.raw, d.empty, d.now.ids)
	f := &d.frame
	old, cur := d.last.ids, d.now.ids
	for len(old) > 0 || len(cur) > 0 {
		switch {
		case len(old) == 0 || len(cur) > 0 && cur[0] < old[0]:
			f.Appeared = append(f.Appeared, cur[0])
			cur = cur[1:]
		case len(cur) == 0 || old[0] < cur[0]:
			f.Gone = append(f.Gone, old[0])
			remove(d.from, d.empty, old[0])
			remove(d.to, d.empty, old[0])
			remove(d.past, d.empty, old[0])
			old = old[1:]
		default:
			old, cur = old[1:], cur[1:]
		}
	}
}

// keepOnly removes from w all but keep, which is ascending.
func keepOnly(w, empty *ecs.World, keep []tick.Entity) {
	ids, k := w.Entities(), len(keep)-1
	for i := len(ids) - 1; i >= 0; i-- {
		for k >= 0 && keep[k] > ids[i] {
			k--
		}
		if k < 0 || keep[k] != ids[i] {
			remove(w, empty, ids[i])
		}
	}
}

func copySmooth(to, from *ecs.World, e tick.Entity, cols []int) {
	to.Insert(e)
	for _, col := range cols {
		to.CopyRow(col, from, e)
	}
}

// record returns the record of e's index.
func (d *Display) record(e tick.Entity) *record {
	for len(d.recs) <= int(e.Index()) {
		d.recs = append(d.recs, record{})
	}
	return &d.recs[e.Index()]
}

func held(alpha float32) float32 {
	switch {
	case alpha > 1:
		return 1
	case alpha > 0:
		return alpha
	}
	return 0
}

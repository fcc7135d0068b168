package physics

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// The step keeps one invariant: what it makes of a body is a function of the
// states, Defs and inputs of the bodies it interacts with, and of nothing
// else. So nothing below survives a call but scratch memory, every list is in
// order of id, and no number is shared by bodies that do not interact.
//
//  1. Boxes swept by this step's motion; pairs of them, in order.
//  2. The awake set, closed over contacts: what an awake body touches wakes.
//  3. Contacts afresh, put in colours (greedy, in order) and made constraints.
//  4. A first guess of impulses, which other engines remember from the last
//     step instead: every weight shared out over what holds it up, from the top
//     down, and then passes over velocities alone.
//  5. Substeps: forces, soft contacts, positions, rigid contacts.
//  6. Restitution from approach speeds of the start; bodies that would have
//     gone through static geometry are put back to where they met it.
//  7. Islands: all that touched, by union-find; the still ones fall asleep.
//  8. Events: pairs that touch at one end of the step and not at the other.

// Step moves the present on by one time step.
func (w *World) Step() {
	w.events = append(w.events[:0], w.ended...)
	w.ended = w.ended[:0]
	if w.begin() {
		w.frameAll()
		w.findPairs()
		w.touch()
		w.prepare()
		w.solve()
		w.finish()
		w.islands()
		w.report()
	}
	clear(w.input)
	sortEvents(w.events)
	w.tick++
	w.record()
}

// How a moving body takes part in this step.
const (
	asleep = iota // does not, unless something touches it
	awake
	idle // a kinematic body at rest: as good as static
)

// scratch is the memory of a step. Nothing in it is read by the next one.
type scratch struct {
	awake  []uint8 // per moving body
	rows   []int32 // dynamic and awake, ascending
	driven []int32 // kinematic and awake, ascending
	held   []int32 // of rows, those that touch something
	frames []geom.Frame
	boxes  []shape.AABB // swept
	speed  []geom.Vec3  // at the end of the step if nothing is touched
	turn   []float32    // m that a point of the body may move by its spin

	sorted      []sweepBox
	keys, keys2 []uint64
	raw         []uint64
	best        []uint64
	owned       []int32 // pairs that count as a body's
	crowded     bool    // some body owns too many
	starts      []int32 // of the pairs of each row
	next        []int32
	pairs       []pair
	near        []uint32 // static candidates
	manifolds   []shape.Manifold
	watched     []watch

	order  []contactRef
	sorts  []contactRef
	used   []uint64 // colours, per moving body
	cons   []constraint
	bodies []solverBody // the last one is all that is static
	moves  []movement
	free   []freeBody

	loads    []load // guess: what a body carries
	feet     []foot
	rank     []int32 // guess: higher bodies have higher ones; 0 is what does not fall
	touchAt  []int32 // constraints of each body
	touching []int32

	parent  []int32  // union-find
	budgets []budget // per root
	slides  []grip   // per body of the solver
	loud    []bool   // per root: does not sleep

	labelling bool // Components looks for pairs, not a step
	before    []State
}

// begin says who takes part, and whether anybody does.
func (w *World) begin() bool {
	s, n := &w.step, len(w.moving.ids)
	s.awake = resize(s.awake, n)
	any := false
	for r := range n {
		x := &w.moving.st[r]
		s.awake[r] = awake
		if s.awake[r] == awake {
			x.Vel, x.Spin = limited(x.Vel, maxSpeed), limited(x.Spin, maxSpin)
		}
		if w.moving.defs[r].Kind == Kinematic {
			w.aim(r)
			if x.Vel == (geom.Vec3{}) && x.Spin == (geom.Vec3{}) && x.Still&Placed == 0 {
				s.awake[r] = idle
			}
		} else if x.Still == Asleep {
			s.awake[r] = asleep
		}
		any = any || s.awake[r] == awake
	}
	return any
}

// aim gives a kinematic body that MoveTo was called for its velocity.
func (w *World) aim(r int) {
	in, x := &w.input[r], &w.moving.st[r]
	if !in.moved {
		return
	}
	k := 1 / w.cfg.Dt
	x.Vel = limited(in.toPos.Sub(x.Pos).Mul(k), maxSpeed)
	x.Spin = limited(turnBetween(x.Rot, in.toRot).Mul(k), maxSpin)
}

// turnBetween is the rotation vector from a to b, the shortest way, in rad.
func turnBetween(a, b geom.Quat) geom.Vec3 {
	if a == b {
		return geom.Vec3{}
	}
	d := b.Mul(a.Conj()).Canonical()
	v := geom.Vec3{X: d.X, Y: d.Y, Z: d.Z}
	l := v.Len()
	if l < 1e-12 {
		return geom.Vec3{}
	}
	return v.Mul(2 * geom.Atan2(l, d.W) / l)
}

// resize returns s with length n and arbitrary content.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

package sim

import (
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/internal/fault"
	"github.com/foretick/foretick/tick"
)

// Runner runs steps of a game on any world of it. It holds scratch memory
// only: two runners, or one used for two worlds in turn, give the same bits.
// Not safe for concurrent use.
type Runner struct{ s Step }

// NewRunner makes a runner. The seed is the match's: both sides have it.
func NewRunner(g *Game, seed uint64) *Runner {
	g.Seal()
	r := &Runner{}
	r.s = Step{g: g, seed: seed, Dt: g.dt, spare: g.NewWorld()}
	for i := range spareRows {
		e := tick.MakeEntity(uint16(i+1), 0)
		r.s.spare.Insert(e)
		for col := range g.comps {
			r.s.spare.Column(col).Add(e)
		}
	}
	return r
}

// Begin prepares tick t on world w.
func (r *Runner) Begin(w *ecs.World, t tick.Tick, side Side) *Step {
	s := &r.s
	s.w, s.Tick, s.Side = w, t, side
	s.scope, s.guarded = nil, false
	s.changes, s.added, s.effects = s.changes[:0], s.added[:0], s.effects[:0]
	return s
}

// Scope limits the step to some entities (ascending), for a game that is
// Scoped. An empty scope is not the same as none.
func (r *Runner) Scope(es []tick.Entity) {
	if es == nil {
		es = []tick.Entity{}
	}
	r.s.scope = es
}

// Lock makes an entity read-only for this step.
func (r *Runner) Lock(e tick.Entity) {
	s := &r.s
	if !s.guarded {
		s.guarded = true
		clear(s.locked)
	}
	i := int(e.Index())
	for len(s.locked) <= i>>6 {
		s.locked = append(s.locked, 0)
	}
	s.locked[i>>6] |= 1 << (i & 63)
}

// Join runs the game's join for a player.
func (r *Runner) Join(p Player) {
	if r.s.g.join != nil {
		r.s.g.join(&r.s, p)
	}
	r.s.applyChanges()
}

// Leave runs the game's leave for a player, or destroys all he owns.
func (r *Runner) Leave(p Player) {
	s := &r.s
	if s.g.leave != nil {
		s.g.leave(s, p)
	} else {
		for _, e := range s.w.Entities() {
			if s.w.Owner(e) == uint16(p) {
				s.Destroy(e)
			}
		}
	}
	s.applyChanges()
}

// SetInput writes a player's input (see Game.InputSize) to the input
// components of all he owns.
func (r *Runner) SetInput(p Player, in []byte) {
	s := &r.s
	for _, col := range s.g.inputs {
		c := s.w.Column(col)
		off, size := s.g.comps[col].offset, s.g.sizes[col]
		for row, e := range c.IDs() {
			owner := s.w.Owner(e)
			if fault.Is("inv14") && owner != 0 && owner == uint16(p)-1 {
				owner++
			}
			if owner == uint16(p) && (s.scope == nil || contains(s.scope, e)) {
				copy(c.Bytes(row), in[off:off+size])
			}
		}
	}
}

// LockPlayer makes all that a player owns read-only for this step, which is
// what HolePolicy.Freeze asks for.
func (r *Runner) LockPlayer(p Player) {
	for _, e := range r.s.w.Entities() {
		if r.s.w.Owner(e) == uint16(p) {
			r.Lock(e)
		}
	}
}

// Systems runs the systems of the step's side, in the order of declaration.
func (r *Runner) Systems() {
	s := &r.s
	for i := range s.g.systems {
		sys := &s.g.systems[i]
		if sys.side != BothSides && sys.side != s.Side {
			continue
		}
		// A player who is frozen stands still, but damage still lands on him.
		guarded := s.guarded
		s.guarded = guarded && sys.side != ServerSide
		sys.run(s)
		s.applyChanges()
		s.guarded = guarded
	}
	if s.g.rounded {
		s.round()
	}
	if fault.Is("inv19") && s.Tick%256 == 200 {
		s.spoil()
	}
}

// spoil is a planted fault: what a division by zero leaves behind.
func (s *Step) spoil() {
	for col := range s.g.comps {
		for i := range s.g.comps[col].plan.fields {
			c := s.w.Column(col)
			if f := &s.g.comps[col].plan.fields[i]; f.kind == fFloat32 && c.Len() > 0 {
				le.PutUint32(c.Bytes(0)[f.off:], 0x7fc00000)
				return
			}
		}
	}
}

// Effects returns what the step emitted, in order; valid until Begin.
func (r *Runner) Effects() []Effect { return r.s.effects }

// Step returns the step, to read the world with between steps.
func (r *Runner) Step() *Step { return &r.s }

func (s *Step) round() {
	for _, col := range s.g.wire {
		c, p := s.w.Column(col), s.g.comps[col].plan
		if p.exact {
			continue
		}
		for _, e := range s.candidates(c) {
			if row, ok := c.Row(e); ok && (s.Side == ServerSide || !s.guarded || !s.isReadOnly(e)) {
				p.Round(c.Bytes(row))
			}
		}
	}
}

// contains searches an ascending list.
func contains(es []tick.Entity, e tick.Entity) bool {
	lo, hi := 0, len(es)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if es[m] < e {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo < len(es) && es[lo] == e
}

// LastInput copies to dst (InputSize bytes) the input that the player's
// entities hold, which is the one he executed last. It is part of the state:
// what fills a hole follows from it on both sides.
func (r *Runner) LastInput(w *ecs.World, p Player, dst []byte) {
	g := r.s.g
	clear(dst[:g.inputSize])
	for _, col := range g.inputs {
		c := w.Column(col)
		off, size := g.comps[col].offset, g.sizes[col]
		for row, e := range c.IDs() {
			if w.Owner(e) == uint16(p) {
				copy(dst[off:off+size], c.Bytes(row))
				break
			}
		}
	}
}

package sim

import (
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/tick"
)

// Counter counts clicks, so that none is lost or doubled however packets fare.
// It is absolute: a system compares it with the last value it executed, which
// it keeps in a predicted component.
type Counter uint16

// Since returns how many clicks lie between the last executed value and c, at
// most limit: a hostile counter costs no more than that.
func (c Counter) Since(last Counter, limit int) int {
	n := int(c - last)
	if n >= 1<<15 {
		return 0 // went back
	}
	if n > limit {
		return limit
	}
	return n
}

// How says how the input of one tick was obtained.
type How uint8

const (
	AsSent   How = iota // the player's own
	Repeated            // missing: his last one again
	Neutral             // missing: zero (or what of its range is nearest), counters kept
	Frozen              // missing: what he owns stood still
)

// HolePolicy says what executes for a player whose input is missing: his last
// one Repeat times, then a neutral one, or, with Freeze, nothing at all: what
// he owns stands still until the connection recovers. Counters are never
// touched by it.
type HolePolicy struct {
	Repeat int
	Freeze bool
}

// InputComp is the handle of an input component.
type InputComp[T any] struct{ Comp[T] }

// Input declares an input: a component of the player's entity that is written
// before the systems run. It travels to other clients like any other, so that
// they can predict him from his last input.
func Input[T any](g *Game) InputComp[T] { return InputComp[T]{declare[T](g, KindInput)} }

// Sample is the input as it now stands at the player's end: set it as often as
// you like, the client takes it once a tick. Not safe for concurrent use.
type Sample struct {
	g *Game
	w *ecs.World // of one entity, which has the inputs
}

// NewSample makes a neutral sample.
func NewSample(g *Game) *Sample {
	g.Seal()
	s := &Sample{g: g, w: g.NewWorld()}
	e, _ := s.w.Create(0)
	in := make([]byte, g.inputSize)
	g.neutral(in, in)
	for _, col := range g.inputs {
		c := s.w.Column(col)
		copy(c.Bytes(c.Add(e)), in[g.comps[col].offset:])
	}
	return s
}

// Sampler is what inputs are set on: a client, or a bot's turn.
type Sampler interface{ Sample() *Sample }

// Sample makes a Sample a Sampler.
func (s *Sample) Sample() *Sample { return s }

// Set replaces the input, but for its counters: those only Press changes.
func (c InputComp[T]) Set(to Sampler, v T) {
	s := to.Sample()
	dst := s.w.Column(c.col).Bytes(0)
	one := ecs.BytesOf(&v)
	s.g.comps[c.col].plan.keepCounters(one, dst)
	copy(dst, one)
}

// Get returns the input as it stands.
func (c InputComp[T]) Get(from Sampler) T { return *c.at(from) }

// Press adds a click to a counter of the input:
//
//	drives.Press(c, func(d *Drive) *sim.Counter { return &d.Dash })
func (c InputComp[T]) Press(on Sampler, counter func(*T) *Counter) { *counter(c.at(on))++ }

func (c InputComp[T]) at(s Sampler) *T { return ecs.At[T](s.Sample().w.Column(c.col), 0) }

// Take copies the sample to dst (InputSize bytes), rounded to what travels.
func (s *Sample) Take(dst []byte) {
	for _, col := range s.g.inputs {
		copy(dst[s.g.comps[col].offset:], s.w.Column(col).Bytes(0))
	}
	s.g.RoundInput(dst)
}

// SetCounters sets the counters to those of an input, and nothing else: a
// player who joins anew goes on from where his entity stands.
func (s *Sample) SetCounters(in []byte) {
	for _, col := range s.g.inputs {
		c := &s.g.comps[col]
		c.plan.keepCounters(s.w.Column(col).Bytes(0), in[c.offset:])
	}
}

// Rest lets go of everything: the sample becomes neutral, counters stay.
func (s *Sample) Rest() {
	for _, col := range s.g.inputs {
		s.g.comps[col].plan.rest(s.w.Column(col).Bytes(0))
	}
}

// rest makes a value neutral, but for its counters.
func (p *Plan) rest(b []byte) {
	for i := range p.fields {
		switch f := &p.fields[i]; f.kind {
		case fCounter:
		case fQuat:
			putQuat(b[f.off:], geom.Identity())
		default:
			clear(b[f.off : f.off+kindSize[f.kind]])
		}
	}
	p.Round(b)
}

// keepCounters copies the counters of old into v.
func (p *Plan) keepCounters(v, old []byte) {
	for i := range p.fields {
		if f := &p.fields[i]; f.kind == fCounter {
			copy(v[f.off:f.off+2], old[f.off:f.off+2])
		}
	}
}

// InputSize returns the bytes of one player's input: his input components in
// order of declaration. InputWords returns the words it travels as.
func (g *Game) InputSize() int { return g.inputSize }

// InputWords returns the number of words of one player's input.
func (g *Game) InputWords() int { return g.inputLen }

// QuantiseInput turns a player's input into words.
func (g *Game) QuantiseInput(in []byte, words []int32) {
	w := 0
	for _, col := range g.inputs {
		c := &g.comps[col]
		c.plan.Quantise(in[c.offset:], words[w:])
		w += c.plan.Words
	}
}

// DequantiseInput turns words into a player's input and reports whether they
// are one: everything a hostile client may send goes through here. If not, in
// is as it was.
func (g *Game) DequantiseInput(words []int32, in []byte) bool {
	if len(words) != g.inputLen {
		return false
	}
	w := 0
	for _, col := range g.inputs {
		p := g.comps[col].plan
		if !p.Valid(words[w : w+p.Words]) {
			return false
		}
		w += p.Words
	}
	w = 0
	for _, col := range g.inputs {
		c := &g.comps[col]
		c.plan.Dequantise(words[w:], in[c.offset:c.offset+c.plan.Size])
		w += c.plan.Words
	}
	return true
}

// RoundInput rounds a player's input in place to what travels; floats that are
// no numbers become 0.
func (g *Game) RoundInput(in []byte) {
	for _, col := range g.inputs {
		c := &g.comps[col]
		b := in[c.offset : c.offset+c.plan.Size]
		c.plan.Round(b)
	}
}

// FillHole writes to dst what executes in a hole that is the run-th in a row
// (from 1) after last executed, and says how it was obtained. dst may be last.
func (g *Game) FillHole(dst, last []byte, run int) How {
	if g.holes.Freeze {
		copy(dst, last)
		return Frozen
	}
	if run <= g.holes.Repeat {
		copy(dst, last)
		return Repeated
	}
	g.neutral(dst, last)
	return Neutral
}

// Fill is FillHole for a hole whose How is known.
func (g *Game) Fill(dst, last []byte, how How) {
	if how == Neutral {
		g.neutral(dst, last)
		return
	}
	copy(dst, last)
}

func (g *Game) neutral(dst, last []byte) {
	if g.inputSize > 0 && &dst[0] != &last[0] {
		copy(dst, last)
	}
	for _, col := range g.inputs {
		c := &g.comps[col]
		c.plan.rest(dst[c.offset : c.offset+c.plan.Size])
	}
}

// Bot plays one player: once a tick it looks at the step, as the player's
// client sees the world, and sets its input.
type Bot func(*Turn)

// Turn is a bot's turn in one tick.
type Turn struct {
	*Step
	Me     tick.Entity // the player's entity, NoEntity before he has one
	Player Player
	Input  *Sample
}

// Sample makes a Turn a Sampler.
func (t *Turn) Sample() *Sample { return t.Input }

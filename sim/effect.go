package sim

import "github.com/foretick/foretick/tick"

// Effect is something to show once: a sound, a spark. Its key is tick, entity,
// kind and ordinal; Data is in 1/64 units so that both sides have the same.
type Effect struct {
	Tick    tick.Tick
	Entity  tick.Entity
	Kind    uint8
	Ordinal uint8
	Data    [4]int32
}

// Float returns the i-th number of the effect. The outer conversion is not for
// nothing: a division by a power of two is a product, which may be fused.
func (e *Effect) Float(i int) float32 { return float32(float32(e.Data[i]) / effectScale) }

const (
	effectScale = 64
	effectLimit = 1 << 24 // in 1/64: past that a float32 has no 64ths left
	// MaxEffects is how many effects one tick keeps; more are dropped, in
	// order, the same on every machine.
	MaxEffects = 255
)

// EffectKind is a kind of effect that a game declared.
type EffectKind struct{ id uint8 }

// Effect declares a kind of effect.
func (g *Game) Effect(name string) EffectKind {
	g.mustBeOpen()
	if len(g.effects) == 255 {
		panic("sim: a game has at most 255 kinds of effects")
	}
	g.effects = append(g.effects, name)
	return EffectKind{uint8(len(g.effects) - 1)}
}

// ID returns the number under which effects of the kind are reported.
func (k EffectKind) ID() uint8 { return k.id }

// Emit shows an effect at an entity, with up to four numbers.
func (k EffectKind) Emit(s *Step, e tick.Entity, data ...float32) {
	if len(s.effects) == MaxEffects {
		return
	}
	ef := Effect{Tick: s.Tick, Entity: e, Kind: k.id}
	for i := len(s.effects) - 1; i >= 0; i-- {
		if o := &s.effects[i]; o.Entity == e && o.Kind == k.id {
			ef.Ordinal = o.Ordinal + 1
			break
		}
	}
	for i, v := range data {
		if i == len(ef.Data) {
			break
		}
		ef.Data[i] = toEffect(v)
	}
	s.effects = append(s.effects, ef)
}

func toEffect(v float32) int32 {
	n := float64(v) * effectScale
	switch {
	case n != n:
		return 0
	case n > effectLimit:
		return effectLimit
	case n < -effectLimit:
		return -effectLimit
	}
	return roundHalfUp(n)
}

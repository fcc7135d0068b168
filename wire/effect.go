package wire

import (
	mathbits "math/bits"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/tick"
)

// Effect is something to show once. (tick, Entity, Kind, Ordinal) is its key.
type Effect struct {
	After   uint16 // its tick, counted from SnapshotHead.EffectsFrom; at least 1
	Entity  tick.Entity
	Kind    uint8
	Ordinal uint8 // tells effects of one tick, entity and kind apart
	Data    [4]int32
}

// MinEffectBits is the least an effect takes.
const MinEffectBits = 1 + 32 + 1 + 1 + 4

// writeEffects writes effects sorted by After.
func writeEffects(w *bits.Writer, effects []Effect) {
	w.Uvar(uint64(len(effects)))
	var after uint16
	for i := range effects {
		e := &effects[i]
		w.Uvar(uint64(e.After - after))
		w.Bits(uint64(e.Entity), 32)
		w.Uvar(uint64(e.Kind))
		w.Uvar(uint64(e.Ordinal))
		for _, d := range e.Data {
			w.Delta(d)
		}
		after = e.After
	}
}

func readEffects(r *bits.Reader, effects []Effect, span uint16) []Effect {
	n := int(readUvar(r, MaxEffects))
	if n*MinEffectBits > r.Left() {
		r.Fail(bits.ErrShort)
		return effects[:0]
	}
	effects = grow(effects, n)
	var after uint16
	for i := range effects {
		after += uint16(readUvar(r, uint64(span-after)))
		if after == 0 { // of a tick that was said before
			r.Fail(ErrBound)
			return effects[:0]
		}
		e := &effects[i]
		e.After = after
		e.Entity = tick.Entity(r.Bits(32))
		e.Kind = uint8(readUvar(r, 255))
		e.Ordinal = uint8(readUvar(r, 255))
		for j := range e.Data {
			e.Data[j] = r.Delta()
		}
	}
	return effects
}

// FitEffects makes the effects, with their ticks and count, fit into budget
// bits and MaxEffects: it keeps whole ticks, the oldest, and lowers
// EffectsThrough to the last of them; the others are for a later packet. If
// only a part of the first tick with effects fits, the rest of it is dropped
// for good, or nothing would ever move on; it returns how many those were.
func (m *SnapshotHead) FitEffects(budget int) (dropped int) {
	const frame = 33 + 33 + 13 // EffectsThrough, the span and the count at their longest
	budget -= frame
	var after uint16
	whole := 0 // effects of ticks that fit
	for i := range m.Effects {
		e := &m.Effects[i]
		if e.After != after {
			whole = i
		}
		budget -= e.bits(after)
		after = e.After
		if budget >= 0 && i < MaxEffects {
			continue
		}
		if whole > 0 || i == 0 {
			m.Effects = m.Effects[:whole]
			m.EffectsThrough = m.EffectsFrom + after - 1
			return 0
		}
		end := i
		for end < len(m.Effects) && m.Effects[end].After == after {
			end++
		}
		m.Effects = m.Effects[:i]
		m.EffectsThrough = m.EffectsFrom + after
		return end - i
	}
	return 0
}

// bits returns what the effect takes after one of tick after.
func (e *Effect) bits(after uint16) int {
	n := uvarBits(e.After-after) + 32 + uvarBits(uint16(e.Kind)) + uvarBits(uint16(e.Ordinal))
	for _, d := range e.Data {
		n += bits.DeltaLen(d)
	}
	return n
}

func uvarBits(v uint16) int { return 2*mathbits.Len32(uint32(v)+1) - 1 }

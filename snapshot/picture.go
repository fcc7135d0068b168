package snapshot

import (
	"encoding/binary"
	"errors"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// ErrPicture says that bytes are no picture of a world of this game.
var ErrPicture = errors.New("snapshot: no picture of this game's world")

// AppendPicture appends all of f, for somebody who watches and has nothing to
// compare with. Little endian: the tick (32 bits), then of each entity its id
// (32), owner (16), mask (64) and words (32 each).
func (f *Frame) AppendPicture(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(f.Tick))
	for i, e := range f.IDs {
		b = le.AppendUint32(b, uint32(e))
		b = le.AppendUint16(b, f.Owners[i])
		b = le.AppendUint64(b, f.Masks[i])
		for _, x := range f.Words(i) {
			b = le.AppendUint32(b, uint32(x))
		}
	}
	return b
}

// ReadPicture makes w what a picture shows, as far as it travels, and returns
// its tick. After an error w is empty.
func ReadPicture(g *sim.Game, b []byte, w *ecs.World) (tick.Tick, error) {
	const head = 4 + 2 + 8
	le := binary.LittleEndian
	w.Clear()
	if len(b) < 4 {
		return 0, ErrPicture
	}
	t := tick.Tick(le.Uint32(b))
	last := tick.NoEntity
	words := make([]int32, mostWords(g))
	for b = b[4:]; len(b) > 0; {
		if len(b) < head {
			w.Clear()
			return 0, ErrPicture
		}
		e, owner, mask := tick.Entity(le.Uint32(b)), le.Uint16(b[4:]), le.Uint64(b[6:])
		b = b[head:]
		if e <= last || e.Index() == last.Index() || mask>>uint(len(g.Wire())) != 0 {
			w.Clear()
			return 0, ErrPicture
		}
		last = e
		w.Insert(e)
		w.SetOwner(e, owner)
		for i, col := range g.Wire() {
			if mask>>uint(i)&1 == 0 {
				continue
			}
			p := g.Plan(col)
			if len(b) < 4*p.Words {
				w.Clear()
				return 0, ErrPicture
			}
			for k := range p.Words {
				words[k] = int32(le.Uint32(b[4*k:]))
			}
			b = b[4*p.Words:]
			if !p.Valid(words[:p.Words]) {
				w.Clear()
				return 0, ErrPicture
			}
			c := w.Column(col)
			p.Dequantise(words[:p.Words], c.Bytes(c.Add(e)))
		}
	}
	return t, nil
}

// mostWords is the length of the longest component.
func mostWords(g *sim.Game) int {
	n := 0
	for _, col := range g.Wire() {
		if w := g.Plan(col).Words; w > n {
			n = w
		}
	}
	return n
}

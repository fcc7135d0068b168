package wire

import "github.com/foretick/foretick/bits"

// SnapshotHead is what a snapshot packet says before its entities: whose tick,
// what came of the player's inputs, and the effects.
type SnapshotHead struct {
	Header
	Tick     uint16 // every entity section in the packet is of this state
	Part     uint8  // this packet's place among those of its tick
	Last     bool   // the last packet of its tick
	All      bool   // the packets of this tick say something of every entity
	JoinDone bool   // every entity that there was when the client joined has been acknowledged

	HasInput    bool   // an input came; if not, the next three are zero
	InputNewest uint16 // newest tick of which an input came
	Margin      int16  // how early its packet came, in 1/MarginUnit ticks; negative: late
	Fill        int8   // inputs waiting; negative: starved for that many ticks

	ExecFrom uint16     // tick of the first of Executed; zero if there are none
	Executed []Executed // how the input of each tick was obtained, at most MaxExecuted

	EffectsFrom    uint16   // all effects of the ticks after this one
	EffectsThrough uint16   // up to and including this one follow
	Effects        []Effect // by tick, at most MaxEffects
}

// Append writes the head; entity sections follow in the same Writer.
func (m *SnapshotHead) Append(w *bits.Writer) {
	writeKind(w, KindSnapshot)
	m.writeHeader(w)
	w.Bits(uint64(m.Tick), 16)
	w.Uvar(uint64(m.Part))
	w.Bool(m.Last)
	w.Bool(m.All)
	w.Bool(m.JoinDone)
	w.Bool(m.HasInput)
	if m.HasInput {
		writeNear(w, m.InputNewest, m.Tick)
		w.Svar(int64(m.Margin))
		w.Svar(int64(m.Fill))
	}
	writeExecuted(w, m.Executed[:min(len(m.Executed), MaxExecuted)], m.ExecFrom, m.Tick)
	writeNear(w, m.EffectsThrough, m.Tick)
	w.Uvar(uint64(m.EffectsThrough - m.EffectsFrom))
	writeEffects(w, m.Effects[:min(len(m.Effects), MaxEffects)])
}

// Parse reads the head and leaves r at the entity sections.
func (m *SnapshotHead) Parse(r *bits.Reader) error {
	readKind(r, KindSnapshot)
	m.readHeader(r)
	m.Tick = uint16(r.Bits(16))
	m.Part = uint8(readUvar(r, 255))
	m.Last = r.Bool()
	m.All = r.Bool()
	m.JoinDone = r.Bool()
	m.HasInput = r.Bool()
	m.InputNewest, m.Margin, m.Fill = 0, 0, 0
	if m.HasInput {
		m.InputNewest = readNear(r, m.Tick)
		m.Margin = int16(readSvar(r, 16))
		m.Fill = int8(readSvar(r, 8))
	}
	m.Executed, m.ExecFrom = readExecuted(r, m.Executed, m.Tick)
	m.EffectsThrough = readNear(r, m.Tick)
	span := uint16(readUvar(r, 1<<16-1))
	m.EffectsFrom = m.EffectsThrough - span
	m.Effects = readEffects(r, m.Effects, span)
	return r.Err()
}

package wire

import (
	"slices"

	"github.com/foretick/foretick/bits"
)

// Input carries a player's inputs of consecutive ticks, usually all those not
// yet acknowledged. An unchanged input costs a bit.
type Input struct {
	Header
	Newest  uint16 // tick of the last entry
	Entries []InputEntry

	arena []int32 // what Parse gives to Words
}

// InputEntry is the input of one tick.
type InputEntry struct {
	Sampled bool    // false: that tick never had one, nothing else is set
	View    uint16  // how far behind the tick the player saw the others, in 1/ViewUnit ticks
	Words   []int32 // the game's input, as many words as it has
}

// Tick returns the wire tick of entry i.
func (m *Input) Tick(i int) uint16 { return m.Newest - uint16(len(m.Entries)-1-i) }

// Append writes the body and returns how many entries it has: the newest ones,
// at most MaxInputs and no more than fit in a packet. Every sampled entry must
// have that many words, at most MaxInputWords.
func (m *Input) Append(w *bits.Writer, words int) int {
	start := w.Len()
	for n := min(len(m.Entries), MaxInputs); ; n -= n/4 + 1 {
		m.write(w, m.Entries[len(m.Entries)-n:], words)
		if n == 0 || w.Len()-start <= MaxBody*8 {
			return n
		}
		w.Truncate(start)
	}
}

func (m *Input) write(w *bits.Writer, entries []InputEntry, words int) {
	writeKind(w, KindInput)
	m.writeHeader(w)
	w.Bits(uint64(m.Newest), 16)
	w.Bits(uint64(len(entries)), 7)
	var prev *InputEntry
	for i := range entries {
		e := &entries[i]
		if prev != nil {
			repeat := e.Sampled && e.View == prev.View && slices.Equal(e.Words[:words], prev.Words[:words])
			w.Bool(repeat)
			if repeat {
				continue
			}
		}
		w.Bool(e.Sampled)
		if !e.Sampled {
			continue
		}
		if prev == nil {
			w.Bits(uint64(e.View), 16)
			writeWords(w, e.Words[:words], nil)
		} else {
			w.Svar(int64(e.View) - int64(prev.View))
			writeWords(w, e.Words[:words], prev.Words)
		}
		prev = e
	}
}

// writeWords writes words against those of before; nil is all zeros.
func writeWords(w *bits.Writer, words, before []int32) {
	changed := false
	for i, v := range words {
		changed = changed || v != at(before, i)
	}
	w.Bool(changed)
	if !changed {
		return
	}
	for i, v := range words {
		w.Delta(v - at(before, i)) // wraps, and back again
	}
}

func at(s []int32, i int) int32 {
	if s == nil {
		return 0
	}
	return s[i]
}

// Parse reads a body. words is how many words the game's input has. Entries
// share memory that the next Parse uses again.
func (m *Input) Parse(r *bits.Reader, words int) error {
	readKind(r, KindInput)
	m.readHeader(r)
	m.Newest = uint16(r.Bits(16))
	n := readCount(r, MaxInputs, 1)
	m.Entries = grow(m.Entries, n)
	m.arena = grow(m.arena, n*words)
	var prev *InputEntry
	for i := range m.Entries {
		e := &m.Entries[i]
		*e = InputEntry{Words: m.arena[i*words : (i+1)*words : (i+1)*words]}
		if prev != nil && r.Bool() {
			e.Sampled, e.View = true, prev.View
			copy(e.Words, prev.Words)
			continue
		}
		if e.Sampled = r.Bool(); !e.Sampled {
			e.Words = nil
			continue
		}
		if prev == nil {
			e.View = uint16(r.Bits(16))
			readWords(r, e.Words, nil)
		} else {
			v := int64(prev.View) + r.Svar()
			if e.View = uint16(v); v != int64(e.View) {
				r.Fail(ErrBound)
			}
			same := !readWords(r, e.Words, prev.Words)
			if same && e.View == prev.View { // has a shorter code
				r.Fail(bits.ErrCanonical)
			}
		}
		if r.Err() != nil {
			break
		}
		prev = e
	}
	return r.Done()
}

// readWords fills words and reports whether they differ from those of before.
func readWords(r *bits.Reader, words, before []int32) (changed bool) {
	if !r.Bool() {
		for i := range words {
			words[i] = at(before, i)
		}
		return false
	}
	for i := range words {
		d := r.Delta()
		changed = changed || d != 0
		words[i] = at(before, i) + d
	}
	if !changed {
		r.Fail(bits.ErrCanonical)
	}
	return changed
}

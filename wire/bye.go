package wire

import "github.com/foretick/foretick/bits"

// Bye ends a session, from either side.
type Bye struct {
	Code   Code
	Reason string // printable ASCII
}

// Append writes the body. A reason is mended like that of a Refuse.
func (m *Bye) Append(w *bits.Writer) {
	writeKind(w, KindBye)
	w.Bits(uint64(m.Code), 8)
	writeText(w, m.Reason, MaxReason)
}

// Parse reads a body.
func (m *Bye) Parse(r *bits.Reader) error {
	readKind(r, KindBye)
	m.Code = Code(r.Bits(8))
	m.Reason = readText(r, MaxReason, m.Reason)
	return r.Done()
}

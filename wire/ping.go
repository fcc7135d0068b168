package wire

import "github.com/foretick/foretick/bits"

// Ping asks for the time.
type Ping struct {
	ID   uint16
	Time uint64 // of the sender's clock, ns
}

// Pong answers a ping at once.
type Pong struct {
	ID   uint16 // the ping's
	Time uint64 // the ping's
	Tick uint32 // the server's tick when it was sent
	Frac uint16 // and the part of it that had passed, in 1/65536
}

// Append writes the body.
func (m *Ping) Append(w *bits.Writer) {
	writeKind(w, KindPing)
	w.Bits(uint64(m.ID), 16)
	w.Bits(m.Time, 64)
}

// Parse reads a body.
func (m *Ping) Parse(r *bits.Reader) error {
	readKind(r, KindPing)
	m.ID = uint16(r.Bits(16))
	m.Time = r.Bits(64)
	return r.Done()
}

// Append writes the body.
func (m *Pong) Append(w *bits.Writer) {
	writeKind(w, KindPong)
	w.Bits(uint64(m.ID), 16)
	w.Bits(m.Time, 64)
	w.Bits(uint64(m.Tick), 32)
	w.Bits(uint64(m.Frac), 16)
}

// Parse reads a body.
func (m *Pong) Parse(r *bits.Reader) error {
	readKind(r, KindPong)
	m.ID = uint16(r.Bits(16))
	m.Time = r.Bits(64)
	m.Tick = uint32(r.Bits(32))
	m.Frac = uint16(r.Bits(16))
	return r.Done()
}

package wire

import "github.com/foretick/foretick/bits"

// Welcome answers a hello: the client is in.
type Welcome struct {
	Nonce         uint64 // the hello's
	Session       uint64 // salts every packet from now on, see SessionSalt
	Player        uint16
	Token         uint64 // to resume with
	Seed          uint64 // what predicted randomness is a function of
	Tick          uint32 // the server's tick when it was sent
	Frac          uint16 // and the part of it that had passed, in 1/65536
	SnapshotEvery uint8  // ticks, at least 1
}

// Append writes the body.
func (m *Welcome) Append(w *bits.Writer) {
	writeKind(w, KindWelcome)
	w.Bits(m.Nonce, 64)
	w.Bits(m.Session, 64)
	w.Bits(uint64(m.Player), 16)
	w.Bits(m.Token, 64)
	w.Bits(m.Seed, 64)
	w.Bits(uint64(m.Tick), 32)
	w.Bits(uint64(m.Frac), 16)
	w.Bits(uint64(m.SnapshotEvery), 8)
}

// Parse reads a body.
func (m *Welcome) Parse(r *bits.Reader) error {
	readKind(r, KindWelcome)
	m.Nonce = r.Bits(64)
	m.Session = r.Bits(64)
	m.Player = uint16(r.Bits(16))
	m.Token = r.Bits(64)
	m.Seed = r.Bits(64)
	m.Tick = uint32(r.Bits(32))
	m.Frac = uint16(r.Bits(16))
	if m.SnapshotEvery = uint8(r.Bits(8)); m.SnapshotEvery == 0 {
		r.Fail(ErrBound)
	}
	return r.Done()
}

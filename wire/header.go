package wire

import "github.com/foretick/foretick/bits"

// Header opens every input and snapshot.
type Header struct {
	Seq     uint16 // of this packet, in its direction
	HasAck  bool   // something was received yet
	Ack     uint16 // newest Seq received
	AckBits uint64 // bit i: Ack-1-i was received too
}

// writeHeader writes 18 bits while all goes well on the other side, 98 if not.
func (m *Header) writeHeader(w *bits.Writer) {
	w.Bits(uint64(m.Seq), 16)
	w.Bool(m.HasAck)
	if !m.HasAck {
		return
	}
	w.Bits(uint64(m.Ack), 16)
	all := m.AckBits == ^uint64(0)
	w.Bool(all)
	if !all {
		w.Bits(m.AckBits, 64)
	}
}

func (m *Header) readHeader(r *bits.Reader) {
	*m = Header{Seq: uint16(r.Bits(16)), HasAck: r.Bool()}
	if !m.HasAck {
		return
	}
	m.Ack = uint16(r.Bits(16))
	if m.AckBits = ^uint64(0); !r.Bool() {
		if m.AckBits = r.Bits(64); m.AckBits == ^uint64(0) {
			r.Fail(bits.ErrCanonical)
		}
	}
}

package wire

import (
	"errors"

	"github.com/foretick/foretick/bits"
)

// Hello asks to join, or to resume. It is repeated until it is answered.
type Hello struct {
	Protocol   uint16 // wire.Protocol
	Nonce      uint64 // comes back in the answer, which a stranger cannot guess
	Token      uint64 // of a session to resume; 0 none
	Game       string
	Version    uint32 // hash of the game
	Hz         uint16
	Components []Component // in wire order
	Payload    []byte      // the game's own
}

// Component names a component and what it looks like on the wire.
type Component struct {
	Name string
	Hash uint32
}

// Why Size refuses a hello.
var (
	ErrHelloName       = errors.New("wire: name empty, longer than 32 bytes, or not printable ASCII")
	ErrHelloComponents = errors.New("wire: more than 64 components")
	ErrHelloPayload    = errors.New("wire: join payload longer than 256 bytes")
	ErrHelloSize       = errors.New("wire: hello does not fit in a packet: fewer components, shorter names or payload")
)

const (
	componentBits = 6 + 32 // without the letters of its name
	minHelloBits  = (MinHello - SealSize) * 8
)

// Size returns the size of the sealed packet in bytes, or why this hello
// cannot be sent. Ask once: Append does not.
func (m *Hello) Size() (int, error) {
	n := kindBits + 16 + 64 + 64 + 6 + 8*len(m.Game) + 32 + 16 + 7 + 9 + 8*len(m.Payload)
	if !goodName(m.Game) {
		return 0, ErrHelloName
	}
	for _, c := range m.Components {
		if !goodName(c.Name) {
			return 0, ErrHelloName
		}
		n += componentBits + 8*len(c.Name)
	}
	if len(m.Components) > MaxComponents {
		return 0, ErrHelloComponents
	}
	if len(m.Payload) > MaxPayload {
		return 0, ErrHelloPayload
	}
	size := SealSize + (max(n, minHelloBits)+7)/8
	if size > MaxPacket {
		return size, ErrHelloSize
	}
	return size, nil
}

func goodName(s string) bool {
	for i := range len(s) {
		if !printable(s[i]) {
			return false
		}
	}
	return len(s) > 0 && len(s) <= MaxName
}

// Append writes the body, padded with zeros to MinHello. What is beyond its
// bounds is cut.
func (m *Hello) Append(w *bits.Writer) {
	start := w.Len()
	writeKind(w, KindHello)
	w.Bits(uint64(m.Protocol), 16)
	w.Bits(m.Nonce, 64)
	w.Bits(m.Token, 64)
	writeText(w, m.Game, MaxName)
	w.Bits(uint64(m.Version), 32)
	w.Bits(uint64(m.Hz), 16)
	cs := m.Components[:min(len(m.Components), MaxComponents)]
	w.Bits(uint64(len(cs)), 7)
	for i := range cs {
		writeText(w, cs[i].Name, MaxName)
		w.Bits(uint64(cs[i].Hash), 32)
	}
	p := m.Payload[:min(len(m.Payload), MaxPayload)]
	w.Bits(uint64(len(p)), 9)
	for _, b := range p {
		w.Bits(uint64(b), 8)
	}
	for pad := minHelloBits - (w.Len() - start); pad > 0; pad -= 64 {
		w.Bits(0, min(pad, 64))
	}
}

// Parse reads a body. With ErrProtocol, Protocol and Nonce have been read and
// the peer can be told.
func (m *Hello) Parse(r *bits.Reader) error {
	start := r.Left()
	readKind(r, KindHello)
	m.Protocol = uint16(r.Bits(16))
	m.Nonce = r.Bits(64)
	if r.Err() == nil && m.Protocol != Protocol {
		r.Fail(ErrProtocol)
		return r.Err()
	}
	m.Token = r.Bits(64)
	m.Game = readText(r, MaxName, m.Game)
	m.Version = uint32(r.Bits(32))
	m.Hz = uint16(r.Bits(16))
	n := readCount(r, MaxComponents, componentBits)
	old := m.Components
	m.Components = grow(m.Components, n)
	copy(m.Components, old)
	for i := range m.Components {
		c := &m.Components[i]
		c.Name = readText(r, MaxName, c.Name)
		c.Hash = uint32(r.Bits(32))
	}
	m.Payload = grow(m.Payload, readCount(r, MaxPayload, 8))
	for i := range m.Payload {
		m.Payload[i] = byte(r.Bits(8))
	}
	for pad := minHelloBits - (start - r.Left()); pad > 0 && r.Err() == nil; pad -= 64 {
		if r.Bits(min(pad, 64)) != 0 {
			r.Fail(bits.ErrCanonical)
		}
	}
	return r.Done()
}

// Package wire turns messages into bytes and back. STANDARD.md has every bit.
//
// A packet is a checksum and a body; the body starts with four bits that say
// its kind. Each message is a struct with Append, which writes a body, and
// Parse, which reads one:
//
//	body, ok := wire.Open(packet, salt)
//	r.Reset(body)
//	switch wire.PeekKind(body) {
//	case wire.KindInput:
//		err = in.Parse(&r, words)
//
// Parse takes any bytes: it never panics, checks counts before it allocates,
// and accepts one encoding of each message only. After an error the struct
// holds nothing of use. Structs are meant to be used again: then inputs and
// snapshot heads do not allocate. Append writes to an empty Writer.
//
// Ticks travel as 16 bits; the caller widens them with tick.Widen.
package wire

import (
	"errors"
	"hash/crc32"

	"github.com/foretick/foretick/bits"
)

// Kind says what a body is.
type Kind uint8

// The kinds of body. KindNone is not sent.
const (
	KindNone Kind = iota
	KindHello
	KindWelcome
	KindRefuse
	KindPing
	KindPong
	KindInput
	KindSnapshot
	KindBye
	kinds
)

const kindBits = 4

var (
	// ErrKind: the body is of another kind.
	ErrKind = errors.New("wire: another kind of message")
	// ErrBound: a value or count is beyond its bounds.
	ErrBound = errors.New("wire: out of bounds")
	// ErrProtocol: a hello of another protocol version.
	ErrProtocol = errors.New("wire: another protocol version")
)

// SessionSalt is the salt of all packets of a session but its hello, welcome
// and refuse.
func SessionSalt(session uint64) uint64 { return session ^ uint64(Protocol)<<48 }

// Seal appends the packet of a body to dst. body must not overlap it.
func Seal(dst []byte, salt uint64, body []byte) []byte {
	c := checksum(salt, body)
	dst = append(dst, byte(c), byte(c>>8), byte(c>>16), byte(c>>24))
	return append(dst, body...)
}

// Open returns the body of a packet, which shares its memory, or false if the
// packet is not whole, too large, or was sealed with another salt. The checksum
// keeps strangers and old sessions apart; it is no protection against forgery,
// which is the transport's work.
func Open(packet []byte, salt uint64) (body []byte, ok bool) {
	if len(packet) <= SealSize || len(packet) > MaxPacket {
		return nil, false
	}
	p := packet
	c := uint32(p[0]) | uint32(p[1])<<8 | uint32(p[2])<<16 | uint32(p[3])<<24
	if body = p[SealSize:]; c != checksum(salt, body) {
		return nil, false
	}
	return body, true
}

// checksum is CRC-32 (IEEE) of the salt's 8 bytes, little-endian, and the body.
func checksum(salt uint64, body []byte) uint32 {
	c := ^uint32(0)
	for range 8 { // by hand: a slice of the salt would be allocated
		c = crc32.IEEETable[byte(c)^byte(salt)] ^ c>>8
		salt >>= 8
	}
	return crc32.Update(^c, crc32.IEEETable, body)
}

// PeekKind returns the kind of a body, KindNone if there is no such kind.
func PeekKind(body []byte) Kind {
	if len(body) == 0 {
		return KindNone
	}
	if k := Kind(body[0] & (1<<kindBits - 1)); k < kinds {
		return k
	}
	return KindNone
}

// String returns the kind's name.
func (k Kind) String() string {
	names := [kinds]string{"none", "hello", "welcome", "refuse", "ping", "pong", "input", "snapshot", "bye"}
	if k < kinds {
		return names[k]
	}
	return "unknown"
}

func writeKind(w *bits.Writer, k Kind) { w.Bits(uint64(k), kindBits) }

func readKind(r *bits.Reader, k Kind) {
	if Kind(r.Bits(kindBits)) != k {
		r.Fail(ErrKind)
	}
}

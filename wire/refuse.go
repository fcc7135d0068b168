package wire

import "github.com/foretick/foretick/bits"

// Code says why a hello was refused or a session ended. A peer may send one
// that is not in this list; its Reason is then all there is to show.
type Code uint8

// The codes.
const (
	CodeNone       Code = iota
	CodeFull            // no seat left
	CodeProtocol        // another wire.Protocol
	CodeWrongGame       // another game
	CodeVersion         // another version of the game
	CodeComponents      // a component differs; the reason says which
	CodeRate            // another tick rate
	CodeNotAllowed      // the game said no
	CodeKicked          // the game threw the player out
	CodeTimeout         // nothing was heard for too long
	CodeBehind          // too far behind to catch up: join anew
	CodeBadPackets      // malformed packets, or a flood of them
	CodeLeft            // the player left
	CodeShutdown        // the server stops
	CodeReplaced        // the session was resumed elsewhere
	codes
)

// String says it in words that can be shown.
func (c Code) String() string {
	names := [codes]string{"no reason given", "the server is full", "another protocol version", "another game",
		"another version of the game", "a component differs", "another tick rate", "not allowed", "kicked",
		"timed out", "too far behind", "bad packets", "left", "the server stops", "resumed elsewhere"}
	if c < codes {
		return names[c]
	}
	return "unknown reason"
}

// Refuse answers a hello: the client is not in. Its bits never change, so that
// peers of any version can be told.
type Refuse struct {
	Nonce  uint64 // the hello's
	Code   Code
	Reason string // printable ASCII
}

// Append writes the body. A reason is cut at MaxReason bytes, and what is not
// printable ASCII becomes '?'.
func (m *Refuse) Append(w *bits.Writer) {
	writeKind(w, KindRefuse)
	w.Bits(m.Nonce, 64)
	w.Bits(uint64(m.Code), 8)
	writeText(w, m.Reason, MaxReason)
}

// Parse reads a body.
func (m *Refuse) Parse(r *bits.Reader) error {
	readKind(r, KindRefuse)
	m.Nonce = r.Bits(64)
	m.Code = Code(r.Bits(8))
	m.Reason = readText(r, MaxReason, m.Reason)
	return r.Done()
}

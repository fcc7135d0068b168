package wire

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/tick"
)

const testWords = 3 // words of an input in these tests

type message interface {
	Append(w *bits.Writer)
	Parse(r *bits.Reader) error
}

// threeWords makes an Input a message.
type threeWords struct{ Input }

func (m *threeWords) Append(w *bits.Writer)      { m.Input.Append(w, testWords) }
func (m *threeWords) Parse(r *bits.Reader) error { return m.Input.Parse(r, testWords) }

func body(m message) []byte {
	var w bits.Writer
	m.Append(&w)
	return w.Bytes()
}

func equal(a, b any) string {
	return cmp.Diff(a, b, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Input{}))
}

// roundTrip holds for every message: parse gives back what was appended, also
// into a used struct, and one byte fewer or more is refused.
func roundTrip(t *rapid.T, m, into message, wholeBody bool) {
	b := body(m)
	var r bits.Reader
	r.Reset(b)
	if err := into.Parse(&r); err != nil {
		t.Fatalf("parse: %v", err)
	}
	if d := equal(m, into); d != "" {
		t.Fatal(d)
	}
	if !wholeBody {
		return
	}
	r.Reset(b[:len(b)-1])
	if into.Parse(&r) == nil {
		t.Fatal("parsed without its last byte")
	}
	r.Reset(append(b[:len(b):len(b)], 0))
	if into.Parse(&r) == nil {
		t.Fatal("parsed with a byte too many")
	}
}

func text(t *rapid.T, max int, name string) string {
	b := rapid.SliceOfN(rapid.ByteRange(' ', '~'), 0, max).Draw(t, name)
	return string(b)
}

func drawHello(t *rapid.T) *Hello {
	u64 := rapid.Uint64()
	m := &Hello{Protocol: Protocol, Nonce: u64.Draw(t, "nonce"), Token: u64.Draw(t, "token"), Game: text(t, MaxName, "game"),
		Version: rapid.Uint32().Draw(t, "version"), Hz: rapid.Uint16().Draw(t, "hz"),
		Payload: rapid.SliceOfN(rapid.Byte(), 0, MaxPayload).Draw(t, "payload")}
	for range rapid.IntRange(0, MaxComponents).Draw(t, "components") {
		m.Components = append(m.Components, Component{text(t, 12, "component"), rapid.Uint32().Draw(t, "hash")})
	}
	return m
}

func drawHeader(t *rapid.T) Header {
	h := Header{Seq: rapid.Uint16().Draw(t, "seq"), HasAck: rapid.Bool().Draw(t, "hasAck")}
	if h.HasAck {
		h.Ack = rapid.Uint16().Draw(t, "ack")
		h.AckBits = math.MaxUint64
		if rapid.Bool().Draw(t, "loss") {
			h.AckBits = rapid.Uint64().Draw(t, "bits")
		}
	}
	return h
}

var word = rapid.OneOf(rapid.Int32(), rapid.Int32Range(-300, 300), rapid.SampledFrom([]int32{0, math.MinInt32, math.MaxInt32}))

func drawInput(t *rapid.T) *threeWords {
	m := &threeWords{Input{Header: drawHeader(t), Newest: rapid.Uint16().Draw(t, "newest")}}
	for range rapid.IntRange(0, MaxInputs).Draw(t, "entries") {
		var e InputEntry
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
		case 1, 2: // as before, where there is a before
			if n := len(m.Entries); n > 0 {
				e = m.Entries[n-1]
			}
		default:
			e = InputEntry{true, rapid.Uint16().Draw(t, "view"), rapid.SliceOfN(word, testWords, testWords).Draw(t, "words")}
		}
		m.Entries = append(m.Entries, e)
	}
	return m
}

func drawHead(t *rapid.T) *SnapshotHead {
	b, u16 := rapid.Bool(), rapid.Uint16()
	m := &SnapshotHead{Header: drawHeader(t), Tick: u16.Draw(t, "tick"), Part: rapid.Byte().Draw(t, "part"),
		Last: b.Draw(t, "last"), All: b.Draw(t, "all"), JoinDone: b.Draw(t, "join"), HasInput: b.Draw(t, "hasInput")}
	if m.HasInput {
		m.InputNewest, m.Margin, m.Fill = u16.Draw(t, "input"), rapid.Int16().Draw(t, "margin"), rapid.Int8().Draw(t, "fill")
	}
	m.Executed = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Executed {
		return Executed(rapid.SampledFrom([]int{0, 0, 0, 0, 0, 1, 2, 3}).Draw(t, "executed"))
	}), 0, MaxExecuted).Draw(t, "executed")
	if rapid.Bool().Draw(t, "allAsSent") {
		clear(m.Executed)
	}
	if len(m.Executed) > 0 {
		m.ExecFrom = u16.Draw(t, "execFrom")
	}
	m.EffectsFrom = u16.Draw(t, "from")
	span := u16.Draw(t, "span")
	m.EffectsThrough = m.EffectsFrom + span
	m.Effects = drawEffects(t, span)
	return m
}

func drawEffects(t *rapid.T, span uint16) (out []Effect) {
	if span == 0 {
		return nil
	}
	after := uint16(1)
	for range rapid.IntRange(0, MaxEffects).Draw(t, "effects") {
		after = rapid.Uint16Range(after, span).Draw(t, "after")
		e := Effect{After: after, Entity: tick.Entity(rapid.Uint32().Draw(t, "entity")),
			Kind: rapid.Byte().Draw(t, "kind"), Ordinal: rapid.Byte().Draw(t, "ordinal")}
		for i := range e.Data {
			e.Data[i] = word.Draw(t, "data")
		}
		out = append(out, e)
	}
	return out
}

func TestRoundTrip(t *testing.T) {
	u64, u32, u16 := rapid.Uint64(), rapid.Uint32(), rapid.Uint16()
	code := func(t *rapid.T) Code { return Code(rapid.Byte().Draw(t, "code")) }
	for _, c := range []struct {
		name string
		into message // one for all draws, so that used structs are tested
		draw func(t *rapid.T) message
	}{
		{"hello", &Hello{}, func(t *rapid.T) message { return drawHello(t) }},
		{"welcome", &Welcome{}, func(t *rapid.T) message {
			return &Welcome{u64.Draw(t, "nonce"), u64.Draw(t, "session"), u16.Draw(t, "player"), u64.Draw(t, "token"),
				u64.Draw(t, "seed"), u32.Draw(t, "tick"), u16.Draw(t, "frac"), rapid.ByteRange(1, 255).Draw(t, "every")}
		}},
		{"refuse", &Refuse{}, func(t *rapid.T) message {
			return &Refuse{u64.Draw(t, "nonce"), code(t), text(t, MaxReason, "reason")}
		}},
		{"bye", &Bye{}, func(t *rapid.T) message { return &Bye{code(t), text(t, MaxReason, "reason")} }},
		{"ping", &Ping{}, func(t *rapid.T) message { return &Ping{u16.Draw(t, "id"), u64.Draw(t, "time")} }},
		{"pong", &Pong{}, func(t *rapid.T) message {
			return &Pong{u16.Draw(t, "id"), u64.Draw(t, "time"), u32.Draw(t, "tick"), u16.Draw(t, "frac")}
		}},
		{"input", &threeWords{}, func(t *rapid.T) message { return drawInput(t) }},
		{"snapshot", snapshotMessage{&SnapshotHead{}}, func(t *rapid.T) message { return snapshotMessage{drawHead(t)} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				m := c.draw(t)
				if len(body(m)) > MaxBody && c.name == "hello" {
					t.Skip("does not fit")
				}
				if in, ok := m.(*threeWords); ok { // what does not fit is cut, see TestInputFits
					var w bits.Writer
					if n := in.Input.Append(&w, testWords); n < len(in.Entries) {
						in.Entries = in.Entries[len(in.Entries)-n:]
					}
				}
				roundTrip(t, m, c.into, c.name != "snapshot")
				if k := PeekKind(body(m)).String(); k != c.name {
					t.Fatalf("kind is %s", k)
				}
			})
		})
	}
}

// snapshotMessage checks as well that the reader is left where the head ends.
type snapshotMessage struct{ *SnapshotHead }

func (m snapshotMessage) Append(w *bits.Writer) { m.SnapshotHead.Append(w); w.Bits(0x2a5, 10) }

func (m snapshotMessage) Parse(r *bits.Reader) error {
	if err := m.SnapshotHead.Parse(r); err != nil {
		return err
	}
	if r.Bits(10) != 0x2a5 {
		r.Fail(ErrBound)
	}
	return r.Done()
}

func TestSealOpen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		salt := rapid.Uint64().Draw(t, "salt")
		b := rapid.SliceOfN(rapid.Byte(), 1, MaxBody).Draw(t, "body")
		p := Seal(nil, salt, b)
		if got, ok := Open(p, salt); !ok || !bytes.Equal(got, b) {
			t.Fatal("not opened")
		}
		if _, ok := Open(p, salt+1+rapid.Uint64Range(0, math.MaxUint32-1).Draw(t, "other")); ok {
			t.Fatal("opened with another salt")
		}
		bit := rapid.IntRange(0, len(p)*8-1).Draw(t, "bit")
		p[bit/8] ^= 1 << (bit % 8)
		if _, ok := Open(p, salt); ok {
			t.Fatalf("opened with bit %d flipped", bit)
		}
	})
	for _, n := range []int{0, 1, SealSize} {
		if _, ok := Open(make([]byte, n), 0); ok {
			t.Errorf("opened %d bytes", n)
		}
	}
	if _, ok := Open(Seal(nil, 1, make([]byte, MaxBody)), 1); !ok {
		t.Error("the largest packet was not opened")
	}
	if _, ok := Open(Seal(nil, 1, make([]byte, MaxBody+1)), 1); ok {
		t.Error("a packet too large was opened")
	}
}

func TestSalts(t *testing.T) {
	if SessionSalt(1) == SessionSalt(2) || SessionSalt(1) == 1 {
		t.Error("salts do not tell sessions and protocols apart")
	}
	b := [8]byte{}
	for i := range b {
		b[i] = byte(ProtocolSalt >> (8 * i))
	}
	if string(b[:]) != "foretick" {
		t.Errorf("salt spells %q", b)
	}
}

func TestPeekKind(t *testing.T) {
	for _, c := range []struct {
		body []byte
		want Kind
	}{{nil, KindNone}, {[]byte{0}, KindNone}, {[]byte{0xf1}, KindHello}, {[]byte{8}, KindBye}, {[]byte{9}, KindNone}, {[]byte{15}, KindNone}} {
		if got := PeekKind(c.body); got != c.want {
			t.Errorf("%x: %v, want %v", c.body, got, c.want)
		}
	}
}

func TestEveryMessageRefusesOtherKinds(t *testing.T) {
	all := []message{&Hello{}, &Welcome{}, &Refuse{}, &Bye{}, &Ping{}, &Pong{}, &threeWords{}, &SnapshotHead{}}
	for i, m := range all {
		b := body(all[(i+1)%len(all)])
		var r bits.Reader
		r.Reset(b)
		if err := m.Parse(&r); err != ErrKind {
			t.Errorf("%T: %v", m, err)
		}
	}
}

// TestNoAmplification: what the server says to an unproved address is smaller
// than what it took to make it speak.
func TestNoAmplification(t *testing.T) {
	refuse := Seal(nil, ProtocolSalt, body(&Refuse{Reason: strings.Repeat("x", MaxReason)}))
	welcome := Seal(nil, ProtocolSalt, body(&Welcome{}))
	hello := Seal(nil, ProtocolSalt, body(&Hello{Game: "g"}))
	if len(hello) != MinHello {
		t.Errorf("smallest hello has %d bytes", len(hello))
	}
	if len(refuse) != MaxAnswer || len(welcome) > MaxAnswer || MaxAnswer >= len(hello) {
		t.Errorf("refuse %d, welcome %d, hello %d, MaxAnswer %d", len(refuse), len(welcome), len(hello), MaxAnswer)
	}
}

func TestHelloSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawHello(t)
		n, err := m.Size()
		sealed := len(Seal(nil, 0, body(m)))
		bad := !goodName(m.Game)
		for _, c := range m.Components {
			bad = bad || !goodName(c.Name)
		}
		if bad != (err == ErrHelloName) {
			t.Fatalf("names bad: %v, err %v", bad, err)
		}
		if err == nil && n != sealed || err == ErrHelloSize && sealed <= MaxPacket {
			t.Fatalf("Size says %d, %v; sealed %d", n, err, sealed)
		}
	})
	many := make([]Component, 65)
	for i := range many {
		many[i].Name = "n"
	}
	long := strings.Repeat("n", 33)
	for _, c := range []struct {
		m    Hello
		want error
	}{
		{Hello{Game: "g"}, nil},
		{Hello{}, ErrHelloName},
		{Hello{Game: long}, ErrHelloName},
		{Hello{Game: "caf\xe9"}, ErrHelloName},
		{Hello{Game: "g", Components: []Component{{Name: "\n"}}}, ErrHelloName},
		{Hello{Game: "g", Components: many}, ErrHelloComponents},
		{Hello{Game: "g", Components: many[:64]}, nil},
		{Hello{Game: "g", Payload: make([]byte, 257)}, ErrHelloPayload},
	} {
		if _, err := c.m.Size(); err != c.want {
			t.Errorf("%q, %d components: %v, want %v", c.m.Game, len(c.m.Components), err, c.want)
		}
	}
	big := Hello{Game: "g"}
	for range 64 {
		big.Components = append(big.Components, Component{Name: strings.Repeat("n", 32)})
	}
	if _, err := big.Size(); err != ErrHelloSize {
		t.Errorf("64 long names: %v", err)
	}
}

func TestHelloOfAnotherProtocol(t *testing.T) {
	b := body(&Hello{Protocol: Protocol + 1, Nonce: 77, Game: "g"})
	for _, b := range [][]byte{b, append(b, 1, 2, 3), b[:11]} { // whatever follows
		var m Hello
		var r bits.Reader
		r.Reset(b)
		if err := m.Parse(&r); err != ErrProtocol || m.Nonce != 77 || m.Protocol != Protocol+1 {
			t.Errorf("%v, %+v", err, m)
		}
	}
}

func TestTextIsMended(t *testing.T) {
	var m Bye
	var r bits.Reader
	r.Reset(body(&Bye{Code: CodeKicked, Reason: "a\tb\u00e9" + strings.Repeat("x", 300)}))
	if err := m.Parse(&r); err != nil || m.Reason != "a?b??"+strings.Repeat("x", MaxReason-5) {
		t.Errorf("%v, %q", err, m.Reason)
	}
	if CodeKicked.String() != "kicked" || Code(200).String() != "unknown reason" {
		t.Error("codes have no names")
	}
	for c := range codes {
		if c.String() == "" {
			t.Errorf("code %d has no name", c)
		}
	}
}

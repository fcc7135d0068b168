package wire

import (
	"encoding/hex"
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/foretick/foretick/bits"
)

var update = flag.Bool("update", false, "write testdata/golden.txt anew: only when the protocol changes, with Protocol")

const goldenFile = "testdata/golden.txt"

// golden are the messages of testdata/golden.txt, sealed.
var golden = []struct {
	name string
	salt uint64
	m    message
}{
	{"hello", ProtocolSalt, &Hello{Protocol: 1, Nonce: 0x0123456789abcdef, Token: 0xfedcba9876543210, Game: "pucks",
		Version: 0xcafe0001, Hz: 60, Components: []Component{{"Body", 0x11111111}, {"Drive", 0x22222222}}, Payload: []byte("red")}},
	{"welcome", ProtocolSalt, &Welcome{Nonce: 0x0123456789abcdef, Session: 0x1122334455667788, Player: 3, Token: 5, Seed: 7,
		Tick: 0xfffffff0, Frac: 0x8000, SnapshotEvery: 4}},
	{"refuse", ProtocolSalt, &Refuse{Nonce: 0x0123456789abcdef, Code: CodeComponents, Reason: "component Drive differs"}},
	{"ping", SessionSalt(42), &Ping{ID: 0xbeef, Time: 123456789012}},
	{"pong", SessionSalt(42), &Pong{ID: 0xbeef, Time: 123456789012, Tick: 1000, Frac: 0x4000}},
	{"bye", SessionSalt(42), &Bye{Code: CodeLeft}},
	{"input-none", SessionSalt(42), &threeWords{Input{Header: Header{Seq: 1}}}},
	{"input-still", SessionSalt(42), inputs(8, func(int) int32 { return 5 })},
	{"input-holes", SessionSalt(42), &threeWords{Input{Header: Header{Seq: 7, HasAck: true, Ack: 65535, AckBits: 6}, Newest: 2,
		Entries: []InputEntry{
			{},
			{true, 640, []int32{1, -1, 0}},
			{true, 640, []int32{1, -1, 0}},
			{},
			{true, 646, []int32{1, -1, 0}},
			{true, 0, []int32{math.MaxInt32, math.MinInt32, 40}},
			{true, 0, []int32{math.MinInt32, math.MaxInt32, 36}},
		}}}},
	{"snapshot", SessionSalt(42), sampleHead()},
	{"snapshot-bare", SessionSalt(42), &SnapshotHead{Header: Header{Seq: 1}, Tick: 9, All: true, JoinDone: true,
		EffectsFrom: 9, EffectsThrough: 9}},
	{"snapshot-sent", SessionSalt(42), &SnapshotHead{Header: Header{Seq: 1}, Tick: 9, HasInput: true, InputNewest: 12, Margin: 40, Fill: 3,
		ExecFrom: 1, Executed: make([]Executed, 8), EffectsFrom: 4, EffectsThrough: 9}},
}

func TestGolden(t *testing.T) {
	if *update {
		var b strings.Builder
		for _, g := range golden {
			b.WriteString(g.name + " " + hex.EncodeToString(Seal(nil, g.salt, body(g.m))) + "\n")
		}
		if err := os.WriteFile(goldenFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(file)), "\n")
	if len(lines) != len(golden) {
		t.Fatalf("%d vectors, want %d", len(lines), len(golden))
	}
	fresh := map[Kind]message{KindHello: &Hello{}, KindWelcome: &Welcome{}, KindRefuse: &Refuse{}, KindPing: &Ping{}, KindPong: &Pong{},
		KindBye: &Bye{}, KindInput: &threeWords{}, KindSnapshot: &SnapshotHead{}}
	for i, g := range golden {
		name, want, _ := strings.Cut(lines[i], " ")
		if got := hex.EncodeToString(Seal(nil, g.salt, body(g.m))); name != g.name || got != want {
			t.Errorf("%s:\n got %s\nwant %s %s", g.name, got, name, want)
			continue
		}
		packet, err := hex.DecodeString(want)
		if err != nil {
			t.Fatal(err)
		}
		b, ok := Open(packet, g.salt)
		if !ok {
			t.Errorf("%s: does not open", name)
			continue
		}
		m := fresh[PeekKind(b)]
		var r bits.Reader
		r.Reset(b)
		if err := m.Parse(&r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := equal(g.m, m); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestByHand derives packets from STANDARD.md without this package or bits:
// fields as strings of binary digits, most significant first, joined in order.
func TestByHand(t *testing.T) {
	for _, c := range []struct {
		m      message
		fields []string
	}{
		{&Ping{ID: 0xbeef, Time: 3}, []string{"0100", "1011111011101111", zeros(62) + "11"}},
		{&Bye{Code: CodeKicked, Reason: "no"}, []string{"1000", "00001000", "00000010", "01101110", "01101111"}},
		{&threeWords{Input{Header: Header{Seq: 1, HasAck: true, Ack: 2, AckBits: math.MaxUint64}, Newest: 3, Entries: []InputEntry{
			{true, 64, []int32{1, 0, 0}}, {true, 64, []int32{1, 0, 0}}, {}, {true, 65, []int32{1, -5, 0}}}}},
			[]string{"0110", zeros(15) + "1", "1", zeros(14) + "10", "1", zeros(14) + "11", "0000100",
				"1", zeros(9) + "1000000", "1", "1", "000", "001", "0", "0", // 1: class 0, zigzag-1 is 1
				"1",
				"0", "0",
				"0", "1", "1", "0", "1", "1", "0", "1", "001", "000000", "0"}}, // view +1: Uvar(2); -5: class 1, zigzag-1 less 8 is 0
		{&SnapshotHead{Header: Header{Seq: 1}, Tick: 9, Part: 1, Last: true, HasInput: true, InputNewest: 10, Margin: -1, Fill: 0,
			ExecFrom: 8, Executed: []Executed{AsSent, Repeated}, EffectsFrom: 8, EffectsThrough: 9,
			Effects: []Effect{{After: 1, Entity: 5}}},
			[]string{"0111", zeros(15) + "1", "0", zeros(12) + "1001", "1", "0", "0", "1", "0", "0", "1",
				"1", "0", "1", "1", "0", "0", "0",
				"1", "0", "1", "1", "0", "0", "0", "00", "0", "01", "0",
				"0", "1", "0", "0", "1", "0", "0", "1", "0", "0", zeros(29) + "101", "0", "0", "0", "0", "0", "0"}},
	} {
		var digits []byte
		for _, f := range c.fields {
			for i := len(f) - 1; i >= 0; i-- {
				digits = append(digits, f[i])
			}
		}
		want := make([]byte, (len(digits)+7)/8)
		for i, d := range digits {
			want[i/8] |= (d - '0') << (i % 8)
		}
		if got := body(c.m); hex.EncodeToString(got) != hex.EncodeToString(want) {
			t.Errorf("%T:\n got %x\nwant %x", c.m, got, want)
		}
	}
}

func zeros(n int) string { return strings.Repeat("0", n) }

//go:build !js

package transport

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// numbered is a packet of size bytes that begins with n.
func numbered(n uint32, size int) []byte {
	p := make([]byte, size)
	binary.LittleEndian.PutUint32(p, n)
	return p
}

// drained returns the numbers of the packets waiting in c.
func drained(c Conn) (ns []uint32) {
	c.Drain(func(p []byte) { ns = append(ns, binary.LittleEndian.Uint32(p)) })
	return ns
}

func TestPipeCarriesBothWays(t *testing.T) {
	a, b := Pipe()
	p := []byte("to b")
	a.Send(p)
	copy(p, "XXXX") // Send must have copied
	b.Send([]byte("to a"))
	<-b.Ready()
	<-a.Ready()
	var got [][]byte
	keep := func(p []byte) { got = append(got, bytes.Clone(p)) }
	if b.Drain(keep) != 1 || a.Drain(keep) != 1 || string(got[0]) != "to b" || string(got[1]) != "to a" {
		t.Fatalf("got %q", got)
	}
	if s := a.Stats(); s.Sent != 1 || s.SentBytes != 4 || s.Received != 1 || s.ReceivedBytes != 4 {
		t.Errorf("stats %+v", s)
	}
}

func TestInboxKeepsTheNewest(t *testing.T) {
	a, b := Pipe()
	const extra = 10
	for i := range uint32(InboxPackets + extra) {
		a.Send(numbered(i, 8))
	}
	ns := drained(b)
	if len(ns) != InboxPackets || ns[0] != extra || ns[len(ns)-1] != InboxPackets+extra-1 {
		t.Fatalf("%d packets, first %d, last %d", len(ns), ns[0], ns[len(ns)-1])
	}
	if got := b.Stats().Overrun; got != extra {
		t.Errorf("overrun %d, want %d", got, extra)
	}
}

func TestWrongSizesAreCounted(t *testing.T) {
	a, b := Pipe()
	a.Send(nil)
	a.Send(make([]byte, MaxPacket+1))
	a.Send(make([]byte, MaxPacket))
	if n := b.Drain(func([]byte) {}); n != 1 || a.Stats().BadSize != 2 {
		t.Errorf("drained %d, bad size %d", n, a.Stats().BadSize)
	}
}

func TestCloseTellsBothWhoAndWhy(t *testing.T) {
	a, b := Pipe()
	if a.Err() != nil || b.Err() != nil {
		t.Fatal("closed at birth")
	}
	a.Send([]byte("last words"))
	a.Close("the game\x1b[2J is over\n")
	a.Close("second thoughts")
	<-a.Done()
	<-b.Done()
	var x, y *Closed
	if !errors.As(a.Err(), &x) || !errors.As(b.Err(), &y) {
		t.Fatal(a.Err(), b.Err())
	}
	const want = "the game [2J is over "
	if *x != (Closed{ByUs, want}) || *y != (Closed{ByPeer, want}) {
		t.Errorf("a %+v, b %+v", *x, *y)
	}
	b.Send([]byte("too late"))
	if n := a.Drain(func([]byte) {}); n != 0 {
		t.Error("a packet came after the end")
	}
	if n := b.Drain(func([]byte) {}); n != 1 {
		t.Error("what came before the end is gone")
	}
}

func TestReasonsAreFitToShow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := cleanReason(string(rapid.SliceOf(rapid.Byte()).Draw(t, "s")))
		if len(s) > MaxReason || !utf8.ValidString(s) || strings.ContainsAny(s, "\n\r\t\x00\x1b\u0085\u2028") {
			t.Fatalf("%q", s)
		}
		if cleanReason(s) != s {
			t.Fatalf("%q is cleaned to %q", s, cleanReason(s))
		}
	})
	if s := cleanReason(strings.Repeat("é", 100)); len(s) != 122 {
		t.Errorf("a long reason is cut to %d bytes", len(s))
	}
}

// The queue against the obvious model.
func TestQueueModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := queue{slots: make([][]byte, rapid.IntRange(1, 5).Draw(t, "size"))}
		var model [][]byte
		var buf []byte
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "put") {
				p := rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "p")
				replaced := q.put(p)
				if replaced != (len(model) == len(q.slots)) {
					t.Fatal("replaced", replaced)
				}
				if replaced {
					model = model[1:]
				}
				model = append(model, bytes.Clone(p))
			} else {
				p, ok := q.take(buf)
				buf = p
				if ok != (len(model) > 0) {
					t.Fatal("take", ok)
				}
				if ok && !bytes.Equal(p, model[0]) {
					t.Fatalf("took %v, want %v", p, model[0])
				}
				if ok {
					model = model[1:]
				}
			}
			if q.len() != len(model) {
				t.Fatal("len", q.len(), len(model))
			}
		}
	})
}

func TestSteadyPipeAllocatesNothing(t *testing.T) {
	a, b := Pipe()
	p := make([]byte, 200)
	n := 0
	count := func(p []byte) { n += len(p) }
	step := func() {
		a.Send(p)
		b.Send(p)
		a.Drain(count)
		b.Drain(count)
	}
	for range 2 * InboxPackets {
		step()
	}
	if got := testing.AllocsPerRun(100, step); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func TestHubInMemory(t *testing.T) {
	h := NewHub(HubConfig{MaxConns: 2})
	a, err := h.DialMemory()
	if err != nil {
		t.Fatal(err)
	}
	far := <-h.Accept()
	a.Send([]byte("hi"))
	if far.Drain(func([]byte) {}) != 1 {
		t.Error("nothing came")
	}
	b, err := h.DialMemory()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.DialMemory(); !errors.Is(err, errFull) {
		t.Errorf("a third connection: %v", err)
	}
	a.Close("bye")
	eventually(t, "a place is free", func() bool { return h.Stats().Open == 1 })
	h.Close("shutting down")
	<-h.Done()
	if c := new(Closed); !errors.As(b.Err(), &c) || *c != (Closed{ByPeer, "shutting down"}) {
		t.Errorf("b ended by %v", b.Err())
	}
	if _, err := h.DialMemory(); err == nil {
		t.Error("a closed hub took a connection")
	}
	if s := h.Stats(); s.Open != 0 || s.Accepted != 2 || s.RefusedFull != 1 {
		t.Errorf("%+v", s)
	}
}

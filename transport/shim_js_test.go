//go:build js

package transport

import (
	"context"
	"encoding/binary"
	"os"
	"strconv"
	"testing"
	"time"
)

// The browser's end of TestBrowserClient, which runs this in node and says with
// FORETICK_ECHO where the server is.
func TestBrowserEnd(t *testing.T) {
	url := os.Getenv("FORETICK_ECHO")
	if url == "" {
		t.Skip("runs inside TestBrowserClient")
	}
	c, err := DialWebSocket(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	if c.Ready() != nil || c.Err() != nil {
		t.Error(c.Ready(), c.Err())
	}
	frame := func() { time.Sleep(time.Second / 60) }
	next := uint32(0)
	for i := range uint32(100) {
		for j := range uint32(3) {
			p := make([]byte, 4+i*11) // up to 1,093 bytes
			binary.LittleEndian.PutUint32(p, 3*i+j)
			c.Send(p)
		}
		frame()
		c.Drain(func(p []byte) {
			n := binary.LittleEndian.Uint32(p)
			if n != next || len(p) != 4+int(n/3)*11 {
				t.Fatalf("packet %d of %d bytes, want %d", n, len(p), next)
			}
			next++
		})
	}
	for end := time.Now().Add(5 * time.Second); next < 300 && time.Now().Before(end); frame() {
		next += uint32(c.Drain(func([]byte) {}))
	}
	if s := c.Stats(); next != 300 || s.Sent != 300 || s.Received != 300 {
		t.Fatalf("%d came back, %+v", next, s)
	}

	// Asks for more than the ring holds while not draining: the newest are kept.
	c.Send([]byte("burst"))
	for end := time.Now().Add(10 * time.Second); c.Stats().Received < 600 && time.Now().Before(end); {
		time.Sleep(time.Second)
	}
	var first, last string
	n := c.Drain(func(p []byte) {
		if first == "" {
			first = string(p)
		}
		last = string(p)
	})
	if n != InboxPackets || first != "44" || last != "299" || c.Stats().Overrun != 44 {
		t.Errorf("%d packets, %s to %s, %+v", n, first, last, c.Stats())
	}

	c.Send(make([]byte, MaxPacket+1))
	c.Send([]byte("oversize me")) // the server answers with a message too long
	c.Send([]byte("close me"))
	select {
	case <-c.Done():
	case <-time.After(5 * time.Second):
		t.Fatal("not closed")
	}
	if end := c.Err().(*Closed); *end != (Closed{ByPeer, "because: you asked"}) {
		t.Errorf("%+v", *end)
	}
	words := 0
	c.Drain(func(p []byte) {
		if string(p) == "last words" {
			words++
		}
	})
	if s := c.Stats(); words != 1 || s.BadSize != 2 {
		t.Errorf("%d last words, %+v", words, s)
	}
	c.Send([]byte("too late"))

	c, err = DialWebSocket(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	c.Send([]byte("x"))
	c.Close("the tab " + strconv.Itoa(7) + " closes")
	c.Close("twice")
	if end := c.Err().(*Closed); *end != (Closed{ByUs, "the tab 7 closes"}) {
		t.Errorf("%+v", *end)
	}
	time.Sleep(200 * time.Millisecond) // let the farewell out

	for _, bad := range []string{"ws://127.0.0.1:1", "no url"} {
		if _, err := DialWebSocket(context.Background(), bad); err == nil {
			t.Errorf("%s answered", bad)
		}
	}
}

//go:build !js

package transport

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// serve runs a Hub on the loopback and returns its ws URL. At the end of the
// test no goroutine may be left over.
func serve(t *testing.T, h *Hub) string {
	t.Helper()
	before := runtime.NumGoroutine()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := HTTPServer(h)
	go srv.Serve(NewGuard(l, 0, 0))
	t.Cleanup(func() {
		h.Close("test over")
		srv.Close()
		if n := h.Stats().Open; n != 0 {
			t.Errorf("%d connections open in a closed hub", n)
		}
		eventually(t, "goroutines are back at the baseline", func() bool { return runtime.NumGoroutine() <= before })
	})
	return "ws://" + l.Addr().String()
}

func connect(t *testing.T, h *Hub, url string) (client, server Conn) {
	t.Helper()
	c, err := DialWebSocket(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close("test over") })
	return c, <-h.Accept()
}

// dialRaw connects a client of whatever manners.
func dialRaw(t *testing.T, url string) *websocket.Conn {
	t.Helper()
	ws, _, err := websocket.Dial(context.Background(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.CloseNow(); http.DefaultTransport.(*http.Transport).CloseIdleConnections() })
	return ws
}

// farewell reads until the server's close frame.
func farewell(t *testing.T, ws *websocket.Conn) websocket.CloseError {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for {
		_, _, err := ws.Read(ctx)
		var c websocket.CloseError
		if errors.As(err, &c) {
			return c
		}
		if err != nil {
			t.Fatal("no farewell:", err)
		}
	}
}

func endedBy(t *testing.T, c Conn, want Closed) {
	t.Helper()
	select {
	case <-c.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("connection does not end")
	}
	var got *Closed
	if !errors.As(c.Err(), &got) || *got != want {
		t.Errorf("ended by %+v, want %+v", got, want)
	}
}

func TestWebSocketEcho(t *testing.T) {
	h := NewHub(HubConfig{})
	client, server := connect(t, h, serve(t, h))
	if !strings.HasPrefix(server.Remote(), "127.0.0.1:") || !strings.HasPrefix(client.Remote(), "127.0.0.1:") {
		t.Error(client.Remote(), server.Remote())
	}
	for n := range 300 {
		p := bytes.Repeat([]byte{byte(n)}, 1+n*4) // up to 1,197 bytes
		client.Send(p)
		<-server.Ready()
		server.Drain(func(p []byte) { server.Send(p) })
		<-client.Ready()
		got := 0
		client.Drain(func(q []byte) {
			got++
			if !bytes.Equal(p, q) {
				t.Fatalf("echo %d: %d bytes became %d", n, len(p), len(q))
			}
		})
		if got != 1 {
			t.Fatal(n, got)
		}
	}
	eventually(t, "the last is counted", func() bool { return client.Stats().Sent == 300 })
	if s := client.Stats(); s.Sent != 300 || s.Received != 300 || s.SentBytes != s.ReceivedBytes || s.Replaced != 0 {
		t.Errorf("%+v", s)
	}
}

func TestReasonsReachThePeer(t *testing.T) {
	h := NewHub(HubConfig{})
	url := serve(t, h)
	client, server := connect(t, h, url)
	server.Send([]byte("last words"))
	server.Close("wrong version: you have 1, we have 2")
	endedBy(t, server, Closed{ByUs, "wrong version: you have 1, we have 2"})
	endedBy(t, client, Closed{ByPeer, "wrong version: you have 1, we have 2"})
	if n := client.Drain(func([]byte) {}); n != 1 {
		t.Error("what was sent before Close did not come")
	}

	client, server = connect(t, h, url)
	client.Close(strings.Repeat("long ", 100))
	endedBy(t, server, Closed{ByPeer, strings.Repeat("long ", 100)[:MaxReason]})

	// A network that breaks is told from a peer that closes.
	client, server = connect(t, h, url)
	client.(*socket).raw.Close()
	endedBy(t, server, Closed{Lost, "connection lost"})
	endedBy(t, client, Closed{Lost, "connection lost"})
}

// A peer closes while we write without pause: its reason must not be lost to the
// write error.
func TestReasonSurvivesWrites(t *testing.T) {
	h := NewHub(HubConfig{})
	url := serve(t, h)
	for range 20 {
		client, server := connect(t, h, url)
		stop := make(chan struct{})
		go func() {
			defer close(stop)
			for p := make([]byte, 900); server.Err() == nil; {
				server.Send(p)
				time.Sleep(10 * time.Microsecond)
			}
		}()
		time.Sleep(time.Millisecond)
		client.Close("I leave")
		endedBy(t, server, Closed{ByPeer, "I leave"})
		<-stop
	}
}

// The peer reads nothing, so the socket is full: Send still returns at once, and
// when the peer reads again the newest packet is the last to come.
func TestNewestWinsAndSendNeverBlocks(t *testing.T) {
	h := NewHub(HubConfig{})
	url := serve(t, h)
	ws := dialRaw(t, url)
	server := <-h.Accept()

	const sends = 20_000
	took := make([]time.Duration, sends)
	for i := range took {
		p := numbered(uint32(i), 1150)
		start := time.Now()
		server.Send(p)
		took[i] = time.Since(start)
		if i%100 == 0 {
			time.Sleep(time.Microsecond) // let the writer at it
		}
	}
	eventually(t, "the socket is full", func() bool { return server.(*socket).out.len() == OutboxPackets })
	slices.Sort(took)
	if p99 := took[sends*99/100]; p99 > 200*time.Microsecond {
		t.Errorf("99 %% of Sends returned within %v", p99)
	}
	t.Logf("Send: median %v, p99 %v, max %v", took[sends/2], took[sends*99/100], took[sends-1])
	s := server.Stats()
	if s.Replaced == 0 || s.Sent+s.Replaced+OutboxPackets+1 < sends {
		t.Errorf("of %d packets: %+v", sends, s)
	}

	var last uint32
	got := 0
	for last != sends-1 {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		_, p, err := ws.Read(ctx)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		n := uint32(p[0]) | uint32(p[1])<<8 | uint32(p[2])<<16
		if got > 0 && n <= last {
			t.Fatalf("%d after %d", n, last)
		}
		last = n
		got++
	}
	if got >= sends {
		t.Error("nothing was replaced: the test did not stall the socket")
	}

	// Negative control: a plain write to a peer that does not read blocks.
	h2 := NewHub(HubConfig{})
	dialRaw(t, serve(t, h2))
	blocked := (<-h2.Accept()).(*socket)
	blocked.raw.SetWriteDeadline(time.Now().Add(time.Second))
	var err error
	for p := make([]byte, 1150); err == nil; {
		err = blocked.ws.Write(context.Background(), websocket.MessageBinary, p)
	}
	if n, ok := err.(net.Error); !errors.As(err, &n) || !n.Timeout() {
		t.Errorf("control: a plain write failed by %v (%v), want a timeout", err, ok)
	}
}

func TestPeerThatNeverReadsIsClosed(t *testing.T) {
	h := NewHub(HubConfig{})
	h.limits.write = 200 * time.Millisecond
	url := serve(t, h)
	dialRaw(t, url)
	server := <-h.Accept()
	for p := make([]byte, 1150); server.Err() == nil; time.Sleep(10 * time.Microsecond) {
		server.Send(p)
	}
	endedBy(t, server, Closed{ByUs, "peer does not read"})
	eventually(t, "its place is free", func() bool { return h.Stats().Open == 0 })
}

func TestCloseOfAStalledPeerIsBounded(t *testing.T) {
	h := NewHub(HubConfig{})
	url := serve(t, h)
	dialRaw(t, url)
	server := <-h.Accept()
	for range 2000 {
		server.Send(make([]byte, 1150))
		time.Sleep(10 * time.Microsecond)
	}
	eventually(t, "the socket is full", func() bool { return server.(*socket).out.len() == OutboxPackets })
	start := time.Now()
	server.Close("kicked")
	if d := time.Since(start); d > 50*time.Millisecond {
		t.Errorf("Close took %v", d)
	}
	eventually(t, "its place is free", func() bool { return h.Stats().Open == 0 })
	if d := time.Since(start); d > CloseTimeout+3*time.Second {
		t.Errorf("the farewell took %v", d)
	}
}

func TestOversizedMessages(t *testing.T) {
	h := NewHub(HubConfig{})
	url := serve(t, h)
	ctx := context.Background()
	ws := dialRaw(t, url)
	server := <-h.Accept()
	for _, size := range []int{MaxPacket + 1, 2*MaxPacket + 2, 3*MaxPacket + 3, 0, maxMessage, MaxPacket} {
		if err := ws.Write(ctx, websocket.MessageBinary, make([]byte, size)); err != nil {
			t.Fatal(err)
		}
	}
	<-server.Ready()
	n := server.Drain(func(p []byte) {
		if len(p) != MaxPacket {
			t.Errorf("%d bytes came", len(p))
		}
	})
	if n != 1 || server.Stats().BadSize != 5 || server.Err() != nil {
		t.Errorf("%d packets, %+v, %v", n, server.Stats(), server.Err())
	}
	for range maxBadSize {
		ws.Write(ctx, websocket.MessageBinary, make([]byte, MaxPacket+1))
	}
	if c := farewell(t, ws); c.Code != websocket.StatusMessageTooBig {
		t.Errorf("repeated abuse: %v", c)
	}
	endedBy(t, server, Closed{ByUs, "packets of a wrong size"})

	ws = dialRaw(t, url)
	server = <-h.Accept()
	ws.Write(ctx, websocket.MessageBinary, make([]byte, maxMessage+MaxPacket+1))
	if c := farewell(t, ws); c.Code != websocket.StatusMessageTooBig {
		t.Errorf("a huge message: %v", c)
	}
	endedBy(t, server, Closed{ByUs, "packet too large"})
}

func TestTextIsRefused(t *testing.T) {
	h := NewHub(HubConfig{})
	ws := dialRaw(t, serve(t, h))
	server := <-h.Accept()
	ws.Write(context.Background(), websocket.MessageText, []byte("hello"))
	if c := farewell(t, ws); c.Code != websocket.StatusUnsupportedData || c.Reason != "text messages are refused" {
		t.Errorf("%v", c)
	}
	if server.Drain(func([]byte) {}) != 0 {
		t.Error("text arrived")
	}
}

// A client that sends without pause is held to its rate and then closed; one
// that sends at a game's rate is not touched.
func TestFlood(t *testing.T) {
	h := NewHub(HubConfig{})
	h.limits.packets, h.limits.patience = 100, 2*time.Second
	url := serve(t, h)
	honest, server := connect(t, h, url)
	ws := dialRaw(t, url)
	flooded := <-h.Accept()

	start := time.Now()
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		for ws.Write(ctx, websocket.MessageBinary, []byte("flood")) == nil {
		}
	}()
	tick := time.NewTicker(time.Second / 60)
	defer tick.Stop()
	for flooded.Err() == nil {
		<-tick.C
		honest.Send([]byte("input"))
		if time.Since(start) > 20*time.Second {
			t.Fatal("the flood goes on")
		}
	}
	endedBy(t, flooded, Closed{ByUs, "too many packets"})
	s := flooded.Stats()
	if most := 100 * (time.Since(start).Seconds() + 1.5); float64(s.Received) > most || s.Throttled == 0 {
		t.Errorf("in %v: %+v, at most %.0f packets allowed", time.Since(start), s, most)
	}
	if server.Stats().Throttled != 0 || honest.Err() != nil || server.Stats().Received == 0 {
		t.Errorf("the honest client: %+v, %v", server.Stats(), honest.Err())
	}
}

func TestPingFloodAndByteFlood(t *testing.T) {
	h := NewHub(HubConfig{})
	h.limits.packets, h.limits.bytes, h.limits.patience = 100, 20_000, time.Second
	url := serve(t, h)
	for what, attack := range map[string]func(*websocket.Conn, context.Context) error{
		"bytes": func(ws *websocket.Conn, ctx context.Context) error {
			return ws.Write(ctx, websocket.MessageBinary, make([]byte, MaxPacket))
		},
		"pings": func(ws *websocket.Conn, ctx context.Context) error {
			short, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			return ws.Ping(short)
		},
	} {
		ws := dialRaw(t, url)
		flooded := <-h.Accept()
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		go ws.CloseRead(ctx)
		for i := 0; flooded.Err() == nil && ctx.Err() == nil; i++ {
			if attack(ws, ctx) != nil {
				break
			}
		}
		eventually(t, what+": closed", func() bool { return flooded.Err() != nil })
		cancel()
		if flooded.Stats().Throttled == 0 {
			t.Errorf("%s: %+v", what, flooded.Stats())
		}
	}
}

func TestSilentStrangersAreClosed(t *testing.T) {
	h := NewHub(HubConfig{})
	h.limits.first, h.limits.idle = 200*time.Millisecond, time.Second
	url := serve(t, h)
	ws := dialRaw(t, url)
	silent := <-h.Accept()
	talker, server := connect(t, h, url)
	for start := time.Now(); time.Since(start) < 1500*time.Millisecond; { // beyond both limits
		talker.Send([]byte("x"))
		time.Sleep(10 * time.Millisecond)
	}
	if server.Err() != nil {
		t.Errorf("the talker was closed: %v", server.Err())
	}
	if c := farewell(t, ws); c.Reason != "nothing came after the handshake" {
		t.Errorf("%v", c)
	}
	endedBy(t, silent, Closed{ByUs, "nothing came after the handshake"})
	endedBy(t, server, Closed{ByUs, "nothing came for too long"})
}

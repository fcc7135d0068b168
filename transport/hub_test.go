//go:build !js

package transport

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func TestCapsAndOrigins(t *testing.T) {
	h := NewHub(HubConfig{MaxConns: 3, MaxPerAddress: 2, Origins: []string{"game.example"}})
	url := serve(t, h)
	connect(t, h, url)
	_, second := connect(t, h, url)
	third, err := DialWebSocket(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	endedBy(t, third, Closed{ByPeer, errAddress.Error()})
	if _, err := h.DialMemory(); err != nil {
		t.Fatal(err)
	}
	<-h.Accept()
	fourth, err := DialWebSocket(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	endedBy(t, fourth, Closed{ByPeer, errFull.Error()})
	second.Close("make room")
	eventually(t, "room", func() bool { return h.Stats().Open == 2 })

	for origin, want := range map[string]int{
		"":                     101,
		"http://" + url[5:]:    101,
		"https://game.example": 101,
		"https://evil.example": 403,
		"null":                 403,
	} {
		header := http.Header{}
		if origin != "" {
			header.Set("Origin", origin)
		}
		ws, resp, err := websocket.Dial(context.Background(), url, &websocket.DialOptions{HTTPHeader: header})
		if resp == nil || resp.StatusCode != want {
			t.Errorf("origin %q: %v, want %d", origin, err, want)
		}
		if ws != nil {
			(<-h.Accept()).Close("next")
			farewell(t, ws)
			ws.CloseNow()
			eventually(t, "room", func() bool { return h.Stats().Open == 2 })
		}
	}
	s := h.Stats()
	if s.RefusedAddress != 1 || s.RefusedFull != 1 || s.RefusedHandshake != 2 {
		t.Errorf("%+v", s)
	}
}

func TestAcceptQueueIsBounded(t *testing.T) {
	h := NewHub(HubConfig{MaxPerAddress: 2 * backlog})
	url := serve(t, h)
	for range backlog {
		c, err := DialWebSocket(context.Background(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close("over")
	}
	eventually(t, "the queue is full", func() bool { return h.Stats().Accepted == backlog })
	c, err := DialWebSocket(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	endedBy(t, c, Closed{ByPeer, errBusy.Error()})
}

func TestDialErrorsSayWhat(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "ws://" + l.Addr().String()
	l.Close()
	if _, err := DialWebSocket(context.Background(), url); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("nobody there: %v", err)
	}
	srv := httptest.NewServer(http.NotFoundHandler())
	defer srv.Close()
	if _, err := DialWebSocket(context.Background(), srv.URL); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("no game there: %v", err)
	}
	// A server that takes the connection and says nothing.
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := DialWebSocket(ctx, "ws://"+mute.Addr().String()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a mute server: %v", err)
	}
}

// The same over TLS, where deadlines and rates act below the encryption.
func TestEncrypted(t *testing.T) {
	h := NewHub(HubConfig{})
	srv := httptest.NewTLSServer(h)
	defer srv.Close()
	defer h.Close("over")
	url := "wss" + strings.TrimPrefix(srv.URL, "https")
	if _, err := DialWebSocket(context.Background(), url); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate nobody signed: %v", err)
	}
	c, err := dial(context.Background(), url, serverLimits(), srv.Client().Transport.(*http.Transport).TLSClientConfig)
	if err != nil {
		t.Fatal(err)
	}
	server := <-h.Accept()
	for n := range uint32(100) {
		c.Send(numbered(n, MaxPacket))
		<-server.Ready()
		server.Drain(server.Send)
		<-c.Ready()
		if got := drained(c); len(got) != 1 || got[0] != n {
			t.Fatalf("echo %d: %v", n, got)
		}
	}
	server.Close("enough")
	endedBy(t, c, Closed{ByPeer, "enough"})
}

//go:build !js

package transport

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// serveDatagrams runs a Hub on a UDP socket of the loopback and returns the URL
// and the certificate's hashes. At the end of the test no goroutine may be left
// over.
func serveDatagrams(t *testing.T, h *Hub) (url string, hashes [][32]byte) {
	t.Helper()
	before := runtime.NumGoroutine()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	certs := SelfSigned()
	served := make(chan error, 1)
	go func() { served <- h.ServeWebTransport(socket, certs.TLS()) }()
	t.Cleanup(func() {
		h.Close("test over")
		if err := <-served; err != nil {
			t.Error(err)
		}
		if n := h.Stats().Open; n != 0 {
			t.Errorf("%d connections open in a closed hub", n)
		}
		eventually(t, "goroutines are back at the baseline", func() bool { return runtime.NumGoroutine() <= before })
	})
	return "https://" + socket.LocalAddr().String() + "/", certs.Hashes()
}

func connectDatagrams(t *testing.T, h *Hub, url string, hashes [][32]byte) (client, server *session) {
	t.Helper()
	c, err := DialWebTransport(context.Background(), url, hashes...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close("test over")
		<-c.(*session).Gone()
	})
	return c.(*session), (<-h.Accept()).(*session)
}

func TestWebTransportEcho(t *testing.T) {
	h := NewHub(HubConfig{})
	url, hashes := serveDatagrams(t, h)
	client, server := connectDatagrams(t, h, url, hashes)
	if client.Carrier() != WebTransport || server.Carrier() != WebTransport || !strings.HasPrefix(server.Remote(), "127.0.0.1:") {
		t.Error(client.Carrier(), server.Carrier(), server.Remote())
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
	if s := client.Stats(); s.Sent != 300 || s.Received != 300 || s.SentBytes != s.ReceivedBytes || s.Replaced != 0 || s.BadSize != 0 {
		t.Errorf("%+v", s)
	}
	if p := server.Path(); p.Window < 2*MaxPacket || p.RTT <= 0 || p.RTT > time.Second {
		t.Errorf("%+v", p)
	}
}

func TestWebTransportReasons(t *testing.T) {
	h := NewHub(HubConfig{})
	url, hashes := serveDatagrams(t, h)
	client, server := connectDatagrams(t, h, url, hashes)
	server.Send([]byte("last words"))
	server.Close("wrong version: you have 1, we have 2")
	endedBy(t, server, Closed{ByUs, "wrong version: you have 1, we have 2"})
	endedBy(t, client, Closed{ByPeer, "wrong version: you have 1, we have 2"})
	if n := client.Drain(func([]byte) {}); n != 1 {
		t.Error("what was sent before Close did not come")
	}
	begun := time.Now()
	<-server.Gone()
	if d := time.Since(begun); d > CloseTimeout/2 {
		t.Errorf("the farewell took %v", d)
	}

	client, server = connectDatagrams(t, h, url, hashes)
	client.Close(strings.Repeat("long ", 100))
	endedBy(t, server, Closed{ByPeer, strings.Repeat("long ", 100)[:MaxReason]})
	server.Send([]byte("too late"))

	// A program that ends is told from one that closes the session.
	client, server = connectDatagrams(t, h, url, hashes)
	client.quic.CloseWithError(0, "")
	endedBy(t, server, Closed{ByPeer, "peer left"})
	endedBy(t, client, Closed{Lost, "connection lost"})
}

// A network that swallows everything: the connection is lost, and its place free.
func TestWebTransportLost(t *testing.T) {
	virtually(t, 1, func(r *relay, h *Hub, client, server *session) {
		client.Send([]byte("hello"))
		<-server.Ready()
		r.cut.Store(true)
		begun := time.Now()
		endedBy(t, server, Closed{Lost, "connection lost"})
		endedBy(t, client, Closed{Lost, "connection lost"})
		if d := time.Since(begun); d > quicIdle+quicAlive+time.Second { // QUIC counts from the first packet that was not answered
			t.Errorf("it took %v", d)
		}
		eventually(t, "its place is free", func() bool { return h.Stats().Open == 0 })
	})
}

func TestWebTransportCertificates(t *testing.T) {
	h := NewHub(HubConfig{})
	url, hashes := serveDatagrams(t, h)
	for what, wrong := range map[string][][32]byte{"another": {{1, 2, 3}}, "verify": nil} {
		if _, err := DialWebTransport(context.Background(), url, wrong...); err == nil || !strings.Contains(err.Error(), "certificate") {
			t.Errorf("%s: %v", what, err)
		}
	}
	connectDatagrams(t, h, url, hashes) // control
}

func TestWebTransportOversized(t *testing.T) {
	h := NewHub(HubConfig{})
	url, hashes := serveDatagrams(t, h)
	client, server := connectDatagrams(t, h, url, hashes)
	client.Send(make([]byte, MaxPacket+1))
	client.Send(nil)
	client.Send(make([]byte, MaxPacket))
	<-server.Ready()
	if n := server.Drain(func([]byte) {}); n != 1 || client.Stats().BadSize != 2 {
		t.Errorf("%d came, %+v", n, client.Stats())
	}
	// A client without manners: what fits a datagram and not a packet.
	for i := range maxBadSize + 1 {
		client.wt.SendDatagram(make([]byte, i%2*(MaxPacket+1)))
		time.Sleep(time.Millisecond) // QUIC drops what comes faster than it is read
	}
	endedBy(t, server, Closed{ByUs, "packets of a wrong size"})
	endedBy(t, client, Closed{ByPeer, "packets of a wrong size"})
}

func TestWebTransportFlood(t *testing.T) {
	h := NewHub(HubConfig{})
	h.limits.packets, h.limits.patience = 100, time.Second
	url, hashes := serveDatagrams(t, h)
	honest, server := connectDatagrams(t, h, url, hashes)
	evil, flooded := connectDatagrams(t, h, url, hashes)

	start := time.Now()
	go func() {
		for evil.wt.SendDatagram([]byte("flood")) == nil {
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

func TestWebTransportSilence(t *testing.T) {
	h := NewHub(HubConfig{})
	h.limits.first, h.limits.idle = 200*time.Millisecond, time.Second
	url, hashes := serveDatagrams(t, h)
	_, silent := connectDatagrams(t, h, url, hashes)
	talker, server := connectDatagrams(t, h, url, hashes)
	for start := time.Now(); time.Since(start) < 1500*time.Millisecond; { // beyond both limits
		talker.Send([]byte("x"))
		time.Sleep(10 * time.Millisecond)
	}
	if server.Err() != nil {
		t.Errorf("the talker was closed: %v", server.Err())
	}
	endedBy(t, silent, Closed{ByUs, "nothing came after the handshake"})
	endedBy(t, server, Closed{ByUs, "nothing came for too long"})
}

func TestWebTransportCaps(t *testing.T) {
	h := NewHub(HubConfig{MaxPerAddress: 1})
	url, hashes := serveDatagrams(t, h)
	connectDatagrams(t, h, url, hashes)
	second, err := DialWebTransport(context.Background(), url, hashes...)
	if err != nil {
		t.Fatal(err)
	}
	endedBy(t, second, Closed{ByPeer, errAddress.Error()})
	<-second.(*session).Gone()
	if s := h.Stats(); s.RefusedAddress != 1 || s.Open != 1 {
		t.Errorf("%+v", s)
	}
}

func TestOrigins(t *testing.T) {
	h := NewHub(HubConfig{Origins: []string{"*.game.example", "other.example:81"}})
	for origin, want := range map[string]bool{
		"":                            true,
		"https://play.example":        true,
		"http://PLAY.example":         true,
		"https://play.example:444":    false,
		"https://evil.example":        false,
		"null":                        false,
		"https://www.game.example":    true,
		"https://game.example.evil":   false,
		"https://other.example:81":    true,
		"https://other.example":       false,
		"http://localhost":            false,
		"https://play.example@evil.x": false,
		"://":                         false,
	} {
		r := &http.Request{Host: "play.example", Header: http.Header{"Origin": {origin}}}
		if got := h.ours(r); got != want {
			t.Errorf("%q: %v", origin, got)
		}
	}
	for origin, want := range map[string]bool{
		"http://localhost:7777": true, "http://127.0.0.1:7777": true, "http://[::1]:7777": true,
		"http://localhost:7778": false, "http://10.0.0.1:7777": false, "http://localhost.evil:7777": false,
	} {
		r := &http.Request{Host: "127.0.0.1:7777", Header: http.Header{"Origin": {origin}}}
		if got := h.ours(r); got != want {
			t.Errorf("%q: %v", origin, got)
		}
	}
}

// A foreign page is refused in the handshake.
func TestWebTransportForeignPage(t *testing.T) {
	h := NewHub(HubConfig{})
	url, hashes := serveDatagrams(t, h)
	for origin, want := range map[string]string{"https://evil.example": "403", strings.TrimSuffix(url, "/"): ""} {
		s, err := dialFrom(context.Background(), url, origin, hashes, serverLimits())
		if want == "" {
			if err != nil {
				t.Error(origin, err)
				continue
			}
			s.Close("enough")
			<-s.Gone()
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", origin, err)
		}
	}
	if n := h.Stats().RefusedHandshake; n != 1 {
		t.Errorf("%d refused", n)
	}
}

func TestDialWebTransportErrors(t *testing.T) {
	for _, bad := range []string{"http://127.0.0.1:1/", "no url", "https://"} {
		if _, err := DialWebTransport(context.Background(), bad); err == nil {
			t.Errorf("%s answered", bad)
		}
	}
	mute, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := DialWebTransport(ctx, "https://"+mute.LocalAddr().String()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a mute server: %v", err)
	}
}

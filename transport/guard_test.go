//go:build !js

package transport

import (
	"bytes"
	"context"
	"log"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A thousand handshakes that never end, from one address: they hold no more
// sockets and goroutines than the cap, another address still gets in, and the
// header timeout ends them all.
func TestHalfOpenHandshakesAreBounded(t *testing.T) {
	h := NewHub(HubConfig{})
	defer h.Close("over")
	before := runtime.NumGoroutine()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	const perAddress = 50
	g := NewGuard(l, 0, perAddress)
	srv := HTTPServer(h)
	srv.ReadHeaderTimeout = 3 * time.Second
	go srv.Serve(g)
	defer srv.Close()

	crowd := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	var held []net.Conn
	defer func() {
		for _, c := range held {
			c.Close()
		}
	}()
	most := 0
	for range 1000 {
		c, err := crowd.Dial("tcp", l.Addr().String())
		if err != nil {
			continue
		}
		held = append(held, c)
		c.Write([]byte("GET / HTTP/1.1\r\nHost: x\r\nUpgr")) // and no more
		most = max(most, g.Open())
	}
	eventually(t, "the crowd was turned away", func() bool { return g.Refused() > 0 })
	if most > perAddress || len(held) < 900 {
		t.Errorf("%d sockets held by a crowd of %d", most, len(held))
	}
	if n := runtime.NumGoroutine() - before; n > perAddress+10 {
		t.Errorf("%d goroutines for the crowd", n)
	}
	c, err := DialWebSocket(context.Background(), "ws://"+l.Addr().String())
	if err != nil {
		t.Fatal("an honest client from elsewhere:", err)
	}
	c.Close("done")
	eventually(t, "all sockets are closed", func() bool { return g.Open() == 0 })
	t.Logf("held at most %d, refused %d", most, g.Refused())
}

func TestAddressOf(t *testing.T) {
	for in, want := range map[string]string{
		"192.0.2.1:80":               "192.0.2.1",
		"[::ffff:192.0.2.1]:80":      "192.0.2.1",
		"[2001:db8:1:2:3:4:5:6]:443": "2001:db8:1:2::/64",
		"[2001:db8:1:2::9]:1":        "2001:db8:1:2::/64",
		"[fe80::1%eth0]:1":           "fe80::/64",
		"@":                          "@",
	} {
		if got := addressOf(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// What strangers break off is not written to the log; the rest is.
func TestQuiet(t *testing.T) {
	var b bytes.Buffer
	log.SetOutput(&b)
	defer log.SetOutput(os.Stderr)
	l := HTTPServer(nil).ErrorLog
	l.Printf("http: TLS handshake error from %s: EOF", "203.0.113.7:9")
	l.Print("http: panic serving")
	if got := b.String(); strings.Contains(got, "203.0.113.7") || !strings.Contains(got, "panic serving") {
		t.Errorf("logged %q", got)
	}
}

//go:build !js

package transport

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestEndpointRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := Endpoint{
			Host: rapid.SampledFrom([]string{"", "127.0.0.1", "::1", "play.example"}).Draw(t, "host"),
			Port: rapid.IntRange(1, 65535).Draw(t, "port"),
		}
		for range rapid.IntRange(0, maxHashes).Draw(t, "hashes") {
			e.Hashes = append(e.Hashes, [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "hash")))
		}
		got, err := ParseEndpoint(e.String() + "\n")
		if err != nil || got.String() != e.String() || got.Host != e.Host || got.Port != e.Port || len(got.Hashes) != len(e.Hashes) {
			t.Fatalf("%v: %v, %v", e, got, err)
		}
	})
	for _, bad := range []string{"", "<!doctype html>", "webtransport", "webtransport 7777", "webtransport :0", "webtransport :65536",
		"webtransport a/b:1", "webtransport evil@x:1", "webtransport :1 sha-256=00", "webtransport :1 md5=00",
		"webtransport :1 sha-256=" + strings.Repeat("zz", 32), "webtransport :1" + strings.Repeat(" sha-256="+strings.Repeat("00", 32), maxHashes+1)} {
		if e, err := ParseEndpoint(bad); err == nil {
			t.Errorf("%q: %v", bad, e)
		}
	}
}

func FuzzParseEndpoint(f *testing.F) {
	f.Add("webtransport [::1]:7777 sha-256=" + strings.Repeat("0f", 32))
	f.Add("webtransport :1")
	f.Fuzz(func(t *testing.T, s string) {
		e, err := ParseEndpoint(s)
		if err != nil {
			return
		}
		if again, err := ParseEndpoint(e.String()); err != nil || again.String() != e.String() {
			t.Fatalf("%q: %v, %v", e, again, err)
		}
	})
}

func TestEndpointURL(t *testing.T) {
	for _, c := range []struct {
		host, base, want string
	}{
		{"", "http://localhost:7777", "https://127.0.0.1:9/"},
		{"", "https://play.example", "https://play.example:9/"},
		{"", "http://user@[::1]:7777/x?y", "https://[::1]:9/"},
		{"10.0.0.1", "http://localhost:7777", "https://10.0.0.1:9/"},
	} {
		if got := (Endpoint{Host: c.host, Port: 9}).url(c.base); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// game is a Hub behind HTTP that offers an Endpoint.
func game(t *testing.T, h *Hub, offer func() string) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/", h)
	mux.HandleFunc(EndpointPath, func(w http.ResponseWriter, r *http.Request) {
		if offer == nil {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte(offer()))
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv.URL
}

// WebTransport where it works, WebSocket where it does not.
func TestDialer(t *testing.T) {
	h := NewHub(HubConfig{})
	url, hashes := serveDatagrams(t, h)
	_, port, _ := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(url, "https://"), "/"))
	mute, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	number, _ := strconv.Atoi(port)
	both := game(t, h, func() string { return Endpoint{Port: number, Hashes: hashes}.String() })
	blocked := game(t, h, func() string {
		return Endpoint{Port: mute.LocalAddr().(*net.UDPAddr).Port, Hashes: hashes}.String()
	})
	none := game(t, h, nil)
	for _, c := range []struct {
		url  string
		only Carrier
		want Carrier
		why  string
	}{
		{both, "", WebTransport, ""},
		{both + "/some/path?x=1", "", WebTransport, ""},
		{both, WebSocket, WebSocket, ""},
		{"ws" + strings.TrimPrefix(both, "http"), "", WebSocket, ""},
		{blocked, "", WebSocket, "no answer over UDP"},
		{none, "", WebSocket, "offers no WebTransport"},
		{none, WebTransport, "", "offers no WebTransport"},
		{"ws" + strings.TrimPrefix(both, "http"), WebTransport, "", "needs a http"},
	} {
		d := &Dialer{URL: c.url, Only: c.only}
		begun := time.Now()
		conn, err := d.Dial(context.Background())
		if c.want == "" {
			if err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if conn.Carrier() != c.want || !strings.Contains(d.Fallback(), c.why) || c.why == "" && d.Fallback() != "" {
			t.Errorf("%+v: %s, %q", c, conn.Carrier(), d.Fallback())
		}
		if took := time.Since(begun); took > firstAttempt+2*time.Second {
			t.Errorf("%+v: took %v", c, took)
		}
		server := <-h.Accept()
		conn.Send([]byte("hello"))
		<-server.Ready()
		conn.Close("next")
		<-server.Done()
	}
}

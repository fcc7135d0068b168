package server_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/server"
	"github.com/foretick/foretick/transport"
)

// run runs a server until the test ends and returns its address. At the end no
// goroutine may be left over.
func run(t *testing.T, certs *transport.Certificates) string {
	t.Helper()
	goroutines := runtime.NumGoroutine()
	ctx, stop := context.WithCancel(context.Background())
	at := make(chan net.Addr, 1)
	done := make(chan error, 1)
	go func() {
		done <- server.Run(ctx, pucks.Game, server.Config{Addr: "127.0.0.1:0", Certificates: certs, Listening: func(a net.Addr) { at <- a }})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		for end := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), goroutines)
			}
		}
	})
	select {
	case a := <-at:
		return a.String()
	case err := <-done:
		done <- nil
		t.Fatal(err)
		return ""
	}
}

// A match over WebTransport, at the same port as the page; and what a client
// that dials again finds.
func TestDatagrams(t *testing.T) {
	addr := run(t, transport.SelfSigned())
	d := &transport.Dialer{URL: "http://" + addr + "/"}
	for _, only := range []transport.Carrier{transport.WebTransport, transport.WebSocket, ""} {
		d.Only = only
		c, err := d.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := only
		if want == "" {
			want = transport.WebTransport
		}
		if c.Carrier() != want || d.Fallback() != "" {
			t.Errorf("over %s, want %s; %s", c.Carrier(), want, d.Fallback())
		}
		r := bot()
		play(r, c, time.Now(), 500*time.Millisecond)
		if r.State() != replica.Playing {
			t.Errorf("%v: %s", r.State(), r.Reason())
		}
		c.Close("next")
		<-c.(interface{ Gone() <-chan struct{} }).Gone()
	}
}

// Without certificates nothing is offered, and a client uses WebSocket.
func TestNoDatagrams(t *testing.T) {
	addr := run(t, nil)
	d := &transport.Dialer{URL: "http://" + addr + "/"}
	c, err := d.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close("over")
	if c.Carrier() != transport.WebSocket || !strings.Contains(d.Fallback(), "offers no WebTransport") {
		t.Errorf("over %s: %q", c.Carrier(), d.Fallback())
	}
}

// With certificates of an authority the page is https, and clients need no
// hashes.
func TestTrustedCertificates(t *testing.T) {
	self, err := transport.SelfSigned().TLS().GetCertificate(nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(self.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	files := [2]string{filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")}
	for i, b := range []*pem.Block{{Type: "CERTIFICATE", Bytes: self.Certificate[0]}, {Type: "PRIVATE KEY", Bytes: key}} {
		if err := os.WriteFile(files[i], pem.EncodeToMemory(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	certs, err := transport.CertificateFiles(files[0], files[1])
	if err != nil {
		t.Fatal(err)
	}
	addr := run(t, certs)
	pool := x509.NewCertPool()
	pool.AddCert(self.Leaf)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: pool}}}
	for path, want := range map[string]string{"/": "game pucks", transport.EndpointPath: "webtransport :"} {
		resp, err := client.Get("https://" + addr + path)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if !strings.Contains(string(text), want) || strings.Contains(string(text), "sha-256") {
			t.Errorf("%s: %q", path, text)
		}
	}
	if resp, err := http.Get("http://" + addr + "/"); err == nil {
		resp.Body.Close()
		if resp.StatusCode != http.StatusBadRequest {
			t.Errorf("plain http: %s", resp.Status)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

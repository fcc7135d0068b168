//go:build !js

package transport

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What a browser asks of a certificate that it accepts by hash: ECDSA P-256, in
// force, for less than 14 days. It is so at every moment of two months.
func TestSelfSignedIsRenewed(t *testing.T) {
	c := SelfSigned("192.0.2.1", "game.local")
	now := time.Now()
	c.now = func() time.Time { return now }
	seen := map[[32]byte]bool{}
	for end := now.Add(60 * 24 * time.Hour); now.Before(end); now = now.Add(time.Hour) {
		hashes := c.Hashes()
		pair, err := c.TLS().GetCertificate(nil)
		if err != nil || len(hashes) != 1 {
			t.Fatal(err, hashes)
		}
		seen[hashes[0]] = true
		leaf := pair.Leaf
		key, ok := leaf.PublicKey.(*ecdsa.PublicKey)
		if !ok || key.Curve != elliptic.P256() {
			t.Fatal("not P-256")
		}
		if leaf.NotAfter.Sub(leaf.NotBefore) >= 14*24*time.Hour {
			t.Fatal("valid for too long")
		}
		if now.Before(leaf.NotBefore.Add(clockSkew/2)) || leaf.NotAfter.Sub(now) < renewBefore-time.Hour {
			t.Fatalf("at %v: in force from %v to %v", now, leaf.NotBefore, leaf.NotAfter)
		}
		for _, host := range []string{"localhost", "127.0.0.1", "::1", "192.0.2.1", "game.local"} {
			if err := leaf.VerifyHostname(host); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(seen) < 60/10 || len(seen) > 60/7+1 {
		t.Errorf("%d certificates in 60 days", len(seen))
	}
	if c.Trusted() {
		t.Error("self-signed and trusted")
	}
}

// write puts a certificate that ends at a time into files.
func write(t *testing.T, dir string, end time.Time) (cert, key string, pair *tls.Certificate) {
	t.Helper()
	pair, err := selfSigned(nil, end.Add(-selfSignedFor))
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for file, block := range map[string]*pem.Block{
		cert: {Type: "CERTIFICATE", Bytes: pair.Certificate[0]},
		key:  {Type: "PRIVATE KEY", Bytes: der},
	} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key, pair
}

func TestCertificateFiles(t *testing.T) {
	dir := t.TempDir()
	cert, key, first := write(t, dir, time.Now().Add(24*time.Hour))
	c, err := CertificateFiles(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Trusted() || c.Hashes() != nil {
		t.Error("files are to be trusted by their authority")
	}
	serves := func(want *tls.Certificate) bool {
		got, err := c.TLS().GetCertificate(nil)
		return err == nil && got.Leaf.Equal(want.Leaf)
	}
	if !serves(first) {
		t.Error("another certificate")
	}
	// Renewed, and found within a minute.
	_, _, second := write(t, dir, time.Now().Add(48*time.Hour))
	os.Chtimes(cert, time.Time{}, time.Now().Add(time.Second))
	if !serves(first) {
		t.Error("looked at the file for every handshake")
	}
	c.now = func() time.Time { return time.Now().Add(2 * fileLook) }
	if !serves(second) || c.Problem() != nil {
		t.Error("the new certificate is not served", c.Problem())
	}
	// A broken file does not take the server down.
	os.WriteFile(cert, []byte("half a fi"), 0o600)
	os.Chtimes(cert, time.Time{}, time.Now().Add(time.Minute))
	c.now = func() time.Time { return time.Now().Add(4 * fileLook) }
	if !serves(second) {
		t.Error("a broken file ended the service")
	}
	if serves(second); c.Problem() == nil { // in the minute after it was found
		t.Error("nobody is told of the broken file")
	}
	c.now = func() time.Time { return time.Now().Add(49 * time.Hour) }
	if err := c.Problem(); err == nil || !strings.Contains(err.Error(), "good from") {
		t.Error("nobody is told that it expired", err)
	}
	if _, err := CertificateFiles(cert, key); err == nil {
		t.Error("a broken file was read")
	}
	if _, err := CertificateFiles(filepath.Join(dir, "none"), key); err == nil || !strings.Contains(err.Error(), "none") {
		t.Error(err)
	}
	cert, key, _ = write(t, dir, time.Now().Add(-time.Hour))
	if _, err := CertificateFiles(cert, key); err == nil || !strings.Contains(err.Error(), "expired") {
		t.Error(err)
	}
}

// No authority is asked for a name that is not ours.
func TestACMEKnowsItsHosts(t *testing.T) {
	c := ACME(t.TempDir(), "play.example")
	_, err := c.TLS().GetCertificate(&tls.ClientHelloInfo{ServerName: "other.example", CipherSuites: []uint16{tls.TLS_AES_128_GCM_SHA256}})
	if err == nil || !strings.Contains(err.Error(), "not configured") {
		t.Error(err)
	}
	if !c.Trusted() || c.Hashes() != nil {
		t.Error("not trusted")
	}
}

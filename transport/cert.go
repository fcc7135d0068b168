//go:build !js

package transport

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

const (
	// A browser accepts a certificate by its hash only if it is valid for less
	// than 14 days.
	selfSignedFor = 10 * 24 * time.Hour
	// renewBefore its end: a page that fetched the hash of the last certificate
	// has long connected.
	renewBefore = 3 * 24 * time.Hour
	// clockSkew: clients' clocks that are late.
	clockSkew = time.Hour
	// fileLook: how often certificate files are looked at for a renewal.
	fileLook = time.Minute
)

// Certificates are those of a server, renewed while it runs. Safe for concurrent
// use.
type Certificates struct {
	now  func() time.Time
	load func(old *tls.Certificate, now time.Time) (*tls.Certificate, error) // old if it still serves
	auto *autocert.Manager
	self bool

	mu      sync.Mutex
	current *tls.Certificate
	problem error // of the last look
}

// SelfSigned makes certificates by itself, for local use: clients accept them by
// the Hashes, which they get over HTTP. hosts are names and addresses beside
// those of this machine's loopback.
func SelfSigned(hosts ...string) *Certificates {
	return &Certificates{now: time.Now, self: true, load: func(old *tls.Certificate, now time.Time) (*tls.Certificate, error) {
		if old != nil && now.Before(old.Leaf.NotAfter.Add(-renewBefore)) {
			return old, nil
		}
		return selfSigned(hosts, now)
	}}
}

// CertificateFiles reads PEM files, and reads them again when they change, so
// that what renews them need not restart the server.
func CertificateFiles(cert, key string) (*Certificates, error) {
	var looked, changed time.Time
	var failed error // when it last looked
	c := &Certificates{now: time.Now}
	c.load = func(old *tls.Certificate, now time.Time) (*tls.Certificate, error) {
		if old != nil && now.Sub(looked) < fileLook {
			return old, failed
		}
		looked, failed = now, nil
		info, err := os.Stat(cert)
		if err != nil || old != nil && info.ModTime().Equal(changed) {
			failed = err
			return old, err
		}
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			failed = err
			return old, err
		}
		changed = info.ModTime()
		return &pair, nil
	}
	first, err := c.get()
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	if end := first.Leaf.NotAfter; time.Now().After(end) {
		return nil, fmt.Errorf("certificate: %s expired on %s: renew it", cert, end.Format(time.DateOnly))
	}
	return c, nil
}

// ACME gets certificates for the hosts from Let's Encrypt and keeps them in a
// directory. The authority has to reach this server under each host at port 443.
func ACME(dir string, hosts ...string) *Certificates {
	return &Certificates{now: time.Now, auto: &autocert.Manager{
		Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(dir), HostPolicy: autocert.HostWhitelist(hosts...),
	}}
}

// Trusted reports whether clients trust these certificates by their authority.
func (c *Certificates) Trusted() bool { return !c.self }

// TLS is the configuration for servers of any kind.
func (c *Certificates) TLS() *tls.Config {
	if c.auto != nil {
		return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.auto.GetCertificate,
			NextProtos: []string{"http/1.1", acme.ALPNProto}}
	}
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     []string{"http/1.1"}, // a WebSocket handshake needs it
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.get() },
	}
}

// Problem is what an operator has to mend: the files cannot be read again, or
// what they have is expired. Clients meet the certificate that was read last.
// What an authority says to ACME only handshakes tell.
func (c *Certificates) Problem() error {
	if c.auto != nil {
		return nil
	}
	cert, err := c.get()
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.After(cert.Leaf.NotAfter) || now.Before(cert.Leaf.NotBefore) {
		return fmt.Errorf("it is good from %s to %s", cert.Leaf.NotBefore.Format(time.DateOnly), cert.Leaf.NotAfter.Format(time.DateOnly))
	}
	return c.problem
}

// Hashes of the certificates that a client has to be told to accept; nil if they
// are Trusted.
func (c *Certificates) Hashes() [][sha256.Size]byte {
	if !c.self {
		return nil
	}
	cert, err := c.get()
	if err != nil {
		return nil
	}
	return [][sha256.Size]byte{sha256.Sum256(cert.Certificate[0])}
}

func (c *Certificates) get() (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cert, err := c.load(c.current, c.now())
	c.problem = err
	if err != nil && c.current == nil {
		return nil, err
	}
	if err == nil && cert != nil {
		c.current = cert // or the old one serves until the mistake is mended
	}
	if c.current == nil {
		return nil, errors.New("no certificate")
	}
	return c.current, nil
}

func selfSigned(hosts []string, now time.Time) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader) // what browsers accept by hash
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	t := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: "foretick, self-signed"},
		NotBefore:    now.Add(-clockSkew),
		NotAfter:     now.Add(selfSignedFor),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:     []string{"localhost"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			t.IPAddresses = append(t.IPAddresses, ip)
		} else if h != "" {
			t.DNSNames = append(t.DNSNames, h)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, t, t, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, nil
}

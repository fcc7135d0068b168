//go:build !js

package transport

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/webtransport-go"
)

// DialWebTransport connects to a Hub at a https URL. hashes are the SHA-256 sums
// of the certificates to accept; without any the system's authorities decide.
// The context bounds the handshake only; without a deadline it is given ten
// seconds.
func DialWebTransport(ctx context.Context, where string, hashes ...[sha256.Size]byte) (Conn, error) {
	s, err := dialFrom(ctx, where, "", hashes, serverLimits())
	if err != nil {
		return nil, fmt.Errorf("transport: %s: %w", where, err)
	}
	return s, nil
}

// dialFrom dials as a page of the origin would, if that is not empty.
func dialFrom(ctx context.Context, where, origin string, hashes [][sha256.Size]byte, l limits) (*session, error) {
	if _, ok := ctx.Deadline(); !ok {
		c, cancel := context.WithTimeout(ctx, dialTimeout)
		defer cancel()
		ctx = c
	}
	u, err := url.Parse(where)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("want https://host:port/")
	}
	if u.Port() == "" {
		u.Host += ":443"
	}
	q, err := quic.DialAddrEarly(ctx, u.Host, pinned(hashes), quicConfig())
	if err != nil {
		return nil, err
	}
	s, err := openSession(ctx, q, u, origin, l)
	if err != nil {
		q.CloseWithError(quic.ApplicationErrorCode(http3.ErrCodeNoError), "")
	}
	return s, err
}

// openSession begins the one session of a QUIC connection.
func openSession(ctx context.Context, q *quic.Conn, u *url.URL, origin string, l limits) (*session, error) {
	t := &webtransport.Transport{}
	c, err := t.NewClientConn(q)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	if origin != "" {
		header.Set("Origin", origin)
	}
	resp, wt, err := c.Dial(ctx, u.String(), header)
	if err != nil {
		if resp != nil {
			return nil, fmt.Errorf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
		}
		return nil, err
	}
	s := newSession(q, wt, q.RemoteAddr().String(), l, func() { t.Close() })
	s.start()
	return s, nil
}

// pinned accepts the certificates that have one of the hashes and are in time.
func pinned(hashes [][sha256.Size]byte) *tls.Config {
	c := &tls.Config{NextProtos: []string{http3.NextProtoH3}, MinVersion: tls.VersionTLS13}
	if len(hashes) == 0 {
		return c
	}
	c.InsecureSkipVerify = true // VerifyConnection does
	c.VerifyConnection = func(s tls.ConnectionState) error {
		leaf := s.PeerCertificates[0]
		if now := time.Now(); now.Before(leaf.NotBefore) || now.After(leaf.NotAfter) {
			return x509.CertificateInvalidError{Cert: leaf, Reason: x509.Expired}
		}
		if !slices.Contains(hashes, sha256.Sum256(leaf.Raw)) {
			return errors.New("the server has another certificate than it said")
		}
		return nil
	}
	return c
}

// discover asks a http or https URL where its server takes WebTransport.
func discover(ctx context.Context, where string) (Endpoint, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, where, nil)
	if err != nil {
		return Endpoint{}, err
	}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return Endpoint{}, cause(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return Endpoint{}, errNoOffer
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
	if err != nil {
		return Endpoint{}, err
	}
	return ParseEndpoint(string(text))
}

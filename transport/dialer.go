package transport

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/foretick/foretick/internal/limit"
)

// Dialer opens connections to one server: over WebTransport where the server
// offers it and UDP gets through, or else over WebSocket. Its methods are safe
// for concurrent use.
type Dialer struct {
	// URL of the server. http and https: what the server offers. ws and wss:
	// WebSocket.
	URL string

	// Only restricts it to one carrier. "": no restriction.
	Only Carrier

	mu  sync.Mutex
	why string
}

// Dial opens a connection. The context bounds the handshake only. Of a server
// that offers WebTransport it waits two seconds for that at most.
func (d *Dialer) Dial(ctx context.Context) (Conn, error) {
	base, web := d.web()
	if web && d.Only != WebSocket {
		c, err := d.datagrams(ctx, base)
		d.note(err)
		if err == nil || d.Only == WebTransport || ctx.Err() != nil {
			return c, err
		}
	}
	if d.Only == WebTransport {
		return nil, errors.New("transport: " + d.URL + ": WebTransport needs a http or https URL")
	}
	if web {
		return DialWebSocket(ctx, "ws"+strings.TrimPrefix(d.URL, "http"))
	}
	return DialWebSocket(ctx, d.URL)
}

// Fallback says why the last Dial did not use WebTransport; "" if it did, or
// did not try.
func (d *Dialer) Fallback() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.why
}

func (d *Dialer) note(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.why = ""
	if err != nil {
		d.why = cleanReason(strings.TrimPrefix(err.Error(), "transport: "))
	}
}

// web returns scheme and host of the URL, if that is http or https.
func (d *Dialer) web() (base string, ok bool) {
	scheme, rest, ok := strings.Cut(d.URL, "://")
	if !ok || scheme != "http" && scheme != "https" {
		return "", false
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return scheme + "://" + rest, true
}

func (d *Dialer) datagrams(ctx context.Context, base string) (Conn, error) {
	patience := firstAttempt
	if d.Only == WebTransport {
		patience = dialTimeout
	}
	short := limit.With(ctx, patience)
	defer short.End()
	e, err := discover(short, base+EndpointPath)
	if err != nil {
		return nil, err
	}
	c, err := DialWebTransport(short, e.url(base), e.Hashes...)
	if err != nil && short.Err() != nil && ctx.Err() == nil {
		return nil, errors.New("transport: " + e.url(base) + ": no answer over UDP")
	}
	return c, err
}

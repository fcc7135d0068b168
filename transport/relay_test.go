//go:build !js

package transport

import (
	"context"
	"net"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/foretick/foretick/impair"
	"github.com/quic-go/quic-go"
)

// relay carries UDP between one client and a server, in memory and through the
// link simulator, below QUIC: so it works in virtual time, where a machine that is
// busy changes no figure.
type relay struct {
	client, server *port
	cut            atomic.Bool // nothing passes

	mu       sync.Mutex
	begun    time.Time
	up, down *impair.Link
	wake     chan struct{}
}

// port is a UDP socket of a relay.
type port struct {
	number int
	in     chan []byte
	other  *port
	send   func([]byte)
	kick   chan struct{} // closed when a deadline is over
	once   sync.Once
}

func (p *port) LocalAddr() net.Addr { return &net.UDPAddr{IP: net.IPv4(192, 0, 2, 1), Port: p.number} }

func (p *port) WriteTo(b []byte, _ net.Addr) (int, error) {
	p.send(b)
	return len(b), nil
}

func (p *port) ReadFrom(b []byte) (int, net.Addr, error) {
	select {
	case packet := <-p.in:
		return copy(b, packet), p.other.LocalAddr(), nil
	case <-p.kick:
		return 0, nil, os.ErrDeadlineExceeded
	}
}

func (p *port) Close() error {
	p.once.Do(func() { close(p.kick) })
	return nil
}

// SetReadDeadline ends reading: QUIC uses it for nothing else.
func (p *port) SetReadDeadline(t time.Time) error {
	if !t.IsZero() {
		p.Close()
	}
	return nil
}

func (p *port) SetDeadline(t time.Time) error    { return p.SetReadDeadline(t) }
func (p *port) SetWriteDeadline(time.Time) error { return nil }

// newRelay returns a relay that runs until ctx is done. The seed decides what is
// lost.
func newRelay(ctx context.Context, seed uint64) *relay {
	r := &relay{begun: time.Now(), wake: make(chan struct{}, 1),
		up: impair.New(impair.Config{}, 2*seed), down: impair.New(impair.Config{}, 2*seed+1)}
	end := func(number int, l *impair.Link) *port {
		return &port{number: number, in: make(chan []byte, 1000), kick: make(chan struct{}), send: func(b []byte) {
			r.mu.Lock()
			if !r.cut.Load() {
				l.Send(b, time.Since(r.begun))
			}
			r.mu.Unlock()
			poke(r.wake)
		}}
	}
	r.client, r.server = end(1, r.up), end(2, r.down)
	r.client.other, r.server.other = r.server, r.client
	go r.run(ctx)
	return r
}

// set changes the link, the same in both directions.
func (r *relay) set(c impair.Config) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.up.Set(c)
	r.down.Set(c)
}

func (r *relay) run(ctx context.Context) {
	for {
		wait := time.Hour
		r.mu.Lock()
		now := time.Since(r.begun)
		for l, to := range map[*impair.Link]*port{r.up: r.server, r.down: r.client} {
			for p, ok := l.Deliver(now); ok; p, ok = l.Deliver(now) {
				to.in <- append([]byte(nil), p...)
			}
			if at, ok := l.Next(); ok {
				wait = min(wait, at-now)
			}
		}
		r.mu.Unlock()
		select {
		case <-r.wake:
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

// virtually runs f in virtual time with a session through a relay. A sender with
// a backlog does not bear it: there QUIC's pacer waits, now and then, for a moment
// that is now, and virtual time stands still.
func virtually(t *testing.T, seed uint64, f func(r *relay, h *Hub, client, server *session)) {
	synctest.Test(t, func(t *testing.T) { relayed(t, seed, f) })
}

// relayed runs f with a session through a relay.
func relayed(t *testing.T, seed uint64, f func(r *relay, h *Hub, client, server *session)) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := newRelay(ctx, seed)
	h := NewHub(HubConfig{})
	h.pathMTU = 1452 // of Ethernet
	certs := SelfSigned()
	served := make(chan error, 1)
	go func() { served <- h.ServeWebTransport(r.server, certs.TLS()) }()
	tr := &quic.Transport{Conn: r.client}
	q, err := tr.DialEarly(ctx, r.server.LocalAddr(), pinned(certs.Hashes()), quicConfig())
	if err != nil {
		t.Fatal(err)
	}
	client, err := openSession(ctx, q, &url.URL{Scheme: "https", Host: "192.0.2.1:2", Path: "/"}, "", serverLimits())
	if err != nil {
		t.Fatal(err)
	}
	f(r, h, client, (<-h.Accept()).(*session))
	r.cut.Store(false)
	r.set(impair.Config{})
	client.Close("over")
	<-client.Gone()
	h.Close("over")
	if err := <-served; err != nil {
		t.Error(err)
	}
	tr.Close()
}

//go:build !js

package transport

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/foretick/foretick/impair"
)

// relay carries UDP between one client and a server through the link simulator,
// below QUIC, on the real clock.
type relay struct {
	near, far *net.UDPConn
	cut       atomic.Bool // nothing passes

	mu       sync.Mutex
	begun    time.Time
	up, down *impair.Link
	client   net.Addr
	wake     chan struct{}
}

func newRelay(t *testing.T, server string) *relay {
	t.Helper()
	to, err := net.ResolveUDPAddr("udp", server)
	if err != nil {
		t.Fatal(err)
	}
	far, err := net.DialUDP("udp", nil, to)
	if err != nil {
		t.Fatal(err)
	}
	near, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{near: near, far: far, begun: time.Now(), wake: make(chan struct{}, 1),
		up: impair.New(impair.Config{}, 1), down: impair.New(impair.Config{}, 2)}
	var work sync.WaitGroup
	done := make(chan struct{})
	work.Go(func() { r.read(near, r.up, true) })
	work.Go(func() { r.read(far, r.down, false) })
	work.Go(func() { r.run(done) })
	t.Cleanup(func() {
		close(done)
		near.Close()
		far.Close()
		work.Wait()
	})
	return r
}

func (r *relay) addr() string { return r.near.LocalAddr().String() }

// set changes the link, the same in both directions.
func (r *relay) set(c impair.Config) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.up.Set(c)
	r.down.Set(c)
}

func (r *relay) read(c *net.UDPConn, l *impair.Link, near bool) {
	buf := make([]byte, 2048)
	for {
		n, from, err := c.ReadFrom(buf)
		if err != nil {
			return
		}
		r.mu.Lock()
		if near {
			r.client = from
		}
		if !r.cut.Load() {
			l.Send(buf[:n], time.Since(r.begun))
		}
		r.mu.Unlock()
		poke(r.wake)
	}
}

func (r *relay) run(done chan struct{}) {
	for {
		r.mu.Lock()
		now := time.Since(r.begun)
		for p, ok := r.up.Deliver(now); ok; p, ok = r.up.Deliver(now) {
			r.far.Write(p)
		}
		for p, ok := r.down.Deliver(now); ok; p, ok = r.down.Deliver(now) {
			r.near.WriteTo(p, r.client)
		}
		wait := time.Hour
		for _, l := range [2]*impair.Link{r.up, r.down} {
			if at, ok := l.Next(); ok {
				wait = min(wait, at-now)
			}
		}
		r.mu.Unlock()
		select {
		case <-r.wake:
		case <-time.After(wait):
		case <-done:
			return
		}
	}
}

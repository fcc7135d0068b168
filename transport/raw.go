//go:build !js

package transport

import (
	"errors"
	"net"
	"sync"
	"time"
)

var errFlood = errors.New("transport: peer sends too much")

// rate is a leaky bucket in time: each unit costs 1/perSecond, and due says
// when all that was admitted so far is paid for.
type rate struct {
	perSecond float64
	due       time.Time
	calm      time.Time // when less than half a second was owed
}

// admit charges n units at now and returns how long to pause, so that no more
// than one second of the rate is ever owed, and for how long the peer has
// pressed against that.
func (r *rate) admit(n int, now time.Time) (pause, pressed time.Duration) {
	if r.due.Sub(now) < time.Second/2 {
		r.calm = now
	}
	if r.due.Before(now) {
		r.due = now
	}
	r.due = r.due.Add(time.Duration(float64(n) / r.perSecond * float64(time.Second)))
	return max(0, r.due.Sub(now)-time.Second), now.Sub(r.calm)
}

// allow charges n units at now unless more than one second of the rate would be
// owed, and returns for how long the peer has pressed against that.
func (r *rate) allow(n int, now time.Time) (ok bool, pressed time.Duration) {
	was := r.due
	pause, pressed := r.admit(n, now)
	if pause > 0 {
		r.due = was
	}
	return pause == 0, pressed
}

// rawConn is the byte stream below a WebSocket. It slows a peer that exceeds its
// rate by not reading, so TCP holds it back and it costs no processor, and gives
// up on one that insists. Counting bytes here and not messages covers every kind
// of frame, fragments and pings included.
type rawConn struct {
	net.Conn
	onPause func()

	mu             sync.Mutex // the writer reads too, for the peer's farewell
	bytes, packets rate
	patience       time.Duration
	flood          bool

	once   sync.Once
	closed chan struct{}
}

func newRawConn(c net.Conn, l limits) *rawConn {
	return &rawConn{
		Conn:     c,
		bytes:    rate{perSecond: l.bytes},
		packets:  rate{perSecond: l.packets},
		patience: l.patience,
		closed:   make(chan struct{}),
	}
}

func (r *rawConn) Read(p []byte) (int, error) {
	// A flood that message found, which the WebSocket had no way to tell.
	if err := r.charge(&r.bytes, 0); err != nil {
		return 0, err
	}
	n, err := r.Conn.Read(p)
	if n > 0 {
		if slow := r.charge(&r.bytes, n); slow != nil {
			return n, slow
		}
	}
	return n, err
}

// message charges one message or ping.
func (r *rawConn) message() error { return r.charge(&r.packets, 1) }

// charge books n units and sleeps for as long as the peer is ahead of its rate.
func (r *rawConn) charge(to *rate, n int) error {
	r.mu.Lock()
	if n > 0 {
		pause, pressed := to.admit(n, time.Now())
		defer r.sleep(pause)
		r.flood = r.flood || pressed > r.patience
	}
	flood := r.flood
	r.mu.Unlock()
	if flood {
		return errFlood
	}
	return nil
}

func (r *rawConn) sleep(pause time.Duration) {
	if pause == 0 {
		return
	}
	if r.onPause != nil {
		r.onPause()
	}
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.closed:
	}
}

func (r *rawConn) Close() error {
	r.once.Do(func() { close(r.closed) })
	return r.Conn.Close()
}

// tune bounds what the kernel queues, below TLS and wrappers.
func tune(c net.Conn) {
	for {
		if u, ok := c.(interface{ NetConn() net.Conn }); ok {
			c = u.NetConn()
			continue
		}
		if t, ok := c.(*net.TCPConn); ok {
			t.SetReadBuffer(socketBuffer)
			t.SetWriteBuffer(socketBuffer)
		}
		return
	}
}

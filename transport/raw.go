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
}

// admit charges n units at now and returns how long to pause, so that no more
// than one second of the rate is ever owed.
func (r *rate) admit(n int, now time.Time) (pause time.Duration) {
	if r.due.Before(now) {
		r.due = now
	}
	r.due = r.due.Add(time.Duration(float64(n) / r.perSecond * float64(time.Second)))
	return max(0, r.due.Sub(now)-time.Second)
}

// rawConn is the byte stream below a WebSocket. It slows a peer that exceeds its
// rate by not reading, so TCP holds it back and it costs no processor, and gives
// up on one that insists. Counting bytes here and not messages covers every kind
// of frame, fragments and pings included.
type rawConn struct {
	net.Conn
	bytes, packets rate // of the reading goroutine
	paused         time.Duration
	patience       time.Duration
	onPause        func()

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
	if r.paused > r.patience {
		return 0, errFlood // found by message, which the WebSocket could not tell
	}
	n, err := r.Conn.Read(p)
	if n > 0 {
		if slow := r.wait(r.bytes.admit(n, time.Now())); slow != nil {
			return n, slow
		}
	}
	return n, err
}

// message charges one message or ping.
func (r *rawConn) message() error { return r.wait(r.packets.admit(1, time.Now())) }

func (r *rawConn) wait(pause time.Duration) error {
	if pause == 0 {
		// Patience returns as slowly as it is spent, so alternating does not
		// renew it.
		r.paused = max(0, r.paused-time.Millisecond)
		return nil
	}
	if r.paused += pause; r.paused > r.patience {
		return errFlood
	}
	if r.onPause != nil {
		r.onPause()
	}
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-r.closed:
		return net.ErrClosed
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

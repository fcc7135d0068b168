// Package transport carries packets between a client and a server: in memory,
// over WebTransport (QUIC datagrams) and over WebSocket, natively and in the
// browser. Whatever the carrier, a
// connection looks like a datagram socket that never blocks: Send and Drain
// return at once, and where there is too much the newest packets win. The game
// tick never waits for a socket.
//
// A server takes connections from a Hub; a client dials one, with a Dialer that
// takes WebTransport where it works and WebSocket where it does not; Pipe and
// Hub.DialMemory make the two ends in one process. Impair puts the link
// simulator in front of any of them.
package transport

import (
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// A Conn carries packets of 1 to MaxPacket bytes, both ways, unreliably: a
// packet arrives whole and unchanged or not at all, and a carrier may reorder.
//
// All methods return at once and are safe for concurrent use, except that only
// one goroutine may Drain.
type Conn interface {
	// Send queues a copy of packet for the peer. A peer that does not keep up
	// loses the oldest packets of the queue, never the newest. A packet of a
	// wrong size is dropped and counted. After Done, Send does nothing.
	Send(packet []byte)

	// Drain hands over the packets that had arrived when it was called, oldest
	// first, and returns how many. A packet is valid until f returns. Of more
	// than InboxPackets waiting the oldest are gone. What arrived before the end
	// of the connection can still be drained after it.
	Drain(f func(packet []byte)) int

	// Ready receives a token after packets arrived, for those who wait instead
	// of ticking. It is nil in the browser, where a call from JavaScript into Go
	// for each packet would cost more than the packet: drain once a frame there.
	Ready() <-chan struct{}

	// Close ends the connection; the first reason stands. What was sent before
	// is flushed in the background and the peer is told the reason, cut to
	// MaxReason bytes; both are given up after CloseTimeout. It returns nil.
	Close(reason string) error

	// Done is closed when the connection ended, by whoever's hand.
	Done() <-chan struct{}

	// Err is nil until Done is closed, and a *Closed after.
	Err() error

	// Remote names the peer for logs: an address, or "memory".
	Remote() string

	// Carrier says what the connection runs over.
	Carrier() Carrier

	Stats() Stats
}

// Carrier is what a connection runs over.
type Carrier string

const (
	Memory       Carrier = "memory"
	WebSocket    Carrier = "WebSocket"
	WebTransport Carrier = "WebTransport"
)

// A Listener hands over the connections that clients open.
type Listener interface {
	// Accept is where new connections arrive. It is never closed: select on
	// Done too.
	Accept() <-chan Conn
	Done() <-chan struct{}
	// Close closes every connection with the reason and waits for their
	// goroutines, at most about CloseTimeout.
	Close(reason string) error
}

// Cause says whose hand ended a connection.
type Cause uint8

const (
	ByUs   Cause = iota + 1 // Close, or the peer broke a rule
	ByPeer                  // the peer closed and gave its reason
	Lost                    // the network did; a client may dial again
)

// Closed is the error of a connection that ended.
type Closed struct {
	Cause  Cause
	Reason string // one printable line of at most MaxReason bytes
}

func (c *Closed) Error() string {
	switch c.Cause {
	case ByPeer:
		return "closed by peer: " + c.Reason
	case ByUs:
		return "closed: " + c.Reason
	}
	return c.Reason
}

// Stats counts since the connection began.
type Stats struct {
	Sent, SentBytes         uint64 // packets handed to the carrier
	Received, ReceivedBytes uint64 // packets of a right size that came
	Replaced                uint64 // packets to send that newer ones replaced: the peer is slow
	Overrun                 uint64 // received packets that newer ones replaced: Drain is slow
	BadSize                 uint64 // packets of a wrong size, either way, dropped
	Throttled               uint64 // times the peer exceeded its rate and reading paused
}

// core is what every kind of connection shares.
type core struct {
	remote  string
	carrier Carrier
	in, out queue
	scratch []byte // Drain's
	ready   chan struct{}
	done    chan struct{}

	mu  sync.Mutex
	end *Closed

	sent, sentBytes, received, receivedBytes atomic.Uint64
	replaced, overrun, badSize, throttled    atomic.Uint64
}

func (c *core) init(remote string, carrier Carrier) {
	c.remote, c.carrier = remote, carrier
	c.in.slots = make([][]byte, InboxPackets)
	c.out.slots = make([][]byte, OutboxPackets)
	c.ready = make(chan struct{}, 1)
	c.done = make(chan struct{})
}

// finish ends the connection once; only the first call reports true, and runs
// before (if any) ahead of everybody who waits for the end.
func (c *core) finish(cause Cause, reason string, before func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end != nil {
		return false
	}
	c.end = &Closed{Cause: cause, Reason: cleanReason(reason)}
	if before != nil {
		before()
	}
	close(c.done)
	return true
}

func (c *core) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// arrived takes in one packet of the peer.
func (c *core) arrived(packet []byte) {
	if !rightSize(packet) {
		c.badSize.Add(1)
		return
	}
	c.received.Add(1)
	c.receivedBytes.Add(uint64(len(packet)))
	if c.in.put(packet) {
		c.overrun.Add(1)
	}
	poke(c.ready)
}

func (c *core) Drain(f func(packet []byte)) int {
	n := c.in.len() // bounded, so a flood cannot hold the tick
	for i := range n {
		p, ok := c.in.take(c.scratch)
		c.scratch = p
		if !ok {
			return i
		}
		f(p)
	}
	return n
}

func (c *core) Ready() <-chan struct{} { return c.ready }
func (c *core) Done() <-chan struct{}  { return c.done }
func (c *core) Remote() string         { return c.remote }
func (c *core) Carrier() Carrier       { return c.carrier }

func (c *core) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end == nil {
		return nil
	}
	return c.end
}

func (c *core) Stats() Stats {
	return Stats{
		Sent: c.sent.Load(), SentBytes: c.sentBytes.Load(),
		Received: c.received.Load(), ReceivedBytes: c.receivedBytes.Load(),
		Replaced: c.replaced.Load(), Overrun: c.overrun.Load(),
		BadSize: c.badSize.Load(), Throttled: c.throttled.Load(),
	}
}

func rightSize(packet []byte) bool { return len(packet) > 0 && len(packet) <= MaxPacket }

// poke leaves a token in a channel of capacity one.
func poke(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// cleanReason makes a peer's words safe to show and short enough to send.
func cleanReason(s string) string {
	out := make([]byte, 0, MaxReason)
	broken := false
	for i, r := range s {
		wrong := r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD")
		switch {
		case wrong && broken:
			continue // one sign for a run of bytes that are no text
		case wrong:
			r = '?'
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029:
			r = ' '
		}
		broken = wrong
		if len(out)+utf8.RuneLen(r) > MaxReason {
			break
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

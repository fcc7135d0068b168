//go:build !js

package transport

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/coder/websocket"
)

// socket is a WebSocket connection. Two goroutines live as long as it does: one
// writes what is in the mailbox, one reads. release runs when both are gone.
type socket struct {
	core
	ws      *websocket.Conn
	raw     *rawConn
	limits  limits
	wake    chan struct{}
	read    chan struct{} // closed when the reader has returned
	release func()
	gone    chan struct{} // closed when the farewell is over

	code websocket.StatusCode // of our close frame, set before done; 0: send none
	kill *time.Timer
}

func newSocket(ws *websocket.Conn, raw *rawConn, remote string, l limits, release func()) *socket {
	s := &socket{
		ws: ws, raw: raw, limits: l, release: release,
		wake: make(chan struct{}, 1),
		read: make(chan struct{}),
		gone: make(chan struct{}),
	}
	s.init(remote, WebSocket)
	raw.onPause = func() { s.throttled.Add(1) }
	ws.SetReadLimit(-1) // receive has limits of its own
	// A farewell that hangs must not: breaking the stream ends both goroutines.
	s.kill = time.AfterFunc(time.Hour, func() { raw.Close() })
	s.kill.Stop()
	return s
}

func (s *socket) start() {
	go s.reader()
	go s.writer()
}

func (s *socket) Send(packet []byte) {
	if !rightSize(packet) {
		s.badSize.Add(1)
		return
	}
	if s.ended() {
		return
	}
	if s.out.put(packet) {
		s.replaced.Add(1)
	}
	poke(s.wake)
}

func (s *socket) Close(reason string) error {
	s.over(ByUs, websocket.StatusNormalClosure, reason)
	return nil
}

func (s *socket) over(cause Cause, code websocket.StatusCode, reason string) {
	s.finish(cause, reason, func() {
		s.code = code
		s.kill.Reset(CloseTimeout)
	})
}

// Gone is closed when the connection ended and its farewell is over: before
// that a process should not exit.
func (s *socket) Gone() <-chan struct{} { return s.gone }

func (s *socket) writer() {
	defer close(s.gone)
	var buf []byte
	for !s.ended() {
		buf = s.flush(buf)
		select {
		case <-s.wake:
		case <-s.done:
		}
	}
	if s.code != 0 {
		s.flush(buf)
		s.ws.Close(s.code, s.end.Reason)
	}
	s.ws.CloseNow()
	s.raw.Close()
	<-s.read
	s.kill.Stop()
	if s.release != nil {
		s.release()
	}
}

// flush writes what is in the mailbox; the caller keeps the returned buffer.
func (s *socket) flush(buf []byte) []byte {
	for {
		p, ok := s.out.take(buf)
		buf = p
		if !ok {
			return buf
		}
		// A deadline below the WebSocket instead of a context for each write:
		// that would allocate.
		s.raw.SetWriteDeadline(time.Now().Add(s.limits.write))
		err := s.ws.Write(context.Background(), websocket.MessageBinary, p)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			s.over(ByUs, 0, "peer does not read")
			return buf
		}
		if err != nil {
			// The peer's farewell may be what broke the write: let it be read.
			select {
			case <-s.read:
			case <-time.After(CloseTimeout):
			}
			s.over(Lost, 0, "connection lost")
			return buf
		}
		s.sent.Add(1)
		s.sentBytes.Add(uint64(len(p)))
	}
}

func (s *socket) reader() {
	defer close(s.read)
	buf := make([]byte, MaxPacket+1)
	deadline := time.Now().Add(s.limits.first)
	idleReason := "nothing came after the handshake"
	s.raw.SetReadDeadline(deadline)
	for {
		err := s.receive(buf)
		if err == nil {
			if s.ended() {
				continue // until the farewell is over
			}
			idleReason = "nothing came for too long"
			// Moved in steps, not for every packet.
			if d := time.Now().Add(s.limits.idle); d.Sub(deadline) > s.limits.idle/16 || d.Before(deadline) {
				deadline = d
				s.raw.SetReadDeadline(d)
			}
			continue
		}
		var peer websocket.CloseError
		var broken brokenRule
		switch {
		case errors.As(err, &peer):
			s.over(ByPeer, 0, reasonOf(peer))
		case errors.As(err, &broken):
			s.over(ByUs, broken.code, broken.reason)
		case errors.Is(err, errFlood):
			s.over(ByUs, websocket.StatusPolicyViolation, "too many packets")
		case errors.Is(err, os.ErrDeadlineExceeded):
			s.over(ByUs, websocket.StatusPolicyViolation, idleReason)
		default:
			s.over(Lost, 0, "connection lost")
		}
		return
	}
}

// brokenRule ends a connection.
type brokenRule struct {
	code   websocket.StatusCode
	reason string
}

func (b brokenRule) Error() string { return b.reason }

// receive reads one message into the inbox. buf holds one byte more than a
// packet may have.
func (s *socket) receive(buf []byte) error {
	kind, r, err := s.ws.Reader(context.Background())
	if err != nil {
		return err
	}
	if kind != websocket.MessageBinary {
		return brokenRule{websocket.StatusUnsupportedData, "text messages are refused"}
	}
	if err := s.raw.message(); err != nil {
		return err
	}
	n := 0 // bytes in buf
	total := 0
	for {
		k, err := r.Read(buf[n:])
		n += k
		total += k
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if total > maxMessage {
			return brokenRule{websocket.StatusMessageTooBig, "packet too large"}
		}
		if n == len(buf) {
			n = 0 // too long already: read past the rest
		}
	}
	if s.ended() {
		return nil
	}
	if total > MaxPacket {
		n = len(buf)
	}
	s.arrived(buf[:n])
	if s.badSize.Load() > maxBadSize {
		return brokenRule{websocket.StatusMessageTooBig, "packets of a wrong size"}
	}
	return nil
}

func reasonOf(c websocket.CloseError) string {
	if c.Reason != "" {
		return c.Reason
	}
	if c.Code == websocket.StatusGoingAway {
		return "peer left"
	}
	return "no reason given"
}

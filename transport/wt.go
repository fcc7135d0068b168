//go:build !js

package transport

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/webtransport-go"
)

// session is a WebTransport session, alone on its QUIC connection. Two
// goroutines live as long as it does: one hands the mailbox to QUIC, one reads.
// release runs when both are gone.
//
// QUIC has a queue of its own, of 32 datagrams, in which the oldest wins; the
// writer keeps it empty. It hands a datagram over only after QUIC has sent the
// one before, so while the congestion window is shut packets wait in the
// mailbox, where the newest wins.
type session struct {
	core
	quic    *quic.Conn
	wt      *webtransport.Session
	limits  limits
	wake    chan struct{}
	read    chan struct{} // closed when the reader has returned
	gone    chan struct{} // closed when the farewell is over
	release func()

	sentMark, sentSize uint64 // BytesSent before the last datagram, and its size
	recent             flight
	stale              time.Duration // staleAfter, but for tests

	farewell bool // we close: set before done
	heard    atomic.Int64
	silence  *time.Timer
	spoke    atomic.Bool
	begun    time.Time
}

func newSession(q *quic.Conn, wt *webtransport.Session, remote string, l limits, release func()) *session {
	s := &session{
		quic: q, wt: wt, limits: l, release: release,
		wake:  make(chan struct{}, 1),
		read:  make(chan struct{}),
		gone:  make(chan struct{}),
		begun: time.Now(),
		stale: staleAfter,
	}
	s.init(remote, WebTransport)
	s.out.at = make([]time.Duration, len(s.out.slots))
	s.silence = time.AfterFunc(time.Hour, s.listen)
	s.silence.Stop()
	return s
}

func (s *session) start() {
	s.silence.Reset(s.limits.first)
	go s.reader()
	go s.writer()
}

func (s *session) Send(packet []byte) {
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

func (s *session) Close(reason string) error {
	s.over(reason)
	return nil
}

// over ends the session from this side.
func (s *session) over(reason string) {
	s.finish(ByUs, reason, func() { s.farewell = true })
}

// Gone is closed when the connection ended and its farewell is over: before
// that a process should not exit.
func (s *session) Gone() <-chan struct{} { return s.gone }

func (s *session) writer() {
	defer close(s.gone)
	var buf []byte
	for !s.ended() {
		buf = s.flush(buf, s.limits.write)
		select {
		case <-s.wake:
		case <-s.done:
		}
	}
	if s.farewell {
		s.flush(buf, CloseTimeout/8)
		time.Sleep(lastWords)
		s.wt.CloseWithError(0, s.end.Reason)
		select { // the peer closes the connection when it has the reason
		case <-s.quic.Context().Done():
		case <-time.After(CloseTimeout):
		}
	}
	s.quic.CloseWithError(quic.ApplicationErrorCode(http3.ErrCodeNoError), "")
	<-s.read
	s.silence.Stop()
	if s.release != nil {
		s.release()
	}
}

// flush hands over what is in the mailbox; the caller keeps the returned buffer.
func (s *session) flush(buf []byte, patience time.Duration) []byte {
	for {
		if s.out.len() == 0 {
			return buf
		}
		if !s.room(patience) {
			s.over("peer does not acknowledge")
			return buf
		}
		s.replaced.Add(uint64(s.out.fresh(time.Since(epoch), s.stale, sameTick)))
		p, ok := s.out.take(buf)
		buf = p
		if !ok {
			return buf
		}
		s.sentMark, s.sentSize = s.quic.ConnectionStats().BytesSent, uint64(len(p)+packetOverhead)
		err := s.wt.SendDatagram(p)
		var large *quic.DatagramTooLargeError
		switch {
		case errors.As(err, &large):
			s.badSize.Add(1)
			s.sentSize = 0
			continue
		case err != nil:
			return buf // the reader knows why
		}
		s.recent.sent(len(p)+packetOverhead, time.Now())
		s.sent.Add(1)
		s.sentBytes.Add(uint64(len(p)))
	}
}

// room waits until QUIC has sent the last datagram and is about to have room for
// another, and reports false if that takes longer than patience. That QUIC sent
// as many bytes since is taken as the sign of the first: acknowledgements count
// too, but are few and small. For the second, what was sent within a round trip
// is taken as on its way.
func (s *session) room(patience time.Duration) bool {
	look := firstLook
	var begun time.Time
	for s.shut() {
		switch {
		case begun.IsZero():
			begun = time.Now()
		case time.Since(begun) > patience:
			return false
		}
		select {
		case <-s.quic.Context().Done():
			return true // and SendDatagram fails
		default:
			time.Sleep(look)
			look = min(2*look, lastLook)
		}
	}
	return true
}

func (s *session) shut() bool {
	q := s.quic.ConnectionStats()
	return q.BytesSent < s.sentMark+s.sentSize ||
		s.recent.bytes(time.Now().Add(-q.SmoothedRTT))+MaxPacket > int(q.CongestionWindow)
}

// flight remembers the last packets sent.
type flight struct {
	at   [64]time.Time // more on their way have a window that is no concern
	size [64]int
	next int
}

func (f *flight) sent(size int, now time.Time) {
	f.at[f.next], f.size[f.next] = now, size
	f.next = (f.next + 1) % len(f.at)
}

// bytes sent after a time.
func (f *flight) bytes(after time.Time) (n int) {
	for i := f.next + len(f.at) - 1; i >= f.next; i-- {
		if !f.at[i%len(f.at)].After(after) {
			break
		}
		n += f.size[i%len(f.at)]
	}
	return n
}

func (s *session) reader() {
	defer close(s.read)
	// When the session ended, what came before can still be read.
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := context.AfterFunc(s.wt.Context(), func() { time.AfterFunc(lastWords, cancel) })
	defer stop()
	packets, bytes := rate{perSecond: s.limits.packets}, rate{perSecond: s.limits.bytes}
	for {
		p, err := s.wt.ReceiveDatagram(ctx)
		if err != nil {
			break
		}
		now := time.Now()
		ok, pressed := packets.allow(1, now)
		ok2, pressed2 := bytes.allow(len(p), now)
		if !ok || !ok2 {
			s.throttled.Add(1)
			if max(pressed, pressed2) > s.limits.patience {
				s.over("too many packets")
			}
			continue // it is dropped: that costs less than to read it
		}
		if s.ended() {
			continue
		}
		s.heard.Store(int64(now.Sub(s.begun)))
		s.spoke.Store(true)
		s.arrived(p)
		if s.badSize.Load() > maxBadSize {
			s.over("packets of a wrong size")
		}
	}
	<-s.wt.Context().Done()
	cause, reason := s.whose()
	s.finish(cause, reason, nil)
}

// whose says who ended the session.
func (s *session) whose() (Cause, string) {
	_, err := s.wt.OpenStream() // gives what ended it
	var said *webtransport.SessionError
	if errors.As(err, &said) && said.Remote {
		if said.Message == "" {
			return ByPeer, "no reason given"
		}
		return ByPeer, said.Message
	}
	var app *quic.ApplicationError
	if errors.As(context.Cause(s.quic.Context()), &app) && app.Remote {
		return ByPeer, "peer left"
	}
	return Lost, "connection lost"
}

// listen ends the session when nothing came for too long.
func (s *session) listen() {
	limit, reason := s.limits.first, "nothing came after the handshake"
	if s.spoke.Load() {
		limit, reason = s.limits.idle, "nothing came for too long"
	}
	left := limit - (time.Since(s.begun) - time.Duration(s.heard.Load()))
	if left <= 0 {
		s.over(reason)
		return
	}
	if !s.ended() {
		s.silence.Reset(left)
	}
}

// Path is the network's state as QUIC sees it.
type Path struct {
	RTT    time.Duration // smoothed
	Window int           // bytes that may be on their way: a window a RTT is the most that goes through
	Lost   float64       // share of packets
}

// Path reports how wide the way to the peer is; the window bounds what Send can
// get through.
func (s *session) Path() Path {
	q := s.quic.ConnectionStats()
	p := Path{RTT: q.SmoothedRTT, Window: int(q.CongestionWindow)}
	if q.PacketsSent > 0 {
		p.Lost = float64(q.PacketsLost) / float64(q.PacketsSent)
	}
	return p
}

// quicConfig of both ends.
func quicConfig() *quic.Config {
	return &quic.Config{
		EnableDatagrams:                  true,
		EnableStreamResetPartialDelivery: true,
		HandshakeIdleTimeout:             headerTimeout,
		MaxIdleTimeout:                   quicIdle,
		KeepAlivePeriod:                  quicAlive,
		InitialStreamReceiveWindow:       quicWindow,
		MaxStreamReceiveWindow:           quicWindow,
		InitialConnectionReceiveWindow:   4 * quicWindow,
		MaxConnectionReceiveWindow:       4 * quicWindow,
		MaxIncomingStreams:               4,
		MaxIncomingUniStreams:            8,
	}
}

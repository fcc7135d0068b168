//go:build !js

package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/webtransport-go"
)

// ServeWebTransport makes connections of the WebTransport sessions that come to
// a UDP socket, until the Hub is closed. It then returns nil, and the socket is
// closed. A QUIC connection may have one session. Connections, handshakes that
// are not finished, and what each may hold are bounded, as with a Guard.
func (h *Hub) ServeWebTransport(socket net.PacketConn, secure *tls.Config) error {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		socket.Close()
		return nil
	}
	h.serves.Add(1)
	h.mu.Unlock()
	defer h.serves.Done()
	defer socket.Close()

	w := newWebServer(h)
	t := &quic.Transport{
		Conn:                socket,
		VerifySourceAddress: func(net.Addr) bool { return w.hub.half.Load() >= halfOpenRetry },
		ConnContext:         w.admit,
	}
	defer t.Close()
	secure = secure.Clone()
	secure.MinVersion = tls.VersionTLS13
	config := quicConfig()
	config.InitialPacketSize = h.pathMTU
	listener, err := t.ListenEarly(http3.ConfigureTLSConfig(secure), config)
	if err != nil {
		return err
	}
	defer w.close()
	defer listener.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	h.serves.Go(func() {
		select {
		case <-h.done:
			h.wait.Wait() // for farewells
			cancel()
		case <-ctx.Done():
		}
	})
	for {
		q, err := listener.Accept(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		w.work.Go(func() { w.serve(q) })
	}
}

// webServer is one ServeWebTransport.
type webServer struct {
	hub   *Hub
	guard *Guard
	web   *webtransport.Server
	work  sync.WaitGroup
}

// quicKey is the context's key of a *visitor.
type quicKey struct{}

// visitor is a QUIC connection, known before the library has one.
type visitor struct {
	quic   *quic.Conn
	shaken func()      // the handshake is over
	asked  atomic.Bool // a session was asked for: one a connection
	seated atomic.Bool // and came about
}

func newWebServer(h *Hub) *webServer {
	w := &webServer{hub: h, guard: NewGuard(nil, 0, 0)}
	w.web = &webtransport.Server{
		H3: &http3.Server{
			Handler:        http.HandlerFunc(w.handle),
			MaxHeaderBytes: 8 << 10,
		},
		CheckOrigin:       h.ours,
		ReorderingTimeout: headerTimeout,
	}
	webtransport.ConfigureHTTP3Server(w.web.H3)
	return w
}

func (w *webServer) close() {
	w.web.Close()
	w.work.Wait()
}

// admit takes in a stranger's first packet, or refuses it.
func (w *webServer) admit(ctx context.Context, info *quic.ClientInfo) (context.Context, error) {
	if w.hub.half.Load() >= maxHalfOpen {
		return nil, errBusy
	}
	address := addressOf(info.RemoteAddr.String())
	if !w.guard.take(address) {
		return nil, errFull
	}
	w.hub.half.Add(1)
	v := &visitor{shaken: sync.OnceFunc(func() { w.hub.half.Add(-1) })}
	context.AfterFunc(ctx, func() {
		v.shaken()
		w.guard.give(address)
	})
	return context.WithValue(ctx, quicKey{}, v), nil
}

// serve runs one QUIC connection. Without a session it is soon closed.
func (w *webServer) serve(q *quic.Conn) {
	v, ok := q.Context().Value(quicKey{}).(*visitor)
	if !ok {
		q.CloseWithError(quic.ApplicationErrorCode(http3.ErrCodeInternalError), "")
		return
	}
	v.quic = q
	w.work.Go(func() {
		timeout := time.NewTimer(2 * headerTimeout)
		defer timeout.Stop()
		select {
		case <-q.HandshakeComplete():
			v.shaken()
		case <-q.Context().Done():
			return
		case <-timeout.C: // before QUIC's own
		}
		select {
		case <-timeout.C:
		case <-q.Context().Done():
			return
		}
		if !v.seated.Load() {
			q.CloseWithError(quic.ApplicationErrorCode(http3.ErrCodeExcessiveLoad), "no session")
		}
	})
	w.web.ServeQUICConn(q)
}

// handle makes a connection of a session. Over the caps it closes with the
// reason, because a browser shows nothing of an HTTP refusal.
func (w *webServer) handle(rw http.ResponseWriter, r *http.Request) {
	h := w.hub
	v, ok := r.Context().Value(quicKey{}).(*visitor)
	if !ok || v.quic == nil || v.asked.Swap(true) {
		http.Error(rw, "one session a connection", http.StatusTooManyRequests)
		return
	}
	address := addressOf(r.RemoteAddr)
	if err := h.take(address); err != nil {
		w.turnAway(rw, r, v, err)
		return
	}
	wt, err := w.upgrade(rw, r)
	if err != nil {
		h.giveBack(address, nil)
		return
	}
	v.seated.Store(true)
	var s *session
	s = newSession(v.quic, wt, r.RemoteAddr, h.limits, func() { h.giveBack(address, s) })
	if err := h.offer(s); err != nil {
		s.over(err.Error())
	}
	s.start()
}

func (w *webServer) upgrade(rw http.ResponseWriter, r *http.Request) (*webtransport.Session, error) {
	if r.Method != http.MethodConnect {
		w.hub.handshake.Add(1)
		http.Error(rw, "this is a game's server: connect with WebTransport", http.StatusNotFound)
		return nil, errors.ErrUnsupported
	}
	wt, err := w.web.Upgrade(rw, r)
	if err != nil {
		w.hub.handshake.Add(1)
		http.Error(rw, cleanReason(err.Error()), http.StatusForbidden)
	}
	return wt, err
}

func (w *webServer) turnAway(rw http.ResponseWriter, r *http.Request, v *visitor, why error) {
	h := w.hub
	select {
	case h.away <- struct{}{}:
	default:
		http.Error(rw, why.Error(), http.StatusServiceUnavailable)
		return
	}
	wt, err := w.upgrade(rw, r)
	if err != nil {
		<-h.away
		return
	}
	v.seated.Store(true)
	s := newSession(v.quic, wt, r.RemoteAddr, h.limits, func() { <-h.away })
	s.over(why.Error())
	s.start()
}

// ours reports whether a page of the request's origin may connect: one of the
// same host and port, under whatever name of this machine, or of the Origins.
func (h *Hub) ours(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true // not a browser
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	if strings.EqualFold(u.Host, r.Host) {
		return true
	}
	if to, err := url.Parse("https://" + r.Host); err == nil &&
		local(u.Hostname()) && local(to.Hostname()) && u.Port() == to.Port() {
		return true
	}
	for _, pattern := range h.config.Origins {
		if ok, _ := path.Match(strings.ToLower(pattern), strings.ToLower(u.Host)); ok {
			return true
		}
	}
	return false
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

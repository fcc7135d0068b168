//go:build !js

package transport

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"net/netip"

	"github.com/coder/websocket"
)

// ServeHTTP makes a connection of a WebSocket handshake. Over the caps it still
// completes the handshake and closes with the reason, because a browser shows
// nothing of an HTTP refusal; to a crowd it answers 503.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	address := addressOf(r.RemoteAddr)
	if err := h.take(address); err != nil {
		h.turnAway(w, r, err)
		return
	}
	ws, raw, err := h.upgrade(w, r)
	if err != nil {
		h.giveBack(address, nil)
		return
	}
	var s *socket
	s = newSocket(ws, raw, r.RemoteAddr, h.limits, func() { h.giveBack(address, s) })
	if err := h.offer(s); err != nil {
		s.over(ByUs, websocket.StatusTryAgainLater, err.Error())
	}
	s.start()
}

func (h *Hub) upgrade(w http.ResponseWriter, r *http.Request) (*websocket.Conn, *rawConn, error) {
	hw := &hijackWriter{ResponseWriter: w, limits: h.limits}
	ws, err := websocket.Accept(hw, r, &websocket.AcceptOptions{
		OriginPatterns: h.config.Origins,
		OnPingReceived: hw.ping,
	})
	if err != nil {
		h.handshake.Add(1) // Accept has answered
		return nil, nil, err
	}
	return ws, hw.raw, nil
}

func (h *Hub) turnAway(w http.ResponseWriter, r *http.Request, why error) {
	select {
	case h.away <- struct{}{}:
	default:
		http.Error(w, why.Error(), http.StatusServiceUnavailable)
		return
	}
	ws, raw, err := h.upgrade(w, r)
	if err != nil {
		<-h.away
		return
	}
	s := newSocket(ws, raw, r.RemoteAddr, h.limits, func() { <-h.away })
	s.over(ByUs, websocket.StatusTryAgainLater, why.Error())
	s.start()
}

// hijackWriter puts a rawConn below the WebSocket that Accept makes.
type hijackWriter struct {
	http.ResponseWriter
	limits limits
	raw    *rawConn
}

func (w *hijackWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	tune(c)
	w.raw = newRawConn(c, w.limits)
	return w.raw, rw, nil
}

func (w *hijackWriter) ping(context.Context, []byte) bool { return w.raw.message() == nil }

// addressOf is what connections are counted by: an IPv4 address, or an IPv6 /64,
// of which one customer has plenty.
func addressOf(remote string) string {
	ap, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote
	}
	a := ap.Addr().Unmap().WithZone("")
	if a.Is4() {
		return a.String()
	}
	p, err := a.Prefix(64)
	if err != nil {
		return remote
	}
	return p.String()
}

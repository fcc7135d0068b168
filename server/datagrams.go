package server

import (
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/foretick/foretick/transport"
)

// ServeDatagrams takes WebTransport sessions from a UDP socket until Close, with
// the Certificates of the Config, and offers them to clients. It returns nil
// after Close.
func (s *Server) ServeDatagrams(u net.PacketConn) error {
	c := s.cfg.Certificates
	at, ok := u.LocalAddr().(*net.UDPAddr)
	if c == nil || !ok {
		u.Close()
		return errors.New("server: WebTransport needs certificates and a UDP socket")
	}
	e := transport.Endpoint{Port: at.Port}
	if at.IP.IsLoopback() && !c.Trusted() {
		e.Host = at.IP.String() // localhost may mean the other one
	}
	s.mu.Lock()
	s.offer = func(host string) string {
		if e.Host != "" && !isLocal(host) {
			return "" // behind a proxy: the visitor's own machine has that address, too
		}
		e := e
		e.Hashes = c.Hashes() // they are renewed
		return e.String()
	}
	s.mu.Unlock()
	err := s.hub.ServeWebTransport(u, c.TLS())
	s.mu.Lock()
	s.offer = nil // clients take WebSocket at once
	s.mu.Unlock()
	return err
}

// Problem says what is wrong with the certificates, "" if nothing.
func (s *Server) Problem() string {
	if c := s.cfg.Certificates; c != nil {
		if err := c.Problem(); err != nil {
			return err.Error()
		}
	}
	return ""
}

func (s *Server) serveOffer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	offer := s.offer
	s.mu.Unlock()
	at := ""
	if offer != nil {
		at = offer(r.Host)
	}
	if at == "" {
		http.Error(w, "no WebTransport here", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store") // certificates are renewed
	io.WriteString(w, at+"\n")
}

// Package server runs a game's authority on a real clock and real sockets.
//
//	server.Run(ctx, pucks.Game, server.Config{Addr: ":7777"})
//
// or piece by piece:
//
//	s := server.New(pucks.Game, server.Config{})
//	go s.Serve(listener)     // any number of listeners; s.Hub() for other carriers
//	conn, _ := s.Hub().DialMemory()
//	s.Close("that's all")
//
// One goroutine owns the authority: it ticks, takes packets as they come and
// hands packets out. It never waits for a socket: connections queue by
// themselves and drop their oldest.
package server

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/transport"
)

// Config of a server. Zero values mean the default.
type Config struct {
	Addr string // where Run listens; default ":7777"

	// Authority configures the match. Game is set by New; Seed, Secret and
	// Secret2 are drawn at random where they are 0.
	Authority authority.Config

	Hub transport.HubConfig

	// Certificates for WebTransport and, if Trusted, for https and wss. nil: no
	// WebTransport, and plain http.
	Certificates *transport.Certificates

	// Page answers requests that are no connections of clients. nil: a line
	// of text that says what this is.
	Page http.Handler

	// Debug shows the match to the server's own page: see TruthPath and
	// SnapshotsPath. Everybody sees everything then, so not for real matches.
	Debug bool

	// Up and Down put the link simulator into every connection: up is what
	// clients send, down what they receive. nil: a perfect link.
	Up, Down *impair.Config

	// Listening, if set, is told by Run where it listens.
	Listening func(net.Addr)
}

// Server is one running match. All methods are safe for concurrent use.
type Server struct {
	game  *sim.Game
	cfg   Config
	hub   *transport.Hub
	debug *debug // nil: none
	loop  *loop
	http  *http.Server

	mu    sync.Mutex
	offer func(host string) string // of WebTransport; nil: none

	close sync.Once
}

// New starts a match; Close ends it.
func New(g *sim.Game, cfg Config) *Server {
	cfg.Authority.Game = g.Seal()
	for _, n := range []*uint64{&cfg.Authority.Seed, &cfg.Authority.Secret, &cfg.Authority.Secret2} {
		if *n == 0 {
			*n = random()
		}
	}
	s := &Server{game: g, cfg: cfg, hub: transport.NewHub(cfg.Hub)}
	s.loop = newLoop(g, authority.New(cfg.Authority), s.hub.Accept(), s.wrap)
	if cfg.Debug {
		s.debug = newDebug()
		s.loop.debug = s.debug
	}
	s.http = transport.HTTPServer(s)
	go s.loop.run()
	return s
}

// wrap puts the link simulator before a connection.
func (s *Server) wrap(c transport.Conn) transport.Conn {
	var up, down impair.Config
	if s.cfg.Up == nil && s.cfg.Down == nil {
		return c
	}
	if s.cfg.Up != nil {
		up = *s.cfg.Up
	}
	if s.cfg.Down != nil {
		down = *s.cfg.Down
	}
	return transport.Impair(c, down, up, random()) // from this end, up and down change places
}

// Hub takes in connections; use it to dial from the same process.
func (s *Server) Hub() *transport.Hub { return s.hub }

// ServeHTTP makes a connection of a WebSocket handshake, whatever its path, says
// at transport.EndpointPath where WebTransport is, and gives everything else to
// the page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", "frame-ancestors 'none'") // no page of a stranger's holds ours
	h.Set("X-Content-Type-Options", "nosniff")
	if s.cfg.Debug && rebound(r) {
		http.Error(w, "this match is for localhost only", http.StatusForbidden)
		return
	}
	switch {
	case s.debug.serve(s, w, r):
	case strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
		s.hub.ServeHTTP(w, r)
	case r.URL.Path == transport.EndpointPath:
		s.serveOffer(w, r)
	case s.cfg.Page != nil:
		s.cfg.Page.ServeHTTP(w, r)
	default:
		fmt.Fprintf(w, "This is a server of the game %s. Connect with a client: ws://%s/\n", s.game.Name(), r.Host)
	}
}

// Serve takes connections from l until Close. It returns nil after Close.
func (s *Server) Serve(l net.Listener) error {
	l = transport.NewGuard(l, 0, 0)
	if c := s.cfg.Certificates; c != nil && c.Trusted() {
		l = tls.NewListener(l, c.TLS())
	}
	err := s.http.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Close tells every player why, closes all connections and listeners, and
// returns when the goroutines of the server are gone.
func (s *Server) Close(reason string) {
	s.close.Do(func() {
		s.loop.end(reason)
		s.debug.close()
		s.hub.Close(reason)
		s.http.Close()
	})
}

// Stats returns how the server does.
func (s *Server) Stats() Stats { return s.loop.stats() }

// Do calls f with the authority, between two ticks, and returns after it. It
// reports false, f not called, when the server is closed. f must be quick.
func (s *Server) Do(f func(*authority.Authority)) bool { return s.loop.do(f) }

// Run listens and serves until ctx is done, then tells the players.
func Run(ctx context.Context, g *sim.Game, cfg Config) error {
	if cfg.Addr == "" {
		cfg.Addr = ":7777"
	}
	l, err := Listen(cfg.Addr)
	if err != nil {
		return err
	}
	var u net.PacketConn
	if cfg.Certificates != nil {
		if u, err = ListenDatagrams(l.Addr()); err != nil {
			l.Close()
			return err
		}
	}
	s := New(g, cfg)
	if cfg.Listening != nil {
		cfg.Listening(l.Addr())
	}
	served := make(chan error, 2)
	go func() { served <- s.Serve(l) }()
	if u != nil {
		go func() {
			if err := s.ServeDatagrams(u); err != nil {
				served <- err
			}
		}()
	}
	select {
	case <-ctx.Done():
		s.Close("the server was stopped")
		return <-served
	case err := <-served:
		s.Close("the server cannot be reached any more")
		return err
	}
}

// Listen is net.Listen on TCP with an error that says what to do.
func Listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("address %s is in use: stop the program that has it, or choose another address", addr)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("address %s needs more rights: choose a port above 1023", addr)
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %q (want host:port, such as :7777): %w", addr, err)
	}
	return l, nil
}

// ListenDatagrams opens the UDP socket for WebTransport at the same address and
// port as a TCP listener.
func ListenDatagrams(at net.Addr) (net.PacketConn, error) {
	u, err := net.ListenPacket("udp", at.String())
	if err != nil {
		return nil, fmt.Errorf("no WebTransport at %s: %w", at, err)
	}
	return u, nil
}

func random() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:]) | 1
}

// every returns the time of tick n, without rounding errors that add up.
func every(n int64, hz int) time.Duration {
	return time.Duration(n/int64(hz))*time.Second + time.Duration(n%int64(hz))*time.Second/time.Duration(hz)
}

//go:build !js

package transport

import (
	"bytes"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// Guard is a net.Listener that bounds the open sockets, in all and for each
// address, before a byte is read: a crowd that connects and says nothing takes
// memory up to the cap only, and one address cannot take everybody's place. What
// exceeds a cap is closed at once.
type Guard struct {
	net.Listener
	max, perAddress int

	mu      sync.Mutex
	open    int
	places  map[string]int
	refused uint64
}

// NewGuard wraps l; 0 means the defaults, 4,096 sockets and 256 of one address
// (an IPv4 address or an IPv6 /64).
func NewGuard(l net.Listener, max, perAddress int) *Guard {
	if max == 0 {
		max = maxSockets
	}
	if perAddress == 0 {
		perAddress = maxSocketsAddress
	}
	return &Guard{Listener: l, max: max, perAddress: perAddress, places: map[string]int{}}
}

// Accept implements net.Listener.
func (g *Guard) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address := addressOf(c.RemoteAddr().String())
		if g.take(address) {
			return &guarded{Conn: c, guard: g, address: address}, nil
		}
		c.Close()
	}
}

func (g *Guard) take(address string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open >= g.max || g.places[address] >= g.perAddress {
		g.refused++
		return false
	}
	g.open++
	g.places[address]++
	return true
}

func (g *Guard) give(address string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open--
	if g.places[address]--; g.places[address] == 0 {
		delete(g.places, address)
	}
}

// Open is the number of sockets now; Refused of those closed at once, ever.
func (g *Guard) Open() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.open
}

func (g *Guard) Refused() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refused
}

type guarded struct {
	net.Conn
	guard   *Guard
	address string
	once    sync.Once
}

func (c *guarded) NetConn() net.Conn { return c.Conn }

func (c *guarded) Close() error {
	c.once.Do(func() { c.guard.give(c.address) })
	return c.Conn.Close()
}

// HTTPServer returns a server for h (a mux with a Hub and a page) whose timeouts
// end handshakes and requests that trickle. Serve a Guard with it.
func HTTPServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      2 * time.Minute, // a page with WebAssembly over a slow line
		IdleTimeout:       30 * time.Second,
		MaxHeaderBytes:    8 << 10,
		ErrorLog:          log.New(quiet{}, "", 0),
	}
}

// quiet passes on what an HTTP server logs, but not each handshake that some
// stranger breaks off: anybody could fill a disk with those.
type quiet struct{}

func (quiet) Write(line []byte) (int, error) {
	if !bytes.Contains(line, []byte("TLS handshake error")) {
		log.Print(string(bytes.TrimSpace(line)))
	}
	return len(line), nil
}

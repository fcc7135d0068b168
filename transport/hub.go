package transport

import (
	"errors"
	"sync"
	"sync/atomic"
)

// HubConfig bounds a Hub; a zero field means its default.
type HubConfig struct {
	MaxConns      int      // open at once; 1,024
	MaxPerAddress int      // of one IPv4 address or IPv6 /64; 64
	Origins       []string // hosts, with * as in path.Match, whose pages may connect beside the server's own
}

// HubStats counts since the Hub began; Open and HalfOpen are of now.
type HubStats struct {
	Open                        int
	HalfOpen                    int // QUIC handshakes that are not finished
	Accepted                    uint64
	RefusedFull, RefusedAddress uint64 // the caps
	RefusedBusy                 uint64 // Accept's channel was full
	RefusedHandshake            uint64 // not a handshake of ours, or from a foreign page
}

// Hub is a server's Listener. Its connections come from its ServeHTTP
// (WebSocket) and ServeWebTransport, both not in the browser, and from
// DialMemory.
type Hub struct {
	config HubConfig
	limits limits
	conns  chan Conn
	done   chan struct{}
	away   chan struct{} // tokens of those being turned away politely

	mu     sync.Mutex
	open   map[Conn]struct{}
	places map[string]int // taken, by address
	taken  int
	closed bool
	wait   sync.WaitGroup // for connections
	serves sync.WaitGroup // for ServeWebTransport

	pathMTU uint16 // of a network in memory, where QUIC cannot find it out; 0: it does

	half                                     atomic.Int64
	accepted, full, address, busy, handshake atomic.Uint64
}

// NewHub returns a Hub that accepts at once. Close it.
func NewHub(config HubConfig) *Hub {
	if config.MaxConns == 0 {
		config.MaxConns = maxConns
	}
	if config.MaxPerAddress == 0 {
		config.MaxPerAddress = maxPerAddress
	}
	return &Hub{
		config: config,
		limits: clientLimits(),
		conns:  make(chan Conn, backlog),
		done:   make(chan struct{}),
		away:   make(chan struct{}, turnAway),
		open:   map[Conn]struct{}{},
		places: map[string]int{},
	}
}

func (h *Hub) Accept() <-chan Conn   { return h.conns }
func (h *Hub) Done() <-chan struct{} { return h.done }

// DialMemory connects to this Hub from the same process. Addresses do not
// count, the cap on connections does.
func (h *Hub) DialMemory() (Conn, error) {
	if err := h.take(""); err != nil {
		return nil, err
	}
	near, far := Pipe()
	if err := h.offer(far); err != nil {
		h.giveBack("", far)
		return nil, err
	}
	go func() {
		<-far.Done()
		h.giveBack("", far)
	}()
	return near, nil
}

var (
	errHubClosed = errors.New("server is shutting down")
	errFull      = errors.New("server is full")
	errAddress   = errors.New("too many connections from this address")
	errBusy      = errors.New("server is busy")
)

// take reserves a place; giveBack frees it.
func (h *Hub) take(address string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return errHubClosed
	case h.taken >= h.config.MaxConns:
		h.full.Add(1)
		return errFull
	case address != "" && h.places[address] >= h.config.MaxPerAddress:
		h.address.Add(1)
		return errAddress
	}
	h.taken++
	h.wait.Add(1)
	if address != "" {
		h.places[address]++
	}
	return nil
}

func (h *Hub) giveBack(address string, c Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.open, c)
	h.taken--
	if address != "" {
		if h.places[address]--; h.places[address] == 0 {
			delete(h.places, address)
		}
	}
	h.wait.Done()
}

// offer puts c before Accept.
func (h *Hub) offer(c Conn) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return errHubClosed
	}
	select {
	case h.conns <- c:
		h.open[c] = struct{}{}
		h.accepted.Add(1)
		return nil
	default:
		h.busy.Add(1)
		return errBusy
	}
}

// Close closes every connection with the reason, refuses new ones with it, and
// waits until all goroutines of the connections are gone.
func (h *Hub) Close(reason string) error {
	h.mu.Lock()
	if !h.closed {
		h.closed = true
		close(h.done)
	}
	for c := range h.open {
		c.Close(reason)
	}
	h.mu.Unlock()
	h.wait.Wait()
	h.serves.Wait()
	return nil
}

func (h *Hub) Stats() HubStats {
	h.mu.Lock()
	open := h.taken
	h.mu.Unlock()
	return HubStats{
		Open: open, HalfOpen: int(h.half.Load()), Accepted: h.accepted.Load(),
		RefusedFull: h.full.Load(), RefusedAddress: h.address.Load(),
		RefusedBusy: h.busy.Load(), RefusedHandshake: h.handshake.Load(),
	}
}

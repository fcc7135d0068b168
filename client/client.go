// Package client runs a game's replica on a real clock and a real connection,
// natively and in the browser.
//
//	c, err := client.Dial(ctx, "https://play.example:7777", pucks.Game, client.Config{})
//	for each frame {
//		pucks.Drives.Set(c, pucks.Drive{Move: stick})
//		frame := c.Frame()
//	}
package client

import (
	"context"
	"sync"
	"time"

	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/internal/limit"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/transport"
	"github.com/foretick/foretick/view"
)

// Config of a client. Zero values mean the default.
type Config struct {
	// Replica configures the prediction. Game is set by Dial; Secret is drawn
	// at random if it is 0.
	Replica replica.Config

	// Up and Down put the link simulator into the connection: up is what this
	// client sends, down what it receives. nil: a perfect link.
	Up, Down *impair.Config

	// Connect opens a connection, first and again. nil: a transport.Dialer's, to
	// the URL.
	Connect func(ctx context.Context) (transport.Conn, error)
}

// Client is one player's end of a match. A connection that breaks is opened
// again by itself, and the session resumed.
//
// Frame, inputs (it is a sim.Sampler) and what Frame returned belong to one
// goroutine. The other methods are safe for concurrent use.
type Client struct {
	redial func(*limit.Context) (transport.Conn, error)
	begun  time.Duration // since epoch
	life   *limit.Context
	work   sync.WaitGroup

	mu     sync.Mutex
	r      *replica.Replica
	conn   transport.Conn
	plain  transport.Conn // conn without the link simulator
	up     *impair.Config
	down   *impair.Config
	reason string // why there is no connection
	ended  bool
	again  bool // conn is new to the replica
	breaks int
}

// Dial opens a connection to a server and returns; the match begins within the
// following Frames, or State says why not. A http or https URL means WebTransport
// or, where that fails, WebSocket; ws and wss mean WebSocket. ctx bounds the
// opening only.
func Dial(ctx context.Context, url string, g *sim.Game, cfg Config) (*Client, error) {
	cfg.Replica.Game = g
	if cfg.Replica.Secret == 0 {
		cfg.Replica.Secret = random()
	}
	if cfg.Connect == nil {
		cfg.Connect = (&transport.Dialer{URL: url}).Dial
	}
	conn, err := cfg.Connect(ctx)
	if err != nil {
		return nil, err
	}
	c := &Client{begun: time.Since(epoch), r: replica.New(cfg.Replica), up: cfg.Up, down: cfg.Down}
	c.redial = func(life *limit.Context) (transport.Conn, error) { return cfg.Connect(life) }
	c.life = limit.With(context.Background(), 0)
	c.use(conn)
	c.work.Go(c.run)
	return c, nil
}

// now is the time of the replica: it does not go back, because the lock is held.
func (c *Client) now() time.Duration { return time.Since(epoch) - c.begun }

// epoch is here and no time.Time in Client, or a browser would load how times
// are written, for nothing.
var epoch = time.Now()

// Frame does all that is due and returns what to draw. Call it once a frame,
// or, without a screen, at least once a tick.
func (c *Client) Frame() *view.Frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.receive()
	f := c.r.Frame(c.now())
	if c.again { // only now: the last words of the old connection have been read
		c.again = false
		c.r.Redial()
	}
	c.flush()
	if s := c.r.State(); !c.ended && (s == replica.Refused || s == replica.Closed) {
		c.end(c.r.Reason())
	}
	return f
}

func (c *Client) receive() {
	now := c.now()
	c.conn.Drain(func(p []byte) { c.r.Receive(p, now) })
}

func (c *Client) flush() {
	for _, p := range c.r.Drain() {
		c.conn.Send(p)
	}
}

// Sample makes a client a sim.Sampler.
func (c *Client) Sample() *sim.Sample { return c.r.Sample() }

// Replica calls f with the replica, for reading what this package does not
// show. f must not keep it.
func (c *Client) Replica(f func(*replica.Replica)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(c.r)
}

// State returns where the client stands and, if that is Refused, Closed or
// Connecting after a break, why, in words to be shown.
func (c *Client) State() (replica.State, string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.r.State()
	switch {
	case s == replica.Refused || s == replica.Closed:
		return s, c.r.Reason()
	case c.ended:
		return replica.Closed, c.reason
	case c.reason != "":
		return replica.Connecting, c.reason
	}
	return s, ""
}

// Stats returns the state of the prediction and the connection.
func (c *Client) Stats() replica.Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.r.Stats()
}

// Carrier says what the connection runs over, now.
func (c *Client) Carrier() transport.Carrier {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn.Carrier()
}

// Breaks returns how often the connection broke and was opened again.
func (c *Client) Breaks() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.breaks
}

// Effects returns what to show and what to take back since the last call; both
// are valid until the next Frame.
func (c *Client) Effects() (show, cancel []sim.Effect) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.r.Effects()
}

// Switch turns techniques off and on while playing.
func (c *Client) Switch(s replica.Switches) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.r.Switch(s)
}

// Link changes the simulated link; nil and nil take it away for packets from
// now on.
func (c *Client) Link(up, down *impair.Config) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.up, c.down = up, down
	if i, ok := c.conn.(*transport.Impaired); ok {
		i.Set(config(up), config(down))
	} else {
		c.wrap()
	}
}

// Close leaves the match, and waits until the server can have heard of it.
func (c *Client) Close() {
	c.mu.Lock()
	if !c.ended {
		c.r.Close()
		c.flush()
		c.end("left")
	}
	conn := c.conn
	c.mu.Unlock()
	c.work.Wait()
	if said, ok := conn.(interface{ Gone() <-chan struct{} }); ok {
		late, stop := limit.After(transport.CloseTimeout)
		defer stop()
		select {
		case <-said.Gone():
		case <-late:
		}
	}
}

// end stops for good.
func (c *Client) end(reason string) {
	c.ended, c.reason = true, reason
	c.life.End()
	c.conn.Close(reason)
}

func config(c *impair.Config) impair.Config {
	if c == nil {
		return impair.Config{}
	}
	return *c
}

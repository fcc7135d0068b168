package client_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/foretick/foretick/client"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/server"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/transport"
)

// wire is a server's hub that remembers the connection dialled last.
type wire struct {
	s    *server.Server
	conn atomic.Pointer[transport.Conn]
	down atomic.Bool
}

func (w *wire) connect(context.Context) (transport.Conn, error) {
	if w.down.Load() {
		return nil, errors.New("the cable is out")
	}
	c, err := w.s.Hub().DialMemory()
	w.conn.Store(&c)
	return c, err
}

func dial(t *testing.T, w *wire, g *sim.Game, cfg client.Config) *client.Client {
	t.Helper()
	cfg.Connect = w.connect
	c, err := client.Dial(t.Context(), "", g, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func frames(c *client.Client, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(time.Second / 60)
		c.Frame()
	}
}

func want(t *testing.T, c *client.Client, state replica.State, reason string) {
	t.Helper()
	if s, why := c.State(); s != state || !strings.Contains(why, reason) {
		t.Errorf("%v: %q, want %v: %q", s, why, state, reason)
	}
}

// A player's input moves his puck; without it, it stays.
func TestPlays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{s: server.New(pucks.NoFree, server.Config{})}
		defer w.s.Close("")
		c := dial(t, w, pucks.NoFree, client.Config{})
		frames(c, 2*time.Second)
		want(t, c, replica.Playing, "")
		where := func() (at geom.Vec2) {
			c.Replica(func(r *replica.Replica) {
				b, ok := pucks.Bodies.Of(r.Predictor().World(), r.Me())
				if !ok {
					t.Fatal("no puck")
				}
				at = b.Pos
			})
			return at
		}
		at := where()
		frames(c, time.Second)
		if where() != at {
			t.Error("it moves by itself")
		}
		pucks.Drives.Set(c, pucks.Drive{Move: geom.V2(0, 1)})
		frames(c, 100*time.Millisecond)
		if d := where().Sub(at); d.Y < 0.05 || d.X != 0 {
			t.Errorf("moved by %v in 100 ms", d)
		}
		c.Close()
		c.Close()
		want(t, c, replica.Closed, "left")
		time.Sleep(time.Second)
		if n := w.s.Stats().Players; n != 0 {
			t.Errorf("%d players after he left", n)
		}
	})
}

// A broken connection is opened again, and the session goes on.
func TestReconnects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{s: server.New(pucks.Game, server.Config{})}
		defer w.s.Close("")
		c := dial(t, w, pucks.Game, client.Config{Replica: replica.Config{Bot: pucks.Bot}})
		defer c.Close()
		frames(c, 2*time.Second)
		var me [2]any
		c.Replica(func(r *replica.Replica) { me = [2]any{r.Player(), r.Me()} })
		for n := 1; n <= 3; n++ {
			w.down.Store(true)
			(*w.conn.Load()).Close("pulled")
			frames(c, time.Second)
			want(t, c, replica.Connecting, "cable")
			w.down.Store(false)
			frames(c, 4*time.Second)
			want(t, c, replica.Playing, "")
			if c.Breaks() != n {
				t.Errorf("%d breaks, want %d", c.Breaks(), n)
			}
		}
		c.Replica(func(r *replica.Replica) {
			if again := [2]any{r.Player(), r.Me()}; again != me {
				t.Errorf("came back as %v, was %v", again, me)
			}
		})
		if n := w.s.Stats().Players; n != 1 {
			t.Errorf("%d players", n)
		}
	})
}

func TestReasons(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cfg server.Config
		cfg.Authority.MaxPlayers = 1
		w := &wire{s: server.New(pucks.Game, cfg)}
		stranger := dial(t, w, sim.New("chess", 60), client.Config{})
		frames(stranger, time.Second)
		want(t, stranger, replica.Refused, "runs pucks, not chess")
		stranger.Close()

		first := dial(t, w, pucks.Game, client.Config{})
		second := dial(t, w, pucks.Game, client.Config{})
		frames(first, time.Second)
		frames(second, time.Second)
		want(t, second, replica.Refused, "all 1 places are taken")
		w.s.Close("lunch")
		frames(first, time.Second)
		want(t, first, replica.Closed, "lunch")
		first.Close()
		second.Close()

		w.down.Store(true)
		if _, err := client.Dial(t.Context(), "", pucks.Game, client.Config{Connect: w.connect}); err == nil {
			t.Error("dialled without a cable")
		}
	})
}

// The simulated link can be put in and taken away while playing.
func TestLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{s: server.New(pucks.Game, server.Config{})}
		defer w.s.Close("")
		c := dial(t, w, pucks.Game, client.Config{Replica: replica.Config{Bot: pucks.Bot}})
		defer c.Close()
		rtt := func(low, high time.Duration) {
			t.Helper()
			frames(c, 15*time.Second)
			if got := c.Stats().RTT; got < low || got > high {
				t.Errorf("RTT %v, want %v to %v", got, low, high)
			}
		}
		rtt(0, 40*time.Millisecond)
		link := impair.RTT(200 * time.Millisecond)
		c.Link(&link, &link)
		rtt(200*time.Millisecond, 250*time.Millisecond)
		c.Link(nil, nil)
		rtt(0, 40*time.Millisecond)
		want(t, c, replica.Playing, "")
	})
}

// The server's last words are heard although the connection ended with them and
// another was opened before the next frame.
func TestLastWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{s: server.New(pucks.Game, server.Config{})}
		c := dial(t, w, pucks.Game, client.Config{})
		defer c.Close()
		frames(c, time.Second)
		w.down.Store(true)
		w.s.Close("lunch")
		w.s = server.New(pucks.Game, server.Config{})
		defer w.s.Close("")
		w.down.Store(false)
		time.Sleep(time.Second)
		frames(c, time.Second)
		want(t, c, replica.Closed, "lunch")
	})
}

package server_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/server"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/transport"
)

// play pumps a replica over a connection for a while.
func play(r *replica.Replica, c transport.Conn, begun time.Time, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(time.Second / 60)
		now := time.Since(begun)
		c.Drain(func(p []byte) { r.Receive(p, now) })
		r.Frame(now)
		for _, p := range r.Drain() {
			c.Send(p)
		}
	}
}

func bot() *replica.Replica {
	return replica.New(replica.Config{Game: pucks.Game, Bot: pucks.Bot, Secret: 7})
}

func TestTicksAndPlays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		s := server.New(pucks.Game, server.Config{})
		c, err := s.Hub().DialMemory()
		if err != nil {
			t.Fatal(err)
		}
		r := bot()
		play(r, c, begun, 10*time.Second)
		st := s.Stats()
		if st.Ticks != 600 || st.Late != 0 || st.Skipped != 0 || st.Players != 1 {
			t.Errorf("after 10 s of virtual time: %+v", st)
		}
		if r.State() != replica.Playing {
			t.Errorf("the bot is %v: %s", r.State(), r.Reason())
		}
		var held authority.ClientCounters
		if !s.Do(func(a *authority.Authority) { held = a.ClientCounters(1) }) {
			t.Error("Do did nothing")
		}
		if held.Snapshots < 500 {
			t.Errorf("%d snapshots in 10 s", held.Snapshots)
		}
		s.Close("that's all")
		c.Drain(func(p []byte) { r.Receive(p, time.Since(begun)) })
		r.Frame(time.Since(begun))
		if r.State() != replica.Closed || r.Reason() != "that's all" {
			t.Errorf("after the end the bot is %v: %s", r.State(), r.Reason())
		}
		if s.Do(func(*authority.Authority) { t.Error("called") }) {
			t.Error("Do after Close")
		}
	})
}

// A pause costs time, not the server: the ticks beyond the cap never happen,
// and their numbers are not skipped.
func TestPauseEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := server.New(pucks.Game, server.Config{})
		defer s.Close("")
		time.Sleep(time.Second + time.Millisecond)
		before := s.Stats()
		s.Do(func(*authority.Authority) { time.Sleep(500 * time.Millisecond) })
		time.Sleep(time.Millisecond)
		st := s.Stats()
		if n := st.Ticks - before.Ticks; n < 4 || n > 6 {
			t.Errorf("%d ticks at once after half a second", n)
		}
		if st.Skipped < 24 || st.Skipped > 26 {
			t.Errorf("%d ticks skipped", st.Skipped)
		}
		time.Sleep(time.Second)
		if n := s.Stats().Ticks - st.Ticks; n != 60 {
			t.Errorf("%d ticks in the second after", n)
		}
		s.Do(func(a *authority.Authority) {
			if got := uint64(a.Now()); got != s.Stats().Ticks {
				t.Errorf("the tick is %d after %d ticks", got, s.Stats().Ticks)
			}
		})
	})
}

// A connection that is no player is shown the door; one that is, is not.
func TestStrangers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		s := server.New(pucks.Game, server.Config{})
		defer s.Close("")
		stranger, _ := s.Hub().DialMemory()
		c, _ := s.Hub().DialMemory()
		play(bot(), c, begun, 15*time.Second)
		if stranger.Err() == nil {
			t.Error("a connection that says nothing is still open after 15 s")
		}
		if c.Err() != nil {
			t.Error(c.Err())
		}
	})
}

func TestRefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		s := server.New(pucks.Game, server.Config{})
		defer s.Close("")
		c, _ := s.Hub().DialMemory()
		r := replica.New(replica.Config{Game: sim.New("chess", 60)})
		play(r, c, begun, time.Second)
		if r.State() != replica.Refused || !strings.Contains(r.Reason(), "pucks") {
			t.Errorf("%v: %s", r.State(), r.Reason())
		}
	})
}

// The simulated link is in both directions of every connection.
func TestLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		link := impair.RTT(150 * time.Millisecond)
		s := server.New(pucks.Game, server.Config{Up: &link, Down: &link})
		defer s.Close("")
		c, _ := s.Hub().DialMemory()
		r := bot()
		play(r, c, begun, 3*time.Second)
		if rtt := r.Stats().RTT; rtt < 150*time.Millisecond || rtt > 190*time.Millisecond {
			t.Errorf("RTT %v, want 150 ms and a frame or two", rtt)
		}
	})
}

func TestListen(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	ctx, stop := context.WithCancel(t.Context())
	at := make(chan net.Addr, 1)
	done := make(chan error, 1)
	go func() {
		done <- server.Run(ctx, pucks.Game, server.Config{Addr: "127.0.0.1:0", Listening: func(a net.Addr) { at <- a }})
	}()
	addr := (<-at).String()

	err := server.Run(ctx, pucks.Game, server.Config{Addr: addr})
	if err == nil || !strings.Contains(err.Error(), "in use") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a port in use: %v", err)
	}
	if _, err := server.Listen("nonsense"); err == nil || !strings.Contains(err.Error(), "host:port") {
		t.Errorf("nonsense: %v", err)
	}

	resp, err := http.Get("http://" + addr + "/")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	if !strings.Contains(string(text), "game pucks") {
		t.Errorf("a browser is told %q", text)
	}

	c, err := transport.DialWebSocket(ctx, "ws://"+addr)
	if err != nil {
		t.Fatal(err)
	}
	r := bot()
	begun := time.Now()
	play(r, c, begun, time.Second)
	if r.State() != replica.Playing {
		t.Errorf("%v: %s", r.State(), r.Reason())
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	<-c.Done()
	c.Drain(func(p []byte) { r.Receive(p, time.Since(begun)) })
	r.Frame(time.Since(begun))
	if r.State() != replica.Closed || r.Reason() != "the server was stopped" {
		t.Errorf("%v: %s", r.State(), r.Reason())
	}
	for end := time.Now().Add(3 * time.Second); runtime.NumGoroutine() > goroutines; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			buf := make([]byte, 1<<16)
			t.Fatalf("goroutines left:\n%s", buf[:runtime.Stack(buf, true)])
		}
	}
}

// Who closes his connection on purpose is out at once, even if his goodbye was
// lost; who loses it has time to come back.
func TestLeaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for reason, want := range map[string]int{"left": 0, "the tram went into a tunnel": 1} {
			begun := time.Now()
			s := server.New(pucks.Game, server.Config{})
			c, _ := s.Hub().DialMemory()
			play(bot(), c, begun, 2*time.Second)
			c.Close(reason)
			time.Sleep(time.Second)
			if n := s.Stats().Players; n != want {
				t.Errorf("%s: %d players, want %d", reason, n, want)
			}
			s.Close("")
		}
	})
}

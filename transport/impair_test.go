//go:build !js

package transport

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/foretick/foretick/impair"
)

// arrivals runs a minute of 60 packets/s from a to b and notes when each came.
func arrivals(a, b Conn, packets int) (at []time.Duration) {
	sent := map[uint32]time.Time{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-b.Ready():
			case <-time.After(time.Second):
				return
			}
			for _, n := range drained(b) {
				at = append(at, time.Since(sent[n]))
			}
		}
	}()
	for i := range uint32(packets) {
		sent[i] = time.Now()
		a.Send(numbered(i, 100))
		time.Sleep(time.Second / 60)
		synctest.Wait()
	}
	<-done
	return at
}

func TestImpairDelaysAndLosesBothWays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := Pipe()
		up := impair.Config{Delay: 50 * time.Millisecond, Loss: 0.1}
		down := impair.Config{Delay: 80 * time.Millisecond, Loss: 0.3}
		p := Impair(near, up, down, 1)
		for _, c := range []struct {
			from, to Conn
			delay    time.Duration
			loss     float64
		}{{p, far, up.Delay, 0.1}, {far, p, down.Delay, 0.3}} {
			const sent = 3600
			at := arrivals(c.from, c.to, sent)
			for _, d := range at {
				if d != c.delay { // the clock is virtual: exact
					t.Fatalf("came after %v, want %v", d, c.delay)
				}
			}
			lost := 1 - float64(len(at))/sent
			if lost < c.loss-0.03 || lost > c.loss+0.03 {
				t.Errorf("lost %.3f, want %.1f", lost, c.loss)
			}
		}
		// Live: from now on perfect.
		p.Set(impair.Config{}, impair.Config{})
		if at := arrivals(p, far, 600); len(at) != 600 || at[300] != 0 {
			t.Errorf("after Set %d of 600 came, one after %v", len(at), at[300])
		}
		p.Close("over")
	})
}

func TestImpairedClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := impair.Config{Delay: 500 * time.Millisecond}
		near, far := Pipe()
		p := Impair(near, slow, slow, 1)
		p.Send([]byte("last words"))
		p.Close("wrong version")
		endedBy(t, p, Closed{ByUs, "wrong version"})
		endedBy(t, far, Closed{ByPeer, "wrong version"})
		if far.Drain(func([]byte) {}) != 1 {
			t.Error("what was sent before Close did not come")
		}

		near, far = Pipe()
		p = Impair(near, slow, slow, 1)
		far.Send([]byte("refused"))
		far.Close("server full")
		endedBy(t, p, Closed{ByPeer, "server full"})
		if p.Drain(func([]byte) {}) != 1 {
			t.Error("what the peer sent before Close did not come")
		}
		// synctest fails the test if a goroutine is left over.
	})
}

func TestImpairedWebSocket(t *testing.T) {
	h := NewHub(HubConfig{})
	client, server := connect(t, h, serve(t, h))
	p := Impair(client, impair.Config{Delay: 30 * time.Millisecond}, impair.Config{Delay: 40 * time.Millisecond}, 1)
	start := time.Now()
	p.Send([]byte("there"))
	<-server.Ready()
	server.Drain(server.Send)
	<-p.Ready()
	if d := time.Since(start); d < 70*time.Millisecond || d > 2*time.Second {
		t.Errorf("there and back in %v, want 70 ms", d)
	}
	if p.Drain(func([]byte) {}) != 1 {
		t.Error("nothing came back")
	}
	p.Close("over")
	endedBy(t, server, Closed{ByPeer, "over"})
}

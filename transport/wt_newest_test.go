//go:build !js

package transport

import (
	"context"
	"encoding/binary"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/foretick/foretick/impair"
)

// stalled sends 60 packets a second through a network that carries nothing for
// three seconds and then again everything, and returns how many packets came
// after that which were old when they came.
func stalled(t *testing.T, long bool) (old int) {
	const cut, healed = time.Second, 4 * time.Second
	relayed(t, 1, func(r *relay, _ *Hub, client, server *session) {
		r.set(impair.RTT(40 * time.Millisecond))
		if long {
			longQueue(server)
		}
		begun := time.Now()
		end := 20 * time.Second
		tick := time.NewTicker(time.Second / 60)
		defer tick.Stop()
		for range tick.C {
			now := time.Since(begun)
			if now > end {
				break
			}
			r.cut.Store(now > cut && now < healed)
			p := make([]byte, 1100)
			binary.LittleEndian.PutUint64(p, uint64(now))
			server.Send(p)
			if took := time.Since(begun) - now; took > 50*time.Millisecond { // on a busy machine
				t.Errorf("Send took %v", took)
			}
			client.Drain(func(p []byte) {
				if now < healed {
					return
				}
				if now-time.Duration(binary.LittleEndian.Uint64(p)) > 300*time.Millisecond {
					old++
				}
				end = min(end, now+500*time.Millisecond)
			})
		}
		t.Logf("long queue %v: after the stall came %d old packets, until %v; %+v", long, old, end, server.Stats())
		if end == 20*time.Second {
			t.Error("nothing came after the stall")
		}
		if !long && server.Stats().Replaced < 5 {
			t.Error("hardly anything was replaced: the window did not shut")
		}
	})
	return old
}

// longQueue makes the session's mailbox a queue in which the oldest wins, as
// QUIC's own is.
func longQueue(s *session) {
	s.stale = time.Hour
	s.out.slots, s.out.at = make([][]byte, 10_000), make([]time.Duration, 10_000)
}

func TestWebTransportNewestWins(t *testing.T) {
	// One packet was QUIC's when the window shut, and what it sends to find out
	// whether the path still is there takes others.
	if old := stalled(t, false); old > 4 {
		t.Errorf("%d old packets came after the stall", old)
	}
	if old := stalled(t, true); old < 10 {
		t.Errorf("control: a long queue gave %d old packets: the test shows nothing", old)
	}
}

// A burst of one tick goes out whole, if the window is open.
func TestWebTransportBurst(t *testing.T) {
	h := NewHub(HubConfig{})
	url, hashes := serveDatagrams(t, h)
	client, server := connectDatagrams(t, h, url, hashes)
	for round := range uint32(50) {
		for i := range uint32(OutboxPackets) {
			server.Send(numbered(round*OutboxPackets+i, 1150))
		}
		eventually(t, "all came", func() bool { return client.Stats().Received == uint64(round+1)*OutboxPackets })
	}
	if got := drained(client); len(got) != InboxPackets || !slices.IsSorted(got) {
		t.Error(len(got), got)
	}
	if s := server.Stats(); s.Replaced != 0 {
		t.Errorf("%+v", s)
	}
}

func TestQueueFresh(t *testing.T) {
	q := queue{slots: make([][]byte, 4), at: make([]time.Duration, 4)}
	t0 := time.Since(epoch)
	q.put([]byte{0}) // moves the ring's head
	q.take(nil)
	for i := range 4 {
		q.put([]byte{byte(i)})
	}
	ms := func(n int) time.Duration { return t0 + time.Duration(n)*time.Millisecond }
	q.at = []time.Duration{ms(18), ms(0), ms(1), ms(16)} // slot 1 is the head: 0, 1, 16, 18
	fresh := func(at int) int { return q.fresh(ms(at), 20*time.Millisecond, 5*time.Millisecond) }
	if n := fresh(20); n != 0 || q.len() != 4 {
		t.Error("young:", n, q.len())
	}
	if n := fresh(30); n != 2 || q.len() != 2 {
		t.Error("one tick older:", n, q.len())
	}
	if n := fresh(1000); n != 0 || q.len() != 2 {
		t.Error("the newest tick goes whole:", n, q.len())
	}
	if p, _ := q.take(nil); p[0] != 2 {
		t.Error(p)
	}
	q.take(nil)
	if n := fresh(1000); n != 0 {
		t.Error("empty:", n)
	}
}

// A thousand QUIC handshakes that never end, each from a port of its own: no
// more than the cap are held, an honest client still gets in, and soon they are
// gone.
func TestHalfOpenQUICIsBounded(t *testing.T) {
	h := NewHub(HubConfig{})
	url, hashes := serveDatagrams(t, h)
	server := strings.TrimSuffix(strings.TrimPrefix(url, "https://"), "/")
	flights := firstFlights(t, 1000)
	most := 0
	for _, flight := range flights {
		c, err := net.Dial("udp", server)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for _, p := range flight {
			c.Write(p)
		}
		most = max(most, h.Stats().HalfOpen)
		time.Sleep(100 * time.Microsecond)
	}
	client, _ := connectDatagrams(t, h, url, hashes)
	client.Send([]byte("hello"))
	most = max(most, h.Stats().HalfOpen)
	if most > halfOpenRetry+8 { // those admitted while the last were counted
		t.Errorf("%d handshakes at a time", most)
	}
	if most < halfOpenRetry/2 {
		t.Errorf("control: only %d handshakes at a time of a crowd of %d", most, len(flights))
	}
	eventually(t, "the crowd is gone", func() bool { return h.Stats().HalfOpen == 0 })
	if client.Err() != nil {
		t.Error(client.Err())
	}
}

// firstFlights records what n clients send first to a server that says nothing.
func firstFlights(t *testing.T, n int) (flights map[string][][]byte) {
	t.Helper()
	ear, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ear.Close()
	flights = map[string][][]byte{}
	buf := make([]byte, 2048)
	for begun := time.Now(); len(flights) < n && time.Since(begun) < 20*time.Second; {
		ctx, cancel := context.WithCancel(t.Context())
		var dials sync.WaitGroup
		for range 20 {
			dials.Go(func() { DialWebTransport(ctx, "https://"+ear.LocalAddr().String()+"/") })
		}
		for range 40 { // two packets each
			ear.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
			n, from, err := ear.ReadFrom(buf)
			if err != nil {
				break
			}
			flights[from.String()] = append(flights[from.String()], slices.Clone(buf[:n]))
		}
		cancel()
		dials.Wait()
	}
	return flights
}

//go:build !js

package transport

import (
	"encoding/binary"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/foretick/foretick/impair"
)

// ages sends a snapshot of 1,100 bytes 60 times a second, and an input the other
// way, and every 4 ms asks the receiver how old the newest snapshot is that it
// has. It returns the sorted ages.
func ages(send func([]byte), c Conn, d time.Duration) []time.Duration {
	begun := time.Now()
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(func() {
		tick := time.NewTicker(time.Second / 60)
		defer tick.Stop()
		for now := range tick.C {
			if now.Sub(begun) > d {
				return
			}
			p := make([]byte, 1100)
			binary.LittleEndian.PutUint64(p, uint64(time.Since(begun)))
			send(p)
			c.Send(p[:60])
		}
	})
	var list []time.Duration
	newest := time.Duration(0)
	look := time.NewTicker(4 * time.Millisecond)
	defer look.Stop()
	for range look.C {
		c.Drain(func(p []byte) {
			newest = max(newest, time.Duration(binary.LittleEndian.Uint64(p)))
		})
		now := time.Since(begun)
		if now > d {
			break
		}
		if now > 2*time.Second { // the window has found its size
			list = append(list, now-newest)
		}
	}
	slices.Sort(list)
	return list
}

func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[int(q*float64(len(sorted)-1))]
}

// The promise for a game over a bad network: 66 kB/s at 100 ms RTT and 5 % loss,
// more than QUIC's congestion control always lets through, and the newest
// snapshot is hardly older than the network makes it.
func TestNewestSnapshotStaysFresh(t *testing.T) {
	const rtt = 100 * time.Millisecond
	const limit = rtt/2 + 60*time.Millisecond
	match := func(long bool, d time.Duration, list *[]time.Duration) func(*relay, *Hub, *session, *session) {
		return func(r *relay, _ *Hub, client, server *session) {
			link := impair.RTT(rtt)
			link.Loss = 0.05
			r.set(link)
			client.Send([]byte("hello"))
			if long {
				longQueue(server)
			}
			*list = ages(server.Send, client, d)
		}
	}
	var good [8][]time.Duration
	var bad [4][]time.Duration
	for i := range good {
		virtually(t, uint64(i), match(false, time.Minute, &good[i]))
	}
	t.Run("control", func(t *testing.T) { // it has a backlog: in real time
		for i := range bad {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				relayed(t, uint64(i), match(true, 8*time.Second, &bad[i]))
			})
		}
	})
	p99 := func(what string, lists [][]time.Duration) time.Duration {
		all := slices.Concat(lists...)
		slices.Sort(all)
		t.Logf("%s: age p50 %v, p90 %v, p99 %v, max %v", what,
			quantile(all, 0.5), quantile(all, 0.9), quantile(all, 0.99), all[len(all)-1])
		return quantile(all, 0.99)
	}
	if p := p99("newest wins", good[:]); p > limit {
		t.Errorf("p99 of the age is %v, more than %v", p, limit)
	}
	if p := p99("long queue", bad[:]); p <= limit {
		t.Errorf("control: with a long queue the p99 is %v: the test shows nothing", p)
	}
}

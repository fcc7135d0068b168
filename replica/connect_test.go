package replica_test

import (
	"strings"
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/hello"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
)

// On a clean link of 200 ms a player plays within a second, always; with a
// quarter of the packets lost each way, mostly, and within three.
func TestConnectsInASecond(t *testing.T) {
	a := newArena(t, 1, authority.Config{})
	s := a.join(replica.Config{}, 200*ms, 0)
	if d := a.until(time.Second, s.playing); d < 200*ms {
		t.Errorf("after %v, less than a round trip", d)
	}
	intime := 0
	const seeds = 60
	for seed := range int64(seeds) {
		a := newArena(t, seed, authority.Config{})
		s := a.join(replica.Config{}, 200*ms, 0.25)
		if d := a.until(3*time.Second, s.playing); d <= time.Second {
			intime++
		}
		a.run(time.Second)
		if !s.playing() || s.Stats().Reconnect != 0 {
			t.Errorf("seed %d: %v, %d reconnects", seed, s.State(), s.Stats().Reconnect)
		}
	}
	t.Logf("%d of %d within a second", intime, seeds)
	if intime < seeds*9/10 {
		t.Errorf("only %d of %d within a second", intime, seeds)
	}
}

func TestRefusedSaysWhy(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  authority.Config
		me   replica.Config
		says string
	}{
		{"game", authority.Config{}, replica.Config{Game: hello.Game}, "pucks"},
		{"full", authority.Config{MaxPlayers: 1}, replica.Config{}, "places"},
		{"approve", authority.Config{Approve: func(p []byte) (bool, string) { return len(p) == 0, "bring a ticket" }},
			replica.Config{Payload: []byte("x")}, "bring a ticket"},
		{"payload", authority.Config{}, replica.Config{Payload: make([]byte, 300)}, "256"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newArena(t, 1, c.cfg)
			first := a.join(replica.Config{}, 50*ms, 0)
			a.until(time.Second, first.playing)
			s := a.join(c.me, 50*ms, 0)
			a.until(time.Second, func() bool { return s.State() == replica.Refused })
			if !strings.Contains(s.Reason(), c.says) {
				t.Errorf("%q does not say %q", s.Reason(), c.says)
			}
			sent := s.Stats().Counters.SentPackets
			a.run(time.Second)
			if n := s.Stats().Counters.SentPackets; n != sent || s.State() != replica.Refused {
				t.Errorf("it goes on: %d packets, %v", n-sent, s.State())
			}
		})
	}
}

// Whatever was cut and for however long, the client comes back by itself: to
// its own puck while the server keeps it, else to a new one.
func TestComesBack(t *testing.T) {
	for _, c := range []struct {
		name    string
		cut     time.Duration
		resumes bool // some new session
		same    bool // the same puck
	}{
		{"half a second", 500 * ms, false, true},
		{"longer than the history", 3 * time.Second, true, true},
		{"longer than the server waits", 12 * time.Second, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newArena(t, 2, authority.Config{})
			s := a.join(replica.Config{Bot: pucks.Bot}, 100*ms, 0)
			other := a.join(replica.Config{Bot: pucks.Bot}, 60*ms, 0)
			a.until(time.Second, func() bool { return s.playing() && other.playing() })
			a.run(time.Second)
			me, player, resets := s.Me(), s.Player(), other.Stats().Predict.Resets
			s.cut = true
			a.run(c.cut)
			s.cut = false
			a.until(1500*ms, s.playing)
			a.run(2 * time.Second)
			if (s.Stats().Reconnect > 0) != c.resumes {
				t.Errorf("%d reconnects", s.Stats().Reconnect)
			}
			if (s.Me() == me) != c.same || (s.Player() == player) != (c.same || s.Player() == player) {
				t.Errorf("entity %#x, was %#x", s.Me(), me)
			}
			s.agrees("after the cut")
			if other.Stats().Reconnect != 0 || other.Stats().Predict.Resets != resets || a.server.Players() != 2 {
				t.Error("the other one noticed")
			}
		})
	}
}

// A tab that sleeps wakes to its match: no storm of ticks or replays in any
// frame, and soon all is as before. Packets wait for it, or were dropped.
func TestSleep(t *testing.T) {
	for _, d := range []time.Duration{200 * ms, time.Second, 5 * time.Second, 8 * time.Second, 15 * time.Second, 60 * time.Second} {
		for _, waits := range []bool{true, false} {
			a := newArena(t, int64(d), authority.Config{})
			s := a.join(replica.Config{Bot: pucks.Bot}, 100*ms, 0.02)
			other := a.join(replica.Config{Bot: pucks.Bot}, 60*ms, 0)
			a.until(2*time.Second, func() bool { return s.playing() && other.playing() })
			a.run(time.Second)
			s.asleep, s.deaf = true, !waits
			s.mostTicks, s.mostReplay = 0, 0
			joins := a.server.Counters().Joins
			a.run(d)
			s.asleep, s.deaf = false, false
			s.frameAt = a.now
			a.until(1500*ms, s.playing)
			a.run(2 * time.Second)
			t.Logf("%v, packets wait %v: at most %d ticks, %d replayed in a frame, %d reconnects", d, waits, s.mostTicks, s.mostReplay, s.Stats().Reconnect)
			if s.mostTicks > 2*replica.MaxInbox || s.mostReplay > 3*replica.MaxInbox {
				t.Errorf("%v: a storm: %d ticks, %d replayed in a frame", d, s.mostTicks, s.mostReplay)
			}
			if !s.playing() || a.server.Players() != 2 || other.Stats().Reconnect != 0 {
				t.Errorf("%v: %v, %d players", d, s.State(), a.server.Players())
			}
			if n := a.server.Counters().Joins - joins; n > 1 || d < 9*time.Second && n != 0 {
				t.Errorf("%v: joined %d times", d, n)
			}
			s.agrees(d.String())
			if c := s.Stats().Counters; s.Stats().Reconnect == 0 && c.Stranger+c.Malformed != 0 {
				t.Errorf("%v: packets were spoilt while they waited: %+v", d, c)
			}
			if n := s.Stats().Counters.NoBaseline; n != 0 {
				t.Errorf("%v: %d snapshots of a baseline never had", d, n)
			}
		}
	}
}

// A frame that takes 100 ms is caught up with, also where that is more than the
// client is ahead; nothing starts anew.
func TestHitch(t *testing.T) {
	for _, rtt := range []time.Duration{0, 20 * ms, 80 * ms} {
		a := newArena(t, 3, authority.Config{})
		s := a.join(replica.Config{Bot: pucks.Bot}, rtt, 0)
		a.until(time.Second, s.playing)
		a.run(time.Second)
		before := s.Stats()
		for range 5 {
			s.frameAt += 100 * ms
			a.run(time.Second)
		}
		after := s.Stats()
		if after.Predict.Resets != before.Predict.Resets || after.Jumps != before.Jumps || after.Reconnect != 0 {
			t.Errorf("before %+v\nafter %+v", before, after)
		}
		s.agrees("after hitches")
		if after.Predict.Mispredicted-before.Predict.Mispredicted > 5*7 {
			t.Errorf("%d mispredictions", after.Predict.Mispredicted-before.Predict.Mispredicted)
		}
	}
}

// Who comes back as a new player has clicked nothing yet.
func TestNoClicksOfAnEarlierLife(t *testing.T) {
	a := newArena(t, 6, authority.Config{Timeout: 2 * time.Second})
	s := a.join(replica.Config{}, 60*ms, 0)
	a.until(time.Second, s.playing)
	s.steer(1, 0)
	for range 5 {
		s.dash()
		a.run(300 * ms)
	}
	s.cut = true
	a.run(3 * time.Second)
	s.cut = false
	dashes, last := 0, a.server.Now()
	a.each = func() {
		if a.server.Now() != last {
			last = a.server.Now()
			es, _ := a.server.Effects(last - 1)
			dashes += s.dashes(es)
		}
	}
	a.until(1500*ms, s.playing)
	a.run(time.Second)
	if a.server.Counters().Joins != 2 || dashes != 0 {
		t.Errorf("%d joins, %d dashes", a.server.Counters().Joins, dashes)
	}
	s.dash()
	a.run(300 * ms)
	if dashes != 1 {
		t.Errorf("%d dashes of one click", dashes)
	}
}

// With snapshots so rare that the history ends before the next one, the client
// waits rather than predict what it could not take back.
func TestHoldsAtTheEndOfItsHistory(t *testing.T) {
	a := newArena(t, 7, authority.Config{SnapshotEvery: 60})
	s := a.join(replica.Config{History: 100, Bot: pucks.Bot}, 60*ms, 0)
	a.until(3*time.Second, s.playing)
	a.run(3 * time.Second)
	if s.Stats().Counters.Held != 0 {
		t.Fatal("it waits already")
	}
	s.cut = true
	a.run(2800 * ms)
	n, _ := s.Predictor().Reconciled()
	if d := s.Predictor().Now().Since(n); int(d) > s.Predictor().History() || s.Stats().Counters.Held == 0 || s.Stats().Reconnect != 0 {
		t.Errorf("%d ticks ahead of what is known, history %d: %+v", d, s.Predictor().History(), s.Stats())
	}
	s.cut = false
	a.run(3 * time.Second)
	if !s.playing() {
		t.Errorf("%v", s.State())
	}
	s.agrees("after waiting")
}

func TestGoodbyes(t *testing.T) {
	a := newArena(t, 4, authority.Config{})
	s, kicked := a.join(replica.Config{}, 50*ms, 0), a.join(replica.Config{}, 50*ms, 0)
	a.until(time.Second, func() bool { return s.playing() && kicked.playing() })
	a.server.Kick(kicked.Player(), "rude")
	a.run(200 * ms)
	if kicked.State() != replica.Closed || kicked.Reason() != "rude" {
		t.Errorf("%v: %q", kicked.State(), kicked.Reason())
	}
	strangers := a.server.Counters().Stranger // what was on its way
	s.Close()
	for _, d := range s.Drain() {
		s.carry(&s.up, d)
	}
	sent := s.Stats().Counters.SentPackets
	a.run(200 * ms)
	if a.server.Players() != 0 || s.State() != replica.Closed {
		t.Errorf("%d players, %v", a.server.Players(), s.State())
	}
	if n := s.Stats().Counters.SentPackets; n != sent {
		t.Errorf("%d packets after goodbye", n-sent)
	}
	if n := a.server.Counters().Stranger; n != strangers {
		t.Errorf("%d packets of nobody", n-strangers)
	}
}

// The server forgets, the client's clicks still count from where its new puck
// stands; ten reconnections leave nothing behind.
func TestReconnectTenTimes(t *testing.T) {
	a := newArena(t, 5, authority.Config{})
	s := a.join(replica.Config{}, 60*ms, 0)
	s.steer(1, 0)
	a.until(time.Second, s.playing)
	a.run(time.Second)
	for i := range 10 {
		if i%2 == 0 {
			s.Redial()
		} else {
			s.cut = true
			a.run(1200 * ms)
			s.cut = false
		}
		a.until(time.Second, s.playing)
		a.run(1100 * ms)
		w := a.server.World()
		d, _ := pucks.Dashers.Of(w, s.Me())
		s.dash()
		a.run(300 * ms)
		after, _ := pucks.Dashers.Of(w, s.Me())
		if after.Last != d.Last+1 {
			t.Errorf("round %d: the click made %d of %d", i, after.Last, d.Last)
		}
	}
	if a.server.Players() != 1 || a.server.World().Len() != 1 || a.server.Counters().Joins != 1 {
		t.Errorf("%d players, %d entities", a.server.Players(), a.server.World().Len())
	}
	if s.Player() != sim.Player(1) {
		t.Errorf("player %d", s.Player())
	}
	s.agrees("after ten")
}

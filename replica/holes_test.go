package replica_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
)

// Whatever fills the holes of lost inputs, the client learns of it and its past
// is the server's, to the bit, at every snapshot: nothing else can differ.
func TestLostInputsAreRepaired(t *testing.T) {
	for _, c := range []struct {
		name string
		g    *sim.Game
	}{
		{"repeat", pucks.NoFree},
		{"neutral", pucks.NoFree.Variant("pucks").Holes(sim.HolePolicy{})},
		{"freeze", pucks.NoFree.Variant("pucks").Holes(sim.HolePolicy{Freeze: true})},
		{"twice", pucks.NoFree.Variant("pucks").Holes(sim.HolePolicy{Repeat: 2})},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newArena(t, 11, authority.Config{Game: c.g})
			s := a.join(replica.Config{Game: c.g, Bot: pucks.Scripted, Off: replica.Switches{Redundancy: true}}, 120*ms, 0.2)
			s.jitter = 20 * ms
			a.until(3*time.Second, s.playing)
			a.run(time.Second)
			resets := s.Stats().Predict.Resets
			for range 100 {
				a.run(150 * ms)
				s.agrees(c.name)
				s.dash()
			}
			x := s.Stats()
			if x.Predict.Repairs < 50 || x.Counters.Holes < 50 {
				t.Errorf("too little was lost: %+v", x.Predict)
			}
			if x.Predict.Resets != resets || x.Reconnect != 0 {
				t.Errorf("%+v", x)
			}
			d, _ := pucks.Dashers.Of(a.server.World(), s.Me())
			if d.Last < 98 {
				t.Errorf("%d of 100 clicks came, with redundancy off: a counter is absolute", d.Last)
			}
		})
	}
}

// More packets than a frame takes: the oldest go, and are counted.
func TestInboxIsBounded(t *testing.T) {
	r := replica.New(replica.Config{Game: pucks.NoFree})
	for i := range 1000 {
		r.Receive([]byte{byte(i), 1, 2, 3, 4, 5}, 0)
		if r.Queued() > replica.MaxInbox {
			t.Fatalf("%d wait", r.Queued())
		}
	}
	r.Receive(make([]byte, 5000), 0)
	r.Frame(0)
	c := r.Stats().Counters
	if c.Overflow != 1000-replica.MaxInbox || c.Stranger != replica.MaxInbox || c.Malformed != 1 || c.Packets != 1001 {
		t.Errorf("%+v", c)
	}
	if r.Queued() != 0 {
		t.Error("they still wait")
	}
}

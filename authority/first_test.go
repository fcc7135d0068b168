package authority_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
)

type crowdBody struct {
	Pos geom.Vec2 `net:"exact"`
}

type crowdStick struct {
	X float32 `net:"step=1/127,min=-1,max=1"`
}

// What the player predicts is in every snapshot, also among more of another
// player's things than fit: he might predict those, but need not.
func TestOwnGoesFirst(t *testing.T) {
	g := sim.New("crowd", 60)
	bodies, sticks := sim.Predicted[crowdBody](g), sim.Input[crowdStick](g)
	g.Join(func(s *sim.Step, p sim.Player) {
		for range 1000 { // lower ids than his
			e := s.Spawn(p + 1)
			bodies.Add(s, e, crowdBody{})
		}
		e := s.Spawn(p)
		bodies.Add(s, e, crowdBody{})
		sticks.Add(s, e, crowdStick{})
	})
	g.System("move", func(s *sim.Step) {
		es, _ := bodies.All(s)
		for _, e := range es {
			bodies.Write(s, e).Pos.X += 0.25
		}
	})
	a := authority.New(authority.Config{Game: g})
	var r *replica.Replica
	ticks, own, others := 0, 0, 0
	r = replica.New(replica.Config{Game: g, Blind: true, Decoded: func(u *snapshot.Update) {
		if r.State() != replica.Playing {
			return
		}
		ticks++ // a packet each: the budget allows no more
		others += len(u.Items)
		for i := range u.Items {
			if u.Items[i].Entity == r.Me() {
				own++
				others--
			}
		}
	}})
	for i := range 300 {
		now := time.Duration(i) * time.Second / 60
		r.Frame(now)
		for _, p := range r.Drain() {
			a.Receive(1, p, now)
		}
		a.Tick(now)
		for _, p := range a.Drain() {
			r.Receive(p.Data, now)
		}
	}
	if ticks < 100 || own != ticks {
		t.Errorf("%d of %d snapshots have the player's own", own, ticks)
	}
	if others < ticks || others > 900*ticks {
		t.Errorf("%d others in %d snapshots: all fit, or none", others, ticks)
	}
}

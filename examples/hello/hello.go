// Package hello is the smallest game: every player has a dot and points where
// it goes. Play is its loop; the network here is two for statements.
package hello

import (
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
)

type Dot struct { // travels to the bit; a correction is shown smoothly
	Pos geom.Vec2 `net:"exact,smooth"` // metres
}

type Stick struct { // an input is a component too
	Move geom.Vec2 `net:"step=1/127,min=-1,max=1"`
}

var (
	Game   = sim.New("hello", 60)     // name, ticks a second
	Dots   = sim.Predicted[Dot](Game) // the player's client computes it ahead
	Sticks = sim.Input[Stick](Game)
	moving = sim.Where2(Sticks, Dots)
)

func init() {
	Game.Join(func(s *sim.Step, p sim.Player) { // on the server: a player comes in
		e := s.Spawn(p)
		Dots.Add(s, e, Dot{})
		Sticks.Add(s, e, Stick{})
	})
	Game.System("move", func(s *sim.Step) { // on both sides, in each tick
		for e, m := range moving.In(s) {
			d := Dots.Write(s, e)
			d.Pos = d.Pos.MulAdd(m.A.Move, 5*s.Dt) // 5 metres a second
		}
	}, sim.ReadsOwn)
}

// Play runs a server and a client for n ticks, the stick to the right, and
// returns where each has the dot: the client is ahead.
func Play(n int) (screen, server Dot) {
	s := authority.New(authority.Config{Game: Game})
	c := replica.New(replica.Config{Game: Game})
	for i := range n {
		now := time.Duration(i) * time.Second / 60
		Sticks.Set(c, Stick{Move: geom.V2(1, 0)}) // what the player does
		picture := c.Frame(now)                   // reconcile, predict, draw
		for _, packet := range c.Drain() {
			s.Receive(1, packet, now) // 1 numbers the connection
		}
		s.Tick(now) // state n + inputs n = state n+1
		for _, p := range s.Drain() {
			c.Receive(p.Data, now)
		}
		screen, _ = Dots.Of(picture.World, c.Me())
		server, _ = Dots.Of(s.World(), c.Me())
	}
	return screen, server
}

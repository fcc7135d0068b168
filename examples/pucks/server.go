package pucks

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// spawn gives a player who joins his puck.
func spawn(s *sim.Step, p sim.Player) {
	var t taken
	t.gather(s)
	e := s.Spawn(p)
	put(s, &t, e, playerPuck)
	Drives.Add(s, e, Drive{})
	Dashers.Add(s, e, Dasher{})
	Scores.Add(s, e, Score{})
}

// fill keeps n free pucks on the rink.
func fill(n int) func(*sim.Step) {
	return func(s *sim.Step) {
		es, _ := Touches.All(s)
		if len(es) >= n {
			return
		}
		var t taken
		t.gather(s)
		for range n - len(es) {
			e := s.Spawn(sim.NoPlayer)
			put(s, &t, e, freePuck)
			Touches.Add(s, e, Touch{})
		}
	}
}

// taken is where pucks are, those included that are only being made: what a
// system adds appears at its end.
type taken struct {
	n   int
	pos [maxBodies]geom.Vec2
}

func (t *taken) gather(s *sim.Step) {
	_, bs := Bodies.All(s)
	for i := range bs {
		t.add(bs[i].Pos)
	}
}

func (t *taken) add(p geom.Vec2) {
	if t.n < maxBodies {
		t.pos[t.n] = p
		t.n++
	}
}

// put makes e a puck, at the first random place that is free.
func put(s *sim.Step, t *taken, e tick.Entity, p Puck) {
	const room = half - 2
	var at geom.Vec2
	for try := range uint32(spawnTries) {
		at.X = float32(s.RandFloat(e, 2*try)*2*room) - room
		at.Y = float32(s.RandFloat(e, 2*try+1)*2*room) - room
		if t.free(at) {
			break
		}
	}
	t.add(at)
	Bodies.Add(s, e, Body{Pos: at})
	Pucks.Add(s, e, p)
	Bells.Add(s, e, Bell{})
}

func (t *taken) free(at geom.Vec2) bool {
	const apart = 2 // metres; more than any two radii
	for _, p := range t.pos[:t.n] {
		if p.Sub(at).Len2() < apart*apart {
			return false
		}
	}
	return true
}

// score notes who touched what last, and counts goals. It leaves alone what
// clients predict: where a puck goes is decided by what they know too.
func score(s *sim.Step) {
	players, _ := Scores.All(s)
	var at taken // of the players
	for _, p := range players {
		b, _ := Bodies.Read(s, p)
		at.add(b.Pos)
	}
	reach := playerPuck.Radius + freePuck.Radius + touchSkin
	reach = float32(reach * reach)
	for e, m := range loose.In(s) {
		t, puck := Touches.Write(s, e), m.B.Pos
		if t.Quiet > 0 {
			t.Quiet--
		}
		for i, p := range at.pos[:at.n] {
			if p.Sub(puck).Len2() < reach {
				t.By = players[i]
			}
		}
		if t.Quiet > 0 || geom.Abs(puck.X) < half-freePuck.Radius || geom.Abs(puck.Y) > goalHalf {
			continue
		}
		if sc := Scores.Write(s, t.By); sc != nil {
			sc.Goals++
			t.Quiet = goalRest
		}
	}
}

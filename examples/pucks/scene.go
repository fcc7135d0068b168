package pucks

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
)

const (
	puckHeight = 0.55 // metres
	wallHeight = 1.1
)

// stage shows the pucks in three dimensions. It is no part of a step.
func stage(s *sim.Scene) {
	es, bs := Bodies.AllOf(s.World)
	for i, e := range es {
		puck, ok := Pucks.Of(s.World, e)
		if !ok {
			continue
		}
		size := geom.V3(float32(2*puck.Radius), puckHeight, float32(2*puck.Radius))
		at := sim.OnPlane(bs[i].Pos, puckHeight/2)
		colour := free
		switch owner := sim.Player(s.World.Owner(e)); {
		case owner == sim.NoPlayer:
		case e == s.Me:
			colour = mine
			s.Own(at)
		default:
			colour = others
		}
		s.Add(sim.Instance{Mesh: sim.MeshPuck, Pos: at, Size: size, Colour: colour, Entity: e})
		if sc, ok := Scores.Of(s.World, e); ok {
			s.Label(e, sim.OnPlane(bs[i].Pos, 1.4), int(sc.Goals))
		}
	}
}

// scenery is the rink.
func scenery(s *sim.Scene, ground *sim.Picture) {
	const edge = half + 0.6
	s.View(geom.V3(-edge, 0, -edge), geom.V3(edge, wallHeight, edge))
	ground.View(-half, -half, half, half)
	ground.Rect(-half, -half, 2*half, 2*half, 0, 0xe8f1f8, 1)
	ground.Line(0, -half, 0, half, 0.2, 0x2b6cb0, 1)
	ground.Circle(0, 0, 5, 0.2, 0x2b6cb0, 1)
	wall := func(x, z, w, d float32) {
		s.Add(sim.Instance{Mesh: sim.MeshBox, Pos: geom.V3(x, wallHeight/2, z), Size: geom.V3(w, wallHeight, d), Colour: 0xf4f7fb})
	}
	wall(0, half+0.3, 2*half+1.2, 0.6)
	wall(0, -half-0.3, 2*half+1.2, 0.6)
	wall(half+0.3, 0, 0.6, 2*half)
	wall(-half-0.3, 0, 0.6, 2*half)
}

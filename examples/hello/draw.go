package hello

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
)

const (
	half   = 10  // metres that are seen each way
	radius = 0.5 // of a dot
	mine   = sim.Colour(0xff8a14)
	others = sim.Colour(0x2c6be0)
)

// What the demo's page shows, and what its keys do: with this,
// cli.Main(hello.Game, nil) is a program to play.
func init() {
	Game.Scene(func(s *sim.Scene) {
		es, ds := Dots.AllOf(s.World)
		for i, e := range es {
			dot := sim.Instance{Mesh: sim.MeshSphere, Pos: sim.OnPlane(ds[i].Pos, radius),
				Size: geom.V3(2*radius, 2*radius, 2*radius), Colour: others, Entity: e}
			if e == s.Me {
				dot.Colour = mine
				s.Own(dot.Pos)
			}
			s.Add(dot)
			s.Label(e, sim.OnPlane(ds[i].Pos, 3*radius), -1)
		}
	})
	Game.Scenery(func(s *sim.Scene, ground *sim.Picture) {
		s.View(geom.V3(-half, 0, -half), geom.V3(half, 1, half))
		ground.View(-half, -half, half, half)
		ground.Rect(-half, -half, 2*half, 2*half, 0, 0xdfe6ee, 1)
		for i := float32(1 - half); i < half; i++ {
			ground.Line(i, -half, i, half, 0.03, 0x8fa3bd, 1)
			ground.Line(-half, i, half, i, 0.03, 0x8fa3bd, 1)
		}
	})
	Game.Draw(func(p *sim.Picture) { // where there is no WebGL
		p.View(-half, -half, half, half)
		es, ds := Dots.AllOf(p.World)
		for i, e := range es {
			colour := others
			if e == p.Me {
				colour = mine
				p.Own(ds[i].Pos.X, ds[i].Pos.Y)
			}
			p.Circle(ds[i].Pos.X, ds[i].Pos.Y, radius, 0, colour, 1)
		}
	})
	Game.Keys(func(k sim.Keys, to sim.Sampler) {
		Sticks.Set(to, Stick{Move: geom.V2(k.X, k.Y)})
	})
}

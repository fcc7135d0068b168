package hello

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
)

// What the plain page of the demo command shows, and what its keys do: with
// this, cli.Main(hello.Game, nil) is a program to play.
func init() {
	Game.Draw(func(p *sim.Picture) {
		p.View(-10, -10, 10, 10) // metres
		es, ds := Dots.AllOf(p.World)
		for i, e := range es {
			colour := sim.Colour(0x4ea8de)
			if e == p.Me {
				colour = 0xffc857
				p.Own(ds[i].Pos.X, ds[i].Pos.Y)
			}
			p.Circle(ds[i].Pos.X, ds[i].Pos.Y, 0.5, 0, colour, 1)
		}
	})
	Game.Keys(func(k sim.Keys, to sim.Sampler) {
		Sticks.Set(to, Stick{Move: geom.V2(k.X, k.Y)})
	})
}

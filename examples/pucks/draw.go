package pucks

import (
	"time"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
)

const (
	ice     = sim.Colour(0x16202e)
	lines   = sim.Colour(0x35496a)
	goals   = sim.Colour(0xd9534f)
	mine    = sim.Colour(0xffc857)
	others  = sim.Colour(0x4ea8de)
	free    = sim.Colour(0x8a99ad)
	spark   = sim.Colour(0xffffff)
	figures = sim.Colour(0x0b1220)

	flash = 250 * time.Millisecond // how long an effect is seen
)

// draw shows the rink on a flat page. It is no part of a step.
func draw(p *sim.Picture) {
	const edge = half + 0.6
	p.View(-edge, -edge, edge, edge)
	rink(p)
	es, bs := Bodies.AllOf(p.World)
	for i, e := range es {
		puck, ok := Pucks.Of(p.World, e)
		if !ok {
			continue
		}
		at := bs[i].Pos
		switch owner := sim.Player(p.World.Owner(e)); {
		case owner == sim.NoPlayer:
			p.Circle(at.X, at.Y, puck.Radius, 0, free, 1)
			continue
		case e == p.Me:
			p.Own(at.X, at.Y)
			p.Circle(at.X, at.Y, puck.Radius+0.25, 0.12, mine, 0.8)
			p.Circle(at.X, at.Y, puck.Radius, 0, mine, 1)
		default:
			p.Circle(at.X, at.Y, puck.Radius, 0, others, 1)
		}
		if s, ok := Scores.Of(p.World, e); ok {
			p.Number(at.X, at.Y, 0.9, int(s.Goals), figures, 1)
		}
	}
	for i := range p.Effects {
		flashOf(p, &p.Effects[i])
	}
}

func rink(p *sim.Picture) {
	p.Rect(-half, -half, 2*half, 2*half, 0, ice, 1)
	p.Line(0, -half, 0, half, 0.12, lines, 1)
	p.Circle(0, 0, 5, 0.12, lines, 1)
	p.Rect(-half, -half, 2*half, 2*half, 0.25, lines, 1)
	p.Line(-half, -goalHalf, -half, goalHalf, 0.5, goals, 1)
	p.Line(half, -goalHalf, half, goalHalf, 0.5, goals, 1)
}

func flashOf(p *sim.Picture, s *sim.Shown) {
	if s.Age >= flash {
		return
	}
	x, y := s.Float(0), s.Float(1)
	age := float32(s.Age) / float32(flash)
	switch s.Kind {
	case Bump.ID():
		size := 0.3 + float32(s.Float(2)*0.04)
		p.Circle(x, y, size+age, 0.12, spark, 1-age)
	case Dash.ID():
		tail := geom.V2(x, y).MulAdd(geom.V2(1, 0).Rotate(s.Float(2)), -2)
		colour := others
		if s.Entity == p.Me {
			colour = mine
		}
		p.Line(x, y, tail.X, tail.Y, 0.5, colour, 0.7-float32(0.7*age))
	}
}

// steer hands on the stick, which is longer than 1 when keys hold it in a
// corner; the space bar dashes.
func steer(k sim.Keys, to sim.Sampler) {
	move := geom.V2(k.X, k.Y)
	if move.Len2() > 1 {
		move = move.Norm()
	}
	Drives.Set(to, Drive{Move: move})
	for range k.Space {
		Drives.Press(to, dashButton)
	}
}

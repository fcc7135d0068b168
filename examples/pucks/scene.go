package pucks

import (
	"time"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Colours of the rink. Orange and blue are told apart by everybody; and the
// own puck has a ring and a chevron as well, other players' have a stripe.
const (
	me3     = sim.Colour(0xff8a14)
	other3  = sim.Colour(0x2c6be0)
	free3   = sim.Colour(0x39445a)
	white   = sim.Colour(0xffffff)
	sheet   = sim.Colour(0xe3edf6)
	blue    = sim.Colour(0x2f62b5)
	pale    = sim.Colour(0xbcd6f2)
	board   = sim.Colour(0xf6f8fb)
	kick    = sim.Colour(0xf2b632)
	rail    = sim.Colour(0x24508f)
	post    = sim.Colour(0xd6336c)
	net     = sim.Colour(0xdfe7f1)
	arena   = sim.Colour(0x16243c)
	arena2  = sim.Colour(0x1d2f4d)
	streaks = 4
)

const (
	puckHeight = 0.55 // metres
	wallHeight = 1.2
	wallWidth  = 0.7
	goalDeep   = 1.6
	goalHeight = 1.6
)

// stage shows the pucks in three dimensions. It is no part of a step.
func stage(s *sim.Scene) {
	es, bs := Bodies.AllOf(s.World)
	for i, e := range es {
		puck, ok := Pucks.Of(s.World, e)
		if !ok {
			continue
		}
		pos := bs[i].Pos
		wide := float32(2 * puck.Radius)
		body := sim.Instance{Mesh: sim.MeshPuck, Pos: sim.OnPlane(pos, puckHeight/2), Size: geom.V3(wide, puckHeight, wide), Colour: free3, Entity: e}
		switch owner := sim.Player(s.World.Owner(e)); {
		case owner == sim.NoPlayer:
			s.Add(body)
			continue
		case e == s.Me:
			body.Colour = me3
			s.Own(body.Pos)
			marks(s, e, &bs[i], wide)
		default:
			body.Colour = other3
		}
		s.Add(body)
		stripe := float32(wide * 0.72)
		s.Add(sim.Instance{Mesh: sim.MeshRing, Pos: sim.OnPlane(pos, puckHeight+0.012), Size: geom.V3(stripe, 1, stripe), Colour: white, Entity: e})
		if sc, ok := Scores.Of(s.World, e); ok {
			s.Label(e, sim.OnPlane(pos, puckHeight+0.9), int(sc.Goals))
		}
	}
	for i := range s.Effects {
		flashes(s, &s.Effects[i])
	}
}

// marks tell the own puck from the others: a ring on the ice, and a chevron
// where it goes.
func marks(s *sim.Scene, e tick.Entity, b *Body, wide float32) {
	ring := float32(wide * 1.6)
	s.Add(sim.Instance{Mesh: sim.MeshRing, Pos: sim.OnPlane(b.Pos, 0.05), Size: geom.V3(ring, 1, ring), Colour: me3, Entity: e})
	speed := b.Vel.Len()
	if speed < 0.3 {
		return
	}
	fade := 1 - geom.Clamp(float32(speed*0.4), 0, 1)
	tip := b.Pos.MulAdd(b.Vel, 1.75/speed)
	s.Add(sim.Instance{Mesh: sim.MeshChevron, Pos: sim.OnPlane(tip, 0.06), Rot: sim.Upright(b.Vel.Angle()),
		Size: geom.V3(1, 1, 1.2), Colour: me3, Fade: fade, Entity: e})
}

// flashes shows an effect for the time that it is to be seen.
func flashes(s *sim.Scene, f *sim.Shown) {
	const long = 450 * time.Millisecond
	if f.Age >= long {
		return
	}
	age := float32(f.Age) / float32(long)
	at := geom.V2(f.Float(0), f.Float(1))
	switch f.Kind {
	case Bump.ID():
		hard := geom.Clamp(float32(f.Float(2)*0.08), 0.15, 1)
		for i := range 2 {
			size := float32((0.6 + float32(hard*2.2)) * (0.35 + float32(age*(1+float32(float32(i)*0.45)))))
			s.Add(sim.Instance{Mesh: sim.MeshRing, Pos: sim.OnPlane(at, puckHeight+0.1), Size: geom.V3(size, 1, size),
				Colour: white, Fade: age, Effect: true})
		}
	case Dash.ID():
		colour := other3
		if f.Entity == s.Me {
			colour = me3
		}
		way := geom.V2(1, 0).Rotate(f.Float(2))
		for i := range streaks {
			back := at.MulAdd(way, -0.6-float32(float32(i)*0.75))
			size := 1.5 - float32(float32(i)*0.22)
			s.Add(sim.Instance{Mesh: sim.MeshChevron, Pos: sim.OnPlane(back, 0.07), Rot: sim.Upright(f.Float(2)),
				Size: geom.V3(size, 1, size), Colour: colour, Fade: geom.Clamp(age+float32(float32(i)*0.17), 0, 1), Effect: true})
		}
	}
}

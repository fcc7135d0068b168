package changeling

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

const (
	most      = 40 // seeds at a time
	shortLife = 2  // ticks; may be over before a client has heard of it
	longLife  = 240
	turnTicks = 23 // between two changes of a bot's mind
)

// fate is what only the server decides. It acts when a player has just acted,
// so that nothing changes once all are at rest.
func fate(s *sim.Step) {
	seedIDs, _ := Fuses.All(s)
	for e, m := range minds.In(s) {
		if m.C.Cool != cools {
			continue
		}
		Ranks.Write(s, e).Acts++
		luck := uint32(s.Rand(e, 0)) ^ Secrets.Write(s, e).Luck
		if len(seedIDs) < most {
			sow(s, e, m.B, luck)
		}
		switch luck >> 8 % 6 {
		case 0, 1:
			Boons.Add(s, e, Boon{Push: float32(luck>>16%64) / 16})
		case 2:
			Boons.Remove(s, e)
		case 3: // all in one tick
			Boons.Remove(s, e)
			Boons.Add(s, e, Boon{Push: 1})
			Boons.Remove(s, e)
			Boons.Add(s, e, Boon{Push: 2})
		}
		if n := uint32(len(seedIDs)); n > 0 {
			meddle(s, seedIDs[luck>>12%n], s.Owner(e), luck)
		}
	}
}

// sow makes one or two seeds, of the player or of nobody.
func sow(s *sim.Step, by tick.Entity, m *Mote, luck uint32) {
	for i := range 1 + luck>>3&1 {
		owner := sim.NoPlayer
		if luck>>(4+i)&1 == 1 {
			owner = s.Owner(by)
		}
		life := longLife/4 + luck>>20%longLife
		if luck%8 == 0 {
			life = 1 + i*shortLife
		}
		e := s.Spawn(owner)
		way := geom.V2(s.RandFloat(by, 1+2*i)-0.5, s.RandFloat(by, 2+2*i)-0.5)
		Motes.Add(s, e, Mote{Pos: m.Pos, Vel: way.Mul(shove)})
		Fuses.Add(s, e, Fuse{Left: life})
		Secrets.Add(s, e, Secret{Luck: luck})
		if luck%16 == 8 {
			s.Destroy(e) // never was
		}
	}
}

// meddle does something to a seed that was there before.
func meddle(s *sim.Step, e tick.Entity, by sim.Player, luck uint32) {
	switch luck % 5 {
	case 0:
		s.Destroy(e)
	case 1:
		s.Give(e, by)
	case 2:
		s.Give(e, sim.NoPlayer)
	case 3:
		Heats.Add(s, e, Heat{Left: uint16(1 + luck>>24%32)})
	}
}

// glow marks, on the client alone, how long it has known a mote.
func glow(s *sim.Step) {
	es, _ := Motes.All(s)
	for _, e := range es {
		if g := Glows.Write(s, e); g != nil {
			g.Ticks++
		} else {
			Glows.Add(s, e, Glow{})
		}
	}
}

// Bot wanders and acts about twice a second.
func Bot(t *sim.Turn) {
	phase := uint32(t.Tick) / turnTicks
	h := mix(phase, uint32(t.Player))
	a := float32(uint32(t.Tick)%turnTicks) / turnTicks
	way := geom.V2(1, 0).Rotate(float32(h%64) * (geom.Pi / 32)).Mul(a)
	Wills.Set(t, Will{Move: way, Lean: float32(h>>8%256)/128 - 1 + float32(a*0.25)})
	if h>>16&1 == 1 && uint32(t.Tick)%turnTicks == h>>18%turnTicks {
		Wills.Press(t, func(w *Will) *sim.Counter { return &w.Act })
	}
}

// mix is lowbias32 by Chris Wellons.
func mix(a, b uint32) uint32 {
	x := a*0x9e3779b9 + b*0x85ebca6b + 1
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}

package pucks

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

const (
	botTurn  = 20  // ticks between changes of mind: three a second
	botSpeed = 14  // metres a second at which it expects to meet its target
	botSwing = 0.3 // radians to the side of its target, left and right in turn
	botDash  = 6   // metres; nearer targets are worth a dash
)

// Bot hunts: it steers at another puck, dashes when near, and changes its mind
// and its course three times a second.
func Bot(t *sim.Turn) {
	me, ok := Bodies.Read(t.Step, t.Me)
	if !ok {
		return
	}
	phase := uint32(t.Tick) / botTurn
	h := hash(phase, t.Player)
	target, ok := prey(t, me, h)
	if !ok {
		target.Pos = geom.Vec2{} // nobody here: cross the rink
	}
	ahead := target.Pos.Dist(me.Pos) / botSpeed
	way := target.Pos.MulAdd(target.Vel.Sub(me.Vel.Mul(0.5)), ahead).Sub(me.Pos)
	swing := float32(botSwing)
	if phase&1 == 1 {
		swing = -swing
	}
	Drives.Set(t, Drive{Move: way.Norm().Rotate(swing)})
	if uint32(t.Tick)%botTurn == 7 && h>>16&1 == 1 && way.Len2() < botDash*botDash {
		Drives.Press(t, dashButton)
	}
}

func dashButton(d *Drive) *sim.Counter { return &d.Dash }

// prey is the nearest puck, or, one time in eight, any.
func prey(t *sim.Turn, me Body, h uint32) (best Body, ok bool) {
	es, bs := Bodies.All(t.Step)
	if n := uint32(len(es)); h%8 == 0 && n > 1 {
		i := (h >> 8) % n
		if es[i] == t.Me {
			i = (i + 1) % n
		}
		return bs[i], true
	}
	dist := float32(0)
	for i, e := range es {
		if d := bs[i].Pos.Sub(me.Pos).Len2(); e != t.Me && (!ok || d < dist) {
			best, dist, ok = bs[i], d, true
		}
	}
	return best, ok
}

// Scripted drives by a fixed script and looks at nothing: full speed, another
// direction twice a second.
func Scripted(t *sim.Turn) { Drives.Set(t, Drive{Move: Script(t.Tick, t.Player)}) }

// Script is the stick of Scripted at a tick.
func Script(t tick.Tick, p sim.Player) geom.Vec2 {
	phase := uint32(t) / 30
	eighth := hash(phase, p)>>8&3<<1 | phase&1 // odd and even in turn, so never twice the same
	return geom.V2(1, 0).Rotate(float32(eighth) * (geom.Pi / 4))
}

// hash is lowbias32 by Chris Wellons.
func hash(phase uint32, p sim.Player) uint32 {
	x := phase*0x9e3779b9 + uint32(p)*0x85ebca6b
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}

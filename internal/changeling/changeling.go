// Package changeling is a game that nobody would play: all it does is change.
// Entities come and go, components are added and removed, also in one tick,
// owners change, effects sound, values are quantised. The swarm plays it to
// see that every replica follows.
package changeling

import (
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Mote moves. Both sides simulate what travels: see Game.RoundState.
type Mote struct {
	Pos geom.Vec2 `net:"step=1/256,min=-64,max=64,smooth"` // metres
	Vel geom.Vec2 `net:"step=1/256,min=-32,max=32"`        // metres a second
}

// Will is a player's input.
type Will struct {
	Move geom.Vec2   `net:"step=1/127,min=-1,max=1"`
	Lean float32     // travels with all its bits
	Act  sim.Counter // clicks
	Pad  uint16
}

// Hand is how far a player's clicks have been executed.
type Hand struct {
	Last sim.Counter
	Cool uint16 // ticks until the next act
}

// Heat is on a mote that acted: clients add and remove it too.
type Heat struct {
	Left uint16 // ticks
	Gen  uint16 // how often it was heated anew
}

// Fuse is on seeds: what is left of their life, in ticks.
type Fuse struct{ Left uint32 }

// Rank counts acts; only the server writes it.
type Rank struct{ Acts uint32 }

// Boon makes a mote faster. Only the server gives and takes it, yet what
// clients predict reads it.
type Boon struct {
	Push float32 `net:"step=1/16,min=0,max=4"`
}

// Secret never leaves the server.
type Secret struct{ Luck uint32 }

// Glow never leaves a client; a rollback takes it back.
type Glow struct{ Ticks uint32 }

var (
	Game    = sim.New("changeling", 60)
	Motes   = sim.Predicted[Mote](Game)
	Wills   = sim.Input[Will](Game)
	Hands   = sim.Predicted[Hand](Game)
	Heats   = sim.Predicted[Heat](Game)
	Fuses   = sim.Predicted[Fuse](Game)
	Ranks   = sim.Replicated[Rank](Game)
	Boons   = sim.Replicated[Boon](Game)
	Secrets = sim.ServerOnly[Secret](Game)
	Glows   = sim.ClientOnly[Glow](Game)

	Act  = Game.Effect("act")  // x, y
	Cool = Game.Effect("cool") // heat that ended
	Pop  = Game.Effect("pop")  // x, y: a seed that ended

	minds = sim.Where3(Wills, Motes, Hands)
	seeds = sim.Where2(Fuses, Motes)
	hot   = sim.Where1(Heats)
)

func init() {
	Game.RoundState().Join(join).ModeOf(mode)
	Game.System("will", will)
	Game.System("warm", warm)
	Game.System("drift", drift)
	Game.ServerSystem("fate", fate)
	Game.ClientSystem("glow", glow)
}

func mode(v sim.ModeView) sim.Mode {
	if v.Owner == v.Me || v.Owner == sim.NoPlayer || v.PredictOthers {
		return sim.Simulated
	}
	return sim.Interpolated
}

func join(s *sim.Step, p sim.Player) {
	e := s.Spawn(p)
	Motes.Add(s, e, Mote{Pos: geom.V2(float32(s.RandFloat(e, 0)*20)-10, float32(s.RandFloat(e, 1)*20)-10)})
	Wills.Add(s, e, Will{})
	Hands.Add(s, e, Hand{})
	Ranks.Add(s, e, Rank{})
	Secrets.Add(s, e, Secret{Luck: uint32(s.Rand(e, 2))})
}

const (
	accel  = 40
	drag   = 3
	still  = 0.3 // metres a second; slower stands
	speed  = 16  // metres a second, at most
	edge   = 30  // metres from the middle
	cools  = 12  // ticks between acts
	heats  = 25  // ticks
	reach  = 1.5 // metres within which a mote pushes a seed
	shove  = 6   // metres a second of that push
	weight = 0.25
)

func will(s *sim.Step) {
	for e, m := range minds.In(s) {
		mote, hand := Motes.Write(s, e), Hands.Write(s, e)
		push := float32(accel)
		if b, ok := Boons.Read(s, e); ok {
			push += float32(b.Push * accel)
		}
		v := mote.Vel.MulAdd(m.A.Move, float32(push*s.Dt))
		v.X += float32(lean(m.A.Lean) * weight)
		v = v.Mul(1 - float32(drag*s.Dt))
		if l := v.Len(); l < still {
			v = geom.Vec2{}
		} else if l > speed {
			v = v.Mul(speed / l)
		}
		mote.Vel = v
		mote.move(s.Dt)
		n := m.A.Act.Since(m.C.Last, 3)
		hand.Last = m.A.Act
		if hand.Cool > 0 {
			hand.Cool--
			continue
		}
		if n > 0 {
			hand.Cool = cools
			act(s, e, mote.Pos)
		}
	}
}

// lean keeps what a hostile client may send within -1..1.
func lean(x float32) float32 {
	if x > 1 {
		return 1
	}
	if x < -1 {
		return -1
	}
	return x
}

// act heats a mote. One that is hot already loses its heat and gets a new one
// in the same tick.
func act(s *sim.Step, e tick.Entity, at geom.Vec2) {
	h := Heat{Left: heats}
	if old, ok := Heats.Read(s, e); ok {
		Heats.Remove(s, e)
		h.Gen = old.Gen + 1
	}
	Heats.Add(s, e, h)
	Act.Emit(s, e, at.X, at.Y)
}

func warm(s *sim.Step) {
	for e := range hot.In(s) {
		h := Heats.Write(s, e)
		if h.Left--; h.Left == 0 {
			Heats.Remove(s, e)
			Cool.Emit(s, e)
		}
	}
}

func drift(s *sim.Step) {
	for e, m := range seeds.In(s) {
		mote, fuse := Motes.Write(s, e), Fuses.Write(s, e)
		at := m.B.Pos
		for _, o := range minds.In(s) {
			if d := at.Sub(o.B.Pos); d.Len2() < reach*reach {
				mote.Vel = d.Norm().Mul(shove)
			}
		}
		mote.move(s.Dt)
		if fuse.Left--; fuse.Left == 0 {
			Pop.Emit(s, e, mote.Pos.X, mote.Pos.Y)
			s.Destroy(e)
		}
	}
}

func (m *Mote) move(dt float32) {
	m.Pos = m.Pos.MulAdd(m.Vel, dt)
	m.Pos.X, m.Vel.X = within(m.Pos.X, m.Vel.X)
	m.Pos.Y, m.Vel.Y = within(m.Pos.Y, m.Vel.Y)
}

func within(x, v float32) (float32, float32) {
	if x > edge {
		return edge, -geom.Abs(v)
	}
	if x < -edge {
		return -edge, geom.Abs(v)
	}
	return x, v
}

// Bounds says what of a world is not as it can be, or "".
func Bounds(w *ecs.World) string {
	es, ms := Motes.AllOf(w)
	for i := range es {
		if p := ms[i].Pos; !(p.X >= -edge && p.X <= edge && p.Y >= -edge && p.Y <= edge) {
			return "a mote has left the field"
		}
	}
	return ""
}

// Package pucks is a whole game, and the one to read after hello: server, clients,
// bots and tests share it, and it is an ordinary user of the library.
//
// Up to sixteen players steer pucks on a rink among thirty free ones. Pucks
// bump and slide; a dash is a kick in the direction of the stick; a free puck
// that is sent into either goal scores for who touched it last.
//
// How it is made, in the order in which you would make yours:
//
//  1. Components are plain structs (this page). Where each lives is said when
//     it is declared: Predicted ones travel and the client computes them ahead;
//     Replicated ones only the server writes; ServerOnly ones never leave it;
//     Input is what a player does. Tags say how a field travels.
//  2. Systems are functions of a step (move.go), run in the order of their
//     declaration on both sides: that one function moves a puck on the server,
//     in a client that predicts it, and in one that replays. What only the
//     server decides is a ServerSystem (server.go).
//  3. ModeOf says what a client predicts: here its own puck and the free ones,
//     because they answer its bumps at once, and other players if it likes to.
//  4. A bot is a function that looks at the world and sets the input (bot.go).
//
// Nothing here knows of packets, clocks or rollbacks. In return a step keeps
// one law: the next state depends on components, inputs and tick alone. So
// nothing at package level changes; there is no map, no random generator but
// Step.Rand, and every product that is added is rounded: float32(x*y) + z.
package pucks

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Body moves. It travels exactly and no difference is tolerated: one bump
// turns a millimetre into another direction, so a small error does not stay
// small. A correction of the position is shown gradually.
type Body struct {
	Pos geom.Vec2 `net:"exact,smooth"` // metres from the middle of the rink
	Vel geom.Vec2 `net:"exact"`        // metres a second
}

// Puck is what a puck is made of. It never changes.
type Puck struct {
	Radius  float32 // metres
	InvMass float32 // 1 / kilograms
	Drag    float32 // share of the speed lost in a second
}

// Drive is a player's input.
type Drive struct {
	Move geom.Vec2   `net:"step=1/127,min=-1,max=1"` // the stick
	Dash sim.Counter // counts clicks, so none is lost or doubled
	Pad  uint16      // a component has no padding: this fills it
}

// Dasher is how far a player's dashes have been executed.
type Dasher struct {
	Last     sim.Counter // the click that was executed last
	Cooldown uint16      // ticks until the next dash
}

// Bell keeps a puck that rubs against another from sounding every tick. It
// decides what a step emits, so it is state like any other.
type Bell struct {
	Quiet uint8 // ticks until the next Bump
}

// Score is a player's.
type Score struct {
	Goals uint32
}

// Touch is on free pucks.
type Touch struct {
	By    tick.Entity // the player's puck that touched it last
	Quiet uint32      // ticks until it may score again
}

// Handles: declared once, used without lookups.
var (
	Game    = sim.New("pucks", 60) // name, ticks a second
	Bodies  = sim.Predicted[Body](Game)
	Pucks   = sim.Replicated[Puck](Game)
	Drives  = sim.Input[Drive](Game)
	Dashers = sim.Predicted[Dasher](Game)
	Bells   = sim.Predicted[Bell](Game)
	Scores  = sim.Replicated[Score](Game)
	Touches = sim.ServerOnly[Touch](Game)

	Bump = Game.Effect("bump") // x, y, speed; at the lower id of the pair
	Dash = Game.Effect("dash") // x, y, direction

	drivers = sim.Where3(Drives, Bodies, Dashers)
	loose   = sim.Where2(Touches, Bodies)

	// NoFree is the game without free pucks.
	NoFree *sim.Game
)

func init() {
	Game.Join(spawn) // without a Leave, all that a player owns leaves with him
	Game.ModeOf(mode)
	Game.System("drive", drive)
	Game.System("collide", collide)
	Game.ServerSystem("score", score)
	Game.ServerSystem("fill", fill(freePucks))
	Game.Draw(draw).Scene(stage).Scenery(scenery).Keys(steer)
	NoFree = WithFree(0)
}

// WithFree returns the game with another number of free pucks, at most 48.
func WithFree(n int) *sim.Game {
	if n < 0 || n > maxBodies-maxPlayers {
		panic("pucks: 0 to 48 free pucks")
	}
	return Game.Variant("pucks").Without("fill").ServerSystem("fill", fill(n))
}

func mode(v sim.ModeView) sim.Mode {
	if v.Owner == v.Me || v.Owner == sim.NoPlayer || v.PredictOthers {
		return sim.Simulated
	}
	return sim.Interpolated
}

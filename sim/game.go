// Package sim is the contract between a game and everything that runs it: its
// components, inputs, systems and effects, and one step of it.
//
// A Game is declared once, in package variables and an init function, and
// never changes afterwards. The same Game runs in the server, in a native
// client, in the browser and in a test in virtual time.
package sim

import (
	"github.com/foretick/foretick/ecs"
)

// Player numbers a player of a match, from 1. NoPlayer owns what belongs to
// nobody.
type Player uint16

// NoPlayer is the one invalid Player.
const NoPlayer Player = 0

// Kind says where a component lives and who writes it.
type Kind uint8

const (
	KindPredicted  Kind = iota // travels; the client's systems write it too
	KindInput                  // a player's input; written before the systems run
	KindReplicated             // travels; only the server's systems write it
	KindServerOnly             // never leaves the server
	KindClientOnly             // never leaves the client; saved and restored with a rollback
)

// Mode is how a client treats one entity.
type Mode uint8

const (
	Interpolated Mode = iota // drawn in the past, read-only for prediction
	Simulated                // predicted by the client
)

// Game is the declaration of a game. It is safe for concurrent use once init
// has finished, because nothing changes it any more.
type Game struct {
	name    string
	hz      int
	dt      float32
	comps   []component
	systems []system
	join    func(*Step, Player)
	leave   func(*Step, Player)
	mode    func(ModeView) Mode
	holes   HolePolicy
	effects []string
	draw    func(*Picture)
	keys    func(Keys, Sampler)
	scene   func(*Scene)
	scenery func(*Scene, *Picture)
	rounded bool
	sealed  bool
	scoped  bool // every system the client runs reads only its own entity

	wire      []int // column of each travelling component, in name order
	inputs    []int // columns of the inputs, in registration order
	inputSize int
	inputLen  int // words
	sizes     []int
	version   uint32
}

type component struct {
	kind   Kind
	plan   *Plan
	typ    any               // a reflect.Type, whose methods a browser would load if it were said here
	tags   map[string]string // other tags, from Retag
	wire   int               // index in wire order, -1 if it does not travel
	offset int               // of an input within the player's input bytes
}

// New declares a game that runs hz ticks a second.
func New(name string, hz int) *Game {
	if hz < 1 || hz > 1000 {
		panic("sim: a game runs 1 to 1000 ticks a second")
	}
	return &Game{name: gameName(name), hz: hz, dt: 1 / float32(hz), mode: ownIsPredicted, holes: HolePolicy{Repeat: 8}}
}

// Name returns the game's name.
func (g *Game) Name() string { return g.name }

// Hz returns the tick rate.
func (g *Game) Hz() int { return g.hz }

// Join sets what happens when a player joins; it runs on the server, before
// the systems of that tick. It makes the player's entity with Spawn.
func (g *Game) Join(f func(*Step, Player)) *Game {
	g.mustBeOpen()
	g.join = f
	return g
}

// HasJoin reports whether Join was called: without it no player gets an entity.
func (g *Game) HasJoin() bool { return g.join != nil }

// Leave sets what happens when a player has left. Without it everything he
// owns is destroyed.
func (g *Game) Leave(f func(*Step, Player)) *Game {
	g.mustBeOpen()
	g.leave = f
	return g
}

// Holes sets what executes for a player whose input did not come in time.
// Default: his last one for 8 ticks, then a neutral one.
func (g *Game) Holes(p HolePolicy) *Game {
	g.mustBeOpen()
	g.holes = p
	return g
}

// ModeOf sets how a client treats an entity. Without it a client predicts
// what it owns and interpolates the rest.
func (g *Game) ModeOf(f func(ModeView) Mode) *Game {
	g.mustBeOpen()
	g.mode = f
	return g
}

// RoundState makes every step end by rounding the state to what travels, so
// that server and client simulate the same numbers although components are
// quantised. Games that predict a whole scene from quantised values need it.
func (g *Game) RoundState() *Game {
	g.mustBeOpen()
	g.rounded = true
	return g
}

// ModeView is what a mode may depend on.
type ModeView struct {
	Owner, Me     Player
	PredictOthers bool // the client's switch
	game          *Game
	mask          uint64
}

// ModeOfEntity asks the game for the mode of an entity with the given owner
// and presence mask (in wire order).
func (g *Game) ModeOfEntity(owner, me Player, mask uint64, predictOthers bool) Mode {
	return g.mode(ModeView{Owner: owner, Me: me, PredictOthers: predictOthers, game: g, mask: mask})
}

// Has reports whether the entity has the component, if that travels.
func Has[T any](v ModeView, c Comp[T]) bool {
	w := v.game.comps[c.col].wire
	return w >= 0 && v.mask>>uint(w)&1 == 1
}

func ownIsPredicted(v ModeView) Mode {
	if v.Owner == v.Me || v.PredictOthers && v.Owner != NoPlayer {
		return Simulated
	}
	return Interpolated
}

func (g *Game) mustBeOpen() {
	if g.sealed {
		panic("sim: a game is declared in init and never changed afterwards")
	}
}

// Seal ends the declaration. Everything that runs a game calls it; a second
// call does nothing. It is not safe for concurrent use with itself the first
// time: call it (or cli.Main, server.Run, lab.Run) before starting goroutines.
func (g *Game) Seal() *Game {
	if g.sealed {
		return g
	}
	g.layout()
	g.scoped = true
	for _, s := range g.systems {
		if s.side != ServerSide && !s.own {
			g.scoped = false
		}
	}
	g.version = g.hash()
	g.sealed = true
	return g
}

func (g *Game) layout() {
	g.wire, g.inputs, g.inputSize, g.inputLen = nil, nil, 0, 0
	g.sizes = make([]int, len(g.comps))
	for i := range g.comps {
		c := &g.comps[i]
		g.sizes[i] = c.plan.Size
		c.wire = -1
		if c.kind == KindPredicted || c.kind == KindReplicated || c.kind == KindInput {
			g.wire = append(g.wire, i)
		}
		if c.kind == KindInput {
			c.offset = g.inputSize
			g.inputs = append(g.inputs, i)
			g.inputSize += c.plan.Size
			g.inputLen += c.plan.Words
		}
	}
	for i := range g.wire { // at most 64: package sort would double what this package weighs in a browser
		for j := i; j > 0 && g.comps[g.wire[j]].plan.Name < g.comps[g.wire[j-1]].plan.Name; j-- {
			g.wire[j], g.wire[j-1] = g.wire[j-1], g.wire[j]
		}
	}
	for i, col := range g.wire {
		g.comps[col].wire = i
	}
}

// hash covers all that both sides must agree on.
func (g *Game) hash() uint32 {
	h := fnvString(fnvOffset, g.name)
	h = fnvWord(h, uint32(g.hz))
	for _, col := range g.wire {
		h = fnvWord(fnvWord(h, g.comps[col].plan.Hash), uint32(g.comps[col].kind))
	}
	for _, col := range g.inputs { // the order of a player's input
		h = fnvWord(h, uint32(g.comps[col].wire))
	}
	for _, s := range g.systems {
		if s.side == BothSides {
			h = fnvString(h, s.name)
		}
	}
	for _, e := range g.effects {
		h = fnvString(h, e)
	}
	h = fnvWord(fnvWord(h, uint32(g.holes.Repeat)), b2u(g.holes.Freeze))
	return fnvWord(h, b2u(g.rounded))
}

// Version is a hash of what server and client declare alike: name, rate,
// components and their tags, inputs, the names of systems and effects. Code
// and constants are not in it: change the game's name with them where an old
// client must not play on.
func (g *Game) Version() uint32 { return g.version }

// NewWorld makes an empty world with the game's components.
func (g *Game) NewWorld() *ecs.World { return ecs.New(g.sizes) }

// Components returns the number of components, which is the number of columns.
func (g *Game) Components() int { return len(g.comps) }

// Plan returns the plan of column col.
func (g *Game) Plan(col int) *Plan { return g.comps[col].plan }

// KindOf returns the kind of column col.
func (g *Game) KindOf(col int) Kind { return g.comps[col].kind }

// Wire returns the columns that travel, in wire (name) order; the i-th is bit
// i of a presence mask. Do not change it.
func (g *Game) Wire() []int { return g.wire }

// Scoped reports whether a rollback may replay single entities, because every
// system that the client runs reads only its own entity.
func (g *Game) Scoped() bool { return g.scoped }

// Effects returns the names of the effects by kind. Do not change it.
func (g *Game) Effects() []string { return g.effects }

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

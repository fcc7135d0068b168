package sim

import (
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/tick"
)

// Side says who runs a step.
type Side uint8

const (
	BothSides  Side = iota // of a system: runs on either side
	ServerSide             // the authority
	ClientSide             // a replica
)

type system struct {
	name string
	run  func(*Step)
	side Side
	own  bool
}

// Option says something about a system.
type Option uint8

// ReadsOwn declares that a system reads and writes, for each entity it
// handles, only that entity. If every system of the client does, a rollback
// replays just the entities that differ. Default: a system reads everything.
const ReadsOwn Option = 1

// System adds a system that runs on both sides.
func (g *Game) System(name string, run func(*Step), opts ...Option) *Game {
	return g.addSystem(name, run, BothSides, opts)
}

// ServerSystem adds a system that runs on the server alone (damage, score).
func (g *Game) ServerSystem(name string, run func(*Step), opts ...Option) *Game {
	return g.addSystem(name, run, ServerSide, opts)
}

// ClientSystem adds a system that runs on the client alone (effects).
func (g *Game) ClientSystem(name string, run func(*Step), opts ...Option) *Game {
	return g.addSystem(name, run, ClientSide, opts)
}

func (g *Game) addSystem(name string, run func(*Step), side Side, opts []Option) *Game {
	g.mustBeOpen()
	s := system{name: name, run: run, side: side}
	for _, o := range opts {
		if o == ReadsOwn {
			s.own = true
		}
	}
	g.systems = append(g.systems, s)
	return g
}

// Step is one tick as a system sees it. It is valid during the call. Nothing
// in it tells whether the tick is being replayed.
type Step struct {
	Tick tick.Tick
	Dt   float32 // seconds
	Side Side    // ServerSide or ClientSide

	g    *Game
	w    *ecs.World
	seed uint64

	scope   []tick.Entity // nil: everyone
	guarded bool          // some entities may be read-only
	locked  []uint64      // bit per entity index
	spare   *ecs.World    // where writes to read-only entities go
	spares  int           // next spare row

	changes []change
	added   []byte // the values of pending Adds
	effects []Effect
}

// spareRows is how many writes to read-only entities may be held at a time: a
// system that writes a pair needs two, and eight leaves room for a cluster.
const spareRows = 8

// spareOf returns a copy that nobody reads.
func (s *Step) spareOf(col int, from []byte) (spare *ecs.Column, row int) {
	s.spares = (s.spares + 1) % spareRows
	spare = s.spare.Column(col)
	copy(spare.Bytes(s.spares), from)
	return spare, s.spares
}

type changeKind uint8

const (
	changeAdd changeKind = iota
	changeRemove
	changeDestroy
	changeOwner
)

type change struct {
	kind changeKind
	e    tick.Entity
	col  int
	at   int // of an Add: where its value begins in added; of a Give: the owner
}

// Entities returns everything alive, ascending. Do not change it.
func (s *Step) Entities() []tick.Entity { return s.w.Entities() }

// Alive reports whether e exists.
func (s *Step) Alive(e tick.Entity) bool { return s.w.Alive(e) }

// Owner returns the player that owns e.
func (s *Step) Owner(e tick.Entity) Player { return Player(s.w.Owner(e)) }

// Spawn makes an entity that belongs to a player or to nobody. It exists at
// once, without components; those added to it appear at the end of the system.
// Only the server spawns: on a client it returns NoEntity. So it does when all
// indices are in use.
func (s *Step) Spawn(owner Player) tick.Entity {
	if s.Side != ServerSide {
		return tick.NoEntity
	}
	e, ok := s.w.Create(s.Tick)
	if !ok {
		return tick.NoEntity
	}
	s.w.SetOwner(e, uint16(owner))
	return e
}

// Destroy ends an entity at the end of this system.
func (s *Step) Destroy(e tick.Entity) { s.later(change{kind: changeDestroy, e: e}) }

// Give makes an entity another player's, or nobody's, at the end of this system.
func (s *Step) Give(e tick.Entity, to Player) {
	s.later(change{kind: changeOwner, e: e, at: int(to)})
}

// Rand returns a random number that depends on the match's seed, the tick,
// the entity and an ordinal of the caller's choice, and on nothing else.
func (s *Step) Rand(e tick.Entity, ordinal uint32) uint64 {
	x := s.seed ^ mix(uint64(s.Tick)<<32|uint64(e))
	return mix(x + uint64(ordinal)*0x9e3779b97f4a7c15)
}

// RandFloat is Rand as a float32 in [0, 1).
func (s *Step) RandFloat(e tick.Entity, ordinal uint32) float32 {
	return float32(s.Rand(e, ordinal)>>40) / (1 << 24)
}

// mix is the finaliser of splitmix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (s *Step) candidates(c *ecs.Column) []tick.Entity {
	if s.scope != nil {
		return s.scope
	}
	return c.IDs()
}

func (s *Step) isReadOnly(e tick.Entity) bool {
	i := e.Index()
	w := int(i >> 6)
	return w < len(s.locked) && s.locked[w]>>(i&63)&1 == 1
}

// later queues a structural change.
func (s *Step) later(c change) { s.changes = append(s.changes, c) }

func (s *Step) applyChanges() {
	if len(s.changes) == 0 {
		return
	}
	for _, c := range s.changes {
		if !s.w.Alive(c.e) || s.guarded && s.isReadOnly(c.e) {
			continue
		}
		col := s.w.Column(c.col)
		switch c.kind {
		case changeAdd:
			copy(col.Bytes(col.Add(c.e)), s.added[c.at:])
		case changeRemove:
			col.Remove(c.e)
		case changeDestroy:
			s.w.Destroy(c.e, s.Tick)
		case changeOwner:
			s.w.SetOwner(c.e, uint16(c.at))
		}
	}
	s.changes, s.added = s.changes[:0], s.added[:0]
}

package sim

import (
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/tick"
)

// Scene sets how the page of the demo shows the game in three dimensions: a
// function that puts instances of simple meshes into a scene, once a frame,
// and once more for each ghost (another world, such as the server's).
func (g *Game) Scene(f func(*Scene)) *Game {
	g.mustBeOpen()
	g.scene = f
	return g
}

// Scenery sets what of the scene never changes, such as floor and walls. It
// runs once: the instances are the scene's, and the picture is painted on the
// ground (at height 0, the picture's y away from the viewer).
func (g *Game) Scenery(f func(*Scene, *Picture)) *Game {
	g.mustBeOpen()
	g.scenery = f
	return g
}

// Staging returns what Scene and Scenery set; either may be nil.
func (g *Game) Staging() (func(*Scene), func(*Scene, *Picture)) { return g.scene, g.scenery }

// Mesh is the shape of an instance. All have a size of one metre each way, and
// their middle in the origin.
type Mesh uint8

const (
	MeshBox     Mesh = iota
	MeshSphere       // diameter 1
	MeshPuck         // a flat cylinder with bevelled edges, upright
	MeshCapsule      // upright, diameter 1: higher by the size's Y, with round ends
	MeshPlane        // level, seen from above
	MeshRing         // level, thin, diameter 1
	MeshChevron      // level, its tip to +X
	Meshes
)

// Flags of an instance.
const (
	FlagOwn      = 1 << iota // of the player's own entity
	FlagPlayer               // of an entity that a player owns
	FlagServer               // a ghost: as the server has it
	FlagSnapshot             // a ghost: as the last snapshot had it
	FlagEffect               // there for a moment
)

// Instance is one mesh in a scene.
//
// The axes are right-handed: x to the right, y up, z to the viewer, in metres.
// A game on a plane (x, y) has it at (x, 0, -y); see OnPlane.
type Instance struct {
	Mesh   Mesh
	Pos    geom.Vec3
	Rot    geom.Quat // zero: not turned
	Size   geom.Vec3
	Colour Colour
	Fade   float32     // 0 opaque, 1 not to be seen
	Entity tick.Entity // whose it is; the ghosts are those that have one
	Effect bool        // it is there for a moment
}

// OnPlane is the place of a point of a flat game, at a height.
func OnPlane(p geom.Vec2, height float32) geom.Vec3 { return geom.V3(p.X, height, 0-p.Y) }

// Upright turns about the vertical: a direction (1, 0) of a flat game to angle.
func Upright(angle float32) geom.Quat { return geom.FromAxisAngle(geom.V3(0, 1, 0), angle) }

// Scene is one frame of a game in three dimensions: what there is to show, and
// the instances added so far.
type Scene struct {
	World   *ecs.World // as shown
	Me      tick.Entity
	Player  Player
	Effects []Shown // recent ones, oldest first

	// Least and Most are the corners of all that is to be seen, set by View.
	Least, Most geom.Vec3

	// OwnPos is where the player is, and OwnKnown that he is anywhere: the game
	// sets them with Own. The camera follows it.
	OwnPos   geom.Vec3
	OwnKnown bool

	// Poses has InstanceSize numbers for each instance: mesh, x, y, z, the
	// rotation's x, y, z, w, the size's x, y, z, colour, opacity, the entity's
	// index, flags, the player who owns it.
	Poses []float32

	// Labels has LabelSize numbers for each label: x, y, z, player, number, flags.
	Labels []float32

	ghost int // the flag of what is added, 0 for the world that is shown
}

const (
	InstanceSize = 16 // numbers of an instance in Scene.Poses
	LabelSize    = 6  // numbers of a label in Scene.Labels
)

// Begin empties the scene.
func (s *Scene) Begin() {
	s.Poses, s.Labels, s.OwnKnown, s.ghost = s.Poses[:0], s.Labels[:0], false, 0
}

// Ghosts runs a game's function over another world and adds what of it belongs
// to an entity, marked with the flag.
func (s *Scene) Ghosts(f func(*Scene), w *ecs.World, flag int) {
	shown, effects := s.World, s.Effects
	s.World, s.Effects, s.ghost = w, nil, flag
	f(s)
	s.World, s.Effects, s.ghost = shown, effects, 0
}

// View says what there is to be seen, by two corners of a box.
func (s *Scene) View(least, most geom.Vec3) { s.Least, s.Most = least, most }

// Own says where the player is.
func (s *Scene) Own(at geom.Vec3) {
	if s.ghost == 0 {
		s.OwnPos, s.OwnKnown = at, true
	}
}

// Add adds an instance.
func (s *Scene) Add(i Instance) {
	flags, owner := s.ghost, NoPlayer
	if i.Effect {
		flags |= FlagEffect
	}
	if i.Entity == tick.NoEntity {
		if s.ghost != 0 {
			return
		}
	} else {
		flags |= s.flagsOf(i.Entity)
		owner = Player(s.World.Owner(i.Entity))
	}
	q := i.Rot
	if q == (geom.Quat{}) {
		q = geom.Identity()
	}
	s.Poses = append(s.Poses, float32(i.Mesh), i.Pos.X, i.Pos.Y, i.Pos.Z, q.X, q.Y, q.Z, q.W,
		i.Size.X, i.Size.Y, i.Size.Z, float32(i.Colour&0xffffff), 1-i.Fade, float32(i.Entity.Index()), float32(flags), float32(owner))
}

// Label puts a player's name over an entity of his, and behind it a number if
// that is not negative.
func (s *Scene) Label(e tick.Entity, at geom.Vec3, n int) {
	if s.ghost == 0 {
		s.Labels = append(s.Labels, at.X, at.Y, at.Z, float32(s.World.Owner(e)), float32(n), float32(s.flagsOf(e)))
	}
}

func (s *Scene) flagsOf(e tick.Entity) int {
	flags := 0
	if e == s.Me {
		flags |= FlagOwn
	}
	if s.World.Owner(e) != uint16(NoPlayer) {
		flags |= FlagPlayer
	}
	return flags
}

package sim_test

import (
	"testing"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// stageWorld has three entities: of player 1, of player 2, of nobody.
func stageWorld() (*ecs.World, [3]tick.Entity) {
	w := ecs.New(nil)
	var es [3]tick.Entity
	for i := range es {
		es[i] = tick.MakeEntity(uint16(i+1), 7)
		w.Insert(es[i])
		w.SetOwner(es[i], uint16(i+1)%3)
	}
	return w, es
}

// instance is the i-th of a scene.
func instance(t *testing.T, s *sim.Scene, i int) []float32 {
	t.Helper()
	if len(s.Poses)%sim.InstanceSize != 0 || len(s.Poses) < (i+1)*sim.InstanceSize {
		t.Fatalf("%d numbers, no instance %d", len(s.Poses), i)
	}
	return s.Poses[i*sim.InstanceSize : (i+1)*sim.InstanceSize]
}

func TestSceneLaysOutInstances(t *testing.T) {
	w, es := stageWorld()
	s := sim.Scene{World: w, Me: es[0]}
	s.Begin()
	s.Add(sim.Instance{Mesh: sim.MeshPuck, Pos: geom.V3(1, 2, 3), Size: geom.V3(4, 5, 6), Colour: 0x12abcdef, Fade: 0.25, Entity: es[0]})
	s.Add(sim.Instance{Mesh: sim.MeshChevron, Rot: sim.Upright(geom.Pi), Entity: es[1], Effect: true})
	s.Add(sim.Instance{Entity: es[2]})
	s.Add(sim.Instance{})
	want := [sim.InstanceSize]float32{2, 1, 2, 3, 0, 0, 0, 1, 4, 5, 6, 0xabcdef, 0.75, 1, sim.FlagOwn | sim.FlagPlayer, 1}
	if got := [sim.InstanceSize]float32(instance(t, &s, 0)); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	for i, want := range [][3]float32{ // entity, flags, owner
		1: {2, sim.FlagPlayer | sim.FlagEffect, 2}, 2: {3, 0, 0}, 3: {0, 0, 0},
	} {
		if got := [3]float32(instance(t, &s, i)[13:]); i > 0 && got != want {
			t.Errorf("instance %d: entity, flags and owner %v, want %v", i, got, want)
		}
	}
	if y, tip := instance(t, &s, 1)[5], sim.Upright(geom.Pi/2).Rotate(geom.V3(1, 0, 0)); y != 1 || tip.Z > -0.999 {
		t.Errorf("half a turn is %v about y, a quarter turns x to %v: want 1, and -z", y, tip)
	}
	if p := sim.OnPlane(geom.V2(3, 4), 5); p != geom.V3(3, 5, -4) {
		t.Errorf("on the plane: %v", p)
	}
	s.Begin()
	if len(s.Poses) != 0 {
		t.Error("a new frame has instances")
	}
}

// A ghost is of entities only, and neither moves the camera nor names anyone.
func TestSceneGhosts(t *testing.T) {
	w, es := stageWorld()
	other, _ := stageWorld()
	other.Destroy(es[1], 0)
	s := sim.Scene{World: w, Me: es[0], Effects: make([]sim.Shown, 1)}
	seen := 0
	stage := func(s *sim.Scene) {
		for i, e := range s.World.Entities() {
			s.Add(sim.Instance{Entity: e})
			s.Label(e, geom.Vec3{}, i)
		}
		s.Add(sim.Instance{Mesh: sim.MeshBox}) // nobody's
		s.Own(geom.V3(float32(len(s.World.Entities())), 0, 0))
		seen += len(s.Effects)
	}
	s.Begin()
	stage(&s)
	s.Ghosts(stage, other, sim.FlagServer)
	if n := len(s.Poses) / sim.InstanceSize; n != 3+1+2 {
		t.Fatalf("%d instances, want 4 and 2 ghosts", n)
	}
	for i, want := range []float32{sim.FlagOwn | sim.FlagPlayer, sim.FlagPlayer, 0, 0, sim.FlagServer | sim.FlagOwn | sim.FlagPlayer, sim.FlagServer} {
		if got := instance(t, &s, i)[14]; got != want {
			t.Errorf("instance %d has flags %v, want %v", i, got, want)
		}
	}
	if n := len(s.Labels) / sim.LabelSize; n != 3 || s.OwnPos.X != 3 || seen != 1 || s.World != w || len(s.Effects) != 1 {
		t.Errorf("%d labels, own at %v, %d effects seen, want 3, 3 and 1; and all as it was", n, s.OwnPos.X, seen)
	}
}

func TestSceneDoesNotAllocate(t *testing.T) {
	w, es := stageWorld()
	s := sim.Scene{World: w, Me: es[0]}
	stage := func(s *sim.Scene) {
		for _, e := range s.World.Entities() {
			s.Add(sim.Instance{Mesh: sim.MeshSphere, Rot: sim.Upright(1), Entity: e})
			s.Label(e, geom.Vec3{}, 1)
		}
	}
	frame := func() {
		s.Begin()
		stage(&s)
		s.Ghosts(stage, w, sim.FlagSnapshot)
	}
	frame()
	if n := testing.AllocsPerRun(100, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

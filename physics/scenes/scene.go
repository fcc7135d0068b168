package scenes

import (
	"math"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// Body is a body and its life: it is added before step From is taken, and
// removed before step Until; Until 0 is the end of the scene.
type Body struct {
	ID          physics.ID
	Def         physics.Def
	State       physics.State
	From, Until int
}

// Op says what an Act does.
type Op uint8

const (
	Push    Op = iota // adds V to the velocity
	Steer             // sets the velocity's X and Z to those of V
	MoveTo            // is a kinematic body's target: V, Rot
	Impulse           // is V, in newton seconds, at the body's origin
	Force             // is V, in newtons, for one step
	Torque            // is V, in newton metres, for one step
	Place             // teleports to V, Rot
)

// Act is one thing that is done to a body before a step.
type Act struct {
	Op  Op
	ID  physics.ID
	V   geom.Vec3
	Rot geom.Quat
}

// Scene is a scene as data. Do not change it; it may be shared.
type Scene struct {
	Name   string
	Steps  int
	Config physics.Config
	Bodies []Body // in order of creation, which is the order of ids
	Meshes []Mesh // geometry of the bodies with a mesh, for those who draw
	Fields []Grid // the same of height fields

	acts func(step int, out []Act) []Act // nil: nothing is done
}

// Mesh is the geometry of one body with a mesh.
type Mesh struct {
	ID        physics.ID
	Vertices  []geom.Vec3
	Triangles [][3]uint32
}

// New returns the scene's World before its first step.
func (s *Scene) New() *physics.World {
	w := physics.New(s.Config)
	for i := range s.Bodies {
		if b := &s.Bodies[i]; b.From == 0 {
			must(w.Add(b.ID, b.Def, b.State))
		}
	}
	return w
}

// Acts appends what is done before a step, in this order.
func (s *Scene) Acts(step int, out []Act) []Act {
	if s.acts == nil {
		return out
	}
	return s.acts(step, out)
}

// Driver does what a scene asks for. It keeps scratch memory and nothing else.
type Driver struct{ acts []Act }

// Drive does to w what stands before a step: bodies that go, bodies that come,
// acts. What names a body that a game has removed is passed over.
func (d *Driver) Drive(s *Scene, w *physics.World, step int) {
	s.comeAndGo(w, step)
	d.acts = s.Acts(step, d.acts[:0])
	for i := range d.acts {
		d.acts[i].do(w)
	}
}

func (s *Scene) comeAndGo(w *physics.World, step int) {
	for i := range s.Bodies {
		if b := &s.Bodies[i]; b.Until == step && step > 0 {
			w.Remove(b.ID)
		}
	}
	for i := range s.Bodies {
		if b := &s.Bodies[i]; b.From == step && step > 0 {
			must(w.Add(b.ID, b.Def, b.State))
		}
	}
}

func (a *Act) do(w *physics.World) {
	var err error
	switch st, ok := w.State(a.ID); {
	case !ok:
	case a.Op == Push:
		err = w.SetVelocity(a.ID, st.Vel.Add(a.V), st.Spin)
	case a.Op == Steer:
		err = w.SetVelocity(a.ID, geom.V3(a.V.X, st.Vel.Y, a.V.Z), st.Spin)
	case a.Op == MoveTo:
		err = w.MoveTo(a.ID, a.V, a.Rot)
	case a.Op == Impulse:
		err = w.ApplyImpulse(a.ID, a.V, st.Pos)
	case a.Op == Force:
		err = w.AddForce(a.ID, a.V)
	case a.Op == Torque:
		err = w.AddTorque(a.ID, a.V)
	case a.Op == Place:
		err = w.Move(a.ID, a.V, a.Rot)
	}
	must(err)
}

// must is for what stands in this package's own data.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Hash returns FNV-1a, 64 bits wide, over position, rotation, velocity and
// spin of each dynamic body in order, as little-endian float32: the same as of
// any other engine's scene. It leaves Still out.
func Hash(w *physics.World) uint64 {
	h := uint64(fnvOffset)
	states := w.States()
	for i, id := range w.Bodies() {
		if d, _ := w.Def(id); d.Kind != physics.Dynamic {
			continue
		}
		st := &states[i]
		for _, x := range [...]float32{
			st.Pos.X, st.Pos.Y, st.Pos.Z, st.Rot.X, st.Rot.Y, st.Rot.Z, st.Rot.W,
			st.Vel.X, st.Vel.Y, st.Vel.Z, st.Spin.X, st.Spin.Y, st.Spin.Z,
		} {
			b := math.Float32bits(x)
			for range 4 {
				h = (h ^ uint64(b&0xff)) * fnvPrime
				b >>= 8
			}
		}
	}
	return h
}

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// Item is a body to draw.
type Item struct {
	ID     physics.ID
	Kind   physics.Kind
	Flags  physics.Flags
	Asleep bool
	Shape  shape.Shape
	Pos    geom.Vec3
	Rot    geom.Quat
}

// Items appends the bodies of the scene that are in w: static ones as the
// scene has them, then the moving ones.
func (s *Scene) Items(w *physics.World, out []Item) []Item {
	for i := range s.Bodies {
		if b := &s.Bodies[i]; b.Def.Kind == physics.Static && w.Has(b.ID) {
			out = append(out, Item{b.ID, b.Def.Kind, b.Def.Flags, false, b.Def.Shape, b.State.Pos, b.State.Rot})
		}
	}
	states := w.States()
	for i, id := range w.Bodies() {
		d, _ := w.Def(id)
		st := &states[i]
		out = append(out, Item{id, d.Kind, d.Flags, st.Still == physics.Asleep, d.Shape, st.Pos, st.Rot})
	}
	return out
}

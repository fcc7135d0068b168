package rapier

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// caller makes calls that a game in trouble might make: sizes, places, speeds
// and masses over many orders of magnitude, and values that are none.
type caller struct {
	*rand.Rand
	st     *shape.Store
	shapes []shape.Shape

	added, moving, hits, touches int // what came of it
}

func (c *caller) number(scale float64) float32 {
	switch c.IntN(400) {
	case 0:
		return float32(math.NaN())
	case 1:
		return float32(math.Inf(1))
	case 2:
		return 1e30
	case 3:
		return 0
	}
	return float32(c.NormFloat64() * math.Pow(10, c.Float64()*4-2) * scale)
}

func (c *caller) vec(scale float64) geom.Vec3 {
	return geom.V3(c.number(scale), c.number(scale), c.number(scale))
}

func (c *caller) size() float32 { return float32(math.Pow(10, c.Float64()*4-2.5)) }

func (c *caller) quat() geom.Quat {
	q := c.vec(1)
	return geom.Quat{X: q.X, Y: q.Y, Z: q.Z, W: c.number(1)}
}

// shape returns one that is new or was made before.
func (c *caller) shape() shape.Shape {
	if len(c.shapes) > 0 && c.IntN(2) == 0 {
		return c.shapes[c.IntN(len(c.shapes))]
	}
	s, err := c.make()
	if err == nil {
		c.shapes = append(c.shapes, s)
	}
	return s
}

func (c *caller) make() (shape.Shape, error) {
	points := make([]geom.Vec3, 3+c.IntN(30))
	for i := range points {
		points[i] = c.vec(1)
	}
	switch c.IntN(7) {
	case 0:
		return shape.NewSphere(c.size())
	case 1:
		return shape.NewCapsule(c.size(), c.size())
	case 2:
		return shape.NewBox(geom.V3(c.size(), c.size(), c.size()))
	case 3:
		return c.st.AddHull(points)
	case 4:
		var tris [][3]uint32
		for range 1 + c.IntN(20) {
			n := uint32(len(points))
			tris = append(tris, [3]uint32{c.Uint32N(n), c.Uint32N(n), c.Uint32N(n)})
		}
		return c.st.AddMesh(points, tris)
	case 5:
		heights := make([]float32, 16)
		for i := range heights {
			heights[i] = float32(c.NormFloat64())
		}
		return c.st.AddField(4, 4, c.size(), heights)
	}
	var parts []shape.Piece
	for range 1 + c.IntN(4) {
		s, _ := shape.NewBox(geom.V3(c.size(), c.size(), c.size()))
		parts = append(parts, shape.Piece{Shape: s, Pos: c.vec(1), Rot: geom.FromAxisAngle(geom.V3(0, 1, 0), 1)})
	}
	return c.st.AddCompound(parts)
}

func (c *caller) def() physics.Def {
	d := physics.NewDef(physics.Kind(c.IntN(3)), c.shape())
	d.Layer, d.Lock, d.Flags = uint8(c.IntN(33)), physics.Lock(c.IntN(64)*c.IntN(2)), physics.Flags(c.IntN(8)*c.IntN(2))
	if c.IntN(3) == 0 {
		d.Collides = c.Uint32()
	}
	if c.IntN(3) == 0 {
		d.Density, d.Friction, d.Restitution = c.number(1000), c.number(1), c.Float32()
		d.LinearDamping, d.AngularDamping, d.Gravity = c.number(1), c.number(1), c.number(1)
	}
	return d
}

// call makes one call and says which.
func (c *caller) call(t *testing.T, w *World) {
	id := physics.ID(c.IntN(60))
	q := &physics.Query{Behind: c.number(3)}
	if c.IntN(2) == 0 {
		q.Layers, q.Ignore = c.Uint32(), []physics.ID{id, id + 1}
	}
	capsule := physics.Capsule{Pos: c.vec(5), Rot: c.quat(), Radius: c.number(1), HalfHeight: c.number(1)}
	switch c.IntN(12) {
	case 0, 1, 2:
		d := c.def()
		if w.Add(id, d, physics.State{Pos: c.vec(5), Rot: c.quat(), Vel: c.vec(5), Spin: c.vec(5)}) == nil {
			c.added++
			if d.Kind == physics.Dynamic {
				c.moving++
			}
		}
	case 3:
		w.Remove(id)
	case 4:
		w.Move(id, c.vec(5), c.quat())
	case 5:
		w.SetVelocity(id, c.vec(20), c.vec(20))
	case 6:
		w.ApplyImpulse(id, c.vec(1000), c.vec(5))
	case 7:
		c.finiteHit(t)(w.RayCast(c.vec(5), c.vec(20), q))
	case 8:
		c.finiteHit(t)(w.SphereCast(c.number(1), c.vec(5), c.vec(20), q))
	case 9:
		c.finiteHit(t)(w.CapsuleCast(capsule, c.vec(20), q))
	case 10:
		for _, o := range w.CapsuleOverlap(capsule, q, nil) {
			c.touches++
			if !o.Point.Finite() || !o.Normal.Finite() || !geom.Finite(o.Depth) || geom.Abs(o.Normal.Len()-1) > 0.01 {
				t.Errorf("capsule %+v touches %+v", capsule, o)
			}
		}
	case 11:
		if c.IntN(4) == 0 {
			w.SetTick(c.Uint32N(100))
		}
		w.Record()
	}
}

func (c *caller) finiteHit(t *testing.T) func(physics.Hit, bool) {
	return func(h physics.Hit, ok bool) {
		if ok {
			c.hits++
		}
		if !h.Point.Finite() || !h.Normal.Finite() || !(h.Fraction >= 0 && h.Fraction <= 1) || ok && geom.Abs(h.Normal.Len()-1) > 0.01 {
			t.Errorf("a cast meets %+v", h)
		}
	}
}

// TestAnyCalls makes many such calls: no error of Rapier's own comes of them,
// and no state or answer that is not a number.
func TestAnyCalls(t *testing.T) {
	seed, rounds := uint64(1), 30
	if testing.Short() {
		rounds = 5
	}
	var added, moving, hits, touches int
	for round := range rounds {
		c := &caller{Rand: rand.New(rand.NewPCG(seed, uint64(round))), st: &shape.Store{}}
		w := world(t, physics.Config{Gravity: physics.Earth, Past: 4, Shapes: c.st})
		for n := range 400 {
			c.call(t, w)
			if c.IntN(5) == 0 {
				w.Step()
			}
			if err := w.Err(); err != nil {
				t.Fatalf("round %d, call %d: %v", round, n, err)
			}
			for i := range w.bodies {
				if s := w.bodies[i].st; !s.Pos.Finite() || !s.Rot.Finite() || !s.Vel.Finite() || !s.Spin.Finite() {
					t.Fatalf("round %d, call %d: body %d is %v", round, n, w.bodies[i].id, s)
				}
			}
		}
		w.Close()
		added, moving, hits, touches = added+c.added, moving+c.moving, hits+c.hits, touches+c.touches
	}
	t.Logf("seed %d: %d bodies, %d of them dynamic, %d casts met something, %d overlaps", seed, added, moving, hits, touches)
	if added < 20*rounds || moving < 5*rounds || hits < 5*rounds || touches < 5*rounds {
		t.Error("hardly anything came of it")
	}
}

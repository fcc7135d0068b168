package scenes_test

import (
	"math"
	"math/rand/v2"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
	"github.com/foretick/foretick/shape"
)

// kit builds random scenes.
type kit struct {
	*scenes.Scene
	r  *rand.Rand
	st *shape.Store
}

func newKit(r *rand.Rand, gravity geom.Vec3) *kit {
	st := &shape.Store{}
	return &kit{&scenes.Scene{
		Name: "random", Steps: 1 << 30,
		Config: physics.Config{Gravity: gravity, Shapes: st},
	}, r, st}
}

func (k *kit) in(from, to float32) float32 { return from + (to-from)*k.r.Float32() }

// vec is uniform in a ball.
func (k *kit) vec(radius float32) geom.Vec3 {
	for {
		if v := geom.V3(k.in(-1, 1), k.in(-1, 1), k.in(-1, 1)); v.Len2() <= 1 {
			return v.Mul(radius)
		}
	}
}

func (k *kit) rot() geom.Quat {
	q := geom.Quat{X: float32(k.r.NormFloat64()), Y: float32(k.r.NormFloat64()), Z: float32(k.r.NormFloat64()), W: float32(k.r.NormFloat64())}
	return q.Norm()
}

// points of a hull, some of which are not corners.
func (k *kit) points(size float32) []geom.Vec3 {
	var out []geom.Vec3
	for range 5 + k.r.IntN(12) {
		v := k.vec(1).Norm().Mul(k.in(0.5, 1) * size)
		v.Y *= 0.7
		out = append(out, v)
	}
	return out
}

// convex returns a sphere, capsule, box or hull of about a size.
func (k *kit) convex(size float32) shape.Shape {
	switch k.r.IntN(4) {
	case 0:
		return shape.Must(shape.NewSphere(size))
	case 1:
		return shape.Must(shape.NewCapsule(size*k.in(0.3, 0.7), size*k.in(0.2, 1)))
	case 2:
		return shape.Must(shape.NewBox(geom.V3(size*k.in(0.3, 1), size*k.in(0.3, 1), size*k.in(0.3, 1))))
	}
	for {
		if s, err := k.st.AddHull(k.points(size)); err == nil {
			return s
		}
	}
}

// shape is convex, or a compound of two or three that overlap.
func (k *kit) shape(size float32) shape.Shape {
	if k.r.IntN(5) > 0 {
		return k.convex(size)
	}
	var ps []shape.Piece
	for range 2 + k.r.IntN(2) {
		ps = append(ps, shape.Piece{Shape: k.convex(size * 0.7), Pos: k.vec(size * 0.7), Rot: k.rot()})
	}
	return shape.Must(k.st.AddCompound(ps))
}

func (k *kit) put(d physics.Def, st physics.State) *scenes.Body {
	k.Bodies = append(k.Bodies, scenes.Body{ID: physics.ID(len(k.Bodies) + 1), Def: d, State: st})
	return &k.Bodies[len(k.Bodies)-1]
}

func (k *kit) box(half, pos geom.Vec3) *scenes.Body {
	return k.put(physics.NewDef(physics.Static, shape.Must(shape.NewBox(half))), physics.At(pos, geom.Identity()))
}

// scatter puts up to n dynamic bodies into a ball around a place, none of which
// overlap, moving at up to some speed. It returns where they begin.
func (k *kit) scatter(n int, centre geom.Vec3, radius, speed float32) int {
	first := len(k.Bodies)
next:
	for range n {
		d := physics.NewDef(physics.Dynamic, k.shape(k.in(0.15, 0.7)))
		d.Restitution, d.Friction, d.Density = k.in(0, 1), k.in(0, 1), k.in(200, 3000)
		for range 40 {
			st := physics.At(centre.Add(k.vec(radius)), k.rot())
			if k.room(d.Shape, st.Pos, first) {
				st.Vel, st.Spin = k.vec(speed), k.vec(speed*2)
				st.Vel = st.Vel.Add(centre.Sub(st.Pos).Norm().Mul(speed / 2))
				k.put(d, st)
				continue next
			}
		}
	}
	return first
}

// room tells whether a shape is clear of the bodies from first on.
func (k *kit) room(s shape.Shape, at geom.Vec3, first int) bool {
	for i := first; i < len(k.Bodies); i++ {
		b := &k.Bodies[i]
		if b.State.Pos.Dist(at) < k.st.Reach(s)+k.st.Reach(b.Def.Shape)+0.02 {
			return false
		}
	}
	return true
}

// walls closes a room from below, or all around, of a half width.
func (k *kit) walls(half float32, all bool) {
	k.box(geom.V3(half+2, 1, half+2), geom.V3(0, -1, 0))
	if !all {
		return
	}
	k.box(geom.V3(half+2, 1, half+2), geom.V3(0, 2*half+1, 0))
	for _, side := range [...]float32{-1, 1} {
		k.box(geom.V3(1, half, half+2), geom.V3(side*(half+1), half, 0))
		k.box(geom.V3(half+2, half, 1), geom.V3(0, half, side*(half+1)))
	}
}

// swarm is fast bodies in a narrow place, of all kinds, some asleep.
func swarm(r *rand.Rand) *scenes.Scene {
	k := newKit(r, geom.V3(0, -9.81, 0))
	if r.IntN(2) == 0 {
		k.walls(4, r.IntN(2) == 0)
	}
	speed := float32(math.Exp(r.Float64() * 5)) // to 150 m/s
	first := k.scatter(3+r.IntN(14), geom.V3(0, 4, 0), k.in(2, 4), speed)
	for i := first; i < len(k.Bodies); i++ {
		b := &k.Bodies[i]
		switch r.IntN(10) {
		case 0:
			b.Def.Kind = physics.Kinematic
		case 1:
			b.Def.Flags |= physics.Sensor | physics.Events
		case 2, 3:
			b.State = physics.At(b.State.Pos, b.State.Rot)
			b.State.Still = physics.Asleep
		case 4:
			b.Def.Layer, b.Def.Collides = 1, ^uint32(2)
		case 5:
			b.Def.Lock = physics.Lock(r.IntN(64))
		}
		if r.IntN(2) == 0 {
			b.Def.Flags |= physics.Events
		}
	}
	return k.Scene
}

func (x *script) hull(st *shape.Store) shape.Shape {
	p := make([]geom.Vec3, 3+x.n(9))
	for i := range p {
		p[i] = x.vec(1)
	}
	s, _ := st.AddHull(p)
	return s
}

func (x *script) compound(st *shape.Store) shape.Shape {
	ps := make([]shape.Piece, 1+x.n(3))
	for i := range ps {
		half := geom.V3(x.value(0.05, 1), x.value(0.05, 1), x.value(0.05, 1))
		s := shape.Shape{Kind: shape.Box, A: half.X, B: half.Y, C: half.Z}
		if x.byte() < 100 {
			s = x.hull(st)
		}
		ps[i] = shape.Piece{Shape: s, Pos: x.vec(1.5), Rot: x.rot()}
	}
	s, _ := st.AddCompound(ps)
	return s
}

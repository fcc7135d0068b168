package scenes_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// v3 is a point in float64, for what is checked against.
type v3 [3]float64

func v64(v geom.Vec3) v3 { return v3{float64(v.X), float64(v.Y), float64(v.Z)} }

func (a v3) sub(b v3) v3 { return v3{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a v3) dot(b v3) float64 {
	return a[0]*b[0] + a[1]*b[1] + a[2]*b[2]
}
func (a v3) cross(b v3) v3 {
	return v3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// meets tells whether the line from a to b goes through a triangle.
func meets(a, b v3, t [3]v3) bool {
	d, e1, e2 := b.sub(a), t[1].sub(t[0]), t[2].sub(t[0])
	p := d.cross(e2)
	det := e1.dot(p)
	if det > -1e-18 && det < 1e-18 {
		return false
	}
	s := a.sub(t[0])
	u := s.dot(p) / det
	q := s.cross(e1)
	v := d.dot(q) / det
	at := e2.dot(q) / det
	return u >= 0 && v >= 0 && u+v <= 1 && at >= 0 && at <= 1
}

// target is a static body and its surface.
type target struct {
	tris  [][3]v3
	aim   func() geom.Vec3 // a point of it
	front bool             // it is shot at from above only
}

var boxFaces = [12][3]int{
	{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5},
}

// slab is a box 0.1 m thick, standing anyhow.
func (k *kit) slab() target {
	half := geom.V3(2, 0.05, 2)
	b := k.box(half, geom.Vec3{})
	b.State.Rot = k.rot()
	q := b.State.Rot
	var c [8]v3
	for i := range c {
		v := half
		for bit, x := range [3]*float32{&v.X, &v.Y, &v.Z} {
			if i>>bit&1 == 0 {
				*x = -*x
			}
		}
		c[i] = v64(q.Rotate(v))
	}
	t := target{aim: func() geom.Vec3 { return q.Rotate(geom.V3(k.in(-1.9, 1.9), k.in(-0.04, 0.04), k.in(-1.9, 1.9))) }}
	for _, f := range boxFaces {
		t.tris = append(t.tris, [3]v3{c[f[0]], c[f[1]], c[f[2]]})
	}
	return t
}

// seam is two triangles of a mesh that meet in an edge at any angle; shots go
// for the edge.
func (k *kit) seam() target {
	v := []geom.Vec3{geom.V3(-2, 0, 0), geom.V3(2, 0, 0), geom.V3(0, k.in(-1.5, 1.5), 2), geom.V3(0, k.in(-1.5, 1.5), -2)}
	tris := [][3]uint32{{0, 2, 1}, {0, 1, 3}}
	b := k.put(physics.NewDef(physics.Static, shape.Must(k.st.AddMesh(v, tris))), physics.At(geom.Vec3{}, k.rot()))
	q := b.State.Rot
	t := target{aim: func() geom.Vec3 { return q.Rotate(geom.V3(k.in(-1.5, 1.5), 0, 0)).Add(k.vec(0.05)) }}
	for _, f := range tris {
		t.tris = append(t.tris, [3]v3{v64(q.Rotate(v[f[0]])), v64(q.Rotate(v[f[1]])), v64(q.Rotate(v[f[2]]))})
	}
	return t
}

// field is a height field of eight by eight cells.
func (k *kit) field() target {
	const n = 9
	var h []float32
	for range n * n {
		h = append(h, k.in(-0.4, 0.4))
	}
	at := geom.V3(-2, 0, -2)
	k.put(physics.NewDef(physics.Static, shape.Must(k.st.AddField(n, n, 0.5, h))), physics.At(at, geom.Identity()))
	p := func(i, j int) v3 { return v64(geom.V3(float32(i)*0.5, h[j*n+i], float32(j)*0.5).Add(at)) }
	t := target{front: true, aim: func() geom.Vec3 { return geom.V3(k.in(-1.8, 1.8), 0, k.in(-1.8, 1.8)) }}
	for j := range n - 1 {
		for i := range n - 1 {
			t.tris = append(t.tris, [3]v3{p(i, j), p(i, j+1), p(i+1, j)}, [3]v3{p(i+1, j), p(i, j+1), p(i+1, j+1)})
		}
	}
	return t
}

// shoot adds a projectile at 200 m/s that does not touch others.
func (k *kit) shoot(t *target) {
	size := [...]float32{0.05, 0.1}[k.r.IntN(2)]
	var s shape.Shape
	switch k.r.IntN(3) {
	case 0:
		s = shape.Must(shape.NewSphere(size))
	case 1:
		s = shape.Must(shape.NewCapsule(size, size))
	default:
		s = shape.Must(shape.NewBox(geom.V3(size, size, size)))
	}
	d := physics.NewDef(physics.Dynamic, s)
	d.Layer, d.Collides, d.Restitution, d.Friction = 1, 1, k.in(0, 1), k.in(0, 1)
	dir := k.vec(1).Norm()
	if t.front && dir.Y > -0.2 {
		dir.Y = -0.2 - geom.Abs(dir.Y)
		dir = dir.Norm()
	}
	st := physics.At(t.aim().Sub(dir.Mul(k.in(3, 12))), k.rot())
	st.Vel, st.Spin = dir.Mul(200), k.vec(60)
	k.put(d, st)
}

const shotsAWorld = 20

// shots fires at a target of a kind and follows all centres for 15 steps.
func shots(i int, r *rand.Rand, hits *int) error {
	k := newKit(r, physics.Earth)
	make := [...]func() target{k.slab, k.seam, k.field}[i%3]
	t := make()
	first := len(k.Bodies)
	for range shotsAWorld {
		k.shoot(&t)
	}
	x := begin(k.Scene)
	was := append([]physics.State(nil), x.w.States()...)
	speed := was[0].Vel
	for x.step < 15 {
		x.next()
		for n, st := range x.w.States() {
			a, b := v64(was[n].Pos), v64(st.Pos)
			for ti, tri := range t.tris {
				if meets(a, b, tri) {
					return fmt.Errorf("step %d: shot %d (%v) goes through triangle %d of %s, from %v to %v",
						x.step-1, n, k.Bodies[first+n].Def.Shape.Kind, ti, [...]string{"the slab", "the seam", "the field"}[i%3], a, b)
				}
			}
		}
		was = append(was[:0], x.w.States()...)
	}
	if speed.Sub(was[0].Vel).Len() > 50 {
		*hits++
	}
	return nil
}

// TestShots fires 10,000 spheres, capsules and spinning boxes at thin things.
func TestShots(t *testing.T) {
	n := count(10_000) / shotsAWorld
	hits := 0
	each(t, n, func(i int, r *rand.Rand) error { return shots(i, r, &hits) })
	t.Logf("%d shots; %.0f %% hit", n*shotsAWorld, 100*float64(hits)/float64(n))
}

// TestShotsSeen is the negative control: shots that touch nothing are seen to
// cross each target.
func TestShotsSeen(t *testing.T) {
	for i := range 3 {
		k := newKit(rand.New(rand.NewPCG(7, uint64(i))), geom.Vec3{})
		tg := [...]func() target{k.slab, k.seam, k.field}[i]()
		seen := 0
		for range 100 {
			k.shoot(&tg)
			st := k.Bodies[len(k.Bodies)-1].State
			for _, tri := range tg.tris {
				if meets(v64(st.Pos), v64(st.Pos.Add(st.Vel)), tri) {
					seen++
					break
				}
			}
		}
		if seen < 80 {
			t.Errorf("target %d: %d of 100 ghosts are seen", i, seen)
		}
	}
}

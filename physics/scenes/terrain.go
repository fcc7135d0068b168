package scenes

import (
	"math"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// terrainCells is the number of quads of the terrain along an edge, each a
// metre wide.
const terrainCells = 100

// wave is a sine of period 1, made of two parabolas so that every language
// computes the same.
func wave(t float64) float64 {
	t -= math.Floor(t)
	if t < 0.5 {
		return float64(float64(16*t) * (0.5 - t))
	}
	return float64(float64(-16*(t-0.5)) * (1 - t))
}

// terrainHeight is the height of a vertex; i counts along X, j along Z.
func terrainHeight(i, j int) float64 {
	x, z := float64(i), float64(j)
	return float64(14*wave(x/100)) + float64(4*wave(z/50+0.25)) + float64(2*wave((x+z)/25))
}

// Terrain returns 20,000 triangles of 100 by 100 metres, centred, 39 m high.
func Terrain() (vertices []geom.Vec3, triangles [][3]uint32) {
	const n = terrainCells + 1
	for j := range n {
		for i := range n {
			vertices = append(vertices, geom.V3(float32(i-50), float32(terrainHeight(i, j)), float32(j-50)))
		}
	}
	for j := range uint32(terrainCells) {
		for i := range uint32(terrainCells) {
			v := j*n + i
			triangles = append(triangles, [3]uint32{v, v + n, v + 1}, [3]uint32{v + 1, v + n, v + n + 1})
		}
	}
	return vertices, triangles
}

func addTerrain(b builder) {
	v, t := Terrain()
	s := b.mesh(v, t)
	b.add(physics.NewDef(physics.Static, s), 0, 0, 0)
	b.Meshes = append(b.Meshes, Mesh{ID: b.Bodies[len(b.Bodies)-1].ID, Vertices: v, Triangles: t})
}

// S3 is a hilly terrain of triangles with 100 characters that walk and 100
// spheres that jump.
func S3() *Scene {
	b := begin("S3", 600, false)
	addTerrain(b)
	for _, x := range [...]float64{-51, 51} {
		b.add(box(physics.Static, 1, 100, 52), x, 0, 0)
	}
	for _, z := range [...]float64{-51, 51} {
		b.add(box(physics.Static, 52, 100, 1), 0, 0, z)
	}
	walker := physics.NewDef(physics.Dynamic, shape.Must(shape.NewCapsule(0.4, 0.5)))
	walker.Lock = physics.LockSpin
	for k := range 100 {
		x, z := -45+10*(k%10), -45+10*(k/10)
		b.add(walker, float64(x), terrainHeight(x+50, z+50)+1.5, float64(z))
	}
	ball := physics.NewDef(physics.Dynamic, shape.Must(shape.NewSphere(0.5)))
	ball.Restitution = 0.6
	for k := range 100 {
		x, z := -40+9*(k%10), -40+9*(k/10)
		b.add(ball, float64(x), terrainHeight(x+50, z+50)+8, float64(z))
	}
	b.acts = walkAndJump
	return b.Scene
}

// walkAndJump draws two numbers per walker every 60 steps, and then two per
// ball every 120.
func walkAndJump(step int, out []Act) []Act {
	const walkers, balls, first = 100, 100, physics.ID(6)
	turns, jumps := step/60, (step/60+1)/2 // before the last turn
	r := Rand(777)
	r.Skip(2 * (walkers*turns + balls*jumps))
	for i := range walkers {
		a, c := float64(2*r.Next())-1, float64(2*r.Next())-1
		l := math.Sqrt(float64(a*a) + float64(c*c))
		if l < 0.01 {
			a, c, l = 1, 0, 1
		}
		v := geom.V3(float32(float64(4*a)/l), 0, float32(float64(4*c)/l))
		out = append(out, Act{Op: Steer, ID: first + physics.ID(i), V: v})
	}
	if step%120 == 0 {
		for i := range balls {
			x, z := float64(8*r.Next())-4, float64(8*r.Next())-4
			out = append(out, Act{Op: Push, ID: first + walkers + physics.ID(i), V: geom.V3(float32(x), 8, float32(z))})
		}
	}
	return out
}

// S4 is the terrain with 2,000 boxes hanging in the air, for the casts of
// S4Rays and S4Sweeps.
func S4() *Scene {
	b := begin("S4", 0, false)
	addTerrain(b)
	s4Boxes(b)
	return b.Scene
}

// s4Boxes returns the generator as the casts find it.
func s4Boxes(b builder) Rand {
	r := Rand(4242)
	for range 2000 {
		hx, hy, hz := r.in(0.5, 1.5), r.in(0.5, 1.5), r.in(0.5, 1.5)
		x, y, z := r.in(-48, 96), r.in(-20, 60), r.in(-48, 96)
		qx, qy, qz, qw := r.in(-1, 2), r.in(-1, 2), r.in(-1, 2), r.in(0.1, 1)
		l := math.Sqrt(float64(qx*qx) + float64(qy*qy) + float64(qz*qz) + float64(qw*qw))
		body := b.add(box(physics.Static, float32(hx), float32(hy), float32(hz)), x, y, z)
		body.State.Rot = geom.Quat{X: float32(qx / l), Y: float32(qy / l), Z: float32(qz / l), W: float32(qw / l)}
	}
	return r
}

// Cast is a ray, or the way of a capsule's centre.
type Cast struct{ From, Move geom.Vec3 }

// S4Casts returns the 100,000 rays of S4, 50 m long, and the ways of its 20,000
// upright capsules (radius 0.4, half height 0.5), 10 m long.
func S4Casts() (rays, sweeps []Cast) {
	r := s4Boxes(begin("", 0, false))
	return casts(&r, 100_000, 50), casts(&r, 20_000, 10)
}

func casts(r *Rand, n int, length float64) []Cast {
	out := make([]Cast, n)
	for i := range out {
		x, y, z := r.in(-50, 100), r.in(-25, 70), r.in(-50, 100)
		for {
			dx, dy, dz := r.in(-1, 2), r.in(-1, 2), r.in(-1, 2)
			d2 := float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
			if d2 < 0.01 {
				continue
			}
			k := length / math.Sqrt(d2)
			out[i] = Cast{
				From: geom.V3(float32(x), float32(y), float32(z)),
				Move: geom.V3(float32(dx*k), float32(dy*k), float32(dz*k)),
			}
			break
		}
	}
	return out
}

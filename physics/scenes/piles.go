package scenes

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// builder puts bodies into a scene with the ids 1, 2, ...
type builder struct {
	*Scene
	store *shape.Store
}

func begin(name string, steps int, sleep bool) builder {
	st := &shape.Store{}
	c := physics.Config{Gravity: physics.Earth, NoSleep: !sleep, Shapes: st}
	return builder{&Scene{Name: name, Steps: steps, Config: c}, st}
}

// add adds a body at a place given in float64.
func (b builder) add(d physics.Def, x, y, z float64) *Body {
	b.Bodies = append(b.Bodies, Body{
		ID:    physics.ID(len(b.Bodies) + 1),
		Def:   d,
		State: physics.At(geom.V3(float32(x), float32(y), float32(z)), geom.Identity()),
	})
	return &b.Bodies[len(b.Bodies)-1]
}

func box(k physics.Kind, x, y, z float32) physics.Def {
	return physics.NewDef(k, shape.Must(shape.NewBox(geom.V3(x, y, z))))
}

func ground(b builder) { b.add(box(physics.Static, 100, 1, 100), 0, -1, 0) }

// S1 is a pyramid of 210 cubes, 20 high.
func S1() *Scene { return pyramid("S1", false) }

// S1sleep is S1 with sleep on.
func S1sleep() *Scene { return pyramid("S1sleep", true) }

func pyramid(name string, sleep bool) *Scene {
	b := begin(name, 600, sleep)
	ground(b)
	cube := box(physics.Dynamic, 0.5, 0.5, 0.5)
	for i := range 20 {
		for j := range 20 - i {
			b.add(cube, float64((float64(j)-float64(float64(19-i)*0.5))*1.1), 0.5+float64(i), 0)
		}
	}
	return b.Scene
}

// S2 is a block of 900 cubes that falls into a heap, with a large one on top.
func S2() *Scene { return heap("S2", false) }

// S2sleep is S2 with sleep on.
func S2sleep() *Scene { return heap("S2sleep", true) }

func heap(name string, sleep bool) *Scene {
	b := begin(name, 600, sleep)
	ground(b)
	cube := box(physics.Dynamic, 0.5, 0.5, 0.5)
	r := Rand(12345)
	for k := range 900 {
		ix, iz, iy := k%10, (k/10)%10, k/100
		jx := float64((r.Next() - 0.5) * 0.2)
		jz := float64((r.Next() - 0.5) * 0.2)
		b.add(cube,
			float64((float64(ix)-4.5)*1.2)+jx,
			1+float64(1.2*float64(iy)),
			float64((float64(iz)-4.5)*1.2)+jz)
	}
	b.add(box(physics.Dynamic, 1.5, 1.5, 1.5), 0.5, 20, 0.25)
	return b.Scene
}

// kickEvery is the steps between two kicks of S2x, of which there are six.
const (
	kickEvery = 100
	kicks     = 6
)

// S2x is S2, whose cubes are thrown into the air again and again.
func S2x() *Scene {
	s := heap("S2x", false)
	first, n := physics.ID(2), len(s.Bodies)-1
	s.acts = func(step int, out []Act) []Act {
		if step%kickEvery != 0 || step >= kickEvery*kicks {
			return out
		}
		r := Rand(999)
		r.Skip(step / kickEvery * n * 3)
		for i := range n {
			x := float32(float64(6*r.Next()) - 3)
			y := float32(8 * r.Next())
			z := float32(float64(6*r.Next()) - 3)
			out = append(out, Act{Op: Push, ID: first + physics.ID(i), V: geom.V3(x, y, z)})
		}
		return out
	}
	return s
}

// S2g is a field of 900 cubes that lie apart, with a large one sliding into it.
func S2g() *Scene { return grid("S2g", false) }

// S2gsleep is S2g with sleep on.
func S2gsleep() *Scene { return grid("S2gsleep", true) }

func grid(name string, sleep bool) *Scene {
	b := begin(name, 600, sleep)
	ground(b)
	cube := box(physics.Dynamic, 0.5, 0.5, 0.5)
	for k := range 900 {
		b.add(cube, float64((float64(k%30)-14.5)*2), 0.6, float64((float64(k/30)-14.5)*2))
	}
	p := b.add(box(physics.Dynamic, 1.5, 1.5, 1.5), -35, 1.6, 0.5)
	p.State.Vel.X = 30
	return b.Scene
}

// S5 of the scenes' page is S2 run for S5Steps, saved, and S5Rounds times
// restored and run for S5More steps.
const (
	S5Steps  = 300
	S5Rounds = 50
	S5More   = 10
)

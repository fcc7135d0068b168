package mover

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// terrain is that of scene S3: 20,000 triangles, 100 m wide, 40 m of relief.
func terrain() ([]geom.Vec3, [][3]uint32) {
	wave := func(t float64) float64 {
		if t -= math.Floor(t); t < 0.5 {
			return 16 * t * (0.5 - t)
		}
		return -16 * (t - 0.5) * (1 - t)
	}
	var v []geom.Vec3
	var tri [][3]uint32
	for j := range 101 {
		for i := range 101 {
			x, z := float64(i), float64(j)
			h := float64(14*wave(x/100)) + float64(4*wave(z/50+0.25)) + float64(2*wave((x+z)/25))
			v = append(v, geom.V3(float32(x-50), float32(h), float32(z-50)))
			if n := uint32(j*101 + i); i < 100 && j < 100 {
				tri = append(tri, [3]uint32{n, n + 101, n + 1}, [3]uint32{n + 1, n + 101, n + 102})
			}
		}
	}
	return v, tri
}

// worldOf is a world with a mesh in it.
func worldOf(t testing.TB, v []geom.Vec3, tri [][3]uint32) *physics.World {
	st := new(shape.Store)
	mesh, err := st.AddMesh(v, tri)
	if err != nil {
		t.Fatal(err)
	}
	w := physics.New(physics.Config{Shapes: st})
	if err := w.Add(1, physics.NewDef(physics.Static, mesh), physics.At(geom.Vec3{}, geom.Identity())); err != nil {
		t.Fatal(err)
	}
	return w
}

// crowd is n characters on the terrain with inputs that change every second.
type crowd struct {
	m  *Mover
	w  Space
	s  []State
	in []Input
	r  *rand.Rand
	n  int
}

func newCrowd(t testing.TB, w Space, n int) *crowd {
	m, err := New(Default())
	if err != nil {
		t.Fatal(err)
	}
	c := &crowd{m: m, w: w, s: make([]State, n), in: make([]Input, n), r: rand.New(rand.NewPCG(1, 2))}
	for i := range c.s {
		c.s[i].Pos = geom.V3(float32(c.r.Float32()*80)-40, 25, float32(c.r.Float32()*80)-40)
	}
	for range 300 {
		c.tick()
	}
	return c
}

func (c *crowd) tick() {
	for i := range c.s {
		if (c.n+i)%60 == 0 {
			s, k := geom.SinCos(c.r.Float32() * 6.28)
			c.in[i].Move = geom.V3(k, 0, s)
		}
		c.in[i].Jump = (c.n+7*i)%240 == 0
		if p := c.s[i].Pos; geom.V2(p.X, p.Z).Len2() > 45*45 { // back to the middle
			c.in[i].Move = geom.V3(-p.X, 0, -p.Z).Norm()
		}
		c.m.Move(&c.s[i], c.in[i], c.w, nil)
	}
	c.n++
}

// BenchmarkTick is one tick of one character on the 20,000 triangles of S3.
func BenchmarkTick(b *testing.B) {
	v, tri := terrain()
	c := newCrowd(b, worldOf(b, v, tri), 100)
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i += len(c.s) {
		c.tick()
	}
}

func TestNoAllocation(t *testing.T) {
	v, tri := terrain()
	c := newCrowd(t, worldOf(t, v, tri), 50)
	if n := testing.AllocsPerRun(100, c.tick); n > 0 {
		t.Errorf("%v allocations", n)
	}
	grounded := 0
	for i := range c.s {
		if c.s[i].Grounded() {
			grounded++
		}
	}
	if grounded < 20 {
		t.Errorf("only %d of 50 walk", grounded)
	}
}

package soup

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/level"
	"github.com/foretick/foretick/physics"
)

const seed = 3

func random(rng *rand.Rand, size float64) V {
	return V{rng.Float64() * size, rng.Float64() * size, rng.Float64() * size}
}

// Distances against points strewn over both.
func TestDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 600 {
		tri := Triangle{random(rng, 2), random(rng, 2), random(rng, 2)}
		if rng.IntN(4) == 0 { // a sliver
			tri.C = tri.A.Add(tri.B.Sub(tri.A).Mul(rng.Float64())).Add(random(rng, 1e-4))
		}
		p, q := random(rng, 3), random(rng, 3)
		if rng.IntN(4) == 0 {
			q = p
		}
		d, x, y := tri.Distance(p, q)
		if math.Abs(x.Sub(y).Len()-d) > 1e-9 || onLine(p, q, x).Sub(x).Len() > 1e-9 || tri.Closest(y).Sub(y).Len() > 1e-7 {
			t.Fatalf("seed %d: %v is not between %v and %v", seed, d, x, y)
		}
		least := math.Inf(1)
		for i := range 41 {
			on := p.Add(q.Sub(p).Mul(float64(i) / 40))
			for j := range 41 {
				for k := range 41 - j {
					z := tri.A.Add(tri.B.Sub(tri.A).Mul(float64(j) / 40)).Add(tri.C.Sub(tri.A).Mul(float64(k) / 40))
					least = min(least, on.Sub(z).Len())
				}
			}
		}
		if d > least+1e-9 || d < least-0.1 { // the strewn points are 5 cm apart
			t.Fatalf("seed %d: distance %v, strewn points say %v: %v %v %v", seed, d, least, tri, p, q)
		}
	}
}

// A line from one side through a point of the triangle crosses it; one beside
// it does not. Seams leave nothing through.
func TestCrossed(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 20000 {
		tri := Triangle{random(rng, 2), random(rng, 2), random(rng, 2)}
		u, v := rng.Float64()*1.2-0.1, rng.Float64()*1.2-0.1
		if math.Abs(u) < 1e-3 || math.Abs(v) < 1e-3 || math.Abs(u+v-1) < 1e-3 || tri.Area() < 0.01 {
			continue
		}
		on := tri.A.Add(tri.B.Sub(tri.A).Mul(u)).Add(tri.C.Sub(tri.A).Mul(v))
		d := tri.Normal().Add(random(rng, 0.3))
		at, ok := tri.Crossed(on.Add(d), on.Sub(d.Mul(3)))
		if want := u > 0 && v > 0 && u+v < 1; ok != want || ok && math.Abs(at-0.25) > 1e-9 {
			t.Fatalf("seed %d: at %v %v crossed %v %v", seed, u, v, ok, at)
		}
		if _, ok := tri.Crossed(on.Add(d), on.Add(d.Mul(0.01))); ok {
			t.Fatalf("seed %d: crossed from one side", seed)
		}
	}
	a, b, c, d := V{0, 0, 0}, V{3, 0, 1}, V{1, 0, 4}, V{5, 0, 3}
	for range 20000 {
		k := rng.Float64()
		on, far := b.Add(c.Sub(b).Mul(k)), random(rng, 1)
		far.Y += 0.1
		p, q := on.Add(far), on.Sub(far)
		_, one := (&Triangle{a, b, c}).Crossed(p, q)
		_, two := (&Triangle{c, b, d}).Crossed(p, q)
		if !one && !two {
			t.Fatalf("seed %d: through the seam at %v", seed, on)
		}
	}
}

// levels are the real maps and one of random triangles.
func levels(t *testing.T) map[string]*Soup {
	rng := rand.New(rand.NewPCG(seed, 2))
	var v []geom.Vec3
	var tri [][3]uint32
	for i := range 1500 {
		at, size := random(rng, 20), 0.1+10*rng.Float64()*rng.Float64()*rng.Float64()
		for range 3 {
			v = append(v, at.Add(random(rng, size)).Vec3())
		}
		tri = append(tri, [3]uint32{uint32(3 * i), uint32(3*i + 1), uint32(3*i + 2)})
	}
	out := map[string]*Soup{"random": New(v, tri)}
	files, _ := filepath.Glob("../../../shared/data/levels/*.glb")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, tri, err := level.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(file)] = New(v, tri)
	}
	if len(files) == 0 {
		t.Log("no ../shared/data/levels beside the project: random triangles alone")
	}
	return out
}

// The grid leaves nothing out: all triangles say the same.
func TestGrid(t *testing.T) {
	for name, s := range levels(t) {
		rng := rand.New(rand.NewPCG(seed, 3))
		if s.Full {
			t.Fatal(name, "has no grid")
		}
		all := *s
		all.Full = true
		crossed, touched, met := 0, 0, 0
		for range 60 {
			p := s.Triangles[rng.IntN(len(s.Triangles))].A.Add(random(rng, 2)).Sub(V{1, 1, 1})
			if rng.IntN(4) == 0 { // on the faces of the cubes
				p = V{math.Floor(p.X), math.Floor(p.Y), math.Floor(p.Z)}
			}
			q := p.Add(random(rng, 2).Sub(V{1, 1, 1}).Mul(4 * rng.Float64()))
			i, at := s.Crossed(p, q)
			if k, b := all.Crossed(p, q); i != k || at != b {
				t.Fatalf("%s, seed %d: crossed %d at %v, all say %d at %v", name, seed, i, at, k, b)
			}
			j, d := s.Deepest(p, q, 0.4)
			if k, e := all.Deepest(p, q, 0.4); j != k || d != e {
				t.Fatalf("%s, seed %d: deepest %d at %v, all say %d at %v", name, seed, j, d, k, e)
			}
			c := s.Cast(p, p.Add(V{Y: 0.5}), 0.3, q.Sub(p))
			if k := all.Cast(p, p.Add(V{Y: 0.5}), 0.3, q.Sub(p)); c.At != k.At || c.Inside != k.Inside {
				t.Fatalf("%s, seed %d: cast %+v, all say %+v", name, seed, c, k)
			}
			if i >= 0 {
				crossed++
			}
			if j >= 0 {
				touched++
			}
			if c.Triangle >= 0 && !c.Inside {
				met++
			}
		}
		if crossed < 5 || touched < 5 || met < 5 {
			t.Errorf("%s: only %d crossed, %d touched, %d met", name, crossed, touched, met)
		}
	}
}

// Where a cast ends the capsule touches, and nowhere before.
func TestCast(t *testing.T) {
	s := levels(t)["random"]
	rng := rand.New(rand.NewPCG(seed, 4))
	met := 0
	for range 3000 {
		p := random(rng, 24).Sub(V{2, 2, 2})
		q := p.Add(random(rng, 1))
		move := random(rng, 10).Sub(V{5, 5, 5})
		c := s.Cast(p, q, 0.3, move)
		for k := range 20 {
			m := move.Mul(c.At * float64(k) / 20)
			if i, d := s.Deepest(p.Add(m), q.Add(m), 0.3-1e-9); i >= 0 && !c.Inside {
				t.Fatalf("seed %d: %v deep in %d on the way to %+v", seed, 0.3-d, i, c)
			}
		}
		if c.Triangle >= 0 && !c.Inside {
			met++
			m := move.Mul(c.At)
			if i, _ := s.Deepest(p.Add(m), q.Add(m), 0.3+1e-6); i < 0 || move.Dot(c.Normal) >= 0 {
				t.Fatalf("seed %d: nothing there: %+v", seed, c)
			}
		}
	}
	if met < 500 {
		t.Errorf("only %d met", met)
	}
}

// An engine's overlap leads out of its triangle.
func TestEngine(t *testing.T) {
	e := &Engine{Soup: levels(t)["random"], ID: 4}
	rng := rand.New(rand.NewPCG(seed, 5))
	n := 0
	for range 2000 {
		c := physics.Capsule{Pos: random(rng, 20).Vec3(), Rot: geom.Identity(), Radius: 0.4, HalfHeight: 0.5}
		for _, o := range e.CapsuleOverlap(c, nil, nil) {
			n++
			m := c
			m.Pos = c.Pos.MulAdd(o.Normal, o.Depth+1e-4)
			p, q := axis(&m)
			if d, _, _ := e.Soup.Triangles[o.Feature].Distance(p, q); d < 0.4 || o.ID != 4 || o.Depth <= 0 {
				t.Fatalf("seed %d: %+v leads to a distance of %v", seed, o, d)
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d overlaps", n)
	}
	wall := &Engine{Soup: New([]geom.Vec3{{X: 2, Y: -9, Z: -9}, {X: 2, Y: 9, Z: -9}, {X: 2, Z: 9}}, [][3]uint32{{0, 1, 2}}), ID: 9}
	hit, ok := wall.SphereCast(0.5, geom.Vec3{}, geom.V3(3, 0, 0), nil)
	if !ok || hit.ID != 9 || math.Abs(float64(hit.Fraction)-0.5) > 1e-6 || hit.Normal.X > -0.999 {
		t.Errorf("%+v %v", hit, ok)
	}
	back, _ := wall.SphereCast(0.5, geom.V3(4, 0, 0), geom.V3(-3, 0, 0), nil)
	if back.Back == hit.Back {
		t.Error("both sides are the front")
	}
}

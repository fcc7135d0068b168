package mover

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/internal/soup"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// The same bits on every processor; internal/arch runs this on others.
func TestKnownHash(t *testing.T) {
	v, tri := terrain()
	c := newCrowd(t, worldOf(t, v, tri), 40)
	for range 600 {
		c.tick()
	}
	h := fnv.New64a()
	for i := range c.s {
		s := &c.s[i]
		for _, x := range [9]float32{s.Pos.X, s.Pos.Y, s.Pos.Z, s.Vel.X, s.Vel.Y, s.Vel.Z, s.Normal.X, s.Normal.Y, s.Normal.Z} {
			if math.Float32bits(x) == 1<<31 {
				t.Errorf("-0 in %+v", s)
			}
			_ = binary.Write(h, binary.LittleEndian, x)
		}
	}
	if got, want := h.Sum64(), uint64(0x4181795ede4c55ed); got != want {
		t.Errorf("hash %#x, want %#x", got, want)
	}
}

// A tick depends on nothing but its arguments: not on the Mover's past.
func TestPure(t *testing.T) {
	v, tri := terrain()
	w := worldOf(t, v, tri)
	c := newCrowd(t, w, 20)
	for range 300 {
		before := append([]State(nil), c.s...)
		c.tick()
		for i := range before {
			m, _ := New(Default())
			if m.Move(&before[i], c.in[i], w, nil); before[i] != c.s[i] {
				t.Fatalf("%+v alone, %+v among others", before[i], c.s[i])
			}
		}
	}
}

// randomSoup is triangles of all sizes in a cube of 20 m: slivers, crossings,
// narrow places.
func randomSoup(r *rand.Rand, n int) *world {
	w := new(world)
	for i := range uint32(n) {
		at := geom.V3(r.Float32()*20, r.Float32()*20, r.Float32()*20)
		size := 0.1 + 12*r.Float32()*r.Float32()
		for range 3 {
			w.v = append(w.v, at.Add(geom.V3(r.Float32()-0.5, (r.Float32()-0.5)*r.Float32(), r.Float32()-0.5).Mul(size)))
		}
		w.t = append(w.t, [3]uint32{3 * i, 3*i + 1, 3*i + 2})
	}
	return w
}

// room finds a place where a character touches nothing.
func room(r *rand.Rand, s *soup.Soup) (State, bool) {
	for range 200 {
		p := soup.V{X: r.Float64() * 20, Y: r.Float64() * 20, Z: r.Float64() * 20}
		if i, _ := s.Deepest(p.Sub(soup.V{Y: 0.475}), p.Add(soup.V{Y: 0.475}), 0.4); i < 0 {
			return State{Pos: p.Vec3()}, true
		}
	}
	return State{}, false
}

// In random soup no walker crosses a triangle or gets deep into one, and both
// engines say nearly the same of every tick.
func TestSoup(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	ticks, apart, grounded := 0, 0, 0
	for range 12 {
		w := randomSoup(r, 50+r.IntN(400))
		slow, fast := w.engine(), worldOf(t, w.v, w.t)
		m, _ := New(Default())
		for range 4 {
			s, ok := room(r, slow.Soup)
			if !ok {
				continue
			}
			k := &walker{t, m, slow, s}
			var in Input
			for tick := range 200 {
				if tick%20 == 0 {
					in.Move = geom.V3(r.Float32()*2-1, 0, r.Float32()*2-1)
				}
				in.Jump = r.IntN(40) == 0
				if k.s.Pos.Y < -10 {
					break
				}
				other := k.s
				m.Move(&other, in, fast, nil)
				k.tick(in)
				ticks++
				if k.s.Grounded() {
					grounded++
				}
				if !k.s.Pos.Finite() || !k.s.Vel.Finite() || k.s.Vel.Len() > 60 {
					t.Fatalf("seed %d: %+v", seed, k.s)
				}
				if other.Pos.Dist(k.s.Pos) > 0.002 {
					apart++
				}
				if tick%2 == 0 {
					k.s = other // its ways count as well
				}
			}
		}
	}
	t.Logf("%d ticks, %d on the ground, %d with engines more than 2 mm apart", ticks, grounded, apart)
	if ticks < 2000 || grounded < 300 || apart > ticks/100 {
		t.Error("too few, or too many apart")
	}
}

// Whatever a state and an input hold, what becomes of it is finite.
func TestAbsurd(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	w := randomSoup(r, 300)
	space := worldOf(t, w.v, w.t)
	m, _ := New(Default())
	number := func() float32 {
		switch r.IntN(8) {
		case 0:
			return math.Float32frombits(r.Uint32())
		case 1:
			return [...]float32{0, 1, -1, math.MaxFloat32, -math.MaxFloat32, 1e-45, float32(math.Inf(1)), float32(math.NaN())}[r.IntN(8)]
		}
		return r.Float32()*30 - 5
	}
	vec := func() geom.Vec3 { return geom.V3(number(), number(), number()) }
	moved := 0
	for range 20000 {
		s := State{Pos: vec(), Vel: vec()}
		if r.IntN(2) == 0 {
			s.Normal = vec()
		}
		before := s
		for range 3 {
			m.Move(&s, Input{Move: vec(), Jump: r.IntN(2) == 0}, space, nil)
		}
		if !before.Pos.Finite() || !before.Vel.Finite() || !before.Normal.Finite() {
			continue
		}
		moved++
		if !s.Pos.Finite() || !s.Vel.Finite() || !s.Normal.Finite() {
			t.Fatalf("seed %d: %+v became %+v", seed, before, s)
		}
	}
	if moved < 5000 {
		t.Errorf("only %d were finite", moved)
	}
}

// A box that moves pushes the character along, and does not get into it by
// more than a tick of its way.
func TestPushed(t *testing.T) {
	v, tri := flat().v, flat().t
	st := new(shape.Store)
	mesh, err := st.AddMesh(v, tri)
	if err != nil {
		t.Fatal(err)
	}
	w := physics.New(physics.Config{Shapes: st, Gravity: physics.Earth})
	box := physics.NewDef(physics.Kinematic, shape.Must(shape.NewBox(geom.V3(0.5, 1, 2))))
	if err := w.Add(1, physics.NewDef(physics.Static, mesh), physics.At(geom.Vec3{}, geom.Identity())); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(2, box, physics.At(geom.V3(-3, 1.05, 0), geom.Identity())); err != nil {
		t.Fatal(err)
	}
	m, _ := New(Default())
	s := State{Pos: geom.V3(0, 0.9, 0)}
	for i := range 240 {
		if err := w.SetVelocity(2, geom.V3(2, 0, 0), geom.Vec3{}); err != nil {
			t.Fatal(err)
		}
		w.Step()
		m.Move(&s, Input{}, w, nil)
		b, _ := w.State(2)
		if gap := s.Pos.X - 0.4 - (b.Pos.X + 0.5); gap < -0.03 {
			t.Fatalf("tick %d: the box is %v m in it", i, -gap)
		}
	}
	if s.Pos.X < 5 || !s.Grounded() {
		t.Errorf("not pushed: %+v", s)
	}
}

package scenes_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// script reads a fuzzer's bytes as what a game does; after their end it reads
// zeros.
type script struct {
	data []byte
	at   int
}

func (x *script) more() bool { return x.at < len(x.data) }

func (x *script) byte() byte {
	if !x.more() {
		return 0
	}
	x.at++
	return x.data[x.at-1]
}

func (x *script) n(n int) int { return int(x.byte()) % n }

// odd are values that nobody should give.
var odd = [...]float32{
	float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, -1e30, 1e-40, 1e6, -1e5, float32(math.Copysign(0, -1)),
}

// value is within a range, or now and then an odd one.
func (x *script) value(from, to float32) float32 {
	b := x.byte()
	if b >= 252 {
		return odd[x.n(len(odd))]
	}
	return from + (to-from)*float32(b)/251
}

func (x *script) vec(r float32) geom.Vec3 {
	return geom.V3(x.value(-r, r), x.value(-r, r), x.value(-r, r))
}

func (x *script) rot() geom.Quat {
	if x.byte() < 128 {
		return geom.Identity()
	}
	return geom.Quat{X: x.value(-1, 1), Y: x.value(-1, 1), Z: x.value(-1, 1), W: x.value(-1, 1)}
}

// shape makes a shape of any kind; what the store refuses becomes none.
func (x *script) shape(st *shape.Store) shape.Shape {
	var s shape.Shape
	switch x.n(8) {
	case 0:
		s, _ = shape.NewSphere(x.value(0.05, 2))
	case 1:
		s, _ = shape.NewCapsule(x.value(0.05, 1), x.value(0.01, 2))
	case 2:
		s, _ = shape.NewBox(geom.V3(x.value(0.02, 2), x.value(0.02, 2), x.value(0.02, 2)))
	case 3:
		var h [25]float32
		for i := range h {
			h[i] = x.value(-1, 1)
		}
		s, _ = st.AddField(5, 5, x.value(0.2, 3), h[:])
	case 4:
		v := []geom.Vec3{x.vec(6), x.vec(6), x.vec(6), x.vec(6), x.vec(6)}
		s, _ = st.AddMesh(v, [][3]uint32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {uint32(x.n(6)), 1, 4}})
	case 5:
		s = x.hull(st)
	case 6:
		s = x.compound(st)
	default: // a shape of no store
		s = shape.Shape{Kind: shape.Kind(x.byte()), A: x.value(-1, 1), B: x.value(-1, 1), C: x.value(-1, 1), Ref: uint32(x.byte())}
	}
	return s
}

func (x *script) def(s shape.Shape) physics.Def {
	d := physics.NewDef(physics.Kind(x.n(4)), s)
	if x.byte() < 170 {
		d.Kind = physics.Dynamic
		if s.Static() {
			d.Kind = physics.Static
		}
	}
	b := x.byte()
	d.Flags = physics.Flags(b & 7)
	if b > 200 {
		d.Lock = physics.Lock(x.byte() & 63)
		d.Layer, d.Collides = x.byte()&3, uint32(x.byte())
	}
	d.Restitution, d.Friction = x.value(0, 1), x.value(0, 1)
	if b < 50 {
		d.Density, d.Gravity = x.value(0, 3000), x.value(-1, 2)
		d.LinearDamping, d.AngularDamping = x.value(0, 3), x.value(0, 3)
	}
	return d
}

func (x *script) state() physics.State {
	s := physics.At(x.vec(5), x.rot())
	if x.byte() < 128 {
		s.Vel, s.Spin = x.vec(40), x.vec(40)
	}
	return s
}

// game is two worlds that are told the same; b is made anew before every step.
type game struct {
	a, b *physics.World
	r    *rand.Rand
}

var errFuzz = errors.New("the two worlds answer differently")

// do tells both worlds the next thing.
func (g *game) do(x *script) error {
	st := g.a.Config().Shapes
	id := physics.ID(x.n(12) + 1)
	var do func(w *physics.World) error
	switch x.n(12) {
	case 0, 1, 2:
		d := x.def(x.shape(st))
		s := x.state()
		do = func(w *physics.World) error { return w.Add(id, d, s) }
	case 3:
		do = func(w *physics.World) error { return fmt.Errorf("%v", w.Remove(id)) }
	case 4:
		s := x.state()
		do = func(w *physics.World) error { return w.SetState(id, s) }
	case 5:
		v, s := x.vec(60), x.vec(60)
		do = func(w *physics.World) error { return w.SetVelocity(id, v, s) }
	case 6:
		p, q := x.vec(5), x.rot()
		do = func(w *physics.World) error { return w.MoveTo(id, p, q) }
	case 7:
		f, t := x.vec(1e5), x.vec(1e4)
		do = func(w *physics.World) error { return errors.Join(w.AddForce(id, f), w.AddTorque(id, t)) }
	case 8:
		i, at := x.vec(3000), x.vec(3)
		do = func(w *physics.World) error { return w.ApplyImpulse(id, i, at) }
	case 9:
		d := x.def(x.shape(st))
		do = func(w *physics.World) error { return w.SetDef(id, d) }
	default:
		return g.steps(1 + x.n(8))
	}
	ea, eb := do(g.a), do(g.b)
	if fmt.Sprint(ea) != fmt.Sprint(eb) {
		return fmt.Errorf("%w: %v, %v", errFuzz, ea, eb)
	}
	return nil
}

func (g *game) steps(n int) error {
	for range n {
		g.a.Step()
		g.b.Step()
		if err := differ(g.a, g.b); err != nil {
			return err
		}
		if err := sane(g.a); err != nil {
			return err
		}
		var err error
		if g.b, err = rebuild(g.b, g.b.Config(), parts(g.b), g.r); err != nil {
			return err
		}
	}
	return nil
}

// sane refuses states that no step may leave.
func sane(w *physics.World) error {
	for i, s := range w.States() {
		l := s.Rot.Dot(s.Rot)
		switch {
		case !s.Pos.Finite() || !s.Vel.Finite() || !s.Spin.Finite() || !(math.Abs(float64(l)-1) < 1e-3):
			return fmt.Errorf("body %#x is at %+v", w.Bodies()[i], s)
		case s.Pos.Len() > 2e5 || s.Vel.Len() > 2e6 || s.Spin.Len() > 2e6:
			return fmt.Errorf("body %#x has escaped: %+v", w.Bodies()[i], s)
		}
		for k, b := range fieldsOf(&s) {
			if b == 1<<31 {
				return fmt.Errorf("body %#x has a negative zero in %s", w.Bodies()[i], fieldNames[k])
			}
		}
	}
	return nil
}

// play is one run of the fuzzer.
func play(data []byte) error {
	x := &script{data: data}
	c := physics.Config{Gravity: physics.Earth, Shapes: &shape.Store{}}
	g := &game{physics.New(c), physics.New(c), rand.New(rand.NewPCG(1, uint64(len(data))))}
	floor := physics.NewDef(physics.Static, shape.Must(shape.NewBox(geom.V3(10, 1, 10))))
	for _, w := range [...]*physics.World{g.a, g.b} {
		if err := w.Add(100, floor, physics.At(geom.V3(0, -4, 0), geom.Identity())); err != nil {
			return err
		}
	}
	for n := 0; x.more() && n < 200; n++ {
		if err := g.do(x); err != nil {
			return err
		}
	}
	return g.steps(5)
}

// FuzzWorld has bodies of any shape and value come, go and be pushed about, in
// a world and in one that is rebuilt before every step.
func FuzzWorld(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(noise(seed, 400))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := play(data); err != nil {
			t.Error(err)
		}
	})
}

func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 11))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// TestScripts plays scripts that nothing guides: what a fuzzer's start is.
func TestScripts(t *testing.T) {
	each(t, count(20_000), func(i int, _ *rand.Rand) error { return play(noise(uint64(i), 600)) })
}

package mover

import (
	"math"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/internal/soup"
	"github.com/foretick/foretick/physics"
)

// world collects triangles.
type world struct {
	v []geom.Vec3
	t [][3]uint32
}

// quad adds a quadrangle as two triangles.
func (w *world) quad(a, b, c, d geom.Vec3) *world {
	n := uint32(len(w.v))
	w.v = append(w.v, a, b, c, d)
	w.t = append(w.t, [3]uint32{n, n + 1, n + 2}, [3]uint32{n, n + 2, n + 3})
	return w
}

// floor adds a level rectangle.
func (w *world) floor(x0, z0, x1, z1, y float32) *world {
	return w.quad(geom.V3(x0, y, z0), geom.V3(x0, y, z1), geom.V3(x1, y, z1), geom.V3(x1, y, z0))
}

// box adds the six sides of one.
func (w *world) box(lo, hi geom.Vec3) *world {
	w.floor(lo.X, lo.Z, hi.X, hi.Z, hi.Y)
	w.floor(lo.X, lo.Z, hi.X, hi.Z, lo.Y)
	for _, x := range [2]float32{lo.X, hi.X} {
		w.quad(geom.V3(x, lo.Y, lo.Z), geom.V3(x, lo.Y, hi.Z), geom.V3(x, hi.Y, hi.Z), geom.V3(x, hi.Y, lo.Z))
	}
	for _, z := range [2]float32{lo.Z, hi.Z} {
		w.quad(geom.V3(lo.X, lo.Y, z), geom.V3(hi.X, lo.Y, z), geom.V3(hi.X, hi.Y, z), geom.V3(lo.X, hi.Y, z))
	}
	return w
}

// slope adds a plane that rises towards +X at degrees, through x0 at height y.
func (w *world) slope(x0, y, length float32, degrees float64) *world {
	c, s := math.Cos(degrees*math.Pi/180), math.Sin(degrees*math.Pi/180)
	x1, y1 := x0+length*float32(c), y+length*float32(s)
	return w.quad(geom.V3(x0, y, -20), geom.V3(x0, y, 20), geom.V3(x1, y1, 20), geom.V3(x1, y1, -20))
}

func (w *world) engine() *soup.Engine { return &soup.Engine{Soup: soup.New(w.v, w.t), ID: 7} }

// walker plays ticks and holds on each what must always hold.
type walker struct {
	t *testing.T
	m *Mover
	e *soup.Engine
	s State
}

// stand returns a walker at rest, its feet at a point.
func stand(t *testing.T, w *world, x, y, z float32) *walker {
	m, err := New(Default())
	if err != nil {
		t.Fatal(err)
	}
	k := &walker{t, m, w.engine(), State{Pos: geom.V3(x, y+0.875+0.01, z)}}
	for range 30 {
		k.tick(Input{})
	}
	return k
}

func (k *walker) tick(in Input) {
	k.t.Helper()
	before := soup.Of(k.s.Pos)
	k.m.Move(&k.s, in, k.e, nil)
	after := soup.Of(k.s.Pos)
	if i, _ := k.e.Soup.Crossed(before, after); i >= 0 {
		k.t.Fatalf("from %v to %v through triangle %d", before, after, i)
	}
	half := soup.V{Y: 0.475}
	if i, d := k.e.Soup.Deepest(after.Sub(half), after.Add(half), 0.35); i >= 0 {
		k.t.Fatalf("at %v %g m deep in triangle %d", after, 0.4-d, i)
	}
}

func (k *walker) run(seconds float64, in Input) {
	k.t.Helper()
	for range int(seconds*60 + 0.5) {
		k.tick(in)
	}
}

func (k *walker) feet() float32 { return k.s.Pos.Y - 0.875 }

func near(t *testing.T, what string, got, want, within float32) {
	t.Helper()
	if !(geom.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v within %v", what, got, want, within)
	}
}

var (
	east = Input{Move: geom.V3(1, 0, 0)}
	west = Input{Move: geom.V3(-1, 0, 0)}
)

func flat() *world { return new(world).floor(-50, -50, 50, 50, 0) }

func TestFlat(t *testing.T) {
	k := stand(t, flat(), -20, 0, 0.3)
	near(t, "feet at rest", k.feet(), 0, 0.011)
	k.run(0.5, east)
	from := k.s.Pos
	k.run(5, east)
	near(t, "5 s", k.s.Pos.X-from.X, 30, 0.01)
	near(t, "aside", k.s.Pos.Z, from.Z, 0)
	near(t, "feet", k.feet(), 0, 0.001)
	k.run(0.2, Input{})
	at := k.s
	k.run(10, Input{})
	if k.s != at || !at.Grounded() || at.Ground != 7 {
		t.Errorf("at rest %+v became %+v", at, k.s)
	}
}

// Half the speed wished for is half the speed; more than 1 is 1.
func TestInput(t *testing.T) {
	for _, c := range [][2]float32{{0.5, 3}, {7, 6}, {float32(math.Inf(1)), 0}, {float32(math.NaN()), 0}} {
		k := stand(t, flat(), -20, 0, 0)
		k.run(1, Input{Move: geom.V3(c[0], 99, 0)})
		near(t, "speed", k.s.Vel.X, c[1], 1e-5)
	}
	k := stand(t, flat(), -20, 0, 0)
	k.s.Vel.X = float32(math.NaN())
	k.s.Pos.Y = 5
	k.m.Move(&k.s, east, k.e, nil)
	if k.s.Pos.Y != 5 {
		t.Error("a state that is not finite was moved")
	}
}

func TestSlopes(t *testing.T) {
	up := stand(t, flat().slope(0, 0, 30, 59), -3, 0, 0)
	up.run(3, east)
	if up.s.Pos.Y < 6 || !up.s.Grounded() {
		t.Errorf("59 degrees were not climbed: %+v", up.s)
	}
	speed := up.s.Pos
	up.run(1, east)
	near(t, "along a slope", up.s.Pos.Dist(speed), 6, 0.05)
	up.run(0.3, Input{})
	at := up.s
	up.run(10, Input{})
	near(t, "creep", up.s.Pos.Dist(at.Pos), 0, 0.0001)

	not := stand(t, flat().slope(0, 0, 30, 61), -3, 0, 0)
	for range 240 {
		not.tick(east)
		if not.feet() > 0.5 {
			t.Fatalf("61 degrees were climbed: %+v", not.s)
		}
	}
	off := stand(t, new(world).slope(0, 0, 30, 61), 6, 12, 0)
	if y := off.s.Pos.Y; off.s.Grounded() || y > 12 {
		t.Errorf("61 degrees are stood on at %v", y)
	}
	on := stand(t, new(world).slope(0, 0, 30, 59), 6, 12, 0)
	on.run(1, Input{})
	if !on.s.Grounded() {
		t.Errorf("59 degrees are not stood on: %+v", on.s)
	}
}

func TestStep(t *testing.T) {
	for _, c := range []struct {
		height float32
		over   bool
	}{{0.1, true}, {0.3, true}, {0.5, true}, {0.555, true}, {0.6, false}, {0.8, false}, {2, false}} {
		for _, share := range []float32{0.05, 0.3, 1} {
			k := stand(t, flat().box(geom.V3(0, 0, -20), geom.V3(20, c.height, 20)), -0.6, 0, 0)
			k.run(2.5/float64(share), Input{Move: geom.V3(share, 0, 0)})
			if c.over {
				near(t, "on top", k.feet(), c.height, 0.001)
			} else {
				near(t, "before it", k.feet(), 0, 0.001)
			}
		}
	}
}

// Up a stair at a fair speed, and down without leaving the ground.
func TestStairs(t *testing.T) {
	w := flat()
	for i := range 10 {
		w.box(geom.V3(float32(i)*0.5, 0, -5), geom.V3(20, 0.25*float32(i+1), 5))
	}
	k := stand(t, w, -1, 0, 0)
	n := 0
	for ; k.feet() < 2.499; n++ {
		k.tick(east)
		if !k.s.Grounded() {
			t.Fatalf("off the ground going up at %v", k.s.Pos)
		}
		if n > 180 {
			t.Fatalf("not up after 3 s: %v", k.s.Pos)
		}
	}
	k.run(1, east)
	for k.s.Pos.X > -1 {
		k.tick(west)
		if !k.s.Grounded() {
			t.Fatalf("off the ground going down at %v", k.s.Pos)
		}
		if n++; n > 600 {
			t.Fatalf("not down: %v", k.s.Pos)
		}
	}
	near(t, "feet", k.feet(), 0, 0.001)
}

func TestLedge(t *testing.T) {
	k := stand(t, flat().box(geom.V3(-10, 0, -10), geom.V3(0, 3, 10)), -2, 3, 0)
	k.run(0.7, east)
	if k.s.Grounded() || k.feet() > 2.9 {
		t.Errorf("no fall: %+v", k.s)
	}
	near(t, "speed kept", k.s.Vel.X, 6, 0.01)
	k.run(1, Input{})
	near(t, "feet", k.feet(), 0, 0.001)
}

func TestWall(t *testing.T) {
	w := flat().quad(geom.V3(0, -1, -50), geom.V3(0, -1, 50), geom.V3(0, 5, 50), geom.V3(0, 5, -50))
	k := stand(t, w, -2, 0, -20)
	k.run(1, east)
	near(t, "gap", k.s.Pos.X, -0.4, 0.001)
	z := k.s.Pos.Z
	k.run(2, Input{Move: geom.V3(0.6, 0, 0.8)})
	near(t, "slid", k.s.Pos.Z-z, 0.8*6*2, 0.4)
	near(t, "gap", k.s.Pos.X, -0.4, 0.011)
	k.run(2, Input{Move: geom.V3(0, 0, 1)})
	near(t, "gap", k.s.Pos.X, -0.4, 0.011)
}

// Without steps it still follows a slope down.
func TestDownhill(t *testing.T) {
	for _, step := range []float32{0, 0.56} {
		k := stand(t, new(world).slope(-30, 0, 120, 55), 25, 78.6, 0)
		c := Default()
		c.Step = step
		k.m, _ = New(c)
		k.run(0.5, Input{})
		for range 180 {
			if k.tick(west); !k.s.Grounded() {
				t.Fatalf("off the ground: %+v", k.s)
			}
		}
	}
}

// Pushed into a corner it stands still, whatever its angle.
func TestCorner(t *testing.T) {
	for _, degrees := range []float64{20, 45, 90, 120, 170} {
		a := degrees / 2 * math.Pi / 180
		x, z := 20*float32(math.Cos(a)), 20*float32(math.Sin(a))
		w := flat() // two walls that meet at the origin, open to -X
		for _, z := range []float32{z, -z} {
			w.quad(geom.V3(0, -1, 0), geom.V3(-x, -1, z), geom.V3(-x, 4, z), geom.V3(0, 4, 0))
		}
		k := stand(t, w, -5, 0, 0.1)
		for _, in := range []Input{east, {Move: geom.V3(0.999, 0, 0.01)}, {Move: geom.V3(0.99, 0, -0.05)}} {
			k.run(3, in)
			at := k.s.Pos
			for range 120 {
				k.tick(in)
				if d := k.s.Pos.Dist(at); d > 0.002 {
					t.Fatalf("%v degrees: jitters by %v", degrees, d)
				}
			}
		}
	}
}

// The crease of two walkable slopes is walked along, stood in, and left.
func TestCrease(t *testing.T) {
	w := new(world)
	w.quad(geom.V3(-30, 0, 0), geom.V3(-30, 10, -10), geom.V3(30, 10, -10), geom.V3(30, 0, 0))
	w.quad(geom.V3(-30, 0, 0), geom.V3(30, 0, 0), geom.V3(30, 10, 10), geom.V3(-30, 10, 10))
	k := stand(t, w, -20, 0.3, 0)
	k.run(0.5, Input{})
	if !k.s.Grounded() {
		t.Fatalf("in the air: %+v", k.s)
	}
	at := k.s.Pos
	k.run(3, east)
	near(t, "along", k.s.Pos.X-at.X, 18, 0.4)
	k.run(0.2, Input{})
	at = k.s.Pos
	k.run(10, Input{})
	near(t, "creep", k.s.Pos.Dist(at), 0, 0.001)
	k.run(1, Input{Move: geom.V3(0, 0, 1)})
	if k.s.Pos.Z < 2 {
		t.Errorf("not out of the crease: %v", k.s.Pos)
	}
}

// A crease of slopes that are too steep holds it, and it can walk and jump there.
func TestWedge(t *testing.T) {
	w := new(world)
	w.quad(geom.V3(-30, 0, 0), geom.V3(-30, 30, -10), geom.V3(30, 30, -10), geom.V3(30, 0, 0))
	w.quad(geom.V3(-30, 0, 0), geom.V3(30, 0, 0), geom.V3(30, 30, 10), geom.V3(-30, 30, 10))
	k := stand(t, w, -20, 3, 0)
	k.run(1, Input{})
	at := k.s.Pos
	k.run(10, Input{})
	near(t, "creep", k.s.Pos.Dist(at), 0, 0.001)
	k.run(3, east)
	if k.s.Pos.X-at.X < 6 {
		t.Errorf("went %v", k.s.Pos.X-at.X)
	}
	y := k.s.Pos.Y
	for i := range 5 {
		k.tick(Input{Jump: true})
		if i == 4 && k.s.Pos.Y < y+0.01 {
			t.Error("no jump")
		}
	}
}

func TestCeiling(t *testing.T) {
	// Too low to enter, then just high enough.
	low := flat().box(geom.V3(0, 1.7, -5), geom.V3(10, 3, 5))
	k := stand(t, low, -3, 0, 0)
	k.run(3, east)
	if k.s.Pos.X > 0.1 {
		t.Errorf("under 1.7 m: %v", k.s.Pos)
	}
	k = stand(t, flat().box(geom.V3(0, 1.8, -5), geom.V3(10, 3, 5)), -3, 0, 0)
	k.run(3, east)
	if k.s.Pos.X < 10 {
		t.Errorf("not under 1.8 m: %v", k.s.Pos)
	}
	// A head that meets one falls at once.
	k = stand(t, flat().box(geom.V3(-5, 2.25, -5), geom.V3(5, 3, 5)), 0, 0, 0)
	k.tick(Input{Jump: true})
	top := k.feet()
	for !k.s.Grounded() {
		k.tick(Input{})
		top = max(top, k.feet())
	}
	near(t, "top", top, 0.5, 0.03)
	// A roof that comes down to the floor: no jitter in the wedge.
	w := flat().quad(geom.V3(0, 0, -20), geom.V3(0, 0, 20), geom.V3(-5, 5, 20), geom.V3(-5, 5, -20))
	k = stand(t, w, -4, 0, 0)
	k.run(2, east)
	at := k.s.Pos
	k.run(2, east)
	near(t, "jitter", k.s.Pos.Dist(at), 0, 0.005)
}

// A jump is the parabola of the books: v^2/2g high, 2v/g long.
func TestJump(t *testing.T) {
	k := stand(t, flat(), 0, 0, 0)
	k.run(0.5, Input{})
	from, top, n := k.s.Pos.Y, float32(0), 0
	k.tick(Input{Jump: true})
	for n = 1; !k.s.Grounded(); n++ {
		top = max(top, k.s.Pos.Y-from)
		k.tick(Input{Jump: true}) // held: no second one in the air
	}
	near(t, "height", top, 25/(2*9.81), 0.0015)
	near(t, "ticks", float32(n), 60*2*5/9.81, 1.01)
}

// Seams of all kinds do not trip: a floor of random triangles in a plane,
// some doubled, some turned over, some slivers.
func TestSeams(t *testing.T) {
	w := new(world)
	for i := range 40 {
		for j := range 10 {
			x, z := float32(i)-20, float32(j)-5
			a, b, c, d := geom.V3(x, 0, z), geom.V3(x, 0, z+1), geom.V3(x+1, 0, z+1), geom.V3(x+1, 0, z)
			if (i+j)%3 == 0 {
				a, b, c, d = d, c, b, a
			}
			w.quad(a, b, c, d)
			if (i+j)%4 == 0 {
				w.quad(a, b, c, d)
				e := geom.V3(x+0.5, 0, z+1e-4)
				w.quad(a, e, d, geom.V3(x+0.5, 0, z))
			}
		}
	}
	k := stand(t, w, -18, 0, 0.2)
	k.run(0.5, east)
	for range 300 {
		x := k.s.Pos.X
		k.tick(east)
		if !k.s.Grounded() || k.s.Vel.X < 5.999 || k.s.Pos.X-x < 0.0999 || k.feet() > 0.001 {
			t.Fatalf("tripped: %+v", k.s)
		}
	}
}

// blind sees no overlap.
type blind struct{ *soup.Engine }

func (blind) CapsuleOverlap(_ physics.Capsule, _ *physics.Query, out []physics.Overlap) []physics.Overlap {
	return out
}

// What is too close is left, from all planes at once; not without overlaps.
func TestUnstick(t *testing.T) {
	w := flat().quad(geom.V3(0, -1, -50), geom.V3(0, -1, 50), geom.V3(0, 5, 50), geom.V3(0, 5, -50))
	m, _ := New(Default())
	e := w.engine()
	free := func(space Space) (State, bool) {
		s := State{Pos: geom.V3(-0.3, 0.8, 0)} // 10 cm into the wall, 7.5 into the floor
		for range 10 {
			m.Move(&s, Input{}, space, nil)
		}
		return s, s.Pos.X < -0.385 && s.Pos.Y > 0.86 && s.Grounded()
	}
	if s, ok := free(e); !ok {
		t.Errorf("still in it: %+v", s)
	}
	if s, ok := free(blind{e}); ok {
		t.Errorf("out of it by nothing: %+v", s)
	}
}

func TestConfig(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.Radius = 0 },
		func(c *Config) { c.Height = 0.8 },
		func(c *Config) { c.Dt = 0 },
		func(c *Config) { c.Slope = 89 },
		func(c *Config) { c.Gravity = float32(math.NaN()) },
		func(c *Config) { c.Speed = float32(math.Inf(1)) },
	} {
		c := Default()
		change(&c)
		if _, err := New(c); err == nil {
			t.Errorf("%+v", c)
		}
	}
}

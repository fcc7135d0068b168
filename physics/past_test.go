package physics

import (
	"math/rand"
	"testing"
	"unsafe"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

var pastBall = shape.Must(shape.NewSphere(0.5))

// runner is a world with one kinematic ball that goes along X by 1 m a tick.
func runner(t *testing.T, past int) *World {
	w := New(Config{Past: past})
	w.SetTick(100)
	put(t, w, 7, Kinematic, pastBall, geom.Vec3{}, geom.Identity(), nil)
	if err := w.SetVelocity(7, geom.V3(60, 0, 0), geom.Vec3{}); err != nil {
		t.Fatal(err)
	}
	w.Record()
	return w
}

// seenAt returns the x at which rays from above see a body, by its middle.
func seenAt(w *World, id ID, behind float32) (x float32, ok bool) {
	for _, h := range w.CapsuleOverlap(Capsule{Radius: 400, Rot: geom.Identity()}, &Query{Behind: behind}, nil) {
		if h.ID == id {
			h, ok := w.RayCast(geom.V3(-300, 0, 0), geom.V3(600, 0, 0), &Query{Behind: behind})
			return h.Point.X + 0.5, ok && h.ID == id
		}
	}
	return 0, false
}

func near(a, b float32) bool { return geom.Abs(a-b) < 1e-3 }

func TestPastFractions(t *testing.T) {
	w := runner(t, 8)
	for range 20 {
		w.Step()
	}
	for _, behind := range []float32{0, 0.25, 0.5, 1, 2.75, 5, 6.5, 7} {
		if x, ok := seenAt(w, 7, behind); !ok || !near(x, 20-behind) || !w.Knows(behind) {
			t.Errorf("%v behind: %v at %v", behind, ok, x)
		}
	}
	for _, behind := range []float32{7.01, 7.5, 8, 20, 21, 1e9, 3e38} {
		if x, ok := seenAt(w, 7, behind); ok || w.Knows(behind) {
			t.Errorf("%v behind: at %v, long forgotten", behind, x)
		}
	}
	if x, ok := seenAt(w, 7, -3); !ok || !near(x, 20) {
		t.Errorf("in the future: %v at %v", ok, x)
	}
	none := runner(t, 0)
	none.Step()
	if _, ok := seenAt(none, 7, 1); ok || none.Knows(1) {
		t.Error("a world without a past has one")
	}
}

// TestPastTurns looks at a plank that turns a quarter turn in a tick.
func TestPastTurns(t *testing.T) {
	w := New(Config{Past: 4})
	put(t, w, 1, Kinematic, shape.Must(shape.NewBox(geom.V3(5, 0.1, 0.1))), geom.Vec3{}, geom.Identity(), nil)
	w.Record()
	if err := w.MoveTo(1, geom.Vec3{}, geom.FromAxisAngle(geom.V3(0, 1, 0), geom.Pi/2)); err != nil {
		t.Fatal(err)
	}
	w.Step()
	places := map[float32]geom.Vec3{0: {Z: 4}, 0.5: {X: 3, Z: -3}, 1: {X: 4}}
	for behind := range places {
		for at, from := range places {
			if ok := w.RayAny(from.Add(geom.V3(0, 1, 0)), geom.V3(0, -2, 0), &Query{Behind: behind}); ok != (at == behind) {
				t.Errorf("%v behind: at the plank's place of %v: %v", behind, at, ok)
			}
		}
	}
}

// TestPastTeleport moves the ball far away in one tick: between the two ticks
// it is still where it was, and never on the way. With interpolation across it
// a ghost is there.
func TestPastTeleport(t *testing.T) {
	w := runner(t, 8)
	w.Step()
	w.Step() // tick 102, x = 2
	w.Step() // tick 103, x = 3
	if err := w.Move(7, geom.V3(100, 0, 0), geom.Identity()); err != nil {
		t.Fatal(err)
	}
	w.Step() // tick 104, x = 101
	for behind, want := range map[float32]float32{0: 101, 0.5: 100.5, 1: 100, 1.25: 2, 1.5: 2, 1.99: 2, 2: 2, 2.5: 1.5} {
		if x, ok := seenAt(w, 7, behind); !ok || !near(x, want) {
			t.Errorf("%v behind: %v at %v, want %v", behind, ok, x, want)
		}
	}
	m := w.past.at(103)
	clear(m.jumped)
	m.jumps = false
	if x, ok := seenAt(w, 7, 1.5); !ok || !near(x, 51) {
		t.Errorf("with interpolation across the teleport no ghost is at 51, but %v at %v: the test sees nothing", ok, x)
	}
}

// TestPastOfBodies adds and removes bodies: each is there at the ticks at
// which it was, with the shape and layer it had.
func TestPastOfBodies(t *testing.T) {
	w := runner(t, 16)
	w.Step() // 101
	put(t, w, 3, Kinematic, pastBall, geom.V3(0, 50, 0), geom.Identity(), nil)
	w.Step() // 102: the first that has body 3
	w.Step() // 103
	d, _ := w.Def(3)
	d.Shape = shape.Must(shape.NewSphere(2))
	if err := w.SetDef(3, d); err != nil {
		t.Fatal(err)
	}
	w.Step() // 104: larger
	w.Remove(3)
	w.Step() // 105: gone
	w.Step() // 106
	// Added and removed after a tick's record, a body is no part of that tick;
	// the first tick that is stepped with the change has it.
	for behind, want := range map[float32]float32{0: 0, 1: 0, 1.5: 2, 2: 2, 2.5: 0.5, 3: 0.5, 4: 0.5, 4.5: 0, 5: 0} {
		h, ok := w.RayCast(geom.V3(0, 90, 0), geom.V3(0, -45, 0), &Query{Behind: behind})
		if ok != (want > 0) || ok && !near(h.Point.Y, 50+want) {
			t.Errorf("%v behind: %v %+v, want radius %v", behind, ok, h, want)
		}
	}
}

// TestPastAfterRollback steps ticks again: they are written over, and those
// before stay.
func TestPastAfterRollback(t *testing.T) {
	w := runner(t, 8)
	var s Saved
	for i := range 6 {
		if i == 3 {
			w.Save(&s)
		}
		w.Step()
	}
	for range 30 { // more often than there are rosters
		w.Restore(&s)
		if err := w.SetVelocity(7, geom.V3(0, 60, 0), geom.Vec3{}); err != nil {
			t.Fatal(err)
		}
		put(t, w, 9, Kinematic, pastBall, geom.V3(0, 0, 90), geom.Identity(), nil)
		w.Step()
		w.Remove(9)
		w.Step()
		w.Step()
	}
	for behind, want := range map[float32]float32{4: 2, 5: 1, 6: 0, 3: 3} {
		if x, ok := seenAt(w, 7, behind); !ok || !near(x, want) {
			t.Errorf("%v behind: %v at %v, want %v", behind, ok, x, want)
		}
	}
	for behind, y := range map[float32]float32{0: 3, 1: 2, 2: 1} {
		h, ok := w.RayCast(geom.V3(3, 9, 0), geom.V3(0, -9, 0), &Query{Behind: behind})
		if !ok || !near(h.Point.Y, y+0.5) {
			t.Errorf("%v behind, stepped again: %v %+v", behind, ok, h)
		}
	}
}

// TestPastIsExact: what a query of the present says of a tick, one of the past
// says of it later, to the bit.
func TestPastIsExact(t *testing.T) {
	const seed = 62
	r := rand.New(rand.NewSource(seed))
	w := queryWorld(t, r, 200)
	for _, id := range w.Bodies() {
		if err := w.SetVelocity(id, randVec(r, 9), randVec(r, 9)); err != nil {
			t.Fatal(err)
		}
	}
	type asked struct {
		from, move geom.Vec3
		hit        Hit
		ok         bool
	}
	var then [6][]asked
	hits, moved := 0, 0
	for i := range then {
		w.Step()
		for range 1000 {
			a := asked{from: randVec(r, 25), move: randVec(r, 30)}
			a.hit, a.ok = w.RayCast(a.from, a.move, nil)
			then[i] = append(then[i], a)
		}
	}
	for i := range then {
		for _, a := range then[i] {
			h, ok := w.RayCast(a.from, a.move, &Query{Behind: float32(len(then) - 1 - i)})
			if h != a.hit || ok != a.ok {
				t.Fatalf("seed %d: %d ticks later %+v, then %+v", seed, len(then)-1-i, h, a.hit)
			}
			if ok {
				hits++
			}
			if now, _ := w.RayCast(a.from, a.move, nil); now != h {
				moved++
			}
		}
	}
	if hits < 500 || moved < 200 {
		t.Errorf("seed %d: %d hits, %d of which moved since", seed, hits, moved)
	}
}

// TestPastChangesNothing: a world with a past has the hashes of one without,
// whatever is asked of it.
func TestPastChangesNothing(t *testing.T) {
	a, b := New(Config{}), New(Config{Past: 4})
	r := rand.New(rand.NewSource(61))
	for i := range 30 {
		at, rot := randVec(r, 2), randRot(r)
		put(t, a, ID(1+i), Dynamic, pastBall, at, rot, nil)
		put(t, b, ID(1+i), Dynamic, pastBall, at, rot, nil)
	}
	for range 20 {
		a.Step()
		b.Step()
		b.RayCast(randVec(r, 3), randVec(r, 3), &Query{Behind: 3 * r.Float32()})
		b.CapsuleOverlap(Capsule{Radius: 1}, nil, nil)
	}
	if a.Hash() != b.Hash() {
		t.Error("the past, or a query, changed the step")
	}
}

// TestPastSize: 64 ticks of 64 bodies, which come and go at every tick, take
// at most 256 KB.
func TestPastSize(t *testing.T) {
	w := New(Config{Past: 64})
	for i := range 64 {
		put(t, w, ID(1+i), Kinematic, pastBall, geom.V3(float32(i), 0, 0), geom.Identity(), nil)
	}
	for i := range 200 {
		w.Remove(ID(1 + i))
		put(t, w, ID(65+i), Kinematic, pastBall, geom.V3(float32(i), 0, 0), geom.Identity(), nil)
		w.Step()
	}
	size := 0
	for i := range w.past.slots {
		m := &w.past.slots[i]
		size += int(unsafe.Sizeof(*m)) + cap(m.poses)*int(unsafe.Sizeof(pose{})) + 8*cap(m.jumped)
	}
	same := size
	for i := range w.past.lists {
		l := &w.past.lists[i]
		size += int(unsafe.Sizeof(*l)) + cap(l.bodies)*int(unsafe.Sizeof(member{}))
	}
	t.Logf("%d bytes, or %d and one roster where the bodies stay", size, same)
	if size > 256<<10 {
		t.Errorf("%d bytes", size)
	}
}

// BenchmarkPast casts rays and capsules at terrain with 64 moving capsules, in
// the present and 20.5 ticks ago.
func BenchmarkPast(b *testing.B) {
	s := lcg(777)
	st := new(shape.Store)
	w := New(Config{Shapes: st, Past: 64})
	put(b, w, 1, Static, addTerrain(st), geom.Vec3{}, geom.Identity(), nil)
	pill := shape.Must(shape.NewCapsule(0.4, 0.5))
	for i := range 64 {
		x, z := float64(12*(i%8)+8), float64(12*(i/8)+8)
		put(b, w, ID(2+i), Kinematic, pill, geom.V3(float32(x)-50, groundAt(x, z)+1, float32(z)-50), geom.Identity(), nil)
		if err := w.SetVelocity(ID(2+i), geom.V3(float32(s.next()*8-4), 0, float32(s.next()*8-4)), geom.V3(0, 3, 0)); err != nil {
			b.Fatal(err)
		}
	}
	for range 64 {
		w.Step()
	}
	from, move := castsS4(&s, 10_000, 50)
	for _, c := range []struct {
		name   string
		behind float32
	}{{"present", 0}, {"past", 20.5}} {
		q := &Query{Behind: c.behind}
		b.Run("ray/"+c.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				w.RayCast(from[i%len(from)], move[i%len(from)], q)
			}
		})
		b.Run("capsule/"+c.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				w.CapsuleCast(Capsule{Pos: from[i%len(from)], Rot: geom.Identity(), Radius: 0.4, HalfHeight: 0.5}, move[i%len(from)].Mul(0.2), q)
			}
		})
	}
}

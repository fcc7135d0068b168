package physics

import (
	"errors"
	"math"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

func cube(half float32) shape.Shape { return shape.Must(shape.NewBox(geom.V3(half, half, half))) }

// floor returns a world with a floor, body 1, whose top is at 0.
func floor() *World {
	w := New(Config{Gravity: Earth})
	must(w.Add(1, NewDef(Static, cube(50)), At(geom.V3(0, -50, 0), geom.Identity())))
	return w
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (w *World) run(n int) {
	for range n {
		w.Step()
	}
}

func state(t *testing.T, w *World, id ID) State {
	t.Helper()
	s, ok := w.State(id)
	if !ok {
		t.Fatalf("no body %d", id)
	}
	return s
}

func TestRefused(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	w := floor()
	must(w.Add(2, NewDef(Dynamic, cube(0.5)), At(geom.V3(0, 0.5, 0), geom.Identity())))
	must(w.Add(3, NewDef(Kinematic, cube(0.5)), At(geom.V3(5, 0.5, 0), geom.Identity())))
	var before Saved
	w.Save(&before)
	def := func(change func(*Def)) Def {
		d := NewDef(Dynamic, cube(0.5))
		change(&d)
		return d
	}
	at := At(geom.Vec3{}, geom.Identity())
	for name, c := range map[string]struct{ got, want error }{
		"id 0":              {w.Add(0, NewDef(Dynamic, cube(1)), at), ErrID},
		"twice":             {w.Add(2, NewDef(Dynamic, cube(1)), at), ErrExists},
		"NaN position":      {w.Add(9, NewDef(Dynamic, cube(1)), At(geom.V3(nan, 0, 0), geom.Identity())), ErrValue},
		"far away":          {w.Add(9, NewDef(Dynamic, cube(1)), At(geom.V3(0, 1e9, 0), geom.Identity())), ErrValue},
		"NaN rotation":      {w.Add(9, NewDef(Dynamic, cube(1)), At(geom.Vec3{}, geom.Quat{W: nan})), ErrValue},
		"infinite speed":    {w.Add(9, NewDef(Dynamic, cube(1)), State{Rot: geom.Identity(), Vel: geom.V3(inf, 0, 0)}), ErrValue},
		"negative friction": {w.Add(9, def(func(d *Def) { d.Friction = -1 }), at), ErrValue},
		"restitution 2":     {w.Add(9, def(func(d *Def) { d.Restitution = 2 }), at), ErrValue},
		"no density":        {w.Add(9, def(func(d *Def) { d.Density = 0 }), at), ErrValue},
		"layer 32":          {w.Add(9, def(func(d *Def) { d.Layer = 32 }), at), ErrValue},
		"no shape":          {w.Add(9, Def{Kind: Dynamic, Density: 1}, at), ErrShape},
		"no such hull":      {w.Add(9, NewDef(Dynamic, shape.Shape{Kind: shape.Hull, Ref: 7}), at), ErrShape},
		"kind 9":            {w.Add(9, def(func(d *Def) { d.Kind = 9 }), at), ErrKind},
		"unknown state":     {w.SetState(9, at), ErrUnknown},
		"unknown move":      {w.Move(9, geom.Vec3{}, geom.Identity()), ErrUnknown},
		"unknown push":      {w.ApplyImpulse(9, geom.Vec3{}, geom.Vec3{}), ErrUnknown},
		"static push":       {w.ApplyImpulse(1, geom.Vec3{}, geom.Vec3{}), ErrKind},
		"kinematic force":   {w.AddForce(3, geom.V3(1, 0, 0)), ErrKind},
		"NaN force":         {w.AddForce(2, geom.V3(nan, 0, 0)), ErrValue},
		"huge impulse":      {w.ApplyImpulse(2, geom.V3(1e30, 0, 0), geom.Vec3{}), ErrValue},
		"dynamic target":    {w.MoveTo(2, geom.Vec3{}, geom.Identity()), ErrKind},
		"NaN target":        {w.MoveTo(3, geom.V3(nan, 0, 0), geom.Identity()), ErrValue},
		"to static":         {w.SetDef(2, NewDef(Static, cube(1))), ErrKind},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if !w.Equal(&before) {
		t.Error("what was refused has changed the world")
	}
	if w.Remove(9) {
		t.Error("an unknown body was removed")
	}
}

// TestLayers: both sides must agree, and who does not touch falls through.
func TestLayers(t *testing.T) {
	for _, c := range []struct {
		layer           uint8
		collides, floor uint32
		rests           bool
	}{
		{0, ^uint32(0), ^uint32(0), true},
		{1, 1, ^uint32(0), true},
		{1, 2, ^uint32(0), false},
		{1, 1, ^uint32(2), false},
		{31, ^uint32(0), 1 << 31, true},
	} {
		w := New(Config{Gravity: Earth})
		d := NewDef(Static, cube(50))
		d.Collides = c.floor
		must(w.Add(1, d, At(geom.V3(0, -50, 0), geom.Identity())))
		d = NewDef(Dynamic, cube(0.5))
		d.Layer, d.Collides = c.layer, c.collides
		must(w.Add(2, d, At(geom.V3(0, 1, 0), geom.Identity())))
		w.run(120)
		if y := state(t, w, 2).Pos.Y; (y > 0.4) != c.rests {
			t.Errorf("%+v: at %v m after two seconds", c, y)
		}
	}
}

// TestEvents: a ball falls through a sensor onto the floor and is taken away.
func TestEvents(t *testing.T) {
	w := floor()
	d := NewDef(Dynamic, shape.Must(shape.NewSphere(0.5)))
	d.Flags = Events
	must(w.Add(7, d, At(geom.V3(0, 6, 0), geom.Identity())))
	s := NewDef(Static, cube(0.5))
	s.Flags = Sensor
	must(w.Add(9, s, At(geom.V3(0, 3, 0), geom.Identity())))
	var got []Event
	for range 120 {
		w.Step()
		got = append(got, w.Events()...)
	}
	w.Remove(7)
	w.Step()
	got = append(got, w.Events()...)
	want := []Event{{SensorEntered, 9, 7, 0}, {SensorLeft, 9, 7, 0}, {TouchBegan, 1, 7, 10.3}, {TouchEnded, 1, 7, 0}}
	if len(got) != len(want) {
		t.Fatalf("events %v, want %v", got, want)
	}
	for i, e := range got {
		fast := e.Fast
		e.Fast = want[i].Fast
		if e != want[i] || geom.Abs(fast-e.Fast) > 0.3 {
			t.Errorf("event %d is %+v with %v m/s, want %+v", i, e, fast, want[i])
		}
	}
}

// TestPlaced: what is put into a sensor is in it, and what is put away is not.
func TestPlaced(t *testing.T) {
	w := New(Config{})
	s := NewDef(Static, cube(1))
	s.Flags = Sensor
	must(w.Add(1, s, At(geom.Vec3{}, geom.Identity())))
	must(w.Add(2, NewDef(Dynamic, cube(0.1)), At(geom.Vec3{}, geom.Identity())))
	for i, want := range []EventKind{SensorEntered, SensorLeft, SensorEntered} {
		w.Step()
		if e := w.Events(); len(e) != 1 || e[0] != (Event{want, 1, 2, 0}) {
			t.Errorf("turn %d: %v", i, e)
		}
		w.Step()
		if e := w.Events(); len(e) != 0 {
			t.Errorf("turn %d, a step later: %v", i, e)
		}
		must(w.Move(2, geom.V3(0, float32(5*((i+1)%2)), 0), geom.Identity()))
	}
}

// TestWakes: taking a support away, moving it, or a game's write wakes.
func TestWakes(t *testing.T) {
	sleeping := func() *World {
		w := floor()
		must(w.Add(2, NewDef(Static, cube(0.5)), At(geom.V3(0, 0.5, 0), geom.Identity())))
		must(w.Add(3, NewDef(Dynamic, cube(0.5)), At(geom.V3(0, 1.5, 0), geom.Identity())))
		must(w.Add(4, NewDef(Dynamic, cube(0.5)), At(geom.V3(0, 2.5, 0), geom.Identity())))
		w.run(100)
		if state(t, w, 4).Still != Asleep {
			t.Fatal("does not sleep")
		}
		return w
	}
	for name, wake := range map[string]func(*World){
		"removed":  func(w *World) { w.Remove(2) },
		"moved":    func(w *World) { must(w.Move(2, geom.V3(9, 0.5, 0), geom.Identity())) },
		"filtered": func(w *World) { d := NewDef(Static, cube(0.5)); d.Collides = 0; must(w.SetDef(2, d)) },
		"force":    func(w *World) { must(w.AddForce(3, geom.V3(0, 1e6, 0))) },
		"velocity": func(w *World) { must(w.SetVelocity(3, geom.V3(0, 5, 0), geom.Vec3{})) },
	} {
		w := sleeping()
		was := state(t, w, 4).Pos.Y
		wake(w)
		w.run(10)
		if y := state(t, w, 4).Pos.Y; geom.Abs(y-was) < 0.05 {
			t.Errorf("%s: the upper box has stayed at %v", name, y)
		}
	}
	w := sleeping()
	was := state(t, w, 4)
	w.run(100)
	if state(t, w, 4) != was {
		t.Error("untouched, it has moved")
	}
}

// TestLocks: locked axes keep to the bit, under contacts too.
func TestLocks(t *testing.T) {
	w := floor()
	d := NewDef(Dynamic, shape.Must(shape.NewCapsule(0.4, 0.5)))
	d.Lock = LockSpin | LockZ
	must(w.Add(2, d, At(geom.V3(0, 0.95, 3), geom.Identity())))
	must(w.Add(3, NewDef(Dynamic, cube(0.5)), At(geom.V3(-3, 1, 3.2), geom.Identity())))
	must(w.SetVelocity(3, geom.V3(9, 0, 0), geom.V3(1, 2, 3)))
	w.run(60)
	s := state(t, w, 2)
	if s.Rot != geom.Identity() || s.Pos.Z != 3 || s.Spin != (geom.Vec3{}) || s.Vel.Z != 0 {
		t.Errorf("locked: %+v", s)
	}
	if s.Pos.X < 0.1 {
		t.Errorf("was not pushed: %+v", s)
	}
}

// TestMoveTo: a platform goes exactly where it is told and carries what stands
// on it; without a target it stays.
func TestMoveTo(t *testing.T) {
	w := New(Config{Gravity: Earth})
	must(w.Add(1, NewDef(Kinematic, shape.Must(shape.NewBox(geom.V3(2, 0.25, 2)))), At(geom.Vec3{}, geom.Identity())))
	must(w.Add(2, NewDef(Dynamic, cube(0.5)), At(geom.V3(0, 0.75, 0), geom.Identity())))
	to := geom.Vec3{}
	for i := range 120 {
		to = geom.V3(float32(i)*0.02, float32(i)*0.01, 0)
		must(w.MoveTo(1, to, geom.Identity()))
		w.Step()
		if p := state(t, w, 1).Pos; p != to {
			t.Fatalf("step %d: at %v, not %v", i, p, to)
		}
	}
	if p := state(t, w, 2).Pos.Sub(to); geom.Abs(p.X) > 0.15 || geom.Abs(p.Y-0.75) > 0.01 {
		t.Errorf("the box stands at %v of the platform", p)
	}
	w.run(2)
	if p := state(t, w, 1).Pos; p != to {
		t.Errorf("without a target it went to %v", p)
	}
}

// TestRestoreBodies: bodies that came, went or changed since a Save are as they
// were after a Restore, and everything goes on as it did.
func TestRestoreBodies(t *testing.T) {
	w := floor()
	for i := range 10 {
		must(w.Add(ID(10+i), NewDef(Dynamic, cube(0.5)), At(geom.V3(0.1*float32(i), 0.6+1.1*float32(i), 0), geom.Identity())))
	}
	w.run(20)
	var s Saved
	w.Save(&s)
	w.run(30)
	want := w.Hash()
	w.Restore(&s)
	w.Remove(12)
	must(w.Add(99, NewDef(Dynamic, cube(1)), At(geom.V3(0, 3, 0), geom.Identity())))
	must(w.Move(1, geom.V3(3, -50, 0), geom.Identity()))
	d := NewDef(Dynamic, cube(0.4))
	must(w.SetDef(13, d))
	must(w.AddForce(14, geom.V3(1e5, 0, 0)))
	w.run(3)
	must(w.AddForce(14, geom.V3(1e5, 0, 0)))
	if w.Equal(&s) {
		t.Fatal("equal after all that")
	}
	w.Restore(&s)
	if !w.Equal(&s) {
		t.Fatal("not equal after Restore")
	}
	w.run(30)
	if got := w.Hash(); got != want {
		t.Errorf("goes on to %#x, not %#x", got, want)
	}
}

// TestCrowd: a thousand bodies in one point are a bounded number of contacts,
// and stay finite.
func TestCrowd(t *testing.T) {
	w := floor()
	const n = 1000
	for i := range n {
		must(w.Add(ID(i+2), NewDef(Dynamic, cube(0.5)), At(geom.V3(0, 5, 0), geom.Identity())))
	}
	w.Step()
	if c := len(w.step.cons); c > n*crowdKeep+crowd*crowd {
		t.Errorf("%d contacts", c)
	}
	for i, s := range w.States() {
		if !s.Pos.Finite() || !s.Rot.Finite() || !s.Vel.Finite() || !s.Spin.Finite() {
			t.Fatalf("body %d: %+v", i, s)
		}
	}
}

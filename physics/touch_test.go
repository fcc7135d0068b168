package physics_test

import (
	"math"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

// A cube at rest presses with its weight on the four corners below it; asleep
// it is not computed.
func TestContactsOfACube(t *testing.T) {
	w := physics.New(physics.Config{Gravity: physics.Earth})
	add := func(id physics.ID, k physics.Kind, half, pos geom.Vec3) {
		t.Helper()
		if err := w.Add(id, physics.NewDef(k, shape.Must(shape.NewBox(half))), physics.At(pos, geom.Identity())); err != nil {
			t.Fatal(err)
		}
	}
	add(1, physics.Static, geom.V3(10, 1, 10), geom.V3(0, -1, 0))
	add(2, physics.Dynamic, geom.V3(0.5, 0.5, 0.5), geom.V3(3, 0.5, 2))
	if len(w.Contacts(nil)) != 0 {
		t.Error("contacts before a step")
	}
	for range 20 {
		w.Step()
	}
	got := w.Contacts(nil)
	sum, want := 0.0, 1000*9.81/60
	for _, c := range got {
		sum += float64(c.Impulse)
		x, z := math.Abs(float64(c.Point.X)-3), math.Abs(float64(c.Point.Z)-2)
		if math.Abs(x-0.5) > 0.01 || math.Abs(z-0.5) > 0.01 || math.Abs(float64(c.Point.Y)) > 0.01 || c.Normal.Y > -0.999 {
			t.Errorf("%+v", c)
		}
	}
	if len(got) != 4 || math.Abs(sum-want) > 0.02*want {
		t.Errorf("%d contacts carry %v N s, want 4 and %v", len(got), sum, want)
	}
	for range 60 {
		w.Step()
	}
	if s, _ := w.State(2); s.Still != physics.Asleep || len(w.Contacts(nil)) != 0 {
		t.Errorf("still %d, %d contacts", s.Still, len(w.Contacts(nil)))
	}
	w.Remove(2)
	w.Contacts(nil) // of what is gone: nothing, or at least no panic
}

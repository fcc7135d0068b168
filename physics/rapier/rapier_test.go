package rapier

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
)

var loaded = sync.OnceValues(func() (*Module, error) { return Load(bg, os.Stderr) })

// module is Rapier; a test that needs it is skipped where npm is missing.
func module(t testing.TB) *Module {
	t.Helper()
	m, err := loaded()
	if err == nil {
		return m
	}
	if _, missing := exec.LookPath("npm"); missing == nil || os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	t.Skip(err)
	return nil
}

var bg = context.Background()

func TestFirst(t *testing.T) {
	w, err := module(t).New(physics.Config{Gravity: physics.Earth, Past: 8})
	if err != nil {
		t.Fatal(err)
	}
	box := shape.Must(shape.NewBox(geom.V3(100, 1, 100)))
	if err := w.Add(1, physics.NewDef(physics.Static, box), physics.At(geom.V3(0, -1, 0), geom.Identity())); err != nil {
		t.Fatal(err)
	}
	d := physics.NewDef(physics.Dynamic, shape.Must(shape.NewBox(geom.V3(.5, .5, .5))))
	if err := w.Add(2, d, physics.At(geom.V3(0, 2, 0), geom.Identity())); err != nil {
		t.Fatal(err)
	}
	t.Log(w.bodies[1].mass)
	h, ok := w.RayCast(geom.V3(5, 5, 0), geom.V3(0, -10, 0), nil)
	t.Log(h, ok)
	h, ok = w.RayCast(geom.V3(0, 5, 0), geom.V3(0, -10, 0), nil)
	t.Log(h, ok)
	h, ok = w.RayCast(geom.V3(0, 2.2, 0), geom.V3(0, -10, 0), nil)
	t.Log(h, ok)
	h, ok = w.SphereCast(.5, geom.V3(0, 5, 0), geom.V3(0, -10, 0), nil)
	t.Log(h, ok)
	h, ok = w.SphereCast(.5, geom.V3(5, 5, 0), geom.V3(0, -10, 0), nil)
	t.Log(h, ok)
	h, ok = w.SphereCast(.5, geom.V3(5, .4, 0), geom.V3(0, -10, 0), nil)
	t.Log(h, ok)
	t.Log(w.CapsuleOverlap(physics.Capsule{Pos: geom.V3(0, 1, 0), Rot: geom.Identity(), Radius: .5, HalfHeight: .6}, nil, nil))
	for range 120 {
		w.Step()
	}
	s, _ := w.State(2)
	t.Log(s, w.Err())
	for b := range 6 {
		h, ok = w.RayCast(geom.V3(0, 5, 0), geom.V3(0, -10, 0), &physics.Query{Behind: float32(b), Ignore: []physics.ID{1}})
		t.Log(h, ok)
	}
}

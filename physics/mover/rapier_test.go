//go:build !js

package mover

import (
	"context"
	"os"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/rapier"
	"github.com/foretick/foretick/shape"
)

// Walking, stepping and jumping work on Rapier as well.
func TestRapier(t *testing.T) {
	module, err := rapier.Load(context.Background(), os.Stderr)
	if err != nil {
		t.Skip("no Rapier: ", err)
	}
	w := flat().box(geom.V3(0, 0, -20), geom.V3(20, 0.5, 20)).slope(10, 0.5, 10, 40)
	st := new(shape.Store)
	mesh, err := st.AddMesh(w.v, w.t)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := module.New(physics.Config{Shapes: st})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	if err := engine.Add(1, physics.NewDef(physics.Static, mesh), physics.At(geom.Vec3{}, geom.Identity())); err != nil {
		t.Fatal(err)
	}
	engine.Step()
	m, _ := New(Default())
	s, o := State{Pos: geom.V3(-5, 0.885, 0)}, State{Pos: geom.V3(-5, 0.885, 0)}
	ours, top := w.engine(), float32(0)
	for i := range 240 {
		in := Input{Move: geom.V3(1, 0, 0), Jump: i == 30}
		m.Move(&s, in, engine, nil)
		m.Move(&o, in, ours, nil)
		top = max(top, s.Pos.Y)
		if d := s.Pos.Dist(o.Pos); d > 0.1 {
			t.Fatalf("tick %d: %+v on Rapier, %+v on ours", i, s, o)
		}
	}
	if s.Pos.X < 10 || s.Pos.Y < 3 || !s.Grounded() {
		t.Errorf("%+v", s)
	}
}

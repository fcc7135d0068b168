package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
	"github.com/foretick/foretick/shape"
)

// A scene as rapier.mjs reads it. Numbers are float32 in their shortest form,
// which JavaScript reads back to the bit.
type (
	jsonScene struct {
		Steps   int            `json:"steps"`
		Dt      float32        `json:"dt"`
		Gravity [3]float32     `json:"gravity"`
		Bodies  []jsonBody     `json:"bodies"`
		Meshes  []jsonMesh     `json:"meshes,omitempty"`
		Acts    map[int][]any  `json:"acts,omitempty"` // by step: [op, body, x, y, z]
		Rays    [][6]float32   `json:"rays,omitempty"` // from, move
		Sweeps  [][6]float32   `json:"sweeps,omitempty"`
		Rewind  map[string]int `json:"rewind,omitempty"`
	}
	jsonBody struct {
		Dynamic     bool       `json:"dynamic"`
		Shape       string     `json:"shape"`
		Size        []float32  `json:"size"` // half extents; radius and half height; number of the mesh
		Pos         [3]float32 `json:"pos"`
		Rot         [4]float32 `json:"rot"`
		Vel         [3]float32 `json:"vel"`
		Friction    float32    `json:"friction"`
		Restitution float32    `json:"restitution"`
		Density     float32    `json:"density"`
		LockSpin    bool       `json:"lockSpin"`
	}
	jsonMesh struct {
		Vertices  []float32 `json:"vertices"`
		Triangles []uint32  `json:"triangles"`
	}
)

// write writes a scene for rapier.mjs into dir.
func write(dir, name string) error {
	s := scenes.Named(name)
	if s == nil {
		return fmt.Errorf("there is no scene %q", name)
	}
	out := jsonScene{Steps: s.Steps, Dt: 1.0 / 60, Gravity: triple(s.Config.Gravity)}
	row := map[physics.ID]int{}
	for i := range s.Bodies {
		row[s.Bodies[i].ID] = i
		b, err := out.body(s, &s.Bodies[i])
		if err != nil {
			return err
		}
		out.Bodies = append(out.Bodies, b)
	}
	out.Acts = map[int][]any{}
	for step := range s.Steps {
		for _, a := range s.Acts(step, nil) {
			op := map[scenes.Op]string{scenes.Push: "push", scenes.Steer: "steer"}[a.Op]
			if op == "" {
				return fmt.Errorf("%s does what rapier.mjs cannot", name)
			}
			out.Acts[step] = append(out.Acts[step], []any{op, row[a.ID], a.V.X, a.V.Y, a.V.Z})
		}
	}
	if name == "S4" {
		rays, sweeps := scenes.S4Casts()
		out.Rays, out.Sweeps = sixes(rays), sixes(sweeps)
	}
	out.Rewind = map[string]int{"at": scenes.S5Steps, "rounds": scenes.S5Rounds, "more": scenes.S5More}
	b, err := json.Marshal(out)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+".json"), b, 0o666)
}

func (out *jsonScene) body(s *scenes.Scene, b *scenes.Body) (jsonBody, error) {
	d, st := &b.Def, &b.State
	j := jsonBody{
		Dynamic: d.Kind == physics.Dynamic, LockSpin: d.Lock == physics.LockSpin,
		Pos: triple(st.Pos), Rot: [4]float32{st.Rot.X, st.Rot.Y, st.Rot.Z, st.Rot.W}, Vel: triple(st.Vel),
		Friction: d.Friction, Restitution: d.Restitution, Density: d.Density,
	}
	switch d.Shape.Kind {
	case shape.Box:
		j.Shape, j.Size = "box", []float32{d.Shape.A, d.Shape.B, d.Shape.C}
	case shape.Sphere:
		j.Shape, j.Size = "sphere", []float32{d.Shape.A}
	case shape.Capsule:
		j.Shape, j.Size = "capsule", []float32{d.Shape.A, d.Shape.B}
	case shape.Mesh:
		j.Shape, j.Size = "mesh", []float32{float32(len(out.Meshes))}
		for _, m := range s.Meshes {
			if m.ID == b.ID {
				out.Meshes = append(out.Meshes, meshOf(&m))
			}
		}
	default:
		return j, fmt.Errorf("%s has a shape that rapier.mjs does not know", s.Name)
	}
	return j, nil
}

func meshOf(m *scenes.Mesh) jsonMesh {
	var j jsonMesh
	for _, t := range m.Triangles {
		j.Triangles = append(j.Triangles, t[:]...)
	}
	for _, v := range m.Vertices {
		j.Vertices = append(j.Vertices, v.X, v.Y, v.Z)
	}
	return j
}

func triple(v geom.Vec3) [3]float32 { return [3]float32{v.X, v.Y, v.Z} }

func sixes(casts []scenes.Cast) [][6]float32 {
	out := make([][6]float32, len(casts))
	for i, c := range casts {
		out[i] = [6]float32{c.From.X, c.From.Y, c.From.Z, c.Move.X, c.Move.Y, c.Move.Z}
	}
	return out
}

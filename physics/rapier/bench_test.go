package rapier

import (
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
)

// of is a World with the bodies that a scene begins with.
func of(b *testing.B, s *scenes.Scene) *World {
	b.Helper()
	w := world(b, s.Config)
	for _, x := range s.Bodies {
		if x.From == 0 {
			if err := w.Add(x.ID, x.Def, x.State); err != nil {
				b.Fatal(err)
			}
		}
	}
	return w
}

func BenchmarkStep(b *testing.B) {
	for _, s := range []*scenes.Scene{scenes.S1(), scenes.S2()} {
		b.Run(s.Name, func(b *testing.B) {
			w := of(b, s)
			run(w, 100)
			for b.Loop() {
				w.Step()
			}
		})
	}
}

// BenchmarkRead is what of a step is reading the states of 901 boxes.
func BenchmarkRead(b *testing.B) {
	w := of(b, scenes.S2())
	run(w, 1)
	for b.Loop() {
		w.read()
	}
}

func BenchmarkSaveAndRestore(b *testing.B) {
	w := of(b, scenes.S2())
	run(w, 100)
	saved, err := w.Save()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("save", func(b *testing.B) {
		b.ReportMetric(float64(len(saved)), "bytes")
		for b.Loop() {
			w.Save()
		}
	})
	b.Run("restore", func(b *testing.B) {
		for b.Loop() {
			w.Restore(saved)
		}
	})
}

func BenchmarkQueries(b *testing.B) {
	w := of(b, scenes.S4())
	rays, sweeps := scenes.S4Casts()
	n := 0
	capsule := func(p geom.Vec3) physics.Capsule {
		return physics.Capsule{Pos: p, Rot: geom.Identity(), Radius: 0.4, HalfHeight: 0.5}
	}
	b.Run("ray", func(b *testing.B) {
		for b.Loop() {
			c := rays[n%len(rays)]
			w.RayCast(c.From, c.Move, nil)
			n++
		}
	})
	b.Run("sweep", func(b *testing.B) {
		for b.Loop() {
			c := sweeps[n%len(sweeps)]
			w.CapsuleCast(capsule(c.From), c.Move, nil)
			n++
		}
	})
	b.Run("overlap", func(b *testing.B) {
		var out []physics.Overlap
		for b.Loop() {
			out = w.CapsuleOverlap(capsule(sweeps[n%len(sweeps)].From), nil, out[:0])
			n++
		}
	})
}

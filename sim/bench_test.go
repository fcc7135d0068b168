package sim

import "testing"

// benchBody is what moves in most games: four exact floats, half of them smooth.
type benchBody struct {
	X, Y   float32 `net:"exact,smooth"`
	VX, VY float32 `net:"exact"`
}

type benchSmall struct {
	A, B uint16
}

func BenchmarkPlan(b *testing.B) {
	for _, c := range []struct {
		name string
		plan *Plan
	}{{"Body", benchPlan[benchBody]()}, {"Small", benchPlan[benchSmall]()}} {
		p := c.plan
		x, y, z := make([]byte, p.Size), make([]byte, p.Size), make([]byte, p.Size)
		for i := range x {
			x[i], y[i] = byte(i*7), byte(i*7+i%4/3)
		}
		w := make([]int32, p.Words)
		for _, op := range []struct {
			name string
			run  func()
		}{
			{"Quantise", func() { p.Quantise(x, w) }},
			{"Dequantise", func() { p.Dequantise(w, z) }},
			{"Valid", func() { p.Valid(w) }},
			{"Blend", func() { p.Blend(z, x, y, 0.5) }},
			{"Distance", func() { p.Distance(x, y) }},
			{"Differs", func() { p.Differs(x, y) }},
			{"AddOffset", func() { p.AddOffset(z, x, y, 0.5) }},
		} {
			b.Run(c.name+"/"+op.name, func(b *testing.B) {
				for b.Loop() {
					op.run()
				}
			})
		}
	}
}

func benchPlan[T any]() *Plan {
	g := New("bench", 60)
	c := Predicted[T](g)
	return g.Plan(c.Column())
}

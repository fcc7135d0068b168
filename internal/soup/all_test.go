package soup

import (
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/geom"
)

// TestAll: the sides of planes leave out nothing that a triangle's own test
// finds, among slivers and lines that end on a triangle too.
func TestAll(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 9))
	v := func(k float64) geom.Vec3 {
		f := func() float32 { return float32((r.Float64()*2 - 1) * k) }
		return geom.V3(f(), f(), f())
	}
	var verts []geom.Vec3
	var tris [][3]uint32
	for i := range 300 {
		a := v(20)
		b, c := a.Add(v(4)), a.Add(v(4))
		if i%5 == 0 {
			c = a.Lerp(b, 0.5).Add(v(1e-5))
		}
		n := uint32(len(verts))
		verts, tris = append(verts, a, b, c), append(tris, [3]uint32{n, n + 1, n + 2})
	}
	s := New(verts, tris)
	slow := *s
	slow.Full = true
	all, hits := NewAll(s), 0
	for i := range 20_000 {
		p, q := Of(v(20)), Of(v(20))
		if i%4 == 0 { // from a point of a triangle
			k := &s.Triangles[r.IntN(len(tris))]
			p = k.A.Add(k.B).Add(k.C).Mul(1.0 / 3)
		}
		n, x := slow.Crossed(p, q)
		m, y := all.Crossed(p, q)
		if n != m || x != y {
			t.Fatalf("line %d: triangle %d at %v, all say %d at %v (seed %d)", i, m, y, n, x, seed)
		}
		if n >= 0 {
			hits++
		}
	}
	if hits < 2000 {
		t.Errorf("only %d lines cross", hits)
	}
}

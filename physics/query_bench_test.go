package physics

import (
	"math"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// The scenes S3 and S4 stand on a higher floor, in physics/scenes; here is as
// much of them as casts need.

type lcg uint32

func (s *lcg) next() float64 {
	*s = *s*1664525 + 1013904223
	return float64(*s>>8) / 16777216
}

func (s *lcg) vec(from, size geom.Vec3) geom.Vec3 {
	x, y, z := s.next(), s.next(), s.next()
	return from.Add(geom.V3(float32(x)*size.X, float32(y)*size.Y, float32(z)*size.Z))
}

func waveAt(t float64) float64 {
	t -= math.Floor(t)
	if t < .5 {
		return 16 * t * (.5 - t)
	}
	return -16 * (t - .5) * (1 - t)
}

func groundAt(i, j float64) float32 {
	return float32(14*waveAt(i/100) + 4*waveAt(j/50+.25) + 2*waveAt((i+j)/25))
}

func addTerrain(st *shape.Store) shape.Shape {
	var v []geom.Vec3
	var t [][3]uint32
	for j := range 101 {
		for i := range 101 {
			v = append(v, geom.V3(float32(i)-50, groundAt(float64(i), float64(j)), float32(j)-50))
			if q := uint32(j*101 + i); i < 100 && j < 100 {
				t = append(t, [3]uint32{q, q + 101, q + 1}, [3]uint32{q + 1, q + 101, q + 102})
			}
		}
	}
	return shape.Must(st.AddMesh(v, t))
}

// worldS4 is S4 without its casts: terrain and 2000 turned boxes. s goes on
// with the casts.
func worldS4(tb testing.TB, s *lcg) *World {
	st := new(shape.Store)
	w := New(Config{Shapes: st})
	put(tb, w, 1, Static, addTerrain(st), geom.Vec3{}, geom.Identity(), nil)
	for i := range 2000 {
		h := s.vec(geom.V3(.5, .5, .5), geom.V3(1.5, 1.5, 1.5))
		p := s.vec(geom.V3(-48, -20, -48), geom.V3(96, 60, 96))
		x, y, z, q := s.next(), s.next(), s.next(), s.next()
		rot := geom.Quat{X: float32(2*x - 1), Y: float32(2*y - 1), Z: float32(2*z - 1), W: float32(q + .1)}.Norm()
		put(tb, w, ID(2+i), Static, shape.Must(shape.NewBox(h)), p, rot, nil)
	}
	return w
}

// castsS4 returns origins and moves of a length.
func castsS4(s *lcg, n int, length float32) (from, move []geom.Vec3) {
	for range n {
		from = append(from, s.vec(geom.V3(-50, -25, -50), geom.V3(100, 70, 100)))
		d := geom.Vec3{}
		for d.Len2() < .01 {
			d = s.vec(geom.V3(-1, -1, -1), geom.V3(2, 2, 2))
		}
		move = append(move, d.Norm().Mul(length))
	}
	return from, move
}

// BenchmarkS4Rays and BenchmarkS4Sweeps report casts a second.
func BenchmarkS4Rays(b *testing.B) {
	s := lcg(4242)
	w := worldS4(b, &s)
	from, move := castsS4(&s, 100_000, 50)
	i, hits := 0, 0
	for b.Loop() {
		if _, ok := w.RayCast(from[i%len(from)], move[i%len(from)], nil); ok {
			hits++
		}
		i++
	}
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "casts/s")
	b.ReportMetric(float64(hits)/float64(i), "hits/cast")
}

func BenchmarkS4Sweeps(b *testing.B) {
	s := lcg(4242)
	w := worldS4(b, &s)
	castsS4(&s, 100_000, 50)
	from, move := castsS4(&s, 20_000, 10)
	i, hits := 0, 0
	for b.Loop() {
		c := Capsule{Pos: from[i%len(from)], Rot: geom.Identity(), Radius: .4, HalfHeight: .5}
		if _, ok := w.CapsuleCast(c, move[i%len(from)], nil); ok {
			hits++
		}
		i++
	}
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "casts/s")
	b.ReportMetric(float64(hits)/float64(i), "hits/cast")
}

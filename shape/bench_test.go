package shape

import (
	"strconv"
	"testing"

	"github.com/foretick/foretick/geom"
)

type body struct {
	s Shape
	f geom.Frame
}

// heap has pairs as a heap of boxes has them: one lies on the other, turned
// and shifted a little.
func heap(n int, lower, upper func(geom.Vec3) Shape) (pairs [][2]body) {
	r := rng()
	for range n {
		p := randomVec(r, 10)
		tilt := func() geom.Quat {
			v := randomVec(r, 0.01)
			return geom.Quat{X: v.X, Y: (r.Float32() - 0.5) * 0.5, Z: v.Z, W: 1}.Norm()
		}
		half := geom.Vec3{X: 0.5, Y: 0.5, Z: 0.5}
		q := p.Add(geom.Vec3{X: r.Float32() - 0.5, Y: 0.995 + 0.01*r.Float32(), Z: r.Float32() - 0.5})
		pairs = append(pairs, [2]body{{lower(half), geom.FrameOf(p, tilt())}, {upper(half), geom.FrameOf(q, tilt())}})
	}
	return pairs
}

func box(h geom.Vec3) Shape { return Must(NewBox(h)) }

func benchPairs(b *testing.B, st *Store, pairs [][2]body) {
	var out []Manifold
	points := 0
	for i := 0; b.Loop(); i++ {
		p := &pairs[i%len(pairs)]
		out = st.Contacts(p[0].s, &p[0].f, p[1].s, &p[1].f, 0.02, out[:0])
		if len(out) > 0 {
			points += int(out[0].Count)
		}
	}
	b.ReportMetric(float64(points)/float64(b.N), "points/op")
}

func BenchmarkBoxBox(b *testing.B) { benchPairs(b, nil, heap(1000, box, box)) }

func BenchmarkBoxBoxApart(b *testing.B) {
	r := rng()
	var pairs [][2]body
	for range 1000 {
		s := box(geom.Vec3{X: 0.5, Y: 0.5, Z: 0.5})
		f := geom.FrameOf(randomVec(r, 10), randomRot(r))
		g := geom.FrameOf(f.P.Add(randomVec(r, 1.2)), randomRot(r))
		pairs = append(pairs, [2]body{{s, f}, {s, g}})
	}
	benchPairs(b, nil, pairs)
}

func BenchmarkCapsuleBox(b *testing.B) {
	benchPairs(b, nil, heap(1000, box, func(geom.Vec3) Shape { return Must(NewCapsule(0.5, 0.3)) }))
}

func BenchmarkCapsuleCapsule(b *testing.B) {
	r := rng()
	var pairs [][2]body
	for range 1000 {
		s := Must(NewCapsule(0.4, 0.5))
		f := geom.FrameOf(randomVec(r, 10), randomRot(r))
		pairs = append(pairs, [2]body{{s, f}, {s, geom.FrameOf(f.P.Add(randomVec(r, 0.8)), randomRot(r))}})
	}
	benchPairs(b, nil, pairs)
}

func BenchmarkHullHull(b *testing.B) {
	for _, n := range []int{8, 20, 60} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			r := rng()
			st := new(Store)
			hull := func(geom.Vec3) Shape {
				pts := cloud(r, n, true)
				for i := range pts {
					pts[i] = pts[i].Mul(0.7)
				}
				return Must(st.AddHull(pts))
			}
			pairs := heap(50, hull, hull)
			benchPairs(b, st, pairs)
		})
	}
}

func BenchmarkBoxHull(b *testing.B) {
	st := new(Store)
	pairs := heap(50, box, func(h geom.Vec3) Shape {
		var room boxRoom
		boxPoly(h, &room)
		return Must(st.AddHull(room.verts[:]))
	})
	benchPairs(b, st, pairs)
}

// A shape that stands on a terrain of half-metre triangles, and one of those.
func BenchmarkTriangle(b *testing.B) {
	for _, c := range []struct {
		name string
		s    Shape
	}{
		{"sphere", Must(NewSphere(0.5))}, {"capsule", Must(NewCapsule(0.4, 0.5))}, {"box", Must(NewBox(geom.V3(0.5, 0.5, 0.5)))},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := rng()
			var st *Store
			var tris [][3]geom.Vec3
			for range 64 {
				p := randomVec(r, 0.8)
				p.Y *= 0.1
				tris = append(tris, [3]geom.Vec3{p, p.Add(geom.V3(0, 0.1, 1)), p.Add(geom.V3(1, 0.1, 0))})
			}
			f := geom.FrameOf(geom.V3(0, c.s.A+c.s.B-0.01, 0), geom.Identity())
			if c.s.Kind == Box {
				f.P.Y = c.s.B
			}
			var room boxRoom
			x := st.convexOf(&c.s, &f, &room)
			var m Manifold
			hits := 0
			for i := 0; b.Loop(); i++ {
				if convexTriangle(&x, &tris[i%64], 0, true, 0.02, &m) {
					hits++
				}
			}
			b.ReportMetric(float64(hits)/float64(b.N), "hits/op")
		})
	}
}

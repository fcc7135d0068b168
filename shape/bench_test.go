package shape

import (
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

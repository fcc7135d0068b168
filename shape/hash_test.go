package shape

import (
	"math"
	"testing"

	"github.com/foretick/foretick/geom"
)

// knownHash is of 100,000 pairs' manifolds, and of the hulls and masses in
// them, the same on amd64 v1 and v3, arm64 and WebAssembly. A change to it
// changes every recorded match, so change it knowingly.
const knownHash = 0x8e6c094e10d29b7c

// stream is xorshift64*: this test may not depend on what a library draws.
type stream uint64

func (s *stream) next() float32 {
	x := *s
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	*s = x
	return float32(int32(uint64(x)*2685821657736338717>>40)-1<<23) / (1 << 23) // [-1, 1)
}

func (s *stream) vec(k float32) geom.Vec3 {
	return geom.V3(s.next()*k, s.next()*k, s.next()*k)
}

func (s *stream) rot() geom.Quat {
	return geom.Quat{X: s.next(), Y: s.next(), Z: s.next(), W: s.next()}.Norm()
}

type fnv uint64

func (h *fnv) add(xs ...float32) {
	for _, x := range xs {
		*h = (*h ^ fnv(math.Float32bits(x))) * 1099511628211
	}
}

func (h *fnv) vec(v geom.Vec3) { h.add(v.X, v.Y, v.Z) }

func (h *fnv) manifolds(ms []Manifold) {
	h.add(float32(len(ms)))
	for i := range ms {
		m := &ms[i]
		h.vec(m.Normal)
		h.add(float32(m.Count), float32(m.ChildA), float32(m.ChildB), float32(m.Feature))
		for _, p := range m.Points[:m.Count] {
			h.vec(p.P)
			h.add(p.Sep)
		}
	}
}

func TestKnownHash(t *testing.T) {
	s, h := stream(1), fnv(14695981039346656037)
	st := new(Store)
	size := func() float32 { return 0.6 + s.next()*0.5 }
	var shapes []Shape
	for i := range 100 {
		var x Shape
		switch i % 5 {
		case 0:
			x = Must(NewSphere(size()))
		case 1:
			x = Must(NewCapsule(size()*0.5, size()))
		case 2:
			x = Must(NewBox(geom.V3(size(), size(), size())))
		case 3:
			var pts []geom.Vec3
			for range 4 + i/3 {
				pts = append(pts, s.vec(1))
			}
			x = Must(st.AddHull(pts))
		case 4:
			x = Must(st.AddCompound([]Piece{{shapes[i-1], s.vec(1), s.rot()}, {shapes[i-2], s.vec(1), s.rot()}}))
		}
		m := st.Mass(x, 1000)
		h.vec(m.Centre)
		h.vec(m.Inertia.X)
		h.vec(m.Inertia.Y)
		h.vec(m.Inertia.Z)
		h.add(m.Mass, st.Core(x), st.Reach(x))
		shapes = append(shapes, x)
	}
	var out []Manifold
	found := 0
	for i := range 100_000 {
		a, b := shapes[i%100], shapes[i*7%99]
		fa := geom.FrameOf(s.vec(10), s.rot())
		fb := geom.FrameOf(fa.P.Add(s.vec(1.5)), s.rot())
		if i%8 == 0 { // aligned
			fb.R = fa.R
		}
		bounds := st.Bounds(a, &fa)
		h.vec(bounds.Min)
		h.vec(bounds.Max)
		out = st.Contacts(a, &fa, b, &fb, 0.05, out[:0])
		h.manifolds(out)
		found += len(out)
	}
	t.Logf("hash of 100,000 pairs, %d manifolds, is %#x", found, uint64(h))
	if h != knownHash {
		t.Errorf("hash %#x, want %#x", uint64(h), uint64(knownHash))
	}
}

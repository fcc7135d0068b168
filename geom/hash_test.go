package geom

import (
	"math"
	"testing"
)

// knownHash is of a million operations, the same on amd64 v1 and v3, arm64,
// riscv64 and WebAssembly. A change to any operation's bits changes every
// recorded match, so change it knowingly.
const knownHash = 0x9df561b981cf9a3a

// stream is xorshift64*: this test may not depend on what a library draws.
type stream uint64

func (s *stream) next() float32 {
	x := *s
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	*s = x
	return float32(int32(uint64(x)*2685821657736338717>>40)-1<<23) / (1 << 20) // [-8, 8)
}

func (s *stream) v2() Vec2   { return Vec2{s.next(), s.next()} }
func (s *stream) v3() Vec3   { return Vec3{s.next(), s.next(), s.next()} }
func (s *stream) quat() Quat { return Quat{s.next(), s.next(), s.next(), s.next()} }

type fnv uint64

func (h *fnv) add(fs ...float32) {
	for _, f := range fs {
		*h = (*h ^ fnv(math.Float32bits(f))) * 1099511628211
	}
}

func (h *fnv) v2(v Vec2)   { h.add(v.X, v.Y) }
func (h *fnv) v3(v Vec3)   { h.add(v.X, v.Y, v.Z) }
func (h *fnv) quat(q Quat) { h.add(q.X, q.Y, q.Z, q.W) }

// hashOps hashes n rounds of 40 operations. Results feed the next round, so
// that one wrong bit stays visible.
func hashOps(n int) uint64 {
	s, h := stream(1), fnv(14695981039346656037)
	p, q := Vec3{}, Identity()
	for range n {
		k := s.next()
		a, b := s.v2(), s.v2()
		h.v2(a.Add(b).Sub(a.Mul(k)))
		h.v2(a.MulAdd(b, k))
		h.v2(a.Lerp(b, k).Perp())
		h.v2(a.Norm().Neg())
		h.v2(a.Rotate(k))
		h.add(a.Dot(b), a.Cross(b), a.Len(), a.Dist(b), a.Angle())

		c, d := s.v3(), s.v3()
		h.v3(c.Add(d).Sub(d.Mul(k)))
		h.v3(c.Cross(d))
		h.v3(c.Lerp(d, k))
		h.v3(c.Norm().Neg())
		h.add(c.Dot(d), c.Len(), c.Dist(d))

		e := s.quat().Norm()
		q = q.Integrate(c, 1.0/60)
		q = q.Mul(e).Norm()
		p = q.Rotate(p.MulAdd(d, 1.0/60)).Mul(0.99)
		h.quat(q.Canonical())
		h.v3(p)
		h.v3(q.Unrotate(c))
		h.quat(q.Nlerp(e, 0.3))
		h.quat(FromAxisAngle(d, k))

		sin, cos := SinCos(float32(k * 1000))
		h.add(sin, cos, Sin(p.X), Cos(p.Y), Atan2(c.X, d.Y))
		h.add(Sqrt(Abs(k)), Floor(k), Clamp(k, -1, 1), Lerp(k, a.X, b.Y))
	}
	return uint64(h)
}

func TestKnownHash(t *testing.T) {
	if got := hashOps(25_000); got != knownHash {
		t.Errorf("hash of a million operations %#x, want %#x", got, uint64(knownHash))
	}
}

package shape

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/foretick/foretick/geom"
)

// The reference works in float64 by other means: the distance of a point from
// an obstacle by the closed form of its kind, of a segment by searching along
// it, of a way by searching along that, all three convex.

type pointDist func(p v3) float64

func frameOut(f *geom.Frame, p v3) v3 {
	d := p.sub(wide(f.P))
	return v3{wide(f.R.X).dot(d), wide(f.R.Y).dot(d), wide(f.R.Z).dot(d)}
}

func pointSegment(p, a, b v3) float64 {
	u := b.sub(a)
	t := 0.0
	if l := u.len2(); l > 0 {
		t = math.Max(0, math.Min(1, p.sub(a).dot(u)/l))
	}
	return p.sub(a.add(u.mul(t))).len()
}

func triDist(a, b, c v3) pointDist {
	n := b.sub(a).cross(c.sub(a)).norm()
	return func(p v3) float64 {
		h := p.sub(a).dot(n)
		in := true
		for _, e := range [3][2]v3{{a, b}, {b, c}, {c, a}} {
			in = in && e[1].sub(e[0]).cross(p.sub(e[0])).dot(n) >= 0
		}
		if in {
			return math.Abs(h)
		}
		return math.Min(pointSegment(p, a, b), math.Min(pointSegment(p, b, c), pointSegment(p, c, a)))
	}
}

// refDist is the distance of a shape's core, to which radius is still to be
// added.
func refDist(s Shape, f *geom.Frame) pointDist {
	h := wide(s.Half())
	switch s.Kind {
	case Sphere:
		return func(p v3) float64 { return math.Max(0, frameOut(f, p).len()-h.X) }
	case Capsule:
		return func(p v3) float64 {
			return math.Max(0, pointSegment(frameOut(f, p), v3{Y: -h.Y}, v3{Y: h.Y})-h.X)
		}
	}
	return func(p v3) float64 {
		p = frameOut(f, p)
		d := v3{math.Max(0, math.Abs(p.X)-h.X), math.Max(0, math.Abs(p.Y)-h.Y), math.Max(0, math.Abs(p.Z)-h.Z)}
		return d.len()
	}
}

// lowest returns where in [0, 1] a convex function is the least.
func lowest(f func(float64) float64) float64 {
	lo, hi := 0.0, 1.0
	for range 36 {
		a, b := lo+(hi-lo)*0.382, lo+(hi-lo)*0.618
		if f(a) <= f(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return (lo + hi) / 2
}

func segDist(d pointDist, a, b v3) float64 {
	if a == b {
		return d(a)
	}
	at := func(t float64) float64 { return d(a.plus(b.sub(a), t)) }
	return math.Min(at(lowest(at)), math.Min(at(0), at(1)))
}

// refCast returns the fraction of the first touch, 2 if there is none, and the
// least distance less the radius on the way.
func refCast(d pointDist, c *Cast) (float64, float64) {
	a, b, m := wide(c.A), wide(c.B), wide(c.Move)
	gap := func(t float64) float64 { return segDist(d, a.plus(m, t), b.plus(m, t)) - float64(c.R) }
	best := lowest(gap)
	if gap(1) <= gap(best) {
		best = 1
	}
	least := gap(best)
	switch {
	case gap(0) <= 0:
		return 0, least
	case least > 0:
		return 2, least
	}
	lo, hi := 0.0, best
	for range 30 {
		if mid := (lo + hi) / 2; gap(mid) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi, least
}

func randShape(r *rand.Rand) Shape {
	size := func() float32 { return 0.05 + 2*r.Float32() }
	switch r.Intn(3) {
	case 0:
		return Must(NewSphere(size()))
	case 1:
		return Must(NewCapsule(size(), size()))
	}
	return Must(NewBox(geom.V3(size(), size(), size())))
}

func randQuat(r *rand.Rand) geom.Quat {
	return geom.Quat{X: r.Float32() - 0.5, Y: r.Float32() - 0.5, Z: r.Float32() - 0.5, W: r.Float32() - 0.5}.Norm()
}

// randCast aims from a distance at about a place.
func randCast(r *rand.Rand, at geom.Vec3, size float32) Cast {
	c := Cast{Round: Round{R: 0.05 + r.Float32()}}
	c.A = at.Add(randVec(r, 12))
	c.B = c.A
	if r.Intn(2) == 0 {
		c.B = c.A.Add(randVec(r, 2))
	}
	c.Move = at.Add(randVec(r, size)).Sub(c.A).Mul(0.3 + 2*r.Float32())
	switch r.Intn(10) {
	case 0:
		c.Move = geom.V3(0, c.Move.Y, 0)
	case 1:
		c.Move.Y = 0
	}
	return c
}

// judge compares one sweep with the reference and says what is wrong: no hit
// may be missed, or late or early by a millimetre of the way, unless it grazes.
func judge(c *Cast, want, least float64, h CastHit, ok bool) string {
	l := float64(c.Move.Len())
	switch {
	case math.Abs(least) < 1e-4:
		return ""
	case want == 0:
		if !ok || !h.Inside || h.Fraction != 0 {
			return fmt.Sprintf("%+v starts inside, %v %+v", c, ok, h)
		}
	case ok != (want <= 1) || ok && math.Abs(float64(h.Fraction)-want)*l > 1e-3:
		return fmt.Sprintf("%+v (least %g): hit %v at %v, want %v", c, least, ok, h.Fraction, want)
	case ok && (h.Inside || h.Normal.Dot(c.Move) > 0 || math.Abs(float64(h.Normal.Len())-1) > 1e-5):
		return fmt.Sprintf("%+v: %+v", c, h)
	}
	return ""
}

// pointHeld checks that the point of a hit is on the obstacle, and the Round's
// surface there.
func pointHeld(t *testing.T, name string, d pointDist, c *Cast, h CastHit) {
	t.Helper()
	p := wide(h.Point)
	m := wide(c.Move).mul(float64(h.Fraction))
	off := pointSegment(p, wide(c.A).add(m), wide(c.B).add(m)) - float64(c.R)
	if !h.Inside && (d(p) > 1e-4 || math.Abs(off) > 1e-4) {
		t.Fatalf("%s: %+v: point %g off the shape, %g off the cast: %+v", name, c, d(p), off, h)
	}
}

func TestSweepConvex(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewSource(seed))
	hits, inside, seen := 0, 0, 0
	for range 1500 {
		s, f := randShape(r), geom.FrameOf(randVec(r, 50), randQuat(r))
		c := randCast(r, f.P, 2)
		d := refDist(s, &f)
		want, least := refCast(d, &c)
		var st *Store
		h, ok := st.Cast(s, &f, &c, 1)
		if bad := judge(&c, want, least, h, ok); bad != "" {
			t.Fatalf("seed %d, convex: %s", seed, bad)
		}
		late := c
		late.R -= 0.004
		if h, ok := st.Cast(s, &f, &late, 1); want > 0 && want <= 1 && judge(&c, want, least, h, ok) != "" {
			seen++
		}
		if ok {
			pointHeld(t, "convex", d, &c, h)
			if hits++; h.Inside {
				inside++
			}
		}
	}
	if hits < 400 || inside < 3 || seen < hits*9/10 {
		t.Errorf("seed %d: %d hits, %d inside; of spheres that are 4 mm too small %d were seen", seed, hits, inside, seen)
	}
}

// TestRayConvex checks that the ray is outside up to its hit, and on the shape
// there; and that it is never inside when there is no hit.
func TestRayConvex(t *testing.T) {
	const seed = 13
	r := rand.New(rand.NewSource(seed))
	hits, inside := 0, 0
	for range 20000 {
		s, f := randShape(r), geom.FrameOf(randVec(r, 50), randQuat(r))
		c := randCast(r, f.P, 2)
		if r.Intn(8) == 0 {
			c.A = f.P.Add(randVec(r, 1))
		}
		d := refDist(s, &f)
		at := func(t float64) float64 { return d(wide(c.A).plus(wide(c.Move), t)) }
		var st *Store
		h, ok := st.Ray(s, &f, c.A, c.Move, 1)
		small := s
		small.A, small.B, small.C = s.A-1e-3, s.B-1e-3, s.C-1e-3
		if s.Kind == Capsule {
			small.B = s.B
		}
		in := refDist(small, &f)
		sure := func(t float64) float64 { return in(wide(c.A).plus(wide(c.Move), t)) }
		switch l := float64(c.Move.Len()); {
		case !ok:
			if sure(lowest(sure)) == 0 || sure(0) == 0 || sure(1) == 0 {
				t.Fatalf("seed %d: %v %v at %v: missed", seed, s, c, f.P)
			}
		case h.Inside:
			inside++
			out := h.Point.MulAdd(h.Normal, s.A+s.B+s.C)
			if at(0) > 1e-5 || h.Fraction != 0 || h.Point.Sub(c.A).Len() > 1e-4 || d(wide(out)) == 0 {
				t.Fatalf("seed %d: %v %v: %+v", seed, s, c, h)
			}
		default:
			hits++
			x, e := float64(h.Fraction), 1e-3/l
			before := func(t float64) float64 { return sure(t * (x - e)) }
			if at(x) > 1e-4 || d(wide(h.Point)) > 1e-4 || x > e && before(lowest(before)) == 0 ||
				h.Normal.Dot(c.Move) > 0 || math.Abs(float64(h.Normal.Len())-1) > 1e-5 {
				t.Fatalf("seed %d: %v %v: %+v", seed, s, c, h)
			}
		}
	}
	if hits < 3000 || inside < 300 {
		t.Errorf("seed %d: %d hits, %d inside", seed, hits, inside)
	}
}

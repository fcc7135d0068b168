package shape

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/geom"
)

const seed = 4 // of every random test of contacts

func rng() *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

// someHulls is a store with hulls of 4 to 40 points.
func someHulls(r *rand.Rand) *Store {
	st := new(Store)
	for len(st.hulls) < 60 {
		pts := cloud(r, 4+r.IntN(20)*r.IntN(3), r.IntN(2) == 0)
		size := randomVec(r, 0.5).Add(geom.Vec3{X: 0.6, Y: 0.6, Z: 0.6})
		if r.IntN(3) == 0 { // a box, cut off
			pts = pts[:0]
			for i := range 8 {
				pts = append(pts, geom.V3(float32(i&1)*1.8-0.9, float32(i>>1&1)*1.8-0.9, float32(i>>2)*0.9*(1-0.3*float32(i&1))))
			}
		}
		for i := range pts {
			pts[i] = geom.V3(pts[i].X*size.X, pts[i].Y*size.Y, pts[i].Z*size.Z)
		}
		if _, err := st.AddHull(pts); err != nil && !errors.Is(err, errHullFlat) && !errors.Is(err, errHullPoints) {
			panic(err)
		}
	}
	return st
}

// randomShape has extents of about 0.05 to 1 m.
func randomShape(r *rand.Rand, k Kind) Shape {
	x := func() float32 { return 0.05 + r.Float32() }
	switch k {
	case Sphere:
		return Must(NewSphere(x()))
	case Capsule:
		return Must(NewCapsule(x()*0.5, x()))
	}
	if k == Hull {
		return Shape{Kind: Hull, Ref: uint32(r.IntN(60))}
	}
	return Must(NewBox(geom.Vec3{X: x(), Y: x(), Z: x()}))
}

// fault holds ms against brute force; it returns how far the deepest point is
// from the true distance, and what is wrong.
func fault(a, b *solid, origin geom.Vec3, margin float32, ms []Manifold) (off float64, wrong string) {
	const eps = 2e-5
	dist, _ := distance(a, b)
	if len(ms) == 0 {
		if dist < -eps {
			return 0, fmt.Sprintf("no contact at distance %g", dist)
		}
		return 0, ""
	}
	m := &ms[0]
	n := widen(m.Normal)
	if l := n.len(); math.Abs(l-1) > 1e-5 || m.Count < 1 || m.Count > 4 {
		return 0, fmt.Sprintf("%d points, a normal of length %g", m.Count, l)
	}
	along := apart(a, b, n)
	slop := featureSlop + featureShare*math.Abs(along) + eps
	corners := dist > 0 && a.radius == 0 && b.radius == 0 // apart they are bounded only
	if along < dist-slop && !corners {
		return 0, fmt.Sprintf("along the normal %g, but the distance is %g: %+v", along, dist, m)
	}
	for _, c := range m.Points[:m.Count] {
		if !(c.Sep < margin) {
			return 0, fmt.Sprintf("a point at %g, margin %g", c.Sep, margin)
		}
		p, h := widen(origin).add(widen(c.P)), float64(c.Sep)/2
		eps := eps + max(0, float64(c.Sep)) // corners that are apart, again
		for _, d := range []float64{level(a, p.sub(n.mul(h))), level(b, p.add(n.mul(h)))} {
			// The far end of a slanting capsule lies inside, its deepest point never.
			if d > eps+slop || d < -eps-slop && c.Sep == m.deepest() {
				return 0, fmt.Sprintf("a point is %g off a surface: %+v, distance %g", d, m, dist)
			}
		}
	}
	deepest := float64(m.deepest())
	if deepest < along-eps {
		return 0, fmt.Sprintf("a point at %g, along the normal it is %g", deepest, along)
	}
	return deepest - dist, ""
}

// checkManifold fails on a fault.
func checkManifold(t *testing.T, a, b *solid, origin geom.Vec3, margin float32, ms []Manifold) float64 {
	t.Helper()
	off, wrong := fault(a, b, origin, margin, ms)
	if wrong != "" {
		t.Fatalf("%s (seed %d)", wrong, seed)
	}
	return off
}

// The check sees a normal that is 15 degrees off, a point or a depth 30 mm off,
// and a contact that is not there.
func TestFaultsAreSeen(t *testing.T) {
	r := rng()
	st := someHulls(r)
	for name, spoil := range map[string]func(ms []Manifold) []Manifold{
		"normal": func(ms []Manifold) []Manifold {
			ms[0].Normal = ms[0].Normal.MulAdd(across(ms[0].Normal), 0.27).Norm()
			return ms
		},
		"point": func(ms []Manifold) []Manifold {
			for i := range ms[0].Points {
				ms[0].Points[i].P = ms[0].Points[i].P.MulAdd(ms[0].Normal, 0.03)
			}
			return ms
		},
		"depth": func(ms []Manifold) []Manifold {
			for i := range ms[0].Points {
				ms[0].Points[i].Sep -= 0.03
			}
			return ms
		},
		"none": func(ms []Manifold) []Manifold { return nil },
	} {
		seen, hits := 0, 0
		for range 4000 {
			a, b := randomShape(r, Sphere+Kind(r.IntN(4))), randomShape(r, Sphere+Kind(r.IntN(4)))
			fa := geom.FrameOf(randomVec(r, 1), randomRot(r))
			fb := geom.FrameOf(fa.P.Add(randomVec(r, 1.4)), randomRot(r))
			ms := st.Contacts(a, &fa, b, &fb, 0, nil)
			if len(ms) == 0 || ms[0].deepest() < -0.2 || ms[0].deepest() > -1e-4 {
				continue
			}
			sa, sb := solidOf(st, a, &fa), solidOf(st, b, &fb)
			hits++
			if _, wrong := fault(&sa, &sb, fa.P, 0, spoil(ms)); wrong != "" {
				seen++
			}
		}
		if seen < hits*98/100 || hits < 100 {
			t.Errorf("%s: %d of %d faults seen (seed %d)", name, seen, hits, seed)
		}
	}
}

func tries(a, b Kind) int {
	if a == Hull || b == Hull {
		return 400
	}
	return 2500
}

func TestContactsAgainstBruteForce(t *testing.T) {
	r := rng()
	st := someHulls(r)
	for ka := Sphere; ka <= Hull; ka++ {
		for kb := Sphere; kb <= Hull; kb++ {
			var worst, shallow, missed float64
			hits, misses := 0, 0
			for range tries(ka, kb) {
				a, b := randomShape(r, ka), randomShape(r, kb)
				fa := geom.FrameOf(randomVec(r, 100), randomRot(r))
				fb := geom.FrameOf(fa.P.Add(randomVec(r, 1.6)), randomRot(r))
				margin := 0.1 * r.Float32()
				sa, sb := solidOf(st, a, &fa), solidOf(st, b, &fb)
				ms := st.Contacts(a, &fa, b, &fb, margin, nil)
				off := checkManifold(t, &sa, &sb, fa.P, margin, ms)
				if len(ms) > 0 {
					hits++
					worst = max(worst, math.Abs(off))
					if d, _ := distance(&sa, &sb); d > -0.02 && d < 0 {
						shallow = max(shallow, math.Abs(off))
					}
				} else if d, _ := distance(&sa, &sb); d < float64(margin)-1e-4 {
					misses++
					missed = max(missed, float64(margin)-d)
				}
			}
			t.Logf("%d-%d: %d contacts, deepest off by %.5f at most, %.5f where they overlap by less than 20 mm; %d within the margin not seen, by %.3f at most", ka, kb, hits, worst, shallow, misses, missed)
		}
	}
}

package shape

import (
	"errors"
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

// checkManifold holds m against brute force; it returns how far its deepest
// point is from the true distance.
func checkManifold(t *testing.T, a, b *solid, origin geom.Vec3, margin float32, ms []Manifold) float64 {
	t.Helper()
	const eps = 2e-5
	true_, _ := distance(a, b)
	if len(ms) == 0 {
		if true_ < -eps {
			t.Fatalf("no contact at distance %g (seed %d)", true_, seed)
		}
		return 0
	}
	m := &ms[0]
	n := widen(m.Normal)
	if math.Abs(n.len()-1) > 1e-5 {
		t.Fatalf("normal %v has length %g (seed %d)", m.Normal, n.len(), seed)
	}
	if m.Count < 1 || m.Count > 4 {
		t.Fatalf("%d points", m.Count)
	}
	along := apart(a, b, n)
	slop := featureSlop + featureShare*math.Abs(along) + eps
	if along < true_-slop {
		t.Fatalf("along the normal %g, but the distance is %g (seed %d) %+v", along, true_, seed, m)
	}
	deepest := float64(m.deepest())
	for _, c := range m.Points[:m.Count] {
		if !(c.Sep < margin) {
			t.Fatalf("a point at %g, margin %g (seed %d)", c.Sep, margin, seed)
		}
		p, h := widen(origin).add(widen(c.P)), float64(c.Sep)/2
		eps := eps + max(0, float64(c.Sep)) // corners that are apart: only bounds
		for _, d := range []float64{level(a, p.sub(n.mul(h))), level(b, p.add(n.mul(h)))} {
			// The far end of a slanting capsule lies inside, its deepest point never.
			if d > eps+slop || d < -eps-slop && c.Sep == m.deepest() {
				t.Fatalf("a point is %g off a surface: %+v, distance %g (seed %d) %v %v", d, m, true_, seed, a, b)
			}
		}
	}
	if deepest < along-eps {
		t.Fatalf("a point at %g, along the normal it is %g (seed %d)", deepest, along, seed)
	}
	return deepest - true_
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

package shape

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/foretick/foretick/geom"
)

// randHull is a hull of points of a ball, or a flat or long one, and the same
// made smaller by a hundredth about a point inside.
func randHull(r *rand.Rand, st *Store) (s, small Shape) {
	for {
		flat := geom.V3(1, 1, 1)
		switch r.Intn(4) {
		case 0:
			flat.Y = 0.1
		case 1:
			flat = geom.V3(3, 0.4, 0.4)
		}
		var v, w []geom.Vec3
		for range 4 + r.Intn(30) {
			p := randVec(r, 1)
			v = append(v, geom.V3(p.X*flat.X, p.Y*flat.Y, p.Z*flat.Z))
		}
		s, err := st.AddHull(v)
		if err != nil {
			continue
		}
		c := st.hulls[s.Ref].centre
		for _, p := range v {
			w = append(w, c.Lerp(p, 0.99))
		}
		if small, err = st.AddHull(w); err == nil {
			return s, small
		}
	}
}

// hullDist is the distance from the surface, 0 inside.
func hullDist(h *hull, f *geom.Frame) pointDist {
	var faces []pointDist
	type side struct{ n, p v3 }
	var sides []side
	for k := range h.faces {
		l := h.face(k)
		at := func(i int) v3 { return space(f, h.verts[l[i]]) }
		for i := 2; i < len(l); i++ {
			faces = append(faces, triDist(at(0), at(i-1), at(i)))
		}
		n := v3{} // of the whole polygon: Newell
		for i := range l {
			n = n.add(at(i).sub(at(0)).cross(at((i + 1) % len(l)).sub(at(0))))
		}
		sides = append(sides, side{n.norm(), at(0)})
	}
	return func(p v3) float64 {
		in := true
		for _, s := range sides {
			in = in && p.sub(s.p).dot(s.n) <= 0
		}
		if in {
			return 0
		}
		d := math.Inf(1)
		for _, f := range faces {
			d = math.Min(d, f(p))
		}
		return d
	}
}

func TestCastHull(t *testing.T) {
	const seed = 51
	r := rand.New(rand.NewSource(seed))
	hits, rays, inside := 0, 0, 0
	for range 40 {
		var st Store
		s, small := randHull(r, &st)
		f := geom.FrameOf(randVec(r, 50), randQuat(r))
		d, in := hullDist(&st.hulls[s.Ref], &f), hullDist(&st.hulls[small.Ref], &f)
		for range 6 {
			c := randCast(r, f.P, 1)
			want, least := refCast(d, &c)
			h, ok := st.Cast(s, &f, &c, 1)
			if bad := judge(&c, want, least, h, ok); bad != "" {
				t.Fatalf("seed %d, hull: %s", seed, bad)
			}
			if ok {
				hits++
				pointHeld(t, "hull", d, &c, h)
			}
		}
		for range 60 {
			c := randCast(r, f.P, 1)
			if r.Intn(8) == 0 {
				c.A = f.Point(st.hulls[s.Ref].centre).Add(randVec(r, 0.1))
			}
			h, ok := st.Ray(s, &f, c.A, c.Move, 1)
			sure := func(t float64) float64 { return in(wide(c.A).plus(wide(c.Move), t)) }
			switch {
			case !ok:
				if sure(lowest(sure)) == 0 || sure(0) == 0 || sure(1) == 0 {
					t.Fatalf("seed %d: ray %v: missed", seed, c)
				}
			case h.Inside:
				inside++
				if d(wide(c.A)) > 1e-4 || d(wide(h.Point.MulAdd(h.Normal, 7))) == 0 {
					t.Fatalf("seed %d: ray %v: %+v", seed, c, h)
				}
			default:
				rays++
				if d(wide(h.Point)) > 1e-4 || sure(float64(h.Fraction)*0.999) == 0 || h.Normal.Dot(c.Move) > 0 ||
					math.Abs(float64(h.Normal.Len())-1) > 1e-5 {
					t.Fatalf("seed %d: ray %v: %+v", seed, c, h)
				}
			}
		}
	}
	if hits < 50 || rays < 400 || inside < 15 {
		t.Errorf("seed %d: %d sweeps, %d rays hit, %d from inside", seed, hits, rays, inside)
	}
}

func TestOverlapHull(t *testing.T) {
	const seed = 52
	r := rand.New(rand.NewSource(seed))
	found, deep := 0, 0
	for range 300 {
		var st Store
		s, _ := randHull(r, &st)
		f := geom.FrameOf(randVec(r, 20), randQuat(r))
		c := Round{A: f.P.Add(randVec(r, 1.5)), R: 0.05 + r.Float32()/2}
		c.B = c.A
		if r.Intn(3) > 0 {
			c.B = c.A.Add(randVec(r, 2))
		}
		x := st.Overlaps(s, &f, &c, nil)
		checkTouch(t, r, hullDist(&st.hulls[s.Ref], &f), &c, x)
		if len(x) > 0 {
			if found++; x[0].Depth > c.R {
				deep++
			}
		}
	}
	if found < 80 || deep < 20 {
		t.Errorf("seed %d: %d overlaps, %d of cores", seed, found, deep)
	}
}

// TestCompoundCasts compares casts at and overlaps with a compound with those
// of its pieces, by themselves.
func TestCompoundCasts(t *testing.T) {
	const seed = 53
	r := rand.New(rand.NewSource(seed))
	hits, found := 0, 0
	for range 100 {
		var st Store
		var pieces []Piece
		for range 1 + r.Intn(6) {
			s := randShape(r)
			if r.Intn(4) == 0 {
				s, _ = randHull(r, &st)
			}
			pieces = append(pieces, Piece{s, randVec(r, 3), randQuat(r)})
		}
		s, err := st.AddCompound(pieces)
		if err != nil {
			t.Fatal(err)
		}
		f := geom.FrameOf(randVec(r, 50), randQuat(r))
		for i := range 60 {
			c := randCast(r, f.P, 4)
			c.Ray = i%3 == 0
			var want CastHit
			var all []CastHit
			ok := false
			var touches []Touch
			for k, p := range pieces {
				g := geom.FrameOf(p.Pos, p.Rot.Norm())
				g = f.Of(&g)
				if h, hit := st.Cast(p.Shape, &g, &c, 1); hit {
					h.Child = uint16(k)
					all = append(all, h)
					if !ok || h.Fraction < want.Fraction {
						want, ok = h, true
					}
				}
				for _, x := range st.Overlaps(p.Shape, &g, &c.Round, nil) {
					x.Child = uint16(k)
					touches = append(touches, x)
				}
			}
			h, hit := st.Cast(s, &f, &c, 1)
			if got := st.CastAll(s, &f, &c, nil); h != want || hit != ok || !slices.Equal(got, all) {
				t.Fatalf("seed %d: %v %+v, all %v, want %v %+v, all %v", seed, hit, h, got, ok, want, all)
			}
			if got := st.Overlaps(s, &f, &c.Round, nil); !slices.Equal(got, touches) {
				t.Fatalf("seed %d: overlaps %v, want %v", seed, got, touches)
			}
			hits, found = hits+len(all), found+len(touches)
		}
	}
	if hits < 1000 || found < 20 {
		t.Errorf("seed %d: %d hits, %d overlaps", seed, hits, found)
	}
}

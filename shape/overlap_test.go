package shape

import (
	"math"
	"math/rand"
	"testing"

	"github.com/foretick/foretick/geom"
)

// checkTouch compares one overlap with the distance: the way out must free the
// Round from a convex obstacle, no way of 40 others that is shorter may, and
// where the cores do not meet the depth is known.
func checkTouch(t *testing.T, r *rand.Rand, d pointDist, c *Round, x []Touch) {
	t.Helper()
	a, b := wide(c.A), wide(c.B)
	gap := segDist(d, a, b) - float64(c.R)
	if len(x) == 0 {
		if gap < -1e-4 {
			t.Fatalf("%+v: overlap %g not found", c, gap)
		}
		return
	}
	n, depth := wide(x[0].Normal), float64(x[0].Depth)
	if math.Abs(n.len()-1) > 1e-5 || !(depth > 0) || gap > 1e-4 {
		t.Fatalf("%+v, gap %g: %+v", c, gap, x[0])
	}
	if gap > -float64(c.R)+1e-3 && math.Abs(depth+gap) > 1e-4 {
		t.Fatalf("%+v: depth %g, want %g", c, depth, -gap)
	}
	free := func(v v3) float64 { return segDist(d, a.add(v), b.add(v)) - float64(c.R) }
	if g := free(n.mul(depth)); g < -2e-4 {
		t.Fatalf("%+v: %g deep after the way out %+v", c, -g, x[0])
	}
	if depth < float64(c.R) && d(wide(x[0].Point)) > 2e-4 {
		t.Fatalf("%+v: %+v is %g off", c, x[0], d(wide(x[0].Point)))
	}
	for range 40 {
		if v := wide(randVec(r, 1)).norm(); depth > 2e-3 && free(v.mul(depth-2e-3)) > 0 {
			t.Fatalf("%+v: shorter than %+v is %v", c, x[0], v)
		}
	}
}

func TestOverlapConvex(t *testing.T) {
	const seed = 41
	r := rand.New(rand.NewSource(seed))
	found, deep := 0, 0
	for range 4000 {
		s, f := randShape(r), geom.FrameOf(randVec(r, 20), randQuat(r))
		c := randCast(r, f.P, 1).Round
		at := f.P.Add(randVec(r, 2.5))
		c.B = c.B.Sub(c.A).Add(at)
		c.A = at
		var st *Store
		x := st.Overlaps(s, &f, &c, nil)
		checkTouch(t, r, refDist(s, &f), &c, x)
		if len(x) > 0 {
			if found++; x[0].Depth > c.R {
				deep++
			}
		}
	}
	if found < 1000 || deep < 200 {
		t.Errorf("seed %d: %d overlaps, %d of cores", seed, found, deep)
	}
}

func TestOverlapTriangle(t *testing.T) {
	const seed = 42
	r := rand.New(rand.NewSource(seed))
	found, deep := 0, 0
	for range 4000 {
		v := []geom.Vec3{randVec(r, 2), randVec(r, 2), randVec(r, 2)}
		if r.Intn(4) == 0 {
			v[2] = v[0].Lerp(v[1], r.Float32()).Add(randVec(r, 0.02))
		}
		var st Store
		s := Must(st.AddMesh(v, [][3]uint32{{0, 1, 2}}))
		f := geom.FrameOf(randVec(r, 20), randQuat(r))
		c := Round{A: f.Point(randVec(r, 2)), R: 0.05 + r.Float32()/2}
		c.B = c.A
		if r.Intn(3) > 0 {
			c.B = c.A.Add(randVec(r, 2))
		}
		x := st.Overlaps(s, &f, &c, nil)
		checkTouch(t, r, triDist(space(&f, v[0]), space(&f, v[1]), space(&f, v[2])), &c, x)
		if len(x) > 0 {
			if found++; x[0].Depth >= c.R {
				deep++
			}
		}
	}
	if found < 200 || deep < 40 {
		t.Errorf("seed %d: %d overlaps, %d of cores", seed, found, deep)
	}
}

// TestOverlapLeansOverNoInnerEdge rolls a ball over flat ground of triangles:
// each normal is that of the face; with all edges active, as a soup that is
// not welded would have them, many are not.
func TestOverlapLeansOverNoInnerEdge(t *testing.T) {
	const seed = 43
	r := rand.New(rand.NewSource(seed))
	v, tri := terrain(10)
	for i := range v {
		v[i].Y = 0
	}
	var st Store
	s := Must(st.AddMesh(v, tri))
	f := geom.FrameOf(geom.Vec3{}, geom.Identity())
	leaning := func() (n int) {
		for range 500 {
			p := randVec(r, 4)
			p.Y = 0.45
			if r.Intn(2) == 0 {
				p.Y = -0.45
			}
			for _, x := range st.Overlaps(s, &f, &Round{p, p, 0.5}, nil) {
				if geom.Abs(x.Normal.Y) < 0.9999 {
					n++
				}
			}
		}
		return n
	}
	if n := leaning(); n > 0 {
		t.Errorf("seed %d: %d normals lean", seed, n)
	}
	for i := range st.meshes[0].edges {
		st.meshes[0].edges[i] = allEdges
	}
	if leaning() == 0 {
		t.Errorf("seed %d: with all edges active none leans: the test sees nothing", seed)
	}
}

// TestOverlapOfRough rolls balls and capsules over ground of ridges and
// valleys, in front and behind: whatever is left out, the deepest overlap is
// that of the nearest triangle.
func TestOverlapOfRough(t *testing.T) {
	const seed = 44
	r := rand.New(rand.NewSource(seed))
	v, tri := terrain(8)
	found := 0
	for i := range 2000 {
		if i%100 == 0 {
			for j := range v {
				v[j].Y = 2 * r.Float32()
			}
		}
		var st Store
		s := Must(st.AddMesh(v, tri))
		f := geom.FrameOf(randVec(r, 20), randQuat(r))
		p := randVec(r, 3)
		p.Y = 1 + 2*r.Float32()
		c := Round{A: f.Point(p), R: 0.1 + r.Float32()/2}
		c.B = c.A
		if i%2 == 0 {
			c.B = c.A.Add(randVec(r, 1))
		}
		gap := math.Inf(1)
		for _, x := range tri {
			if d := triDist(space(&f, v[x[0]]), space(&f, v[x[1]]), space(&f, v[x[2]])); d(wide(c.A)) < 3 {
				gap = math.Min(gap, segDist(d, wide(c.A), wide(c.B))-float64(c.R))
			}
		}
		deepest := 0.0
		for _, x := range st.Overlaps(s, &f, &c, nil) {
			deepest = math.Max(deepest, float64(x.Depth))
		}
		if gap < -1e-4 {
			found++
		}
		if gap > -float64(c.R)+1e-3 && math.Abs(deepest-math.Max(0, -gap)) > 1e-4 || gap < -1e-4 && deepest == 0 {
			t.Fatalf("seed %d: %+v: deepest %g, the nearest triangle is %g in", seed, c, deepest, -gap)
		}
	}
	if found < 300 {
		t.Errorf("seed %d: %d overlaps", seed, found)
	}
}

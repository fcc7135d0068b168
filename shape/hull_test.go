package shape

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/geom"
)

// cloud is points in a ball or near its surface.
func cloud(r *rand.Rand, n int, surface bool) []geom.Vec3 {
	var pts []geom.Vec3
	for len(pts) < n {
		p := randomVec(r, 1)
		if l := p.Len(); l > 0.1 && l < 1 {
			if surface {
				p = p.Mul(1 / l)
			}
			pts = append(pts, p)
		}
	}
	return pts
}

// checkHull holds a hull against its points: convex, closed, all points inside
// or within near of it.
func checkHull(t *testing.T, h *hull, points []geom.Vec3, near float64) {
	t.Helper()
	if v, e, f := len(h.verts), len(h.edges), len(h.faces); v-e+f != 2 || v < 4 || v > maxHullVerts {
		t.Fatalf("%d vertices, %d edges, %d faces (seed %d)", v, e, f, seed)
	}
	for i := range h.planes {
		n, d := widen(h.planes[i].n), float64(h.planes[i].d)
		if math.Abs(n.len()-1) > 1e-6 {
			t.Fatalf("normal %v", n)
		}
		for _, p := range points {
			if l := n.dot(widen(p)) - d; l > near {
				t.Fatalf("a point is %g outside (seed %d)", l, seed)
			}
		}
		loop := h.face(i)
		for j, k := range loop {
			a, b, c := widen(h.verts[k]), widen(h.verts[loop[(j+1)%len(loop)]]), widen(h.verts[loop[(j+2)%len(loop)]])
			if math.Abs(n.dot(a)-d) > near {
				t.Fatalf("a corner is %g off its face (seed %d)", n.dot(a)-d, seed)
			}
			if b.sub(a).cross(c.sub(b)).dot(n) <= 0 {
				t.Fatalf("face %v is not convex (seed %d)", loop, seed)
			}
		}
	}
	given := map[geom.Vec3]bool{}
	for _, p := range points {
		given[p] = true
	}
	for _, v := range h.verts {
		if !given[v] {
			t.Fatalf("vertex %v was not given", v)
		}
	}
	for _, e := range h.edges {
		if e.left == e.right {
			t.Fatal("an edge with one face")
		}
	}
}

func TestHullOfRandomPoints(t *testing.T) {
	r := rng()
	for _, n := range []int{4, 5, 8, 20, 50, 64} {
		for range 30 {
			pts := cloud(r, n, n > 8)
			var st Store
			s, err := st.AddHull(pts)
			if errors.Is(err, errHullFlat) && n < 8 {
				continue
			}
			if err != nil {
				t.Fatalf("%d points: %v (seed %d)", n, err, seed)
			}
			h := &st.hulls[s.Ref]
			checkHull(t, h, pts, 1e-4)
			if n > 8 && len(h.verts) != n {
				t.Fatalf("%d vertices of %d (seed %d)", len(h.verts), n, seed)
			}
		}
	}
}

// A box full of points of a lattice is a box, turned or not, and far away.
func TestHullOfCoplanarPoints(t *testing.T) {
	r := rng()
	for range 20 {
		f := geom.FrameOf(randomVec(r, 20), randomRot(r))
		var pts []geom.Vec3
		for i := range 6 * 6 * 6 {
			p := geom.Vec3{X: float32(i % 6), Y: float32(i / 6 % 6), Z: float32(i / 36)}
			pts = append(pts, f.Point(p.Mul(0.3)))
		}
		pts = append(pts, pts...) // twice
		var st Store
		s, err := st.AddHull(pts)
		if err != nil {
			t.Fatalf("%v (seed %d)", err, seed)
		}
		h := &st.hulls[s.Ref]
		if len(h.verts) != 8 || len(h.faces) != 6 || len(h.edges) != 12 {
			t.Fatalf("%d vertices, %d faces, %d edges (seed %d)", len(h.verts), len(h.faces), len(h.edges), seed)
		}
		checkHull(t, h, pts, 1e-4)
	}
	for sides := 3; sides <= 30; sides++ { // prisms
		var pts []geom.Vec3
		for i := range sides {
			y, x := math.Sincos(2 * math.Pi * float64(i) / float64(sides))
			pts = append(pts, geom.V3(float32(x), 1, float32(y)), geom.V3(float32(x), -1, float32(y)), geom.V3(float32(x), 0, float32(y)))
		}
		var st Store
		s, err := st.AddHull(pts)
		if err != nil {
			t.Fatalf("%d sides: %v", sides, err)
		}
		if h := &st.hulls[s.Ref]; len(h.faces) != sides+2 {
			t.Errorf("a prism of %d sides has %d faces", sides, len(h.faces))
		}
	}
}

func TestHullOfManyPoints(t *testing.T) {
	r := rng()
	pts := cloud(r, 10_000, true)
	var st Store
	s, err := st.AddHull(pts)
	if err != nil {
		t.Fatal(err)
	}
	h := &st.hulls[s.Ref]
	checkHull(t, h, pts, 0.2)
	worst := 0.0
	for i := range h.planes {
		for _, p := range pts {
			worst = max(worst, float64(h.planes[i].above(p)))
		}
	}
	t.Logf("10,000 points of a unit ball, %d vertices: %.3f m outside at most", len(h.verts), worst)
}

func TestHullErrors(t *testing.T) {
	nan := float32(math.NaN())
	x, y, z := geom.V3(1, 0, 0), geom.V3(0, 1, 0), geom.V3(0, 0, 1)
	var o geom.Vec3
	for name, c := range map[string]struct {
		pts  []geom.Vec3
		want error
	}{
		"none":      {nil, errHullPoints},
		"three":     {[]geom.Vec3{x, y, z}, errHullPoints},
		"many":      {make([]geom.Vec3, maxHullPoints+1), errHullPoints},
		"one place": {make([]geom.Vec3, 100), errHullFlat},
		"line":      {[]geom.Vec3{o, x, x.Mul(2), x.Mul(3)}, errHullFlat},
		"flat":      {[]geom.Vec3{o, x, y, x.Add(y), x.Add(y).Mul(0.3)}, errHullFlat},
		"thin":      {[]geom.Vec3{o, x, y, z.Mul(0.0005)}, errHullFlat},
		"needle":    {[]geom.Vec3{o, x.Mul(9000), y.Mul(0.01), z.Mul(0.01)}, errHullFlat},
		"nan":       {[]geom.Vec3{o, x, y, geom.V3(0, 0, nan)}, errHullPoint},
		"far":       {[]geom.Vec3{o, x, y, geom.V3(0, 0, 1e30)}, errHullPoint},
	} {
		var st Store
		if _, err := st.AddHull(c.pts); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if len(st.hulls) != 0 {
			t.Errorf("%s: something was added", name)
		}
	}
}

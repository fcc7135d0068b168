package shape

import (
	"math"
	"math/rand"
	"testing"
	"time"

	"github.com/foretick/foretick/geom"
)

// wave and terrain are scene S3's ground of 20,000 triangles, here without the
// scenes, which stand on a higher floor.
func wave(t float64) float64 {
	t -= math.Floor(t)
	if t < .5 {
		return 16 * t * (.5 - t)
	}
	return -16 * (t - .5) * (1 - t)
}

func terrainHeight(i, j int) float32 {
	return float32(14*wave(float64(i)/100) + 4*wave(float64(j)/50+.25) + 2*wave(float64(i+j)/25))
}

func terrain(n int) ([]geom.Vec3, [][3]uint32) {
	var v []geom.Vec3
	var t [][3]uint32
	for j := range n + 1 {
		for i := range n + 1 {
			v = append(v, geom.V3(float32(i)-float32(n)/2, terrainHeight(i, j), float32(j)-float32(n)/2))
		}
	}
	w := uint32(n + 1)
	for j := range uint32(n) {
		for i := range uint32(n) {
			q := j*w + i
			t = append(t, [3]uint32{q, q + w, q + 1}, [3]uint32{q + 1, q + w, q + w + 1})
		}
	}
	return v, t
}

// flagsOf returns the flags by the numbers that triangles came with.
func flagsOf(m *mesh) map[uint32]edgeFlags {
	out := map[uint32]edgeFlags{}
	for i, n := range m.tree.items {
		out[n] = m.edges[i]
	}
	return out
}

// TestEdgeFlags folds two triangles about one edge, by angles, welded and not,
// wound alike and against each other.
func TestEdgeFlags(t *testing.T) {
	for deg := -175; deg <= 175; deg += 5 {
		a := float64(deg) * math.Pi / 180
		d := geom.V3(float32(math.Cos(a)), float32(math.Sin(a)), 0.3)
		for _, c := range []struct {
			name  string
			verts []geom.Vec3
			tris  [][3]uint32
		}{
			{"welded", []geom.Vec3{{Z: 0}, {Z: 1}, {X: -1}, d}, [][3]uint32{{0, 1, 2}, {1, 0, 3}}},
			{"turned", []geom.Vec3{{Z: 0}, {Z: 1}, {X: -1}, d}, [][3]uint32{{0, 1, 2}, {3, 0, 1}}},
			{"soup", []geom.Vec3{{Z: 0}, {Z: 1}, {X: -1}, d, {Z: 1}, {Z: 0}}, [][3]uint32{{0, 1, 2}, {4, 5, 3}}},
		} {
			var st Store
			Must(st.AddMesh(c.verts, c.tris))
			got := flagsOf(&st.meshes[0])[0]
			want := frontEdge<<1 | frontEdge<<2 | backEdge<<1 | backEdge<<2 // open ones
			if n := c.verts[1].Cross(c.verts[2]); n.Y > 0 != (deg > 0) && deg != 0 {
				want |= frontEdge // falls away from the front
			} else if deg != 0 {
				want |= backEdge
			}
			if got != want {
				t.Errorf("%s at %d degrees: %06b, want %06b", c.name, deg, got, want)
			}
		}
	}
}

func TestEdgesOfMany(t *testing.T) {
	v := []geom.Vec3{{}, {Z: 1}, {X: -1}, {X: 1}, {Y: -1}}
	for _, c := range []struct {
		name string
		tris [][3]uint32
		want edgeFlags // of edge 0 of triangle 0
	}{
		{"flat", [][3]uint32{{0, 1, 2}, {1, 0, 3}}, 0},
		{"three", [][3]uint32{{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}, frontEdge | backEdge},
		{"open", [][3]uint32{{0, 1, 2}}, frontEdge | backEdge},
		{"back to back", [][3]uint32{{0, 1, 2}, {1, 0, 2}}, frontEdge | backEdge},
	} {
		var st Store
		Must(st.AddMesh(v, c.tris))
		if got := flagsOf(&st.meshes[0])[0] & (frontEdge | backEdge); got != c.want {
			t.Errorf("%s: %06b, want %06b", c.name, got, c.want)
		}
	}
}

// TestFieldIsMesh compares a field's edges and triangles with a mesh of them.
func TestFieldIsMesh(t *testing.T) {
	const nx, nz, spacing, seed = 9, 7, 0.5, 3
	r := rand.New(rand.NewSource(seed))
	h := make([]float32, nx*nz)
	for i := range h {
		h[i] = float32(r.Intn(3)) * r.Float32()
	}
	var st Store
	Must(st.AddField(nx, nz, spacing, h))
	f := &st.fields[0]
	var v []geom.Vec3
	var tri [][3]uint32
	for j := range nz {
		for i := range nx {
			v = append(v, geom.V3(float32(i)*spacing, h[j*nx+i], float32(j)*spacing))
			if q := uint32(j*nx + i); i+1 < nx && j+1 < nz {
				tri = append(tri, [3]uint32{q, q + nx, q + 1}, [3]uint32{q + 1, q + nx, q + nx + 1})
			}
		}
	}
	Must(st.AddMesh(v, tri))
	flags := flagsOf(&st.meshes[0])
	for n := range uint32(len(tri)) {
		a, b, c := f.at(n)
		if a != v[tri[n][0]] || b != v[tri[n][1]] || c != v[tri[n][2]] {
			t.Errorf("triangle %d is %v %v %v", n, a, b, c)
		}
		if f.edges[n] != flags[n] {
			t.Errorf("seed %d: triangle %d has edges %06b, as a mesh %06b", seed, n, f.edges[n], flags[n])
		}
	}
	fr := geom.FrameOf(geom.Vec3{}, geom.Identity())
	if x, y := f.fieldBounds(&fr), st.meshes[0].meshBounds(&fr); x != y {
		t.Errorf("bounds %v, as a mesh %v", x, y)
	}
}

func TestBadMeshes(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	ok := []geom.Vec3{{}, {X: 1}, {Z: 1}, {X: 2}}
	one := [][3]uint32{{0, 1, 2}}
	var st Store
	for _, c := range []struct {
		name string
		v    []geom.Vec3
		t    [][3]uint32
		want error
	}{
		{"nothing", nil, nil, errMeshSize},
		{"no triangle", ok, nil, errMeshSize},
		{"index", ok, [][3]uint32{{0, 1, 4}}, errMeshIndex},
		{"Inf", []geom.Vec3{{}, {X: inf}, {Z: 1}}, one, errMeshVertex},
		{"NaN", []geom.Vec3{{}, {X: 1}, {Z: nan}}, one, errMeshVertex},
		{"absurd", []geom.Vec3{{}, {X: 1e30}, {Z: 1}}, one, errMeshVertex},
		{"one corner", ok, [][3]uint32{{0, 0, 2}}, errMeshFlat},
		{"line", ok, [][3]uint32{{0, 1, 3}}, errMeshFlat},
	} {
		if s, err := st.AddMesh(c.v, c.t); err != c.want || s != (Shape{}) {
			t.Errorf("%s: %v, %v", c.name, s, err)
		}
	}
	for _, c := range []struct {
		nx, nz int
		d      float32
		h      []float32
		want   error
	}{
		{2, 2, 1, make([]float32, 3), errFieldSize},
		{1, 4, 1, make([]float32, 4), errFieldSize},
		{-2, -2, 1, make([]float32, 4), errFieldSize},
		{1 << 40, 1 << 40, 1, nil, errFieldSize},
		{2, 2, 0, make([]float32, 4), errFieldHeight},
		{2, 2, nan, make([]float32, 4), errFieldHeight},
		{2, 2, 1, []float32{0, 0, nan, 0}, errFieldHeight},
		{2, 2, 1, []float32{0, 0, 0, -inf}, errFieldHeight},
	} {
		if s, err := st.AddField(c.nx, c.nz, c.d, c.h); err != c.want || s != (Shape{}) {
			t.Errorf("field %d x %d: %v, %v", c.nx, c.nz, s, err)
		}
	}
	if len(st.meshes)+len(st.fields) != 0 {
		t.Error("something bad was added")
	}
	Must(st.AddMesh(ok, [][3]uint32{{0, 1, 3}, {0, 1, 2}, {2, 2, 2}, {1, 3, 2}}))
	if m := &st.meshes[0]; len(m.tris) != 2 || m.tree.items[0]+m.tree.items[1] != 1+3 {
		t.Errorf("kept triangles %v", st.meshes[0].tree.items)
	}
}

// TestMeshOfMillions adds two million triangles, also as a fan about one
// vertex, which has all edges.
func TestMeshOfMillions(t *testing.T) {
	if testing.Short() {
		t.Skip("two million triangles")
	}
	var st Store
	v, tri := terrain(1000)
	start := time.Now()
	Must(st.AddMesh(v, tri))
	t.Logf("%d triangles of terrain: %v", len(tri), time.Since(start))
	for i := range v {
		a := float64(i) * 2 * math.Pi / float64(len(v))
		v[i] = geom.V3(float32(900*math.Cos(a)), 0, float32(900*math.Sin(a)))
	}
	v[0] = geom.Vec3{}
	for i := range tri {
		tri[i] = [3]uint32{0, uint32(1 + i%(len(v)-2)), uint32(2 + i%(len(v)-2))}
	}
	start = time.Now()
	Must(st.AddMesh(v, tri))
	t.Logf("%d triangles of a fan: %v", len(tri), time.Since(start))
	f := geom.FrameOf(geom.Vec3{}, geom.Identity())
	fan := Shape{Kind: Mesh, Ref: 1}
	start = time.Now()
	if n := len(st.Overlaps(fan, &f, &Round{R: 1000}, nil)); n != len(tri) {
		t.Errorf("a ball about the fan is in %d triangles of %d", n, len(tri))
	}
	t.Logf("overlap with all: %v", time.Since(start))
	start = time.Now()
	if ms := st.Contacts(Must(NewBox(geom.V3(1000, 1, 1000))), &f, fan, &f, 0.01, nil); len(ms) != 1 {
		t.Errorf("a box on the fan has %d patches of contacts", len(ms))
	}
	t.Logf("contacts with all: %v", time.Since(start))
}

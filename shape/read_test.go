package shape

import (
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/geom"
)

// Triangles gives what a look at every triangle gives, in order.
func TestTriangles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v := func(k float32) geom.Vec3 {
		return geom.V3(r.Float32()-.5, r.Float32()-.5, r.Float32()-.5).Mul(k)
	}
	st := &Store{}
	var verts []geom.Vec3
	var tris [][3]uint32
	for i := range uint32(500) {
		p := v(20)
		verts = append(verts, p, p.Add(v(2)), p.Add(v(2)))
		tris = append(tris, [3]uint32{3 * i, 3*i + 1, 3*i + 2})
	}
	heights := make([]float32, 20*15)
	for i := range heights {
		heights[i] = r.Float32() * 4
	}
	mesh, field := Must(st.AddMesh(verts, tris)), Must(st.AddField(20, 15, .5, heights))
	huge := AABB{geom.V3(-1e9, -1e9, -1e9), geom.V3(1e9, 1e9, 1e9)}
	for _, s := range []Shape{mesh, field} {
		all := st.Triangles(s, &huge, nil)
		if want := map[Kind]int{Mesh: 500, Field: 2 * 19 * 14}[s.Kind]; len(all) != want {
			t.Fatalf("%d triangles of kind %d, want %d", len(all), s.Kind, want)
		}
		found := 0
		for range 300 {
			c, h := v(20), v(3)
			box := AABB{c, c}.Grown(geom.Abs(h.X))
			var want []Triangle
			for _, x := range all {
				if b := triBounds(x.A, x.B, x.C); b.Overlaps(&box) {
					want = append(want, x)
				}
			}
			got := st.Triangles(s, &box, nil)
			if len(got) != len(want) {
				t.Fatalf("%d triangles in %v, want %d", len(got), box, len(want))
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("triangle %d is %v, want %v", i, got[i], want[i])
				}
			}
			found += len(got)
		}
		if found < 100 {
			t.Errorf("only %d triangles found", found)
		}
	}
	for _, x := range st.Triangles(mesh, &huge, nil)[:50] { // as they came
		if w := tris[x.Feature]; x.A != verts[w[0]] || x.B != verts[w[1]] || x.C != verts[w[2]] {
			t.Errorf("triangle %d is %v", x.Feature, x)
		}
	}
	if got := st.Triangles(Must(NewSphere(1)), &huge, nil); len(got) != 0 {
		t.Errorf("a sphere has triangles: %v", got)
	}
	if got := st.Triangles(Shape{Kind: Mesh, Ref: 7}, &huge, nil); len(got) != 0 {
		t.Errorf("no mesh has triangles: %v", got)
	}
}

func TestPiecesAndVertices(t *testing.T) {
	st := &Store{}
	corners := []geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}, {X: -1, Y: -1, Z: -1}}
	hull := Must(st.AddHull(corners))
	turned := geom.FromAxisAngle(geom.V3(0, 1, 0), 1)
	in := []Piece{{Must(NewSphere(1)), geom.V3(1, 2, 3), geom.Identity()}, {hull, geom.V3(4, 5, 6), turned}}
	c := Must(st.AddCompound(in))
	if got := st.Vertices(hull); len(got) != 4 {
		t.Errorf("a hull of 4 points has the vertices %v", got)
	}
	if st.Pieces(c) != 2 {
		t.Fatalf("%d pieces", st.Pieces(c))
	}
	for i, p := range in {
		s, f := st.Piece(c, i)
		if want := geom.FrameOf(p.Pos, p.Rot); s != p.Shape || f.P != want.P || f.R.X.Dist(want.R.X) > 1e-6 {
			t.Errorf("piece %d is %v in %v", i, s, f)
		}
	}
	for _, s := range []Shape{{}, in[0].Shape, {Kind: Hull, Ref: 9}, {Kind: Compound, Ref: 9}} {
		if st.Vertices(s) != nil || st.Pieces(s) != 0 {
			t.Errorf("%v has vertices or pieces", s)
		}
	}
}

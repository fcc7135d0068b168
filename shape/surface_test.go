package shape

import (
	"math"
	"testing"

	"github.com/foretick/foretick/geom"
)

// volume is what a closed surface of triangles holds, negative if they look
// inward.
func volume(t []geom.Vec3) float64 {
	v := 0.0
	for i := 0; i+2 < len(t); i += 3 {
		a, b, c := wide(t[i]), wide(t[i+1]), wide(t[i+2])
		v += a.dot(b.cross(c)) / 6
	}
	return v
}

// A hull is drawn closed, from outside; a compound as its pieces where they
// are; a mesh and a field as all of their triangles; the rest as nothing.
func TestSurfaces(t *testing.T) {
	var st Store
	var corners []geom.Vec3
	for i := range 8 {
		corners = append(corners, geom.V3(float32(i&1)*2, float32(i>>1&1)*3, float32(i>>2)*0.5))
	}
	hull := Must(st.AddHull(corners))
	if s := st.Surface(hull, nil); len(s) != 36 || math.Abs(volume(s)-3) > 1e-3 {
		t.Errorf("a box as a hull: %d corners around %v m^3, want 36 around 3", len(s), volume(s))
	}
	pos, rot := geom.V3(4, 5, 6), geom.FromAxisAngle(geom.V3(0, 1, 0), math.Pi/2)
	both := Must(st.AddCompound([]Piece{
		{Shape: hull, Pos: geom.V3(1, 0, 0), Rot: geom.Identity()},
		{Shape: Must(NewSphere(1)), Pos: geom.V3(0, 2, 0), Rot: geom.Identity()},
	}))
	f := geom.FrameOf(pos, rot)
	parts := st.Parts(both, &f, nil)
	if len(parts) != 2 || parts[0].Shape != hull || parts[1].Shape.Kind != Sphere ||
		parts[0].Frame.P.Dist(geom.V3(4, 5, 5)) > 1e-5 || parts[1].Frame.P.Dist(geom.V3(4, 7, 6)) > 1e-5 {
		t.Errorf("a compound: %+v", parts)
	}
	if p := st.Parts(hull, &f, nil); len(p) != 1 || p[0].Shape != hull || p[0].Frame != f {
		t.Errorf("a hull: %+v", p)
	}
	mesh := Must(st.AddMesh(corners, [][3]uint32{{0, 1, 2}, {1, 3, 2}, {4, 5, 6}}))
	if s := st.Surface(mesh, nil); len(s) != 9 {
		t.Errorf("three triangles: %d corners", len(s))
	}
	field := Must(st.AddField(3, 4, 2, []float32{0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}))
	s := st.Surface(field, nil)
	area := 0.0
	for i := 0; i < len(s); i += 3 {
		area += wide(s[i+1]).sub(wide(s[i])).cross(wide(s[i+2]).sub(wide(s[i]))).Y / 2 // upwards
	}
	if len(s) != 36 || math.Abs(area-24) > 1e-4 {
		t.Errorf("a field of 2 by 3 cells: %d corners over %v m^2, want 36 over 24", len(s), area)
	}
	for _, none := range []Shape{{}, Must(NewSphere(1)), {Kind: Hull, Ref: 9}, {Kind: Mesh, Ref: 9}, {Kind: Compound, Ref: 9}} {
		if s := st.Surface(none, nil); len(s) != 0 {
			t.Errorf("%+v has %d corners", none, len(s))
		}
	}
	if p := st.Parts(Shape{Kind: Compound, Ref: 9}, &f, nil); len(p) != 0 {
		t.Errorf("a compound that is not there: %+v", p)
	}
}

package shape

import (
	"cmp"
	"math/rand"
	"slices"
	"testing"

	"github.com/foretick/foretick/geom"
)

// slowContacts tries all triangles and drops by depth, then by number.
func slowContacts(st *Store, s *Shape, fa, fb *geom.Frame, tri func(n uint32) (a, b, c geom.Vec3), edges func(n uint32) edgeFlags, n uint32, twoSided bool, margin float32) []Manifold {
	f := fb.To(fa)
	var room boxRoom
	c := st.convexOf(s, &f, &room)
	var out []Manifold
	for i := range n {
		var m Manifold
		v0, v1, v2 := tri(i)
		if convexTriangle(&c, &[3]geom.Vec3{v0, v1, v2}, edges(i), twoSided, margin, &m) {
			m.Feature = i
			m.turn(&fb.R)
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b Manifold) int { return cmp.Compare(a.deepest(), b.deepest()) })
	out = out[:min(len(out), 64)]
	slices.SortFunc(out, func(a, b Manifold) int { return cmp.Compare(a.Feature, b.Feature) })
	return out
}

// TestMeshContacts compares contacts with a mesh and a field with those of all
// triangles, small shapes and ones that touch hundreds.
func TestMeshContacts(t *testing.T) {
	const seed = 31
	r := rand.New(rand.NewSource(seed))
	st, mesh, field, off, v, tri := terrains(20)
	m, x := &st.meshes[0], &st.fields[0]
	flags := flagsOf(m)
	touched, most := 0, 0
	var out []Manifold
	for i := range 1500 {
		s := randShape(r)
		if i%20 == 0 {
			s = Must(NewBox(geom.V3(5+9*r.Float32(), 0.5, 5+9*r.Float32())))
		}
		rot := randQuat(r)
		fm := geom.FrameOf(randVec(r, 9), rot)
		ff := geom.FrameOf(fm.Point(off), rot)
		p := randVec(r, 9)
		p.Y = terrainHeight(int(p.X)+10, int(p.Z)+10) + r.Float32()
		fa := geom.FrameOf(fm.Point(p), randQuat(r))
		margin := 0.05 * r.Float32()
		out = st.Contacts(s, &fa, mesh, &fm, margin, out[:0])
		want := slowContacts(st, &s, &fa, &fm,
			func(n uint32) (a, b, c geom.Vec3) { return v[tri[n][0]], v[tri[n][1]], v[tri[n][2]] },
			func(n uint32) edgeFlags { return flags[n] }, uint32(len(tri)), true, margin)
		if !slices.EqualFunc(out, want, sameManifold) {
			t.Fatalf("seed %d: %v: mesh %d %v, want %d %v", seed, s, len(out), out, len(want), want)
		}
		touched, most = touched+len(out), max(most, len(out))
		out = st.Contacts(s, &fa, field, &ff, margin, out[:0])
		want = slowContacts(st, &s, &fa, &ff, x.at, func(n uint32) edgeFlags { return x.edges[n] }, uint32(len(tri)), false, margin)
		if !slices.EqualFunc(out, want, sameManifold) {
			t.Fatalf("seed %d: %v: field %v, want %v", seed, s, out, want)
		}
	}
	if touched < 1500 || most != 64 {
		t.Errorf("seed %d: %d triangles touched, %d at most", seed, touched, most)
	}
	s, fa := Must(NewBox(geom.V3(9, 9, 9))), geom.FrameOf(geom.Vec3{}, geom.Identity())
	if n := testing.AllocsPerRun(10, func() { out = st.Contacts(s, &fa, mesh, &fa, 0.01, out[:0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// sameManifold leaves out points that are not in use.
func sameManifold(a, b Manifold) bool {
	for i := a.Count; i < 4; i++ {
		a.Points[i] = Contact{}
	}
	for i := b.Count; i < 4; i++ {
		b.Points[i] = Contact{}
	}
	return a == b
}

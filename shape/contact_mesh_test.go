package shape

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/foretick/foretick/geom"
)

// allContacts tries all triangles; the contacts are in their axes.
func allContacts(st *Store, s *Shape, fa, fb *geom.Frame, tri func(n uint32) (a, b, c geom.Vec3), edges func(n uint32) edgeFlags, n uint32, margin float32) []Manifold {
	f := fb.To(fa)
	var room boxRoom
	c := st.convexOf(s, &f, &room)
	var out []Manifold
	for i := range n {
		var m Manifold
		v0, v1, v2 := tri(i)
		if convexTriangle(&c, &[3]geom.Vec3{v0, v1, v2}, edges(i), false, margin, &m) {
			m.Feature = i
			out = append(out, m)
		}
	}
	return out
}

// checkMerged compares contacts with those of all triangles. Each of all must
// be in one of got, of its normal, whose first is the first of its normal and
// which is as deep as the deepest; and each point must come from one of them.
// Of more than 64 only the deepest is known to be there.
func checkMerged(t *testing.T, r *geom.Mat3, got, all []Manifold) {
	t.Helper()
	if len(got) > 64 || (len(got) == 0) != (len(all) == 0) {
		t.Fatalf("%d manifolds of %d", len(got), len(all))
	}
	deepest := func(ms []Manifold) float32 {
		d := ms[0].deepest()
		for i := range ms {
			d = min(d, ms[i].deepest())
		}
		return d
	}
	if len(all) > 64 {
		if a, b := deepest(got), deepest(all); a != b {
			t.Fatalf("of %d the deepest is %v, want %v", len(all), a, b)
		}
		return
	}
	for len(all) > 0 {
		var group, rest []Manifold
		for _, m := range all {
			if m.Normal.Dot(all[0].Normal) > mergeCosine || len(group) == 0 {
				group = append(group, m)
			} else {
				rest = append(rest, m)
			}
		}
		all = rest
		for i := range group {
			group[i].turn(r)
		}
		if len(got) == 0 || got[0].Feature != group[0].Feature || got[0].Normal != group[0].Normal || got[0].deepest() != deepest(group) {
			t.Fatalf("%v, want those of %v", got, group)
		}
		for _, c := range got[0].Points[:got[0].Count] {
			if !slices.ContainsFunc(group, func(m Manifold) bool { return slices.Contains(m.Points[:m.Count], c) }) {
				t.Fatalf("%v is in none of %v", c, group)
			}
		}
		got = got[1:]
	}
	if len(got) > 0 {
		t.Fatalf("more: %v", got)
	}
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
		all := allContacts(st, &s, &fa, &fm,
			func(n uint32) (a, b, c geom.Vec3) { return v[tri[n][0]], v[tri[n][1]], v[tri[n][2]] },
			func(n uint32) edgeFlags { return flags[n] }, uint32(len(tri)), margin)
		checkMerged(t, &fm.R, out, all)
		touched, most = touched+len(out), max(most, len(out))
		out = st.Contacts(s, &fa, field, &ff, margin, out[:0])
		all = allContacts(st, &s, &fa, &ff, x.at, func(n uint32) edgeFlags { return x.edges[n] }, uint32(len(tri)), margin)
		checkMerged(t, &ff.R, out, all)
	}
	if touched < 800 || most < 30 {
		t.Errorf("seed %d: %d triangles touched, %d at most", seed, touched, most)
	}
	s, fa := Must(NewBox(geom.V3(9, 9, 9))), geom.FrameOf(geom.Vec3{}, geom.Identity())
	if n := testing.AllocsPerRun(10, func() { out = st.Contacts(s, &fa, mesh, &fa, 0.01, out[:0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

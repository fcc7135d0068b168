package shape

import (
	"testing"

	"github.com/foretick/foretick/geom"
)

// The contacts of a compound are those of its pieces.
func TestCompoundContacts(t *testing.T) {
	r := rng()
	st := someHulls(r)
	var compounds []Shape
	for range 20 {
		var pieces []Piece
		for range 1 + r.IntN(6) {
			pieces = append(pieces, Piece{randomShape(r, Sphere+Kind(r.IntN(4))), randomVec(r, 1), randomRot(r)})
		}
		compounds = append(compounds, Must(st.AddCompound(pieces)))
	}
	ground := floor(r, st, 10, 0.6, 0.1)
	parts := func(b body) (bs []body) {
		if b.s.Kind != Compound {
			return []body{b}
		}
		for _, p := range st.compounds[b.s.Ref].pieces {
			bs = append(bs, body{p.shape, b.f.Of(&p.frame)})
		}
		return bs
	}
	total, skipped := 0, 0
	for i := range 20_000 {
		a := body{compounds[r.IntN(20)], geom.FrameOf(randomVec(r, 5), randomRot(r))}
		b := body{randomShape(r, Sphere+Kind(i%4)), geom.FrameOf(a.f.P.Add(randomVec(r, 3)), randomRot(r))}
		switch i % 3 {
		case 0:
			b.s = compounds[r.IntN(20)]
			if i%2 == 0 {
				b = body{ground, geom.FrameOf(a.f.P.Add(geom.V3(0, -r.Float32(), 0)), geom.Identity())}
			}
		case 1:
			a.s, b.s = b.s, a.s
		}
		const margin = 0.05
		got := st.Contacts(a.s, &a.f, b.s, &b.f, margin, nil)
		var want []Manifold
		for j, p := range parts(a) {
			for k, q := range parts(b) {
				n := len(want)
				want = st.Contacts(p.s, &p.f, q.s, &q.f, margin, want)
				if len(want) == n {
					skipped++
				}
				for n := range want[n:] {
					m := &want[len(want)-1-n]
					m.ChildA, m.ChildB = uint16(j), uint16(k)
					for l := range m.Points[:m.Count] {
						m.Points[l].P = m.Points[l].P.Add(p.f.P.Sub(a.f.P))
					}
				}
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d manifolds, want %d (seed %d)", len(got), len(want), seed)
		}
		for j := range got {
			if g, w := got[j], want[j]; !same(&g, &w) {
				t.Fatalf("%+v, want %+v (seed %d)", g, w, seed)
			}
		}
		total += len(got)
	}
	t.Logf("%d manifolds, %d pairs of pieces without", total, skipped)
}

// same compares what is in use.
func same(a, b *Manifold) bool {
	if a.Normal != b.Normal || a.Count != b.Count || a.ChildA != b.ChildA || a.ChildB != b.ChildB || a.Feature != b.Feature {
		return false
	}
	for i := range a.Points[:a.Count] {
		if a.Points[i] != b.Points[i] {
			return false
		}
	}
	return true
}

func TestContactsDoNotAllocate(t *testing.T) {
	r := rng()
	st := someHulls(r)
	compound := Must(st.AddCompound([]Piece{
		{randomShape(r, Box), geom.V3(1, 0, 0), randomRot(r)}, {randomShape(r, Hull), geom.V3(-1, 0, 0), randomRot(r)}}))
	mesh := Must(st.AddMesh([]geom.Vec3{{X: -3, Z: -3}, {X: 3, Z: -3}, {Z: 4}}, [][3]uint32{{0, 2, 1}}))
	var bs []body
	for range 300 {
		s := randomShape(r, Sphere+Kind(r.IntN(4)))
		switch r.IntN(6) {
		case 0:
			s = compound
		case 1:
			s = mesh
		}
		bs = append(bs, body{s, geom.FrameOf(randomVec(r, 1.5), randomRot(r))})
	}
	out := make([]Manifold, 0, 100)
	found := 0
	run := func() {
		for i := range bs {
			a, b := &bs[i], &bs[(i*7+1)%len(bs)]
			out = st.Contacts(a.s, &a.f, b.s, &b.f, 0.05, out[:0])
			found += len(out)
			st.Bounds(a.s, &a.f)
		}
	}
	if n := testing.AllocsPerRun(5, run); n != 0 || found == 0 {
		t.Errorf("%v allocations, %d manifolds", n, found)
	}
}

package physics

import (
	"cmp"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

func randVec(r *rand.Rand, size float32) geom.Vec3 {
	return geom.V3((2*r.Float32()-1)*size, (2*r.Float32()-1)*size, (2*r.Float32()-1)*size)
}

func randRot(r *rand.Rand) geom.Quat {
	return geom.Quat{X: r.Float32() - 0.5, Y: r.Float32() - 0.5, Z: r.Float32() - 0.5, W: r.Float32() - 0.5}.Norm()
}

func put(t testing.TB, w *World, id ID, k Kind, s shape.Shape, at geom.Vec3, rot geom.Quat, change func(*Def)) {
	t.Helper()
	d := NewDef(k, s)
	if change != nil {
		change(&d)
	}
	if err := w.Add(id, d, At(at, rot)); err != nil {
		t.Fatal(err)
	}
}

// queryWorld is static and moving bodies of all shapes, on layers by id, some
// of them at one place, and a mesh.
func queryWorld(t testing.TB, r *rand.Rand, n int) *World {
	st := new(shape.Store)
	var v []geom.Vec3
	var tri [][3]uint32
	for i := range 200 {
		c := randVec(r, 20)
		v = append(v, c, c.Add(randVec(r, 3)), c.Add(randVec(r, 3)))
		tri = append(tri, [3]uint32{uint32(3 * i), uint32(3*i + 1), uint32(3*i + 2)})
	}
	mesh := shape.Must(st.AddMesh(v, tri))
	w := New(Config{Shapes: st, Past: 8, NoSleep: true})
	put(t, w, 1000, Static, mesh, geom.Vec3{}, geom.Identity(), nil)
	for i := range n {
		size := func() float32 { return 0.2 + r.Float32() }
		s := shape.Must(shape.NewBox(geom.V3(size(), size(), size())))
		switch i % 3 {
		case 1:
			s = shape.Must(shape.NewSphere(size()))
		case 2:
			s = shape.Must(shape.NewCapsule(size(), size()))
		}
		at, rot := randVec(r, 20), randRot(r)
		copies := 1
		if i%7 == 0 {
			copies = 2
		}
		for range copies {
			id := ID(1 + r.Intn(900))
			for w.Has(id) {
				id++
			}
			put(t, w, id, []Kind{Static, Kinematic, Dynamic}[r.Intn(3)], s, at, rot, func(d *Def) {
				d.Layer = uint8(i % 4)
				if i%11 == 0 {
					d.Flags = Sensor
				}
			})
		}
	}
	return w
}

// slowly looks at every body with the store alone.
func slowly(w *World, c *shape.Cast, q *Query) []Hit {
	var out []Hit
	for _, t := range []*table{&w.fixed, &w.moving} {
		for r, id := range t.ids {
			if d := &t.defs[r]; d.Flags&Sensor != 0 || q.Layers != 0 && q.Layers>>d.Layer&1 == 0 || slices.Contains(q.Ignore, id) {
				continue
			}
			f := geom.FrameOf(t.st[r].Pos, t.st[r].Rot)
			for _, h := range w.cfg.Shapes.CastAll(t.defs[r].Shape, &f, c, nil) {
				out = append(out, hitOf(id, &h))
			}
		}
	}
	slices.SortFunc(out, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Fraction, b.Fraction), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Child, b.Child), cmp.Compare(a.Feature, b.Feature))
	})
	return out
}

// TestQueriesFindAll compares every kind of cast with a look at all bodies:
// the first hit, any, and all, in order. Neither the tree nor the first test of
// moving bodies may change a bit.
func TestQueriesFindAll(t *testing.T) {
	const seed = 21
	r := rand.New(rand.NewSource(seed))
	w := queryWorld(t, r, 300)
	hits, ties := 0, 0
	for i := range 3000 {
		from, move, q := randVec(r, 25), randVec(r, 30), &Query{}
		if i%4 == 0 {
			q.Layers = 1 << (i % 3)
		}
		if h, ok := w.RayCast(from, move, nil); ok && i%5 == 0 {
			q.Ignore = []ID{h.ID, 1000}
		}
		k := Capsule{Pos: from, Rot: randRot(r), Radius: 0.1 + r.Float32()*0.5, HalfHeight: r.Float32()}
		c := shape.Cast{Round: k.round(), Move: move}
		var h Hit
		var ok, any bool
		var all []Hit
		switch i % 3 {
		case 0:
			c.Round, c.Ray = shape.Round{A: from, B: from}, true
			h, ok = w.RayCast(from, move, q)
			any, all = w.RayAny(from, move, q), w.RayAll(from, move, q, nil)
		case 1:
			c.Round = ball(k.Radius, from)
			h, ok = w.SphereCast(k.Radius, from, move, q)
			any, all = w.SphereAny(k.Radius, from, move, q), w.SphereAll(k.Radius, from, move, q, nil)
		case 2:
			h, ok = w.CapsuleCast(k, move, q)
			any, all = w.CapsuleAny(k, move, q), w.CapsuleAll(k, move, q, nil)
		}
		want := slowly(w, &c, q)
		if ok != (len(want) > 0) || any != ok || ok && h != want[0] || !slices.Equal(all, want) {
			t.Fatalf("seed %d, query %d: %v %+v, any %v, %d in all; want %d, %+v", seed, i, ok, h, any, len(all), len(want), want[:min(1, len(want))])
		}
		if ok {
			hits++
		}
		if len(want) > 1 && want[0].Fraction == want[1].Fraction {
			ties++
		}
	}
	if hits < 500 || ties < 20 {
		t.Errorf("seed %d: %d hits, %d ties", seed, hits, ties)
	}
}

func TestOverlapFindsAll(t *testing.T) {
	const seed = 22
	r := rand.New(rand.NewSource(seed))
	w := queryWorld(t, r, 300)
	found := 0
	for i := range 2000 {
		c := Capsule{Pos: randVec(r, 20), Rot: randRot(r), Radius: 0.1 + r.Float32(), HalfHeight: r.Float32()}
		q := &Query{}
		if i%3 == 0 {
			q.Layers = 5
		}
		got := w.CapsuleOverlap(c, q, nil)
		var want []Overlap
		round := c.round()
		for _, tb := range []*table{&w.fixed, &w.moving} {
			for row, id := range tb.ids {
				if d := &tb.defs[row]; d.Flags&Sensor != 0 || q.Layers != 0 && q.Layers>>d.Layer&1 == 0 {
					continue
				}
				f := geom.FrameOf(tb.st[row].Pos, tb.st[row].Rot)
				for _, x := range w.cfg.Shapes.Overlaps(tb.defs[row].Shape, &f, &round, nil) {
					want = append(want, Overlap{id, x.Child, x.Feature, x.Point, x.Normal, x.Depth})
				}
			}
		}
		slices.SortStableFunc(want, func(a, b Overlap) int { return cmp.Compare(a.ID, b.ID) })
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d, %+v: %v, want %v", seed, c, got, want)
		}
		found += len(got)
	}
	if found < 200 {
		t.Errorf("seed %d: %d overlaps", seed, found)
	}
}

// TestBadQueries casts nonsense: it meets nothing, or something finite.
func TestBadQueries(t *testing.T) {
	w := queryWorld(t, rand.New(rand.NewSource(23)), 50)
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	bad := []float32{inf, -inf, nan, 3e38, -3e38}
	for _, x := range bad {
		at := geom.V3(x, 0, 0)
		for _, v := range [][2]geom.Vec3{{at, {}}, {{}, at}, {at, at}} {
			if h, ok := w.RayCast(v[0], v[1], nil); ok {
				t.Errorf("ray %v: %+v", v, h)
			}
			if h, ok := w.SphereCast(1, v[0], v[1], nil); ok {
				t.Errorf("sphere %v: %+v", v, h)
			}
			if h, ok := w.CapsuleCast(Capsule{Pos: v[0], Radius: 1}, v[1], nil); ok && v[0] == at {
				t.Errorf("capsule %v: %+v", v, h)
			}
		}
		if h, ok := w.SphereCast(x, geom.Vec3{}, geom.V3(9, 9, 9), nil); ok {
			t.Errorf("radius %v: %+v", x, h)
		}
		for _, c := range []Capsule{{Pos: at, Radius: 1}, {Radius: x}, {Radius: 1, HalfHeight: x}} {
			if got := w.CapsuleOverlap(c, nil, nil); len(got) > 0 {
				t.Errorf("overlap %+v: %v", c, got)
			}
		}
		w.CapsuleOverlap(Capsule{Rot: geom.Quat{X: x}, Radius: 1, HalfHeight: 1}, nil, nil)
		w.RayCast(geom.V3(0, 30, 0), geom.V3(0, -60, 0), &Query{Behind: x})
	}
	if _, ok := w.SphereCast(0, geom.V3(-25, 0, 0), geom.V3(50, 0, 0), nil); !ok {
		t.Error("a sphere of no size met nothing")
	}
}

func TestQueriesAllocateNothing(t *testing.T) {
	w := queryWorld(t, rand.New(rand.NewSource(24)), 100)
	for range 4 {
		w.Step()
	}
	var hits []Hit
	var laps []Overlap
	q := &Query{Layers: 7, Ignore: []ID{3}, Behind: 1.5}
	c := Capsule{Rot: geom.Identity(), Radius: 2, HalfHeight: 1}
	if n := testing.AllocsPerRun(10, func() {
		w.RayCast(geom.V3(-25, 0, 0), geom.V3(50, 1, 0), q)
		w.SphereAny(0.5, geom.V3(-25, 0, 0), geom.V3(50, 1, 0), nil)
		w.CapsuleCast(c, geom.V3(5, 1, 0), q)
		hits = w.CapsuleAll(c, geom.V3(5, 1, 0), nil, hits[:0])
		laps = w.CapsuleOverlap(c, q, laps[:0])
		w.Record()
	}); n != 0 || len(hits) == 0 {
		t.Errorf("%v allocations, %d hits", n, len(hits))
	}
}

package rapier

import (
	"fmt"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
	"github.com/foretick/foretick/shape"
)

// What two engines owe each other on S4.
const (
	s4Casts   = 10_000
	sameRay   = 0.001 // metres
	sameSweep = 0.002
	edge      = 0.001 // metres: a hit that is nearer to an edge may be of either side of it
	grazing   = 0.05  // cosine between the move and the normal
)

// verdict says how two answers to one cast go together.
type verdict int

const (
	agree verdict = iota
	startedInside
	nearEdge
	grazes
	unexplained
)

var verdicts = [...]string{"agree", "started inside", "within 1 mm of an edge", "grazing under 0.05", "unexplained"}

// answer is what an engine says of a cast.
type answer struct {
	physics.Hit
	ok bool
}

// s4 is the scene, twice.
type s4 struct {
	scene *scenes.Scene
	of    map[physics.ID]*scenes.Body
}

func newS4() s4 {
	s := s4{scenes.S4(), map[physics.ID]*scenes.Body{}}
	for i := range s.scene.Bodies {
		s.of[s.scene.Bodies[i].ID] = &s.scene.Bodies[i]
	}
	return s
}

// fill adds the scene's bodies, boxes off along X by some metres.
func (s *s4) fill(t *testing.T, e physics.Engine, off float32) {
	t.Helper()
	for _, b := range s.scene.Bodies {
		st := b.State
		if b.Def.Shape.Kind == shape.Box {
			st.Pos.X += off
		}
		if err := e.Add(b.ID, b.Def, st); err != nil {
			t.Fatal(err)
		}
	}
}

// judge compares two answers to a cast.
func (s *s4) judge(c scenes.Cast, a, b answer, same float32) verdict {
	l := c.Move.Len()
	if a.ok == b.ok && (!a.ok || geom.Abs(a.Fraction-b.Fraction)*l <= same) {
		return agree
	}
	if a.ok && a.Inside || b.ok && b.Inside {
		return startedInside
	}
	v := unexplained
	for _, x := range []answer{a, b} {
		switch {
		case !x.ok:
		case s.edge(x) < edge:
			v = min(v, nearEdge)
		case geom.Abs(x.Normal.Dot(c.Move))/l < grazing:
			v = min(v, grazes)
		}
	}
	return v
}

// edge is how far a hit is from the next edge of what was met.
func (s *s4) edge(x answer) float32 {
	b := s.of[x.ID]
	if b.Def.Shape.Kind == shape.Box {
		p := b.State.Rot.Unrotate(x.Point.Sub(b.State.Pos))
		h := b.Def.Shape.Half()
		// On a face one of these is 0; the next is the distance from its rim.
		d := [3]float32{geom.Abs(h.X - geom.Abs(p.X)), geom.Abs(h.Y - geom.Abs(p.Y)), geom.Abs(h.Z - geom.Abs(p.Z))}
		return d[0] + d[1] + d[2] - max(d[0], d[1], d[2]) - min(d[0], d[1], d[2])
	}
	m := &s.scene.Meshes[0]
	t := m.Triangles[x.Feature]
	least := float32(1e9)
	for i := range t {
		a, b := m.Vertices[t[i]], m.Vertices[t[(i+1)%3]]
		u := b.Sub(a)
		k := geom.Clamp(x.Point.Sub(a).Dot(u)/u.Len2(), 0, 1)
		least = min(least, x.Point.Dist(a.MulAdd(u, k)))
	}
	return least
}

// compare puts the casts to two engines and counts the verdicts.
func (s *s4) compare(a, b physics.Engine, casts []scenes.Cast, same float32,
	ask func(e physics.Engine, c scenes.Cast) answer, tell func(format string, args ...any)) (n [len(verdicts)]int, hits int) {
	told := 0
	for i, c := range casts {
		x, y := ask(a, c), ask(b, c)
		v := s.judge(c, x, y, same)
		n[v]++
		if x.ok {
			hits++
		}
		if v == unexplained && told < 5 {
			told++
			tell("cast %d %+v:\n  %+v, edge %v\n  %+v, edge %v", i, c, x, s.edgeOf(x), y, s.edgeOf(y))
		}
	}
	return n, hits
}

func (s *s4) edgeOf(x answer) float32 {
	if !x.ok {
		return -1
	}
	return s.edge(x)
}

func askRay(e physics.Engine, c scenes.Cast) answer {
	h, ok := e.RayCast(c.From, c.Move, nil)
	return answer{h, ok}
}

func askSweep(e physics.Engine, c scenes.Cast) answer {
	h, ok := e.CapsuleCast(physics.Capsule{Pos: c.From, Rot: geom.Identity(), Radius: 0.4, HalfHeight: 0.5}, c.Move, nil)
	return answer{h, ok}
}

// TestEnginesAgreeOnS4 puts the same rays and sweeps to both engines of the
// house. Where they differ it is for one of the named reasons; the control moves
// the boxes of one of them by 3 mm.
func TestEnginesAgreeOnS4(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	s := newS4()
	ours := physics.New(s.scene.Config)
	s.fill(t, ours, 0)
	rapiers := func(off float32) *World {
		w := world(t, s.scene.Config)
		s.fill(t, w, off)
		return w
	}
	theirs, moved := rapiers(0), rapiers(0.003)
	rays, sweeps := scenes.S4Casts()
	for _, c := range []struct {
		name  string
		casts []scenes.Cast
		same  float32
		least int // that agree
		ask   func(physics.Engine, scenes.Cast) answer
	}{
		{"rays", rays[:s4Casts], sameRay, s4Casts * 995 / 1000, askRay},
		{"sweeps", sweeps[:s4Casts], sameSweep, s4Casts * 99 / 100, askSweep},
	} {
		n, hits := s.compare(ours, theirs, c.casts, c.same, c.ask, t.Errorf)
		table := fmt.Sprintf("%d %s, %d of them hits:", len(c.casts), c.name, hits)
		for v, name := range verdicts {
			table += fmt.Sprintf(" %s %d;", name, n[v])
		}
		t.Log(table)
		if n[agree] < c.least || n[unexplained] > 0 {
			t.Errorf("%s: %d agree, want %d; %d are unexplained", c.name, n[agree], c.least, n[unexplained])
		}
		n, _ = s.compare(ours, moved, c.casts[:2000], c.same, c.ask, func(string, ...any) {})
		t.Logf("control, boxes off by 3 mm: of 2,000 %s %d agree, %d are unexplained", c.name, n[agree], n[unexplained])
		if n[unexplained] < 100 {
			t.Errorf("boxes that are off by 3 mm are not seen by %s: %v", c.name, n)
		}
	}
}

// The classes are what they are called, and nothing else passes.
func TestS4Classes(t *testing.T) {
	s := newS4()
	const id = 100
	b := s.of[id] // a box
	h := b.Def.Shape.Half()
	// face is a hit on the box's +X face, some metres from its +Y edge, and move a
	// move that meets it with a cosine.
	face := func(fromEdge float32) physics.Hit {
		p := geom.V3(h.X, h.Y-fromEdge, 0)
		return physics.Hit{ID: id, Point: b.State.Pos.Add(b.State.Rot.Rotate(p)), Normal: b.State.Rot.Rotate(geom.V3(1, 0, 0)), Fraction: 0.5}
	}
	move := func(cos float32) scenes.Cast {
		return scenes.Cast{Move: b.State.Rot.Rotate(geom.V3(-cos, geom.Sqrt(1-cos*cos), 0)).Mul(10)}
	}
	off := func(x physics.Hit, by float32) answer {
		x.Fraction += by / 10
		return answer{x, true}
	}
	inside := face(0.2)
	inside.Fraction, inside.Inside = 0, true
	miss := answer{}
	for _, c := range []struct {
		what string
		c    scenes.Cast
		a, b answer
		want verdict
	}{
		{"the same", move(.5), off(face(.2), 0), off(face(.2), 0.0009), agree},
		{"both miss", move(.5), miss, miss, agree},
		{"2 mm off", move(.5), off(face(.2), 0), off(face(.2), 0.002), unexplained},
		{"one misses", move(.5), off(face(.2), 0), miss, unexplained},
		{"one misses, at 2 mm from an edge", move(.5), off(face(.002), 0), miss, unexplained},
		{"one misses, at half a millimetre from an edge", move(.5), miss, off(face(.0005), 0), nearEdge},
		{"grazing", move(.04), off(face(.2), 0), off(face(.2), 0.01), grazes},
		{"nearly grazing", move(.06), off(face(.2), 0), off(face(.2), 0.01), unexplained},
		{"one from inside", move(.5), off(face(.2), 0), answer{inside, true}, startedInside},
	} {
		if got := s.judge(c.c, c.a, c.b, sameRay); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, verdicts[got], verdicts[c.want])
		}
	}
}

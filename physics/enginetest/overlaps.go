package enginetest

import (
	"math"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

var overlapChecks = []check{
	{"overlaps have the depth and way out that formulae say", overlaps},
	{"overlaps list all that is touched", overlapsAll},
	{"overlaps heed layers, lists to ignore and sensors", overlapsHeed},
	{"the way out is a way out", overlapsOut},
}

func upright(p geom.Vec3, radius, halfHeight float32) physics.Capsule {
	return physics.Capsule{Pos: p, Rot: geom.Identity(), Radius: radius, HalfHeight: halfHeight}
}

func overlaps(x *exam) {
	x.start(physics.Config{})
	x.row()
	lying := upright(v(40, .7, 0), .4, .5)
	lying.Rot = quat(0, 0, 1, math.Pi/2)
	for _, c := range []struct {
		what    string
		c       physics.Capsule
		id      physics.ID
		feature uint32
		normal  geom.Vec3
		depth   float64
		child   uint16
	}{
		{"on a ball", upright(v(0, 1.3, 0), .4, .5), 1, 0, v(0, 1, 0), .1, 0},
		{"beside a ball", upright(v(.6, .2, 0), .4, .5), 1, 0, v(1, 0, 0), .3, 0},
		{"a ball on a ball", upright(v(.3, .4, 0), .4, 0), 1, 0, v(.6, .8, 0), .4, 0},
		{"on a box", upright(v(10.2, 1.2, 0), .4, .5), 2, 0, v(0, 1, 0), .2, 0},
		{"beside a box", upright(v(10.7, .2, .1), .4, .5), 2, 0, v(1, 0, 0), .2, 0},
		{"over the edge of a box", upright(v(10.62, 1.16, 0), .3, .5), 2, 0, v(.6, .8, 0), .1, 0},
		{"beside a capsule", upright(v(20, .1, .6), .4, .5), 3, 0, v(0, 0, 1), .2, 0},
		{"on a box on its edge", upright(v(30, half+.8, 0), .4, .5), 4, 0, v(0, 1, 0), .1, 0},
		{"across a moving ball", lying, 5, 0, v(0, 1, 0), .2, 0},
		{"on a kinematic box", upright(v(50, 1.35, 0), .4, .5), 6, 0, v(0, 1, 0), .05, 0},
		{"on a moving capsule that lies", upright(v(60, 1.2, .3), .4, .5), 7, 0, v(0, 1, 0), .1, 0},
		{"on a triangle", upright(v(97, .8, -3), .4, .5), 8, 0, v(0, 1, 0), .1, 0},
		{"under a triangle", upright(v(103, -.7, 3), .4, .5), 8, 1, v(0, -1, 0), .2, 0},
		{"on a hull", upright(v(300, 0, 0).Add(diagonal.Mul(1.3)).Add(v(0, .5, 0)), .4, .5), 10, 0, diagonal, .1, 0},
		{"on the ball of a compound", upright(v(311, 1.3, 0), .4, .5), 11, 0, v(0, 1, 0), .1, 2},
		{"on the rod of a moving compound", upright(v(330, .9, .2), .3, .5), 13, 0, v(0, 1, 0), .1, 1},
		// Its lower end is at height .55 over the slope x/4 of .25.
		{"on a field", upright(v(201, 1.05, 1), .4, .5), 9, 0, v(-0.2425356, 0.9701425, 0), .4 - .3*.9701425, 0},
	} {
		got := x.CapsuleOverlap(c.c, nil, nil)
		if len(got) != 1 {
			x.Errorf("a capsule %s: %+v, want one", c.what, got)
			continue
		}
		o := got[0]
		if o.ID != c.id || o.Child != c.child || o.Feature != c.feature {
			x.Errorf("a capsule %s: %+v, want body %d, piece %d, feature %d", c.what, o, c.id, c.child, c.feature)
		}
		x.nearVec("the way out for a capsule "+c.what, o.Normal, c.normal, sameNormal)
		x.near("how deep a capsule is "+c.what, float64(o.Depth), c.depth, sameLen)
	}
	for _, c := range []physics.Capsule{
		upright(v(0, 1.42, 0), .4, .5), upright(v(10.92, 0, 0), .4, .5), upright(v(97, .92, -3), .4, .5), upright(v(97, -.92, -3), .4, .5),
		upright(v(0, 70, 0), 9, 9), upright(v(nan, 0, 0), 1, 1), upright(v(0, 0, 0), -1, 1), upright(v(0, 0, 0), inf, 1), upright(v(0, 0, 0), 1, nan),
	} {
		if got := x.CapsuleOverlap(c, nil, nil); len(got) != 0 {
			x.Errorf("capsule %+v touches %+v", c, got)
		}
	}
}

func overlapsAll(x *exam) {
	x.start(physics.Config{})
	x.still(9, x.shapes.mesh, 0, 0, 0)
	x.loose(3, x.shapes.cube, .8, 1, 0)
	x.still(5, x.shapes.ball, -.8, 1, 0)
	x.still(6, x.shapes.ball, -2, 1, 0)
	type key struct {
		id      physics.ID
		feature uint32
	}
	before := physics.Overlap{ID: 77, Depth: 1}
	got := x.CapsuleOverlap(upright(v(0, .8, 0), .4, .5), nil, []physics.Overlap{before})
	if len(got) == 0 || got[0] != before {
		x.fatal("what was in the slice is lost: %+v", got)
	}
	want := map[key]bool{{9, 0}: true, {9, 1}: true, {3, 0}: true, {5, 0}: true}
	for _, o := range got[1:] {
		k := key{o.ID, o.Feature}
		if !want[k] {
			x.Errorf("a capsule touches %+v, which it does not, or twice", o)
		}
		delete(want, k)
	}
	if len(want) > 0 {
		x.Errorf("a capsule also touches %v (id, feature); said: %+v", want, got[1:])
	}
}

func overlapsHeed(x *exam) {
	x.start(physics.Config{})
	kinds := []physics.Kind{physics.Static, physics.Kinematic, physics.Dynamic}
	for n, k := range kinds {
		for i, layer := range []uint8{2, 7, 18, 31} {
			d := physics.NewDef(k, x.shapes.cube)
			d.Layer, d.Collides = layer, 0
			p := v(float32(5*n), 0, 0).Add([]geom.Vec3{v(.8, 0, 0), v(-.8, 0, 0), v(0, 0, .8), v(0, 0, -.8)}[i])
			x.add(physics.ID(10*n+i+1), d, physics.At(p, geom.Identity()))
			d.Flags = physics.Sensor
			x.add(physics.ID(10*n+i+100), d, physics.At(p, geom.Identity()))
		}
	}
	for n := range kinds {
		base := physics.ID(10 * n)
		for _, k := range []struct {
			q    *physics.Query
			want []physics.ID
		}{
			{nil, []physics.ID{1, 2, 3, 4}}, {&physics.Query{}, []physics.ID{1, 2, 3, 4}},
			{&physics.Query{Layers: 1 << 7}, []physics.ID{2}}, {&physics.Query{Layers: 1<<31 | 1<<2}, []physics.ID{1, 4}},
			{&physics.Query{Layers: 1 << 15}, nil}, {&physics.Query{Ignore: []physics.ID{base + 1, base + 3}}, []physics.ID{2, 4}},
			{&physics.Query{Layers: 1<<18 | 1<<7, Ignore: []physics.ID{base + 3}}, []physics.ID{2}},
		} {
			got := map[physics.ID]int{}
			for _, o := range x.CapsuleOverlap(upright(v(float32(5*n), 0, 0), .4, .3), k.q, nil) {
				got[o.ID]++
			}
			ok := len(got) == len(k.want)
			for _, id := range k.want {
				ok = ok && got[base+id] == 1
			}
			if !ok {
				x.Errorf("an overlap that asks %+v touches %v, want %v from %d on", k.q, got, k.want, base)
			}
		}
	}
}

// overlapsOut moves capsules along the way out: then they touch no more, and
// just short of it they do.
func overlapsOut(x *exam) {
	x.start(physics.Config{})
	x.row()
	for i := range 40 {
		a := float32(i) * 0.7
		c := upright(v(0, 0, 0).Add(v(geom.Sin(a), geom.Cos(a*1.3), geom.Cos(a)).Norm().Mul(.3+float32(.01*float32(i)))), .4, .3)
		c.Rot = quat(geom.Cos(a), geom.Sin(a), .3, a)
		for n := range 7 { // the convex bodies of the row
			c := c
			c.Pos.X += float32(10 * n)
			got := x.CapsuleOverlap(c, nil, nil)
			if len(got) != 1 || got[0].ID != physics.ID(n+1) || !(got[0].Depth > 0) {
				x.Errorf("capsule %+v in body %d: %+v", c, n+1, got)
				continue
			}
			o := got[0]
			x.near("the length of a normal", float64(o.Normal.Len()), 1, sameValue)
			for _, way := range []float32{-sameLen, sameLen} {
				m := c
				m.Pos = m.Pos.MulAdd(o.Normal, o.Depth+way)
				if in := len(x.CapsuleOverlap(m, nil, nil)) > 0; in != (way < 0) {
					x.Errorf("capsule %+v in body %d: %+v; %.3g m along the normal it touches: %v", c, n+1, o, o.Depth+way, in)
				}
			}
		}
	}
}

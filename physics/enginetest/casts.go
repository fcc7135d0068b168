package enginetest

import (
	"math"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

var castChecks = []check{
	{"rays meet shapes where formulae say", rays},
	{"rays meet the nearest, and end", raysEnd},
	{"rays meet triangles from both sides", raysTwoSided},
	{"rays that start inside", raysInside},
	{"spheres meet shapes where formulae say", spheres},
	{"capsules meet shapes where formulae say", capsules},
	{"spheres and capsules meet triangles from both sides", castsTwoSided},
	{"casts that start in touch", castsInside},
	{"casts that only touch at their start", castsTouching},
	{"casts heed layers, lists to ignore and sensors", castsHeed},
	{"casts of nonsense meet nothing", castsOfNonsense},
}

// cast is a question with one answer.
type cast struct {
	what       string
	radius     float32 // 0: a ray
	halfHeight float32 // 0: a sphere
	rot        geom.Quat
	from, move geom.Vec3
	id         physics.ID
	fraction   float64
	normal     geom.Vec3
	feature    uint32
	child      uint16
	back       bool
	point      *geom.Vec3 // nil: a ray's is on its way
}

// ask asks an engine, in the present or the past.
func (x *exam) ask(c *cast, q *physics.Query) (physics.Hit, bool) {
	switch {
	case c.radius == 0:
		return x.RayCast(c.from, c.move, q)
	case c.halfHeight == 0:
		return x.SphereCast(c.radius, c.from, c.move, q)
	}
	rot := c.rot
	if rot == (geom.Quat{}) {
		rot = geom.Identity()
	}
	return x.CapsuleCast(physics.Capsule{Pos: c.from, Rot: rot, Radius: c.radius, HalfHeight: c.halfHeight}, c.move, q)
}

// answers compares what the engine says with what is so. A body of 0: nobody.
func (x *exam) answers(casts []cast) {
	x.Helper()
	for i := range casts {
		c := &casts[i]
		h, ok := x.ask(c, nil)
		if !ok || c.id == 0 {
			if ok != (c.id != 0) {
				x.Errorf("%s: %+v, %v, want body %d", c.what, h, ok, c.id)
			}
			continue
		}
		if h.ID != c.id || h.Inside || h.Back != c.back || h.Feature != c.feature || h.Child != c.child {
			x.Errorf("%s: %+v, want body %d, piece %d, feature %d, back %v", c.what, h, c.id, c.child, c.feature, c.back)
		}
		l := float64(c.move.Len())
		x.near(c.what+": the way", float64(h.Fraction)*l, c.fraction*l, sameLen)
		x.nearVec(c.what+": the normal", h.Normal, c.normal, sameNormal)
		if c.radius == 0 {
			x.nearVec(c.what+": the point", h.Point, c.from.MulAdd(c.move, h.Fraction), sameLen)
		}
		if c.point != nil {
			x.nearVec(c.what+": the point", h.Point, *c.point, samePoint)
		}
	}
}

func v(x, y, z float32) geom.Vec3   { return geom.V3(x, y, z) }
func at(x, y, z float32) *geom.Vec3 { p := v(x, y, z); return &p }

// row puts one body of each kind along X.
func (x *exam) row() {
	x.still(1, x.shapes.ball, 0, 0, 0)
	x.still(2, x.shapes.cube, 10, 0, 0)
	x.still(3, x.shapes.capsule, 20, 0, 0)
	x.add(4, physics.NewDef(physics.Static, x.shapes.cube), physics.At(v(30, 0, 0), quat(0, 0, 1, math.Pi/4)))
	x.loose(5, x.shapes.ball, 40, 0, 0)
	x.add(6, physics.NewDef(physics.Kinematic, x.shapes.cube), physics.At(v(50, 0, 0), geom.Identity()))
	x.add(7, physics.NewDef(physics.Dynamic, x.shapes.capsule), physics.At(v(60, 0, 0), quat(1, 0, 0, math.Pi/2))) // lies along Z
	x.still(8, x.shapes.mesh, 100, 0, 0)
	x.still(9, x.shapes.field, 200, 0, 0)
	x.still(10, x.shapes.hull, 300, 0, 0)
	x.still(11, x.shapes.compound, 310, 0, 0)
	x.loose(12, x.shapes.hull, 320, 0, 0)
	x.add(13, physics.NewDef(physics.Dynamic, x.shapes.compound), physics.At(v(330, 0, 0), quat(0, 1, 0, math.Pi/2))) // its ball at z -1
}

const (
	half = 0.70710678
)

var diagonal = v(1/root3, 1/root3, 1/root3)

func rays(x *exam) {
	x.start(physics.Config{})
	x.row()
	down := v(0, -10, 0)
	slope := v(-0.2425356, 0.9701425, 0)
	x.answers([]cast{
		{what: "a ball from above", from: v(0, 5, 0), move: down, id: 1, fraction: .45, normal: v(0, 1, 0)},
		{what: "a ball off the axis", from: v(.3, 5, 0), move: down, id: 1, fraction: .46, normal: v(.6, .8, 0)},
		{what: "past a ball", from: v(.51, 5, 0), move: down},
		{what: "a ball along z", from: v(0, 0, -3), move: v(0, 0, 4), id: 1, fraction: .625, normal: v(0, 0, -1)},
		{what: "a box from above", from: v(10.4, 5, .4), move: down, id: 2, fraction: .45, normal: v(0, 1, 0)},
		{what: "a box aslant", from: v(8.5, 1, 0), move: v(2, -2, 0), id: 2, fraction: .5, normal: v(-1, 0, 0), point: at(9.5, 0, 0)},
		{what: "past the corner of a box", from: v(8.9, 0, 0), move: v(1, 1, 0)},
		{what: "the top of a capsule", from: v(20, 5, 0), move: down, id: 3, fraction: .41, normal: v(0, 1, 0)},
		{what: "the shoulder of a capsule", from: v(20.24, 5, 0), move: down, id: 3, fraction: .418, normal: v(.6, .8, 0)},
		{what: "the side of a capsule", from: v(20, .3, 5), move: v(0, 0, -10), id: 3, fraction: .46, normal: v(0, 0, 1)},
		{what: "a box on its edge", from: v(30.2, 5, 0), move: down, id: 4, fraction: (5 - half + .2) / 10, normal: v(half, half, 0)},
		{what: "a moving ball", from: v(40, 5, 0), move: down, id: 5, fraction: .45, normal: v(0, 1, 0)},
		{what: "a kinematic box", from: v(50, 5, 0), move: down, id: 6, fraction: .45, normal: v(0, 1, 0)},
		{what: "a lying capsule", from: v(60, 5, .8), move: down, id: 7, fraction: (5 - math.Sqrt(.16-.09)) / 10, normal: v(0, .6614, .75)},
		{what: "a triangle", from: v(97, 5, -2), move: down, id: 8, fraction: .5, normal: v(0, 1, 0), feature: 0},
		{what: "the other triangle, aslant", from: v(101, 5, 3), move: v(4, -10, 0), id: 8, fraction: .5, normal: v(0, 1, 0), feature: 1},
		{what: "past the triangles", from: v(111, 5, 0), move: down},
		{what: "a field", from: v(201, 5, 1), move: down, id: 9, fraction: .475, normal: slope, feature: 0},
		{what: "a field's other triangle", from: v(211, 5, 7), move: down, id: 9, fraction: .225, normal: slope, feature: 2*(4+2) + 1},
		{what: "a hull", from: v(300.4, 5, .3), move: down, id: 10, fraction: (5 - root3 + .7) / 10, normal: diagonal},
		{what: "a moving hull", from: v(320.4, 5, .3), move: down, id: 12, fraction: (5 - root3 + .7) / 10, normal: diagonal},
		{what: "past a hull", from: v(301, 5, .8), move: down},
		{what: "the box of a compound", from: v(309.2, 5, .3), move: down, id: 11, fraction: .45, normal: v(0, 1, 0)},
		{what: "the rod of a compound", from: v(310.2, 5, 0), move: down, id: 11, child: 1, fraction: .48, normal: v(0, 1, 0)},
		{what: "the ball of a compound", from: v(311.3, 5, 0), move: down, id: 11, child: 2, fraction: .46, normal: v(.6, .8, 0)},
		{what: "past the rod of a compound", from: v(310, 5, .3), move: down},
		{what: "the ball of a moving compound", from: v(330, 5, -1.3), move: down, id: 13, child: 2, fraction: .46, normal: v(0, .8, -.6)},
		{what: "past the field", from: v(199, 5, 1), move: down},
	})
}

func raysEnd(x *exam) {
	x.start(physics.Config{})
	for i := range 5 {
		x.still(physics.ID(10-i), x.shapes.cube, 3*float32(i), 0, 0)
	}
	x.loose(3, x.shapes.ball, -3, 0, 0)
	x.answers([]cast{
		{what: "the first of a row", from: v(-20, 0, 0), move: v(40, 0, 0), id: 3, fraction: 16.5 / 40, normal: v(-1, 0, 0)},
		{what: "the first from the other side", from: v(20, 0, 0), move: v(-40, 0, 0), id: 6, fraction: 7.5 / 40, normal: v(1, 0, 0)},
		{what: "the first from between", from: v(4.5, 0, 0), move: v(-40, 0, 0), id: 9, fraction: 1. / 40, normal: v(1, 0, 0)},
		{what: "a ray that ends before", from: v(-20, 0, 0), move: v(16.4, 0, 0)},
		{what: "a ray that reaches", from: v(-20, 0, 0), move: v(16.6, 0, 0), id: 3, fraction: 16.5 / 16.6, normal: v(-1, 0, 0)},
		{what: "a sphere that ends before", radius: .25, from: v(-20, 0, 0), move: v(16.2, 0, 0)},
		{what: "a sphere that reaches", radius: .25, from: v(-20, 0, 0), move: v(16.3, 0, 0), id: 3, fraction: 16.25 / 16.3, normal: v(-1, 0, 0)},
		{what: "a capsule that ends before", radius: .25, halfHeight: 1, from: v(-20, 0, 0), move: v(16.2, 0, 0)},
		{what: "a capsule that reaches", radius: .25, halfHeight: 1, from: v(-20, 0, 0), move: v(16.3, 0, 0), id: 3, fraction: 16.25 / 16.3, normal: v(-1, 0, 0)},
	})
}

func raysTwoSided(x *exam) {
	x.start(physics.Config{})
	x.row()
	x.answers([]cast{
		{what: "a triangle from behind", from: v(97, -5, -2), move: v(0, 10, 0), id: 8, fraction: .5, normal: v(0, -1, 0), feature: 0, back: true},
		{what: "a field from behind", from: v(201, -5, 1), move: v(0, 10, 0), id: 9, fraction: .525, normal: v(0.2425356, -0.9701425, 0), feature: 0, back: true},
	})
}

func raysInside(x *exam) {
	x.start(physics.Config{})
	x.row()
	for _, c := range []struct {
		what   string
		from   geom.Vec3
		id     physics.ID
		normal geom.Vec3
	}{
		{"in a ball", v(.3, 0, 0), 1, v(1, 0, 0)},
		{"in a box", v(10, .4, 0.1), 2, v(0, 1, 0)},
		{"in a capsule", v(20, .1, -.2), 3, v(0, 0, -1)},
		{"in a box on its edge", v(30+.3*half, .3*half, 0), 4, v(half, half, 0)},
		{"in a hull", v(300.2, .2, .2), 10, diagonal},
		{"in a moving ball", v(40, -.3, 0), 5, v(0, -1, 0)},
	} {
		for _, move := range []geom.Vec3{v(0, 7, 0), v(-3, 0, 1)} {
			h, ok := x.RayCast(c.from, move, nil)
			if !ok || h.ID != c.id || !h.Inside || h.Fraction != 0 || h.Back {
				x.Errorf("a ray that starts %s: %+v, %v", c.what, h, ok)
				continue
			}
			x.nearVec("the way out "+c.what, h.Normal, c.normal, sameNormal)
		}
	}
}

func spheres(x *exam) {
	x.start(physics.Config{})
	x.row()
	down := v(0, -10, 0)
	slope := v(-0.2425356, 0.9701425, 0)
	x.answers([]cast{
		{what: "a sphere on a ball", radius: .5, from: v(0, 5, 0), move: down, id: 1, fraction: .4, normal: v(0, 1, 0), point: at(0, .5, 0)},
		{what: "a sphere on a ball's side", radius: .5, from: v(.6, 5, 0), move: down, id: 1, fraction: .42, normal: v(.6, .8, 0), point: at(.3, .4, 0)},
		{what: "a sphere past a ball", radius: .5, from: v(1.01, 5, 0), move: down},
		{what: "a sphere on a box", radius: .3, from: v(10.4, 5, 0), move: down, id: 2, fraction: .42, normal: v(0, 1, 0), point: at(10.4, .5, 0)},
		{what: "a sphere on a box's edge", radius: .5, from: v(10.8, 5, 0), move: down, id: 2, fraction: .41, normal: v(.6, .8, 0), point: at(10.5, .5, 0)},
		{what: "a sphere on a capsule", radius: .6, from: v(20.6, 5, 0), move: down, id: 3, fraction: .37, normal: v(.6, .8, 0), point: at(20.24, .82, 0)},
		{what: "a sphere on a moving ball", radius: .5, from: v(40, 5, .6), move: down, id: 5, fraction: .42, normal: v(0, .8, .6)},
		{what: "a sphere on a kinematic box", radius: .5, from: v(50, -5, 0), move: v(0, 10, 0), id: 6, fraction: .4, normal: v(0, -1, 0)},
		{what: "a sphere on a triangle", radius: .5, from: v(97, 5, -2), move: down, id: 8, fraction: .45, normal: v(0, 1, 0), feature: 0, point: at(97, 0, -2)},
		{what: "a sphere on the rim of a triangle", radius: .5, from: v(110.3, 5, 5), move: down, id: 8, fraction: .46, normal: v(.6, .8, 0), feature: 1, point: at(110, 0, 5)},
		{what: "a sphere on a hull", radius: .5, from: v(300.5, 5, .5), move: down, id: 10, fraction: (5 - root3 - .5*root3 + 1) / 10, normal: diagonal},
		{what: "a sphere on the rod of a compound", radius: .1, from: v(310, 5, .18), move: down, id: 11, child: 1, fraction: .476, normal: v(0, .8, .6)},
		{what: "a sphere on the ball of a compound", radius: .5, from: v(311.6, 5, 0), move: down, id: 11, child: 2, fraction: .42, normal: v(.6, .8, 0)},
		{what: "a sphere on a field", radius: .5, from: v(206, 5, 5), move: down, id: 9, fraction: (5 - 1.5 - .5/.9701425) / 10, normal: slope, feature: 2*(4+1) + 0},
	})
}

func capsules(x *exam) {
	x.start(physics.Config{})
	x.row()
	down := v(0, -10, 0)
	lying := quat(0, 0, 1, math.Pi/2) // along X
	x.answers([]cast{
		{what: "a capsule on a ball", radius: .5, halfHeight: 1, from: v(.6, 5, 0), move: down, id: 1, fraction: .32, normal: v(.6, .8, 0), point: at(.3, .4, 0)},
		{what: "a lying capsule on a ball", radius: .5, halfHeight: 1, rot: lying, from: v(.8, 5, .6), move: down, id: 1, fraction: .42, normal: v(0, .8, .6)},
		{what: "a capsule on a box", radius: .3, halfHeight: .5, from: v(10.4, 5, 0), move: down, id: 2, fraction: .37, normal: v(0, 1, 0), point: at(10.4, .5, 0)},
		{what: "a capsule against a box", radius: .3, halfHeight: 2, from: v(7, 0, .2), move: v(5, 0, 0), id: 2, fraction: 2.2 / 5, normal: v(-1, 0, 0)},
		{what: "a capsule over the edge of a box", radius: .5, halfHeight: .5, from: v(10.8, 5, 0), move: down, id: 2, fraction: .36, normal: v(.6, .8, 0), point: at(10.5, .5, 0)},
		{what: "a lying capsule on the edge of a box on its edge", radius: .5, halfHeight: 1, rot: quat(1, 0, 0, math.Pi/2), from: v(30, 5, 0), move: down, id: 4, fraction: (5 - half - .5) / 10, normal: v(0, 1, 0)},
		{what: "a capsule against a capsule", radius: .4, halfHeight: .5, from: v(18, .7, 0), move: v(4, 0, 0), id: 3, fraction: 1.2 / 4, normal: v(-1, 0, 0)},
		{what: "a capsule on a lying moving capsule", radius: .4, halfHeight: .5, from: v(60, 5, .2), move: down, id: 7, fraction: .37, normal: v(0, 1, 0), point: at(60, .4, .2)},
		{what: "a capsule past a capsule", radius: .4, halfHeight: .5, from: v(17, 0, .81), move: v(6, 0, 0)},
		{what: "a capsule on a triangle", radius: .4, halfHeight: .5, from: v(97, 5, -2), move: down, id: 8, fraction: .41, normal: v(0, 1, 0), feature: 0, point: at(97, 0, -2)},
		{what: "a capsule on a hull", radius: .5, halfHeight: 1, from: v(300.5, 6, .5), move: down, id: 10, fraction: (5 - root3 - .5*root3 + 1) / 10, normal: diagonal},
		{what: "a capsule against the box of a compound", radius: .3, halfHeight: .5, from: v(305, .2, 0), move: v(5, 0, 0), id: 11, fraction: (310 - 1.5 - .3 - 305) / 5, normal: v(-1, 0, 0)},
		{what: "a capsule on the ball of a moving compound", radius: .5, halfHeight: 1, from: v(330, 6, -1.6), move: down, id: 13, child: 2, fraction: .42, normal: v(0, .8, -.6)},
		{what: "a capsule against a field", radius: .4, halfHeight: .5, from: v(202, 1.5, 1), move: v(10, 0, 0), id: 9,
			// The lower end, at height 1, is .4 from the slope x/4.
			fraction: (4*(1-.4/.9701425) - 2) / 10, normal: v(-0.2425356, 0.9701425, 0), feature: 0},
	})
}

func castsTwoSided(x *exam) {
	x.start(physics.Config{})
	x.row()
	up := v(0, 10, 0)
	x.answers([]cast{
		{what: "a sphere under a triangle", radius: .5, from: v(97, -5, -2), move: up, id: 8, fraction: .45, normal: v(0, -1, 0), feature: 0, back: true},
		{what: "a capsule under a triangle", radius: .4, halfHeight: .5, from: v(103, -5, 2), move: up, id: 8, fraction: .41, normal: v(0, -1, 0), feature: 1, back: true},
		{what: "a sphere under a field", radius: .5, from: v(206, -3, 5), move: up, id: 9, fraction: (4.5 - .5/.9701425) / 10, normal: v(0.2425356, -0.9701425, 0), feature: 2*(4+1) + 0, back: true},
	})
}

func castsInside(x *exam) {
	x.start(physics.Config{})
	x.row()
	for _, c := range []struct {
		cast
		normal geom.Vec3
	}{
		{cast{what: "a sphere in a ball", radius: .5, from: v(.9, 0, 0), id: 1}, v(1, 0, 0)},
		{cast{what: "a sphere in a box", radius: .3, from: v(10, .7, .2), id: 2}, v(0, 1, 0)},
		{cast{what: "a sphere whose centre is in a box", radius: .3, from: v(10, .4, .1), id: 2}, v(0, 1, 0)},
		{cast{what: "a capsule in a capsule", radius: .4, halfHeight: .5, from: v(20, .2, .7), id: 3}, v(0, 0, 1)},
		{cast{what: "a capsule deep in a capsule", radius: .4, halfHeight: .5, from: v(20.1, .2, 0), id: 3}, v(1, 0, 0)},
		{cast{what: "a capsule across a capsule", radius: .4, halfHeight: .5, rot: quat(1, 0, 0, 1.2), from: v(20.05, .2, 0), id: 3}, v(1, 0, 0)},
		{cast{what: "a capsule deep in a box", radius: .4, halfHeight: .2, from: v(10.3, .05, 0), id: 2}, v(1, 0, 0)},
		{cast{what: "a capsule in a moving ball", radius: .4, halfHeight: .5, from: v(40, 1.3, 0), id: 5}, v(0, 1, 0)},
		{cast{what: "a sphere in a triangle", radius: .5, from: v(97, .3, -2), id: 8}, v(0, 1, 0)},
		{cast{what: "a sphere in a triangle's back", radius: .5, from: v(97, -.3, -2), id: 8}, v(0, -1, 0)},
		{cast{what: "a capsule in a triangle", radius: .4, halfHeight: .5, from: v(97, .7, -2), id: 8}, v(0, 1, 0)},
	} {
		for _, move := range []geom.Vec3{v(0, -7, 0), v(3, 2, 1)} {
			c.move = move
			h, ok := x.ask(&c.cast, nil)
			if !ok || h.ID != c.id || !h.Inside || h.Fraction != 0 {
				x.Errorf("a cast of %s: %+v, %v, want body %d from the inside", c.what, h, ok, c.id)
				continue
			}
			x.nearVec("the way out for "+c.what, h.Normal, c.normal, sameNormal)
		}
	}
}

// castsTouching start on a surface: they may move along it or away, and not in.
func castsTouching(x *exam) {
	x.start(physics.Config{})
	x.row()
	x.still(30, x.shapes.cube, 10, 9, 0)
	for _, c := range []cast{
		{what: "a sphere on a box", radius: .5, from: v(10, 1, 0), id: 2},
		{what: "a capsule on a box", radius: .4, halfHeight: .5, from: v(10.2, 1.4, .1), id: 2},
		{what: "a sphere on a ball", radius: .5, from: v(40, 1, 0), id: 5},
		{what: "a capsule on a capsule", radius: .4, halfHeight: .5, from: v(20, 1.8, 0), id: 3},
		{what: "a sphere on a triangle", radius: .5, from: v(97, .5, -2), id: 8},
		{what: "a capsule on a triangle", radius: .4, halfHeight: .5, from: v(103, .9, 4), id: 8},
	} {
		for _, away := range []geom.Vec3{v(0, 3, 0), v(1, 2, 1), v(.5, .02, 0), v(0, 0, -.5)} {
			c.move = away
			if h, ok := x.ask(&c, nil); ok && (h.ID == c.id || h.Inside) {
				x.Errorf("%s that moves %v: %+v", c.what, away, h)
			}
		}
		for _, in := range []geom.Vec3{v(0, -3, 0), v(1, -2, 1), v(2, -.5, 0)} {
			c.move = in
			h, ok := x.ask(&c, nil)
			if !ok || h.ID != c.id {
				x.Errorf("%s that moves %v, in: %+v, %v", c.what, in, h, ok)
				continue
			}
			x.near(c.what+": the way in", float64(h.Fraction*in.Len()), 0, sameLen)
			x.nearVec(c.what+": the normal", h.Normal, v(0, 1, 0), sameNormal)
		}
	}
	c := cast{radius: .5, from: v(10, 1, 0), move: v(0, 20, 0)}
	if h, ok := x.ask(&c, nil); !ok || h.ID != 30 {
		x.Errorf("a sphere that leaves a box meets %+v, not the box above", h)
	}
}

// everyCast is a cast of each kind down an axis.
func everyCast(from geom.Vec3) []cast {
	down := v(0, -20, 0)
	return []cast{
		{what: "a ray", from: from, move: down},
		{what: "a sphere", radius: .3, from: from, move: down},
		{what: "a capsule", radius: .3, halfHeight: .4, from: from, move: down},
	}
}

func castsHeed(x *exam) {
	x.start(physics.Config{})
	kinds := []physics.Kind{physics.Static, physics.Kinematic, physics.Dynamic}
	for i, layer := range []uint8{2, 7, 18, 7, 31} {
		for n, k := range kinds { // a column of each kind, the layers from above
			d := physics.NewDef(k, x.shapes.cube)
			d.Layer, d.Collides = layer, 0 // what it touches is not what is asked for
			x.add(physics.ID(10*n+i+1), d, physics.At(v(float32(5*n), 10-float32(3*i), 0), geom.Identity()))
			d.Flags, d.Layer = physics.Sensor, 7
			x.add(physics.ID(10*n+i+100), d, physics.At(v(float32(5*n), 11-float32(3*i), 0), geom.Identity()))
		}
	}
	for n := range kinds {
		base := physics.ID(10 * n)
		for _, c := range everyCast(v(float32(5*n), 15, 0)) {
			for _, k := range []struct {
				q    *physics.Query
				want physics.ID
			}{
				{nil, 1}, {&physics.Query{}, 1},
				{&physics.Query{Layers: 1 << 7}, 2}, {&physics.Query{Layers: 1 << 18}, 3}, {&physics.Query{Layers: 1 << 31}, 5},
				{&physics.Query{Layers: 1<<31 | 1<<18}, 3}, {&physics.Query{Layers: ^uint32(1 << 2)}, 2}, {&physics.Query{Layers: 1 << 15}, 0},
				{&physics.Query{Ignore: []physics.ID{base + 1}}, 2}, {&physics.Query{Ignore: []physics.ID{base + 2, base + 1, 77}}, 3},
				{&physics.Query{Layers: 1 << 7, Ignore: []physics.ID{base + 2}}, 4},
				{&physics.Query{Layers: 1 << 7, Ignore: []physics.ID{base + 2, base + 4}}, 0},
			} {
				h, ok := x.ask(&c, k.q)
				if ok != (k.want != 0) || ok && h.ID != base+k.want {
					x.Errorf("%s that asks %+v meets body %d, want %d", c.what, k.q, h.ID, base+k.want)
				}
			}
		}
	}
}

func castsOfNonsense(x *exam) {
	x.start(physics.Config{})
	x.row()
	for _, b := range []float32{nan, inf, -inf} {
		for _, c := range everyCast(v(0, 5, 0)) {
			for i := range 2 {
				bad := c
				*[]*float32{&bad.from.Y, &bad.move.Y}[i] = b
				if h, ok := x.ask(&bad, nil); ok {
					x.Errorf("%s from %v along %v meets %+v", c.what, bad.from, bad.move, h)
				}
			}
		}
		for _, r := range []float32{b, -1} {
			if h, ok := x.SphereCast(r, v(0, 5, 0), v(0, -9, 0), nil); ok {
				x.Errorf("a sphere of radius %v meets %+v", r, h)
			}
			if h, ok := x.CapsuleCast(upright(v(0, 5, 0), .4, r), v(0, -9, 0), nil); ok && r != -1 {
				x.Errorf("a capsule of half height %v meets %+v", r, h)
			}
		}
	}
	// No move: what it is in already, or nothing.
	if h, ok := x.SphereCast(.3, v(0, 5, 0), geom.Vec3{}, nil); ok {
		x.Errorf("a sphere that stays where nothing is meets %+v", h)
	}
	if h, ok := x.SphereCast(.3, v(0, .6, 0), geom.Vec3{}, nil); !ok || h.ID != 1 || !h.Inside || h.Fraction != 0 {
		x.Errorf("a sphere that stays where a ball is: %+v, %v", h, ok)
	}
}

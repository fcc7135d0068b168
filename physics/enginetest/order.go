package enginetest

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

var orderChecks = []check{
	{"the order of insertion changes nothing", orderOfInsertion},
	{"the same calls give the same bits", sameBits},
	{"queries change nothing", queriesChangeNothing},
}

const heap = 24

// throw makes a heap of bodies, added in the order that next says, and returns
// their states after two seconds.
func (x *exam) throw(next func(i int) int, queries bool) (end [heap]physics.State) {
	x.start(physics.Config{Gravity: physics.Earth, Past: 4})
	for i := range heap + 2 {
		n := next(i)
		switch {
		case n == heap:
			x.still(1, x.shapes.ground, 0, -1, 0)
		case n == heap+1:
			x.still(100, x.shapes.ball, 0.3, 0.2, 0.1)
		default:
			s := physics.State{
				Pos: v(float32(n%3)*.9, 1+float32(float32(n/3)*1.1), float32(n%2)*.8), Rot: quat(1, float32(n), 2, float32(n)),
				Vel: v(float32(n%5)-2, 0, 1), Spin: v(0, float32(n%7), 0),
			}
			x.add(physics.ID(n+2), physics.NewDef(physics.Dynamic, x.shapes.cube), s)
		}
	}
	for range 120 {
		x.Step()
		if queries {
			x.RayCast(v(0, 9, 0), v(0, -9, 0), nil)
			x.CapsuleCast(upright(v(0, 9, 0), .4, .5), v(0, -9, 0), &physics.Query{Behind: 1.5, Ignore: []physics.ID{1}})
			x.CapsuleOverlap(upright(v(0, 1, 0), .4, .5), nil, nil)
		}
	}
	for i := range end {
		end[i] = x.state(physics.ID(i + 2))
	}
	return end
}

func (x *exam) same(what string, a, b [heap]physics.State) {
	x.Helper()
	for i := range a {
		if a[i] != b[i] {
			x.Errorf("%s: body %d is %v, was %v", what, i+2, b[i], a[i])
			return
		}
	}
	if a[0].Pos == (geom.Vec3{}) || a[0].Pos == a[1].Pos {
		x.Errorf("%s: nothing to compare: %v", what, a[0])
	}
}

func straight(i int) int { return i }

func orderOfInsertion(x *exam) {
	a := x.throw(straight, false)
	x.same("added from the last to the first", a, x.throw(func(i int) int { return heap + 1 - i }, false))
	x.same("added in disorder", a, x.throw(func(i int) int { return (i*11 + 5) % (heap + 2) }, false))
}

func sameBits(x *exam) { x.same("once more", x.throw(straight, false), x.throw(straight, false)) }

func queriesChangeNothing(x *exam) {
	x.same("with queries", x.throw(straight, false), x.throw(straight, true))
}

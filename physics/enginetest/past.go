package enginetest

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

var pastChecks = []check{
	{"queries find a body where it was", whereItWas},
	{"the past of bodies that are moved", pastOfMoved},
	{"no time between two places of a teleport", pastOfTeleport},
	{"the past heeds layers and lists to ignore", pastHeeds},
	{"a tick that comes again is forgotten", pastAgain},
	{"a tick that is not kept has static bodies only", pastUnkept},
}

// down asks at a point along X with every kind of query and says which of them
// find body id there.
func (x *exam) finds(id physics.ID, at float32, behind float32) (found [4]bool) {
	q := &physics.Query{Behind: behind, Ignore: []physics.ID{1}}
	for i, c := range everyCast(v(at, 9, 0)) {
		h, ok := x.ask(&c, q)
		found[i] = ok && h.ID == id
	}
	for _, o := range x.CapsuleOverlap(upright(v(at, 0.2, 0), .3, .4), q, nil) {
		found[3] = found[3] || o.ID == id
	}
	return found
}

var (
	always = [4]bool{true, true, true, true}
	never  = [4]bool{}
)

// is asks for a body where it is said to be, and 3 m to either side.
func (x *exam) is(what string, id physics.ID, at, behind float32) {
	x.Helper()
	if got := x.finds(id, at, behind); got != always {
		x.Errorf("%s: %v ticks behind it is not at %v (ray, sphere, capsule, overlap: %v)", what, behind, at, got)
	}
	for _, off := range []float32{-3, 3} {
		if got := x.finds(id, at+off, behind); got != never {
			x.Errorf("%s: %v ticks behind it is not only at %v but also at %v (ray, sphere, capsule, overlap: %v)", what, behind, at, at+off, got)
		}
	}
}

// whereItWas lets bodies go 2 m a tick.
func whereItWas(x *exam) {
	x.start(physics.Config{Past: 16})
	x.SetTick(100)
	x.still(1, x.shapes.ground, 0, -5, 0)
	for i, k := range []physics.Kind{physics.Dynamic, physics.Kinematic} {
		s := physics.At(v(float32(500*i), 0, 0), geom.Identity())
		s.Vel = v(120, 0, 0)
		x.add(physics.ID(i+2), physics.NewDef(k, x.shapes.ball), s)
	}
	x.Record()
	for range 12 {
		x.Step()
	}
	for i := range 2 {
		id, base := physics.ID(i+2), float32(500*i)
		for _, behind := range []float32{0, 1, 2, 5, 10, 0.5, 3.25, 8.75} {
			x.is("what flies 2 m a tick", id, base+float32(2*(12-behind)), behind)
		}
		// As exact as the present: a ray from the side.
		h, ok := x.RayCast(v(base, 0, 0), v(30, 0, 0), &physics.Query{Behind: 4.5})
		x.near("where a ray meets it 4.5 ticks behind", float64(h.Point.X), float64(base)+2*7.5-.5, 2*sameLen)
		if !ok {
			x.Errorf("a ray misses it 4.5 ticks behind")
		}
	}
	if h, ok := x.RayCast(v(7, 5, 3), v(0, -20, 0), &physics.Query{Behind: 6}); !ok || h.ID != 1 {
		x.Errorf("static bodies are not in the past: %+v, %v", h, ok)
	}
}

// pastOfMoved never steps: a server's movers.
func pastOfMoved(x *exam) {
	x.start(physics.Config{Past: 8})
	x.add(2, physics.NewDef(physics.Kinematic, x.shapes.ball), physics.At(v(0, 0, 0), geom.Identity()))
	for t := uint32(50); t < 70; t++ {
		x.SetTick(t)
		if err := x.Move(2, v(10*float32(t-50), 0, 0), geom.Identity()); err != nil {
			x.fatal("Move: %v", err)
		}
		x.Record()
	}
	for behind := range 7 {
		x.is("what is moved 10 m a tick", 2, 10*float32(19-behind), float32(behind))
	}
}

func pastOfTeleport(x *exam) {
	x.start(physics.Config{Past: 8})
	x.SetTick(10)
	x.loose(2, x.shapes.ball, 0, 0, 0)
	x.Record()
	x.Step()
	x.Step()
	if err := x.Move(2, v(20, 0, 0), geom.Identity()); err != nil {
		x.fatal("Move: %v", err)
	}
	x.Step()
	x.Step()
	for _, behind := range []float32{0, 0.3, 1, 1.2, 1.5, 1.7, 2, 2.1, 2.5, 2.9, 3, 3.5, 4} {
		for _, at := range []float32{4, 7, 10, 13, 16} {
			if got := x.finds(2, at, behind); got != never {
				x.Errorf("%v ticks behind a body is at %v, between the ends of a teleport (ray, sphere, capsule, overlap: %v)", behind, at, got)
			}
		}
		old, new := x.finds(2, 0, behind), x.finds(2, 20, behind)
		if old == new || old != always && new != always {
			x.Errorf("%v ticks behind a body that was teleported is at its old place: %v, at its new: %v", behind, old, new)
		}
	}
	x.is("after a teleport", 2, 20, 0)
	x.is("after a teleport", 2, 20, 1)
	x.is("before a teleport", 2, 0, 3)
	x.is("before a teleport", 2, 0, 4)
}

func pastHeeds(x *exam) {
	x.start(physics.Config{Past: 8})
	for i, layer := range []uint8{2, 7, 18} {
		d := physics.NewDef(physics.Dynamic, x.shapes.cube)
		d.Layer = layer
		s := physics.At(v(0, 10-float32(3*i), 0), geom.Identity())
		s.Vel = v(300, 0, 0)
		x.add(physics.ID(i+1), d, s)
		d.Flags, d.Layer = physics.Sensor, 7
		s.Pos.Y++
		x.add(physics.ID(i+100), d, s)
	}
	x.Record()
	for range 5 {
		x.Step()
	}
	for _, k := range []struct {
		layers uint32
		ignore []physics.ID
		want   physics.ID
	}{
		{0, nil, 1}, {1 << 7, nil, 2}, {1<<18 | 1<<7, nil, 2}, {1 << 18, nil, 3}, {1 << 3, nil, 0},
		{0, []physics.ID{1}, 2}, {0, []physics.ID{2, 1}, 3}, {1 << 7, []physics.ID{2}, 0},
	} {
		q := &physics.Query{Layers: k.layers, Ignore: k.ignore, Behind: 2.5}
		for _, c := range everyCast(v(12.5, 15, 0)) {
			if h, ok := x.ask(&c, q); ok != (k.want != 0) || h.ID != k.want {
				x.Errorf("%s that asks %+v meets body %d, want %d", c.what, q, h.ID, k.want)
			}
		}
		n := 0
		for _, o := range x.CapsuleOverlap(upright(v(12.5, 7, 0), .3, 4), q, nil) {
			listed := false
			for _, id := range k.ignore {
				listed = listed || o.ID == id
			}
			if listed || k.layers != 0 && k.layers>>[]uint8{0, 2, 7, 18}[o.ID%100]&1 == 0 {
				x.Errorf("an overlap that asks %+v touches %+v", q, o)
			}
			n++
		}
		if (n > 0) != (k.want != 0) {
			x.Errorf("an overlap that asks %+v touches %d bodies", q, n)
		}
	}
}

// pastAgain goes back to a tick and on from there.
func pastAgain(x *exam) {
	x.start(physics.Config{Past: 16})
	x.SetTick(20)
	s := physics.At(v(0, 0, 0), geom.Identity())
	s.Vel = v(240, 0, 0)
	x.add(2, physics.NewDef(physics.Dynamic, x.shapes.ball), s)
	x.Record()
	for range 8 {
		x.Step()
	}
	x.SetTick(24)
	if err := x.Move(2, v(16, 0, 0), geom.Identity()); err != nil {
		x.fatal("Move: %v", err)
	}
	if err := x.SetVelocity(2, v(-240, 0, 0), geom.Vec3{}); err != nil {
		x.fatal("SetVelocity: %v", err)
	}
	for range 3 {
		x.Step()
	}
	for behind, at := range []float32{4, 8, 12, 16, 12, 8, 4, 0} {
		x.is("what turned at a tick that came again", 2, at, float32(behind))
	}
}

// pastUnkept looks further back than anything was recorded, and than is kept.
func pastUnkept(x *exam) {
	x.start(physics.Config{Past: 8})
	x.SetTick(50)
	x.still(1, x.shapes.ground, 0, -5, 0)
	x.loose(2, x.shapes.ball, 0, 0, 0)
	x.Record()
	for range 3 {
		x.Step()
	}
	x.is("what does not move", 2, 0, 3)
	for n, behind := range []float32{3.5, 4, 11, 100, 1e9} {
		if n == 2 { // now all ticks that are kept were recorded
			for range 20 {
				x.Step()
			}
			x.is("what does not move", 2, 0, 6)
		}
		if got := x.finds(2, 0, behind); got != never {
			x.Errorf("%v ticks behind, which is not kept, a body is seen (ray, sphere, capsule, overlap: %v)", behind, got)
		}
		if h, ok := x.RayCast(v(0, 9, 0), v(0, -20, 0), &physics.Query{Behind: behind}); !ok || h.ID != 1 {
			x.Errorf("%v ticks behind a ray meets %+v, not the static body", behind, h)
		}
	}
}

package scenes

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/shape"
	"github.com/foretick/foretick/tick"
)

// mixer builds Mixed. An id is an index with a generation, as of an entity.
type mixer struct {
	builder
	r     Rand
	index uint16
}

// put adds a body of the next index, in its first generation.
func (m *mixer) put(d physics.Def, x, y, z float64) *Body {
	m.index++
	b := m.add(d, x, y, z)
	b.ID = physics.ID(tick.MakeEntity(m.index, 0))
	return b
}

// drop puts a dynamic body somewhere above the ground, turned anyhow.
func (m *mixer) drop(d physics.Def, height float64) *Body {
	b := m.put(d, m.r.in(-14, 28), height, m.r.in(-14, 28))
	b.State.Rot = m.turn()
	return b
}

func (m *mixer) turn() geom.Quat {
	axis := geom.V3(float32(m.r.in(-1, 2)), float32(m.r.in(-1, 2)), float32(m.r.in(0.1, 1)))
	return geom.FromAxisAngle(axis, float32(m.r.in(-3, 6)))
}

// Mixed has a bit of everything: a height field and a mesh, kinematic
// platforms, sensors, events, bouncing balls, hulls, compounds, locked axes,
// filters, forces, a floor that goes from under a sleeping tower, and bodies
// that come and go, whose indices are used again.
func Mixed() *Scene {
	m := &mixer{builder: begin("mixed", 400, true), r: 31337}
	mixedStatics(m)
	movers := mixedMovers(m)
	mixedSensors(m)
	mixedBodies(m)
	pushed := m.Bodies[len(m.Bodies)-1].ID
	mixedLives(m)
	m.acts = func(step int, out []Act) []Act {
		out = movers.acts(step, out)
		f := float32(step%40 - 20)
		out = append(out,
			Act{Op: Force, ID: pushed, V: geom.V3(0, float32(150*f), float32(10*f))},
			Act{Op: Torque, ID: pushed, V: geom.V3(0, 60, 0)})
		if step%90 == 45 {
			out = append(out, Act{Op: Impulse, ID: pushed, V: geom.V3(300, 1500, 0)})
		}
		if step == 200 {
			out = append(out, Act{Op: Place, ID: pushed, V: geom.V3(0, 9, 0), Rot: geom.Identity()})
		}
		return out
	}
	return m.Scene
}

// The floor goes at this step; the tower on it sleeps by then.
const floorGoes = 220

func mixedStatics(m *mixer) {
	const n = 40 // cells of the field, a metre each
	var heights []float32
	for j := range n + 1 {
		for i := range n + 1 {
			heights = append(heights, float32(float64(0.4*wave(float64(i)/20))+float64(0.3*wave(float64(j)/13+0.25))))
		}
	}
	f := Grid{Columns: n + 1, Rows: n + 1, Cell: 1, Heights: heights}
	f.ID = m.put(physics.NewDef(physics.Static, m.field(&f)), -20, 0, -20).ID
	m.Fields = append(m.Fields, f)

	var v []geom.Vec3
	var t [][3]uint32
	const k = 8
	for j := range k + 1 { // a slope that ends the field
		for i := range k + 1 {
			v = append(v, geom.V3(float32(2*i), float32(i*i)*0.15, float32(j*5-20)))
		}
	}
	for j := range uint32(k) {
		for i := range uint32(k) {
			a := j*(k+1) + i
			t = append(t, [3]uint32{a, a + k + 1, a + 1}, [3]uint32{a + 1, a + k + 1, a + k + 2})
		}
	}
	id := m.put(physics.NewDef(physics.Static, m.mesh(v, t)), 20, -0.2, 0).ID
	m.Meshes = append(m.Meshes, Mesh{ID: id, Vertices: v, Triangles: t})

	for _, z := range [...]float64{-21, 21} {
		m.put(box(physics.Static, 45, 6, 1), 0, 3, z)
	}
	m.put(box(physics.Static, 1, 6, 22), -42, 3, 0)
	m.put(box(physics.Static, 11, 0.5, 20), -31, -5, 0) // below the floor that goes
	m.put(box(physics.Static, 11, 0.5, 20), -31, -0.5, 0).Until = floorGoes
	for i := range 5 {
		m.put(box(physics.Dynamic, 0.5, 0.5, 0.5), -31, 0.5+float64(i), 0)
	}
	still := m.put(box(physics.Dynamic, 0.5, 0.3, 0.5), -28, 0.3, 5) // leaves a sleeper's side
	m.put(box(physics.Dynamic, 0.5, 0.5, 0.5), -28, 1.1, 5)
	still.Until = 150
}

// platforms are the kinematic bodies that follow a target.
type platforms struct{ slide, lift, paddle, eye physics.ID }

func mixedMovers(m *mixer) platforms {
	var p platforms
	p.slide = m.put(box(physics.Kinematic, 2.5, 0.25, 2.5), -6, 1.5, -8).ID
	p.lift = m.put(box(physics.Kinematic, 2, 0.2, 2), 8, 1, 8).ID
	p.paddle = m.put(box(physics.Kinematic, 5, 0.4, 0.3), 0, 1.2, 0).ID
	eye := physics.NewDef(physics.Kinematic, shape.Must(shape.NewSphere(2)))
	eye.Flags = physics.Sensor | physics.Events
	p.eye = m.put(eye, 0, 2, 0).ID
	d := box(physics.Kinematic, 1, 0.5, 1) // goes by its own velocity
	d.Flags = physics.Events
	b := m.put(d, -15, 1, 12)
	b.State.Vel, b.State.Spin = geom.V3(3, 0, -0.5), geom.V3(0, 1, 0)
	for i := range 6 { // riders
		m.put(box(physics.Dynamic, 0.4, 0.4, 0.4), -7+float64(i%3), 2.2+float64(0.9*float64(i/3)), -8)
		m.put(box(physics.Dynamic, 0.4, 0.4, 0.4), 7+float64(i%3), 1.7+float64(0.9*float64(i/3)), 8)
	}
	return p
}

// acts moves the platforms; the lift stands for a while at each end, so that
// its riders fall asleep and are woken.
func (p *platforms) acts(step int, out []Act) []Act {
	t := float64(step + 1)
	turn := geom.FromAxisAngle(geom.V3(0, 1, 0), float32(t*0.03))
	lift := 1 + float64(4*wave(t/300))
	if s := step % 150; s >= 60 {
		lift = 1 + float64(4*wave(float64(step-s+60)/300))
	}
	return append(out,
		Act{Op: MoveTo, ID: p.slide, V: geom.V3(float32(-6+float64(4*wave(t/160))), 1.5, -8), Rot: geom.Identity()},
		Act{Op: MoveTo, ID: p.lift, V: geom.V3(8, float32(lift), 8), Rot: geom.Identity()},
		Act{Op: MoveTo, ID: p.paddle, V: geom.V3(0, 1.2, 0), Rot: turn},
		Act{Op: MoveTo, ID: p.eye, V: geom.V3(float32(12*wave(t/97)), 2, float32(12*wave(t/61))), Rot: geom.Identity()})
}

func mixedSensors(m *mixer) {
	d := box(physics.Static, 3, 2, 3)
	d.Flags = physics.Sensor | physics.Events
	m.put(d, 6, 1, -6)
	d = box(physics.Static, 20, 0.5, 20)
	d.Flags = physics.Sensor | physics.Events
	d.Collides = 1 << 2 // sees only what is on layer 2
	m.put(d, 0, 3, 0)
}

// mixedBodies drops what moves. The last is the one that is pushed about.
func mixedBodies(m *mixer) {
	shapes := m.oddShapes()
	for i := range 60 {
		d := physics.NewDef(physics.Dynamic, shapes[i%len(shapes)])
		switch i % 8 {
		case 0:
			d.Restitution, d.Flags = 0.8, physics.Events
		case 1:
			d.LinearDamping, d.AngularDamping = 0.5, 2
		case 2:
			d.Gravity, d.Friction = 0.3, 0.9
		case 3:
			d.Layer, d.Collides = 2, ^uint32(1<<2)
			d.Flags = physics.Events
		case 4:
			d.Lock = physics.LockSpinX | physics.LockSpinZ
		case 5:
			d.Density, d.Friction = 300, 0
		case 6:
			d.Lock = physics.LockZ
		}
		b := m.drop(d, m.r.in(2, 8))
		b.State.Vel = geom.V3(float32(m.r.in(-3, 6)), 0, float32(m.r.in(-3, 6)))
		b.State.Spin = geom.V3(float32(m.r.in(-4, 8)), float32(m.r.in(-4, 8)), 1)
	}
	d := box(physics.Dynamic, 0.6, 0.6, 0.6)
	d.Flags = physics.Events | physics.NoSleep
	m.put(d, 2, 3, 2)
}

// oddShapes returns one of each convex kind, and compounds of them.
func (m *mixer) oddShapes() []shape.Shape {
	var round, wedge []geom.Vec3
	for range 14 {
		v := geom.V3(float32(m.r.in(-1, 2)), float32(m.r.in(-1, 2)), float32(m.r.in(-1, 2)))
		round = append(round, v.Norm().Mul(0.6))
	}
	for _, x := range [...]float32{-0.5, 0.5} {
		wedge = append(wedge, geom.V3(x, -0.4, -0.6), geom.V3(x, -0.4, 0.6), geom.V3(x, 0.5, -0.6))
	}
	ball := shape.Must(shape.NewSphere(0.35))
	rod := shape.Must(shape.NewCapsule(0.15, 0.5))
	slab := shape.Must(shape.NewBox(geom.V3(0.7, 0.1, 0.5)))
	leg := shape.Must(shape.NewBox(geom.V3(0.1, 0.4, 0.1)))
	hull, prism := m.hull(round), m.hull(wedge)
	at := func(s shape.Shape, x, y, z float32) shape.Piece {
		return shape.Piece{Shape: s, Pos: geom.V3(x, y, z), Rot: geom.Identity()}
	}
	tilted := shape.Piece{Shape: prism, Pos: geom.V3(0.6, 0, 0), Rot: geom.FromAxisAngle(geom.V3(0, 1, 1), 0.7)}
	return []shape.Shape{
		ball,
		hull,
		shape.Must(shape.NewBox(geom.V3(0.5, 0.3, 0.7))),
		m.compound(at(ball, 0, -0.6, 0), at(rod, 0, 0, 0), at(ball, 0, 0.6, 0)),
		shape.Must(shape.NewCapsule(0.3, 0.4)),
		prism,
		m.compound(at(slab, 0, 0, 0), at(leg, -0.6, -0.5, -0.4), at(leg, 0.6, -0.5, -0.4),
			at(leg, -0.6, -0.5, 0.4), at(leg, 0.6, -0.5, 0.4)),
		m.compound(at(hull, -0.4, 0, 0), tilted),
	}
}

// mixedLives adds bodies that live for a while, one after another under the
// same index; some follow in the very step in which the last one went.
func mixedLives(m *mixer) {
	s := shape.Must(shape.NewSphere(0.4))
	for slot := range 10 {
		m.index++
		from := 5 + 3*slot
		for gen := uint16(0); from < m.Steps; gen++ {
			d := physics.NewDef(physics.Dynamic, s)
			if gen%2 == 1 {
				d = box(physics.Dynamic, 0.4, 0.5, 0.6)
			}
			d.Flags = physics.Events
			b := m.add(d, m.r.in(-12, 24), m.r.in(2, 4), m.r.in(-12, 24))
			b.ID = physics.ID(tick.MakeEntity(m.index, gen))
			b.State.Rot = m.turn()
			b.From, b.Until = from, from+20+7*slot
			from = b.Until + slot%3*4
		}
	}
}

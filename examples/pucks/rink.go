package pucks

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
)

// scenery is the rink, which never changes.
func scenery(s *sim.Scene, ground *sim.Picture) {
	const edge = half + wallWidth
	s.View(geom.V3(-edge, 0, -edge), geom.V3(edge, wallHeight, edge))
	markings(ground)
	for _, side := range []float32{-1, 1} {
		boards(s, side)
		goal(s, side)
		stands(s, side)
	}
}

// markings are painted on the ice.
func markings(p *sim.Picture) {
	p.View(-half, -half, half, half)
	p.Rect(-half, -half, 2*half, 2*half, 0, sheet, 1)
	for _, side := range []float32{-1, 1} {
		p.Circle(side*half, 0, goalHalf+1.2, 0, pale, 1)
		p.Circle(side*half, 0, goalHalf+1.2, 0.14, post, 1)
		p.Line(side*7, -half, side*7, half, 0.35, blue, 1)
		p.Line(side*(half-0.1), -half, side*(half-0.1), half, 0.12, post, 0.9)
		for _, up := range []float32{-1, 1} {
			p.Circle(side*12, up*11, 3.4, 0.12, post, 0.9)
			p.Circle(side*12, up*11, 0.35, 0, post, 0.9)
		}
	}
	p.Line(0, -half, 0, half, 0.35, post, 1)
	p.Circle(0, 0, 5, 0.16, blue, 1)
	p.Circle(0, 0, 0.45, 0, blue, 1)
}

func box(s *sim.Scene, x, y, z, w, h, d float32, c sim.Colour) {
	s.Add(sim.Instance{Mesh: sim.MeshBox, Pos: geom.V3(x, y, z), Size: geom.V3(w, h, d), Colour: c})
}

// pipe is a bar with round ends between two points of an axis: 0 x, 1 y, 2 z.
func pipe(s *sim.Scene, x, y, z, long, thick float32, axis int, c sim.Colour) {
	i := sim.Instance{Mesh: sim.MeshCapsule, Pos: geom.V3(x, y, z), Size: geom.V3(thick, long, thick), Colour: c}
	switch axis {
	case 0:
		i.Rot = geom.FromAxisAngle(geom.V3(0, 0, 1), geom.Pi/2)
	case 2:
		i.Rot = geom.FromAxisAngle(geom.V3(1, 0, 0), geom.Pi/2)
	}
	s.Add(i)
}

// boards are the long wall at one end of z, and the two parts of the wall
// beside the goal at the same end of x.
func boards(s *sim.Scene, side float32) {
	const (
		mid  = half + wallWidth/2
		long = 2*half + 2*wallWidth
		part = half - goalHalf // of an end wall
	)
	panel := func(x, z, w, d float32) {
		box(s, x, wallHeight/2, z, w, wallHeight, d, board)
		box(s, x, 0.14, z, w+0.04, 0.28, d+0.04, kick)
	}
	panel(0, side*mid, 2*half, wallWidth)
	pipe(s, 0, wallHeight, side*mid, long, wallWidth+0.1, 0, rail)
	for _, up := range []float32{-1, 1} {
		z := up * (goalHalf + part/2)
		panel(side*mid, z, wallWidth, part)
		pipe(s, side*mid, wallHeight, z, part+wallWidth, wallWidth+0.1, 2, rail)
		pipe(s, side*mid, wallHeight/2, up*mid, wallHeight+wallWidth, wallWidth+0.1, 1, rail) // the corner
	}
}

// goal is behind the wall's gap at one end of x.
func goal(s *sim.Scene, side float32) {
	const thick = 0.3
	mouth, behind := float32(side*(half+0.1)), float32(side*(half+goalDeep))
	box(s, side*(half+goalDeep/2), -0.02, 0, goalDeep, 0.04, 2*goalHalf, pale)
	mesh := func(x, y, z, w, h, d float32) {
		s.Add(sim.Instance{Mesh: sim.MeshBox, Pos: geom.V3(x, y, z), Size: geom.V3(w, h, d), Colour: net, Fade: 0.6})
	}
	mesh(behind, goalHeight/2, 0, 0.06, goalHeight, 2*goalHalf)
	mesh((mouth+behind)/2, goalHeight, 0, goalDeep, 0.06, 2*goalHalf)
	for _, up := range []float32{-1, 1} {
		z := up * goalHalf
		mesh((mouth+behind)/2, goalHeight/2, z, goalDeep, goalHeight, 0.06)
		pipe(s, mouth, goalHeight/2, z, goalHeight+thick, thick, 1, post)
		pipe(s, behind, goalHeight/2, z, goalHeight+thick, thick, 1, post)
		pipe(s, (mouth+behind)/2, goalHeight, z, goalDeep+thick, thick, 0, post)
	}
	pipe(s, mouth, goalHeight, 0, 2*goalHalf+thick, thick, 2, post)
	pipe(s, behind, goalHeight, 0, 2*goalHalf+thick, thick, 2, post)
}

// stands are the steps around the rink.
func stands(s *sim.Scene, side float32) {
	for i := range 4 {
		far, high := half+4+float32(float32(i)*2.2), 0.5+float32(float32(i)*0.8)
		c := arena
		if i%2 == 1 {
			c = arena2
		}
		box(s, 0, float32(high/2)-0.3, side*(far+1.1), float32(2*far)+4.4, high, 2.2, c)
		box(s, side*(far+1.1), float32(high/2)-0.3, 0, 2.2, high, float32(2*far), c)
	}
}

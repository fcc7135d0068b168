package gallery

import (
	"cmp"
	"slices"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
	"github.com/foretick/foretick/shape"
)

// Geometries that every scene has; those of its hulls, meshes and fields
// follow. A box and a sphere are 1 m across; a capsule is a sphere whose halves
// are moved apart.
const (
	GeometryBox = iota
	GeometrySphere
	GeometryCapsule
	geometries
)

// Layers of a picture, by what is needed to draw them.
const (
	LayerStill  = iota // static bodies
	LayerMoving        // the others
	LayerGlass         // sensors: they touch nothing
	LayerWall          // static boxes so high that they would hide all
)

// Shades of an instance: what the body does.
const (
	ShadeAwake = iota
	ShadeAsleep
	ShadeStatic
	ShadeKinematic
	ShadeSensor
	ShadeBall
)

// Batch is instances of one geometry: Count of them, in order.
type Batch struct{ Layer, Geometry, Count int }

// A part is a convex piece, a mesh or a field of a body that is drawn.
type part struct {
	layer, geometry int
	row             int // of the body among the moving, or among the static ones
	fixed           bool
	id              physics.ID
	shade           int
	frame           geom.Frame // in the body
	size            geom.Vec3
}

// picture turns a world into batches.
type picture struct {
	custom        []shape.Shape // of geometries from geometries on
	moving, fixed []physics.ID  // that parts is of
	parts         []part
	batches       []Batch
	pieces        []shape.Part

	matrices []float32 // 16 for each part: columns
	shades   []float32 // of each part: its shade, and a number from 0 to 7 by the id
	poses    []geom.Frame
}

// begin finds the geometries of a scene.
func (p *picture) begin(s *scenes.Scene) {
	var whole geom.Frame
	for i := range s.Bodies {
		p.pieces = s.Config.Shapes.Parts(s.Bodies[i].Def.Shape, &whole, p.pieces[:0])
		for _, piece := range p.pieces {
			if k := piece.Shape.Kind; (k == shape.Hull || k == shape.Mesh || k == shape.Field) && !slices.Contains(p.custom, piece.Shape) {
				p.custom = append(p.custom, piece.Shape)
			}
		}
	}
}

// Surfaces returns the triangles of the geometries that the scene adds.
func (s *Show) Surfaces() [][]geom.Vec3 {
	var out [][]geom.Vec3
	for _, c := range s.picture.custom {
		out = append(out, s.Store().Surface(c, nil))
	}
	return out
}

// Picture returns what is to be seen: batches, 16 numbers for each instance of
// them, a matrix by its columns, and one for its shade: 8 times that, plus a
// number from 0 to 7 so that neighbours differ. part is how much of the last
// step is shown, 1: all.
func (s *Show) Picture(part float32) (batches []Batch, matrices, shades []float32) {
	p, w := &s.picture, s.world
	if !slices.Equal(p.moving, w.Bodies()) || !slices.Equal(p.fixed, w.Statics()) {
		p.build(w)
	}
	s.pose(part)
	p.matrices, p.shades = p.matrices[:0], p.shades[:0]
	for i := range p.parts {
		t := &p.parts[i]
		shade := t.shade
		var f geom.Frame
		if t.fixed {
			f = t.frame
		} else {
			f = p.poses[t.row].Of(&t.frame)
			if shade != ShadeSensor && w.States()[t.row].Still == physics.Asleep {
				shade = ShadeAsleep
			}
		}
		x, y, z := f.R.X.Mul(t.size.X), f.R.Y.Mul(t.size.Y), f.R.Z.Mul(t.size.Z)
		p.matrices = append(p.matrices, x.X, x.Y, x.Z, 0, y.X, y.Y, y.Z, 0, z.X, z.Y, z.Z, 0, f.P.X, f.P.Y, f.P.Z, 1)
		p.shades = append(p.shades, float32(8*shade+int(t.id*5>>1&7)))
	}
	return p.batches, p.matrices, p.shades
}

// pose finds where bodies are shown: between where they were before the last
// step and where they are.
func (s *Show) pose(part float32) {
	p, at := &s.picture, s.world.States()
	p.poses = p.poses[:0]
	k := 0
	for r, id := range s.world.Bodies() {
		pos, rot := at[r].Pos, at[r].Rot
		for k < len(s.beforeIDs) && s.beforeIDs[k] < id {
			k++
		}
		if part < 1 && k < len(s.beforeIDs) && s.beforeIDs[k] == id && at[r].Still != physics.Asleep {
			was := &s.before[k]
			pos, rot = was.Pos.Lerp(pos, part), was.Rot.Nlerp(rot, part)
		}
		p.poses = append(p.poses, geom.FrameOf(pos, rot))
	}
}

// build lists the parts anew: bodies came or went.
func (p *picture) build(w *physics.World) {
	p.moving = append(p.moving[:0], w.Bodies()...)
	p.fixed = append(p.fixed[:0], w.Statics()...)
	p.parts, p.batches = p.parts[:0], p.batches[:0]
	whole := geom.FrameOf(geom.Vec3{}, geom.Identity())
	for r, id := range p.moving {
		p.add(w, id, r, &whole)
	}
	for r, id := range p.fixed {
		s, _ := w.State(id)
		f := geom.FrameOf(s.Pos, s.Rot)
		p.add(w, id, r, &f)
	}
	slices.SortStableFunc(p.parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.layer, b.layer), cmp.Compare(a.geometry, b.geometry))
	})
	for i := range p.parts {
		t := &p.parts[i]
		if n := len(p.batches); n == 0 || p.batches[n-1].Layer != t.layer || p.batches[n-1].Geometry != t.geometry {
			p.batches = append(p.batches, Batch{Layer: t.layer, Geometry: t.geometry})
		}
		p.batches[len(p.batches)-1].Count++
	}
}

func (p *picture) add(w *physics.World, id physics.ID, row int, f *geom.Frame) {
	d, _ := w.Def(id)
	t := part{layer: LayerMoving, row: row, id: id, shade: ShadeAwake}
	switch {
	case d.Flags&physics.Sensor != 0:
		t.layer, t.shade = LayerGlass, ShadeSensor
	case d.Kind == physics.Static:
		t.layer, t.shade = LayerStill, ShadeStatic
		if d.Shape.Kind == shape.Box && d.Shape.B > wall {
			t.layer = LayerWall
		}
	case d.Kind == physics.Kinematic:
		t.shade = ShadeKinematic
	case id >= ballIDs:
		t.shade = ShadeBall
	}
	t.fixed = d.Kind == physics.Static
	p.pieces = w.Config().Shapes.Parts(d.Shape, f, p.pieces[:0])
	for i := range p.pieces {
		t.frame = p.pieces[i].Frame
		if t.geometry, t.size = p.geometry(&p.pieces[i].Shape); t.geometry >= 0 {
			p.parts = append(p.parts, t)
		}
	}
}

// geometry returns which one a shape is, and its size; -1: nothing to be seen.
func (p *picture) geometry(s *shape.Shape) (int, geom.Vec3) {
	switch s.Kind {
	case shape.Box:
		return GeometryBox, s.Half().Mul(2)
	case shape.Sphere:
		return GeometrySphere, geom.V3(2*s.A, 2*s.A, 2*s.A)
	case shape.Capsule:
		return GeometryCapsule, geom.V3(2*s.A, 2*(s.A+s.B), 2*s.A)
	}
	i := slices.Index(p.custom, *s)
	if i < 0 {
		return -1, geom.Vec3{}
	}
	return geometries + i, geom.V3(1, 1, 1)
}

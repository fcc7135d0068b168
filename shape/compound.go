package shape

import (
	"errors"

	"github.com/foretick/foretick/geom"
)

// Piece is one convex part of a compound.
type Piece struct {
	Shape Shape // sphere, capsule, box or hull
	Pos   geom.Vec3
	Rot   geom.Quat
}

// compound is what AddCompound made of its pieces.
type compound struct {
	pieces []piece
	mass   Mass // of density 1
	core   float32
	reach  float32
}

type piece struct {
	shape Shape
	frame geom.Frame // in the compound
	box   AABB       // in the compound
}

var (
	errCompoundCount = errors.New("shape: a compound has no piece, or more than 256")
	errCompoundPiece = errors.New("shape: a piece of a compound is not a sphere, capsule, box or hull of this store")
	errCompoundPose  = errors.New("shape: the pose of a piece is not finite, beyond 10 km, or no rotation")
)

// AddCompound adds convex pieces that are fixed to each other; the number of a
// piece is the Child of hits and contacts. Pieces may overlap, and count twice
// there for the mass. The arguments are copied.
func (st *Store) AddCompound(pieces []Piece) (Shape, error) {
	if len(pieces) == 0 || len(pieces) > maxPieces {
		return Shape{}, errCompoundCount
	}
	var c compound
	for _, p := range pieces {
		if !p.Shape.Convex() || !st.Has(p.Shape) {
			return Shape{}, errCompoundPiece
		}
		l := p.Rot.Dot(p.Rot)
		if !(geom.Abs(p.Pos.X) <= maxSize && geom.Abs(p.Pos.Y) <= maxSize && geom.Abs(p.Pos.Z) <= maxSize) || !(geom.Abs(l-1) < unitSlop) {
			return Shape{}, errCompoundPose
		}
		f := geom.FrameOf(p.Pos, p.Rot.Norm())
		c.pieces = append(c.pieces, piece{p.Shape, f, st.Bounds(p.Shape, &f)})
	}
	c.mass = st.massOf(c.pieces)
	for i := range c.pieces {
		p := &c.pieces[i]
		local := p.frame.Local(c.mass.Centre)
		c.core = greater(c.core, st.depthIn(p.shape, local))
		c.reach = greater(c.reach, st.reachOf(p.shape, &p.frame))
	}
	st.compounds = append(st.compounds, c)
	return Shape{Kind: Compound, Ref: uint32(len(st.compounds) - 1)}, nil
}

// massOf adds up pieces of density 1 (J. Steiner's parallel axes).
func (st *Store) massOf(pieces []piece) Mass {
	var sum Mass
	for i := range pieces {
		m := st.Mass(pieces[i].shape, 1)
		sum.Mass += m.Mass
		sum.Centre = sum.Centre.MulAdd(pieces[i].frame.Point(m.Centre), m.Mass)
	}
	sum.Centre = sum.Centre.Mul(1 / sum.Mass)
	for i := range pieces {
		m, r := st.Mass(pieces[i].shape, 1), &pieces[i].frame.R
		t := r.Transposed()
		t = m.Inertia.MulMat(&t)
		d := pieces[i].frame.Point(m.Centre).Sub(sum.Centre)
		sum.Inertia = sum.Inertia.Add(r.MulMat(&t)).Add(pointInertia(d, m.Mass))
	}
	// The products of rotations are symmetric but for their rounding.
	t := sum.Inertia.Transposed()
	sum.Inertia = sum.Inertia.Add(t).Scale(0.5)
	return sum
}

// pointInertia is that of a mass at d about the origin.
func pointInertia(d geom.Vec3, m float32) geom.Mat3 {
	l := d.Len2()
	return geom.Mat3{
		X: geom.Vec3{X: l}.MulAdd(d, 0-d.X).Mul(m),
		Y: geom.Vec3{Y: l}.MulAdd(d, 0-d.Y).Mul(m),
		Z: geom.Vec3{Z: l}.MulAdd(d, 0-d.Z).Mul(m),
	}
}

// depthIn returns how far inside a convex shape a point of its axes is, below 0
// outside.
func (st *Store) depthIn(s Shape, p geom.Vec3) float32 {
	switch s.Kind {
	case Sphere:
		return s.A - p.Len()
	case Capsule:
		p.Y -= geom.Clamp(p.Y, 0-s.B, s.B)
		return s.A - p.Len()
	case Box:
		return lesser(lesser(s.A-geom.Abs(p.X), s.B-geom.Abs(p.Y)), s.C-geom.Abs(p.Z))
	}
	_, l := st.hulls[s.Ref].highest(p)
	return 0 - l
}

// reachOf returns how far a convex shape in a frame reaches from the origin.
func (st *Store) reachOf(s Shape, f *geom.Frame) float32 {
	switch s.Kind {
	case Sphere:
		return f.P.Len() + s.A
	case Capsule:
		e := f.R.Y.Mul(s.B)
		return greater(f.P.Add(e).Len(), f.P.Sub(e).Len()) + s.A
	}
	var room boxRoom
	verts := room.verts[:]
	if s.Kind == Box {
		boxPoly(s.Half(), &room)
	} else {
		verts = st.hulls[s.Ref].verts
	}
	var far float32
	for _, v := range verts {
		far = greater(far, f.Point(v).Len())
	}
	return far
}

func (st *Store) compoundBounds(c *compound, f *geom.Frame) AABB {
	var all AABB
	for i := range c.pieces {
		g := f.Of(&c.pieces[i].frame)
		b := st.convexBounds(&c.pieces[i].shape, &g)
		if i == 0 {
			all = b
		}
		all.join(&b)
	}
	return all
}

// compoundContacts is Contacts of a compound a, piece by piece.
func (st *Store) compoundContacts(a *Shape, fa *geom.Frame, b *Shape, fb *geom.Frame, margin float32, out []Manifold) []Manifold {
	c := &st.compounds[a.Ref]
	box, all := st.around(b, fa, fb, margin)
	for i := range c.pieces {
		p := &c.pieces[i]
		if !all && !box.Overlaps(&p.box) {
			continue
		}
		f := fa.Of(&p.frame)
		n := len(out)
		out = st.convexContacts(&p.shape, &f, b, fb, margin, out)
		d := f.P.Sub(fa.P)
		for j := n; j < len(out); j++ {
			m := &out[j]
			m.ChildA = uint16(i)
			for k := range m.Points[:m.Count] {
				m.Points[k].P = m.Points[k].P.Add(d)
			}
		}
	}
	return out
}

// contactsCompound is Contacts of a convex a with a compound b.
func (st *Store) contactsCompound(a *Shape, fa *geom.Frame, b *Shape, fb *geom.Frame, margin float32, out []Manifold) []Manifold {
	c := &st.compounds[b.Ref]
	box, _ := st.around(a, fb, fa, margin)
	for i := range c.pieces {
		p := &c.pieces[i]
		if !box.Overlaps(&p.box) {
			continue
		}
		f := fb.Of(&p.frame)
		n := len(out)
		out = st.pairContacts(a, fa, &p.shape, &f, margin, out)
		for j := n; j < len(out); j++ {
			out[j].ChildB = uint16(i)
		}
	}
	return out
}

// around returns the box, in the axes of f, of the shape s in g, grown by the
// margin. all says that it was not made: a mesh and a field look for themselves.
func (st *Store) around(s *Shape, f, g *geom.Frame, margin float32) (box AABB, all bool) {
	if s.Static() {
		return AABB{}, true
	}
	seen := f.To(g)
	if margin < 0 {
		margin = 0
	}
	return st.Bounds(*s, &seen).Grown(margin + boundsSlop), false
}

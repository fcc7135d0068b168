package shape

import "github.com/foretick/foretick/geom"

// Contacts appends a manifold for each pair of convex pieces of a and b, or of
// a piece and a triangle, that are less than margin apart: metres, negative
// for overlaps only. a is convex or a compound, b anything. The Store may be
// nil for spheres, capsules and boxes.
//
// Overlaps are measured along the axis of least overlap of a face of either,
// or of an edge of each (separating axes; S. Gottschalk 1996, D. Gregorius
// 2013), with a fixed preference, see featureSlop. Between corners that do not
// overlap that is less than their distance.
func (st *Store) Contacts(a Shape, fa *geom.Frame, b Shape, fb *geom.Frame, margin float32, out []Manifold) []Manifold {
	if a.Kind == Box && b.Kind == Box {
		out, m := grow(out)
		if !boxBox(&a, fa, &b, fb, margin, m) {
			return out[:len(out)-1]
		}
		return out
	}
	if a.Kind == Compound {
		return st.compoundContacts(&a, fa, &b, fb, margin, out)
	}
	return st.convexContacts(&a, fa, &b, fb, margin, out)
}

// grow appends an empty manifold.
func grow(out []Manifold) ([]Manifold, *Manifold) {
	n := len(out)
	if n < cap(out) {
		out = out[:n+1]
		m := &out[n]
		m.Count, m.ChildA, m.ChildB, m.Feature = 0, 0, 0, 0
		return out, m
	}
	out = append(out, Manifold{})
	return out, &out[n]
}

// convexContacts is Contacts of a convex a. Nothing here calls itself, or the
// frames would not stay on the stack.
func (st *Store) convexContacts(a *Shape, fa *geom.Frame, b *Shape, fb *geom.Frame, margin float32, out []Manifold) []Manifold {
	if !a.Convex() || !posed(fa, fb) {
		return out
	}
	switch b.Kind {
	case Compound:
		return st.contactsCompound(a, fa, b, fb, margin, out)
	case Mesh:
		return st.meshContacts(a, fa, &st.meshes[b.Ref], fb, margin, out)
	case Field:
		return st.fieldContacts(a, fa, &st.fields[b.Ref], fb, margin, out)
	case None:
		return out
	}
	return st.pairContacts(a, fa, b, fb, margin, out)
}

// pairContacts is Contacts of two convex shapes.
func (st *Store) pairContacts(a *Shape, fa *geom.Frame, b *Shape, fb *geom.Frame, margin float32, out []Manifold) []Manifold {
	out, m := grow(out)
	if !st.pair(a, fa, b, fb, margin, m) {
		return out[:len(out)-1]
	}
	return out
}

// posed reports whether two frames of rotations are numbers.
func posed(fa, fb *geom.Frame) bool {
	d := fb.P.Sub(fa.P)
	return geom.Finite(d.X + d.Y + d.Z + fa.R.X.X + fb.R.X.X)
}

// pair is the contact of two convex shapes.
func (st *Store) pair(a *Shape, fa *geom.Frame, b *Shape, fb *geom.Frame, margin float32, m *Manifold) bool {
	if a.Kind > b.Kind {
		if !st.ordered(b, fb, a, fa, margin, m) {
			return false
		}
		m.flip(fb.P.Sub(fa.P))
		return true
	}
	return st.ordered(a, fa, b, fb, margin, m)
}

// ordered is pair where a's kind is not above b's.
func (st *Store) ordered(a *Shape, fa *geom.Frame, b *Shape, fb *geom.Frame, margin float32, m *Manifold) bool {
	switch a.Kind {
	case Sphere:
		switch b.Kind {
		case Sphere:
			return ballBall(fb.P.Sub(fa.P), a.A, b.A, margin, m)
		case Capsule:
			return sphereCapsule(a, fa, b, fb, margin, m)
		case Box:
			return sphereBox(a, fa, b, fb, margin, m)
		}
		return sphereHull(a.A, fa, &st.hulls[b.Ref], fb, margin, m)
	case Capsule:
		switch b.Kind {
		case Capsule:
			return capsuleCapsule(a, fa, b, fb, margin, m)
		case Box:
			return capsuleBox(a, fa, b, fb, margin, m)
		}
		return capsuleHull(a, fa, &st.hulls[b.Ref], fb, margin, m)
	case Box:
		if b.Kind == Box {
			return boxBox(a, fa, b, fb, margin, m)
		}
		return boxHull(a, fa, &st.hulls[b.Ref], fb, margin, m)
	}
	return hullHull(&st.hulls[a.Ref], fa, &st.hulls[b.Ref], fb, margin, m)
}

// flip exchanges the two shapes; d is from the new first origin to the old.
func (m *Manifold) flip(d geom.Vec3) {
	m.Normal = m.Normal.Neg()
	m.ChildA, m.ChildB = m.ChildB, m.ChildA
	for i := range m.Points[:m.Count] {
		m.Points[i].P = m.Points[i].P.Add(d)
	}
}

// turn takes a manifold from the axes of r to those that r is given in.
func (m *Manifold) turn(r *geom.Mat3) {
	m.Normal = r.Mul(m.Normal)
	for i := range m.Points[:m.Count] {
		m.Points[i].P = r.Mul(m.Points[i].P)
	}
}

// add appends a point; there is room for four.
func (m *Manifold) add(p geom.Vec3, sep float32) {
	m.Points[m.Count&3] = Contact{p, sep}
	m.Count++
}

// deepest returns the least separation; Count is not 0.
func (m *Manifold) deepest() float32 {
	s := m.Points[0].Sep
	for i := int32(1); i < m.Count; i++ {
		s = lesser(s, m.Points[i&3].Sep)
	}
	return s
}

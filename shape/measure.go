package shape

import "github.com/foretick/foretick/geom"

// Has reports whether s is a shape that can be used with this Store: its sizes
// are allowed and its number is known. A nil Store has spheres, capsules and
// boxes.
func (st *Store) Has(s Shape) bool {
	switch s.Kind {
	case Sphere:
		return sizeOK(s.A)
	case Capsule:
		return sizeOK(s.A) && sizeOK(s.B)
	case Box:
		return sizeOK(s.A) && sizeOK(s.B) && sizeOK(s.C)
	}
	if st == nil {
		return false
	}
	n := 0
	switch s.Kind {
	case Hull:
		n = len(st.hulls)
	case Compound:
		n = len(st.compounds)
	case Mesh:
		n = len(st.meshes)
	case Field:
		n = len(st.fields)
	}
	return int64(s.Ref) < int64(n)
}

// Bounds returns the tight box of a shape in space. The Store may be nil for
// spheres, capsules and boxes. None is a point.
func (st *Store) Bounds(s Shape, f *geom.Frame) AABB {
	switch s.Kind {
	case Compound:
		return st.compoundBounds(&st.compounds[s.Ref], f)
	case Mesh:
		return st.meshes[s.Ref].meshBounds(f)
	case Field:
		return st.fields[s.Ref].fieldBounds(f)
	}
	return st.convexBounds(&s, f)
}

func (st *Store) convexBounds(s *Shape, f *geom.Frame) AABB {
	var e geom.Vec3
	r := &f.R
	switch s.Kind {
	case Sphere:
		e = geom.Vec3{X: s.A, Y: s.A, Z: s.A}
	case Capsule:
		e = geom.Vec3{
			X: s.A + float32(geom.Abs(r.Y.X)*s.B),
			Y: s.A + float32(geom.Abs(r.Y.Y)*s.B),
			Z: s.A + float32(geom.Abs(r.Y.Z)*s.B),
		}
	case Box:
		e = geom.Vec3{
			X: float32(geom.Abs(r.X.X)*s.A) + float32(geom.Abs(r.Y.X)*s.B) + float32(geom.Abs(r.Z.X)*s.C),
			Y: float32(geom.Abs(r.X.Y)*s.A) + float32(geom.Abs(r.Y.Y)*s.B) + float32(geom.Abs(r.Z.Y)*s.C),
			Z: float32(geom.Abs(r.X.Z)*s.A) + float32(geom.Abs(r.Y.Z)*s.B) + float32(geom.Abs(r.Z.Z)*s.C),
		}
	case Hull:
		return st.hulls[s.Ref].bounds(f)
	}
	return AABB{f.P.Sub(e), f.P.Add(e)}
}

// join grows a until it holds b.
func (a *AABB) join(b *AABB) {
	a.Min.X, a.Max.X = lesser(a.Min.X, b.Min.X), greater(a.Max.X, b.Max.X)
	a.Min.Y, a.Max.Y = lesser(a.Min.Y, b.Min.Y), greater(a.Max.Y, b.Max.Y)
	a.Min.Z, a.Max.Z = lesser(a.Min.Z, b.Min.Z), greater(a.Max.Z, b.Max.Z)
}

// lesser and greater compare: the builtin min and max also order zeros and
// NaN, which is slow in WebAssembly.
func lesser(a, b float32) float32 {
	if b < a {
		return b
	}
	return a
}

func greater(a, b float32) float32 {
	if b > a {
		return b
	}
	return a
}

// Reach returns how far the farthest point of s is from its origin, 0 for
// meshes and fields.
func (st *Store) Reach(s Shape) float32 {
	switch s.Kind {
	case Sphere:
		return s.A
	case Capsule:
		return s.A + s.B
	case Box:
		return s.Half().Len()
	case Hull:
		return st.hulls[s.Ref].reach
	case Compound:
		return st.compounds[s.Ref].reach
	}
	return 0
}

// Core returns the radius of a ball about the centre of mass that is inside s,
// for swept collision: 0 for meshes and fields, and for a compound whose
// centre lies between its pieces.
func (st *Store) Core(s Shape) float32 {
	switch s.Kind {
	case Sphere, Capsule:
		return s.A
	case Box:
		return lesser(lesser(s.A, s.B), s.C)
	case Hull:
		return st.hulls[s.Ref].core
	case Compound:
		return st.compounds[s.Ref].core
	}
	return 0
}

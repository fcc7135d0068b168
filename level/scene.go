package level

import (
	"fmt"

	"github.com/foretick/foretick/geom"
)

// affine maps a point: columns where X, Y and Z go, then the origin.
type affine [4][3]float64

var identity = affine{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

func (m *affine) point(x, y, z float64) (p [3]float64) {
	for i := range p {
		p[i] = float64(m[0][i]*x) + float64(m[1][i]*y) + float64(m[2][i]*z) + m[3][i] // no fused sums: all peers need the same mesh
	}
	return p
}

// of returns the map that does n first and then m.
func (m *affine) of(n *affine) (r affine) {
	for c := range r {
		r[c] = m.point(n[c][0], n[c][1], n[c][2])
	}
	for c := range 3 {
		for i := range 3 {
			r[c][i] -= m[3][i]
		}
	}
	return r
}

// mirrors reports whether the map turns shapes inside out: then glTF wants
// the triangles turned around.
func (m *affine) mirrors() bool {
	x, y, z := m[0], m[1], m[2]
	a := float64(y[1]*z[2]) - float64(y[2]*z[1])
	b := float64(y[2]*z[0]) - float64(y[0]*z[2])
	c := float64(y[0]*z[1]) - float64(y[1]*z[0])
	return float64(x[0]*a)+float64(x[1]*b)+float64(x[2]*c) < 0
}

// local is the transform of a node within its parent.
func (n *node) local() (affine, error) {
	m := identity
	if n.Matrix != nil {
		if n.Matrix[3] != 0 || n.Matrix[7] != 0 || n.Matrix[11] != 0 || n.Matrix[15] != 1 {
			return m, fmt.Errorf("a matrix that is not affine")
		}
		for c := range m {
			copy(m[c][:], n.Matrix[4*c:])
		}
		return m, nil
	}
	if q := n.Rotation; q != nil {
		x, y, z, w := q[0], q[1], q[2], q[3]
		xx, yy, zz, ww := float64(x*x), float64(y*y), float64(z*z), float64(w*w)
		xy, xz, yz := float64(x*y), float64(x*z), float64(y*z)
		wx, wy, wz := float64(w*x), float64(w*y), float64(w*z)
		l := xx + yy + zz + ww
		if !(l > 0.5 && l < 2) {
			return m, fmt.Errorf("a rotation that is not of unit length")
		}
		s := 2 / l
		m[0] = [3]float64{1 - float64(s*(yy+zz)), s * (xy + wz), s * (xz - wy)}
		m[1] = [3]float64{s * (xy - wz), 1 - float64(s*(xx+zz)), s * (yz + wx)}
		m[2] = [3]float64{s * (xz + wy), s * (yz - wx), 1 - float64(s*(xx+yy))}
	}
	if n.Scale != nil {
		for c, k := range n.Scale {
			for i := range 3 {
				m[c][i] *= k
			}
		}
	}
	if n.Translation != nil {
		m[3] = *n.Translation
	}
	return m, nil
}

// reader collects the triangles of a scene.
type reader struct {
	doc       *document
	seen      []bool // nodes: the specification has each under one parent
	vertices  []geom.Vec3
	triangles [][3]uint32
	work      int // primitives and elements so far
}

// spend counts work: a small file may name one mesh in many nodes.
func (r *reader) spend(n int) error {
	if r.work += n; r.work > maxWork {
		return fmt.Errorf("more than %d primitives, vertices and indices", maxWork)
	}
	return nil
}

func (r *reader) scene() error {
	d := r.doc
	first := 0
	if d.Scene != nil {
		first = *d.Scene
	}
	if len(d.Scenes) > 0 || d.Scene != nil {
		s, err := at(d.Scenes, first, "scene")
		if err != nil {
			return err
		}
		return r.nodes(s.Nodes, &identity, 0)
	}
	child := make([]bool, len(d.Nodes))
	for _, n := range d.Nodes {
		for _, c := range n.Children {
			if c >= 0 && c < len(child) {
				child[c] = true
			}
		}
	}
	var roots []int
	for i, is := range child {
		if !is {
			roots = append(roots, i)
		}
	}
	return r.nodes(roots, &identity, 0)
}

func (r *reader) nodes(list []int, parent *affine, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("nodes more than %d deep", maxDepth)
	}
	for _, i := range list {
		n, err := at(r.doc.Nodes, i, "node")
		if err != nil {
			return err
		}
		if r.seen[i] {
			return fmt.Errorf("node %d has two parents", i)
		}
		r.seen[i] = true
		m, err := n.local()
		if err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		m = parent.of(&m)
		if n.Mesh != nil {
			mesh, err := at(r.doc.Meshes, *n.Mesh, "mesh")
			if err != nil {
				return fmt.Errorf("node %d: %w", i, err)
			}
			for k := range mesh.Primitives {
				if err := r.primitive(&mesh.Primitives[k], &m); err != nil {
					return fmt.Errorf("mesh %d, primitive %d: %w", *n.Mesh, k, err)
				}
			}
		}
		if err := r.nodes(n.Children, &m, depth+1); err != nil {
			return err
		}
	}
	return nil
}

const (
	modeTriangles = 4
	modeStrip     = 5
	modeFan       = 6
)

func (r *reader) primitive(p *primitive, m *affine) error {
	if err := r.spend(1); err != nil {
		return err
	}
	mode := modeTriangles
	if p.Mode != nil {
		mode = *p.Mode
	}
	if mode < 0 || mode > modeFan {
		return fmt.Errorf("mode %d", mode)
	}
	position, ok := p.Attributes["POSITION"]
	if !ok || mode < modeTriangles {
		return nil // nothing to stand on
	}
	base := len(r.vertices)
	if a, err := at(r.doc.Accessors, position, "accessor"); err != nil {
		return err
	} else if a.Count > maxVertices-base {
		return fmt.Errorf("more than %d vertices", maxVertices)
	}
	xyz, err := r.doc.numbers(position, "VEC3", 3)
	if err != nil {
		return err
	}
	for i := 0; i+2 < len(xyz); i += 3 {
		q := m.point(xyz[i], xyz[i+1], xyz[i+2])
		v := geom.Vec3{X: float32(q[0]), Y: float32(q[1]), Z: float32(q[2])}
		if !v.Finite() {
			return fmt.Errorf("vertex %d is not finite", i/3)
		}
		r.vertices = append(r.vertices, v)
	}
	index, err := r.indices(p, len(xyz)/3)
	if err != nil {
		return err
	}
	return r.assemble(index, mode, base, m.mirrors())
}

// indices returns those of a primitive, all below count.
func (r *reader) indices(p *primitive, count int) ([]uint32, error) {
	if p.Indices == nil {
		out := make([]uint32, count)
		for i := range out {
			out[i] = uint32(i)
		}
		return out, nil
	}
	a, err := at(r.doc.Accessors, *p.Indices, "accessor")
	if err != nil {
		return nil, err
	}
	if c := a.ComponentType; c != u8 && c != u16 && c != u32 || a.Normalized {
		return nil, fmt.Errorf("indices of component type %d", c)
	}
	if err := r.spend(max(a.Count, 0)); err != nil {
		return nil, err
	}
	numbers, err := r.doc.numbers(*p.Indices, "SCALAR", 1)
	if err != nil {
		return nil, err
	}
	out := make([]uint32, len(numbers))
	for i, x := range numbers {
		if x >= float64(count) {
			return nil, fmt.Errorf("index %g of %d vertices", x, count)
		}
		out[i] = uint32(x)
	}
	return out, nil
}

// assemble adds the triangles that a list of vertices means.
func (r *reader) assemble(index []uint32, mode, base int, turn bool) error {
	n := max(len(index)-2, 0)
	if mode == modeTriangles {
		if len(index)%3 != 0 {
			return fmt.Errorf("%d indices make no triangles", len(index))
		}
		n = len(index) / 3
	}
	if n > maxTriangles-len(r.triangles) {
		return fmt.Errorf("more than %d triangles", maxTriangles)
	}
	for i := range n {
		var t [3]uint32
		switch {
		case mode == modeTriangles:
			t = [3]uint32(index[3*i:])
		case mode == modeFan:
			t = [3]uint32{index[i+1], index[i+2], index[0]}
		case i%2 == 0:
			t = [3]uint32{index[i], index[i+1], index[i+2]}
		default:
			t = [3]uint32{index[i], index[i+2], index[i+1]}
		}
		for k := range t {
			t[k] += uint32(base)
		}
		if turn {
			t[1], t[2] = t[2], t[1]
		}
		if r.area(t) {
			r.triangles = append(r.triangles, t)
		}
	}
	return nil
}

// area reports whether a triangle has any.
func (r *reader) area(t [3]uint32) bool {
	a, b, c := r.vertices[t[0]], r.vertices[t[1]], r.vertices[t[2]]
	ux, uy, uz := float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y), float64(b.Z)-float64(a.Z)
	vx, vy, vz := float64(c.X)-float64(a.X), float64(c.Y)-float64(a.Y), float64(c.Z)-float64(a.Z)
	return uy*vz != uz*vy || uz*vx != ux*vz || ux*vy != uy*vx
}

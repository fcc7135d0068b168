package shape

import "github.com/foretick/foretick/geom"

// meshContacts appends the contacts of a convex a with a mesh in the frame fb.
// Triangles touch from the front only: over the rim of a platform, the backs of
// its sides would push what lies there inwards.
func (st *Store) meshContacts(a *Shape, fa *geom.Frame, x *mesh, fb *geom.Frame, margin float32, out []Manifold) []Manifold {
	f := fb.To(fa)
	var room boxRoom
	v := st.convexOf(a, &f, &room)
	c := triangles{first: len(out), out: out, margin: margin}
	c.begin(st, a, &f)
	var l look
	for l.start(&x.tree, &c.box); ; {
		i, j, ok := l.next()
		if !ok {
			break
		}
		for ; i < j; i++ {
			p, q, r := x.at(i)
			c.try(&v, &[3]geom.Vec3{p, q, r}, x.edges[i], x.tree.items[i])
		}
	}
	return c.end(&fb.R)
}

// fieldContacts appends the contacts of a convex a with a field in the frame
// fb, from above only.
func (st *Store) fieldContacts(a *Shape, fa *geom.Frame, x *field, fb *geom.Frame, margin float32, out []Manifold) []Manifold {
	f := fb.To(fa)
	var room boxRoom
	v := st.convexOf(a, &f, &room)
	c := triangles{first: len(out), out: out, margin: margin}
	c.begin(st, a, &f)
	b := &c.box
	if !b.Overlaps(&x.box) {
		return out
	}
	i0, i1 := x.columns(b.Min.X, b.Max.X, x.nx)
	j0, j1 := x.columns(b.Min.Z, b.Max.Z, x.nz)
	for j := j0; j <= j1; j++ {
		for i := i0; i <= i1; i++ {
			n := 2 * (j*(x.nx-1) + i)
			p, q, r, s := x.vertex(i, j), x.vertex(i+1, j), x.vertex(i, j+1), x.vertex(i+1, j+1)
			c.try(&v, &[3]geom.Vec3{p, r, q}, x.edges[n], n)
			c.try(&v, &[3]geom.Vec3{q, r, s}, x.edges[n+1], n+1)
		}
	}
	return c.end(&fb.R)
}

// columns returns those of n vertices that a stretch is over.
func (f *field) columns(lo, hi float32, n uint32) (from, to uint32) {
	w, k := float64(n-1), 1/float64(f.spacing)
	return uint32(cellOf(float64(float64(lo)*k)-cellSlack, w)), uint32(cellOf(float64(float64(hi)*k)+cellSlack, w))
}

// triangles makes the manifolds of a convex shape with triangles. Those with
// one normal become one of up to four points, with the lowest feature: what
// lies on level ground has one patch there, whatever its triangles are. If
// there are still more than maxTouching, the least deep go. The shape is kept
// apart from it, or would be moved to the heap.
type triangles struct {
	box    AABB // of the shape and margin, among the triangles
	margin float32
	first  int
	out    []Manifold
}

func (c *triangles) begin(st *Store, a *Shape, f *geom.Frame) {
	c.box = st.Bounds(*a, f)
	if c.margin > 0 {
		c.box = c.box.Grown(c.margin)
	}
}

func (c *triangles) try(s *convex, v *[3]geom.Vec3, e edgeFlags, feature uint32) {
	if b := triBounds(v[0], v[1], v[2]); !b.Overlaps(&c.box) {
		return
	}
	out, m := grow(c.out)
	c.out = out
	if !convexTriangle(s, v, e, false, c.margin, m) {
		c.out = out[:len(out)-1]
		return
	}
	m.Feature = feature
	if len(c.out)-c.first > maxTouching {
		c.merge()
		for len(c.out)-c.first > maxTouching*3/4 {
			c.drop()
		}
	}
}

// drop takes out the least deep manifold, of equal ones that of the highest
// feature.
func (c *triangles) drop() {
	ms := c.out[c.first:]
	worst, sep := 0, ms[0].deepest()
	for i := 1; i < len(ms); i++ {
		if s := ms[i].deepest(); s > sep || s == sep && ms[i].Feature > ms[worst].Feature {
			worst, sep = i, s
		}
	}
	ms[worst] = ms[len(ms)-1]
	c.out = c.out[:len(c.out)-1]
}

// end merges and turns to space.
func (c *triangles) end(r *geom.Mat3) []Manifold {
	if len(c.out)-c.first > 1 {
		c.merge()
	}
	for i := c.first; i < len(c.out); i++ {
		c.out[i].turn(r)
	}
	return c.out
}

// merge sorts by feature and makes one of all that have one normal.
func (c *triangles) merge() {
	ms := c.out[c.first:]
	for i := 1; i < len(ms); i++ {
		for j := i; j > 0 && ms[j].Feature < ms[j-1].Feature; j-- {
			ms[j], ms[j-1] = ms[j-1], ms[j]
		}
	}
	kept := 0
	for i := range ms {
		if ms[i].Count == 0 {
			continue // taken
		}
		for j := i + 1; j < len(ms); j++ {
			if ms[j].Count > 0 && ms[j].Normal.Dot(ms[i].Normal) > mergeCosine {
				join(ms[i:], j-i)
				break
			}
		}
		ms[kept] = ms[i]
		kept++
	}
	c.out = c.out[:c.first+kept]
}

// join makes one manifold, the first, of it and those from another on that
// have its normal; they are left without points.
func join(ms []Manifold, from int) {
	var p patch
	p.add(&ms[0])
	for j := from; j < len(ms); j++ {
		if ms[j].Count > 0 && ms[j].Normal.Dot(ms[0].Normal) > mergeCosine {
			p.add(&ms[j])
			ms[j].Count = 0
		}
	}
	p.pick(&ms[0])
}

// patch is the contacts of several manifolds.
type patch struct {
	all  [4 * (maxTouching + 1)]Contact
	x, y [4 * (maxTouching + 1)]float32
	sep  [4 * (maxTouching + 1)]float32
	n    int
}

func (p *patch) add(m *Manifold) { p.n += copy(p.all[p.n:], m.Points[:m.Count]) }

// pick leaves in m the contacts that say the most.
func (p *patch) pick(m *Manifold) {
	u := across(m.Normal)
	v := m.Normal.Cross(u)
	for i := range p.all[:p.n] {
		q := &p.all[i]
		p.x[i], p.y[i], p.sep[i] = u.Dot(q.P), v.Dot(q.P), q.Sep
	}
	at, n := spread(p.x[:p.n], p.y[:p.n], p.sep[:p.n])
	m.Count = 0
	for _, i := range at[:n] {
		m.add(p.all[i].P, p.all[i].Sep)
	}
}

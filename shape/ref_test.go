package shape

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/foretick/foretick/geom"
)

// What follows measures the distance of convex bodies in float64 by trying
// every direction that two features can be apart in.

type w3 [3]float64

func (a w3) add(b w3) w3      { return w3{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a w3) sub(b w3) w3      { return w3{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a w3) mul(k float64) w3 { return w3{a[0] * k, a[1] * k, a[2] * k} }
func (a w3) dot(b w3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a w3) len() float64     { return math.Sqrt(a.dot(a)) }
func (a w3) cross(b w3) w3 {
	return w3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
func widen(v geom.Vec3) w3 { return w3{float64(v.X), float64(v.Y), float64(v.Z)} }

// solid is a convex body: the points within radius of the hull of verts.
type solid struct {
	verts  []w3
	faces  []w3 // unit normals of the hull
	edges  [][2]int
	radius float64
	scale  float64 // of the body, for tolerances
}

// put takes a point of a frame to space, its rotation as it was given.
func put(f *geom.Frame, v w3) w3 {
	return widen(f.P).add(widen(f.R.X).mul(v[0])).add(widen(f.R.Y).mul(v[1])).add(widen(f.R.Z).mul(v[2]))
}

func solidOf(st *Store, s Shape, f *geom.Frame) solid {
	var b solid
	switch s.Kind {
	case Sphere:
		b.verts, b.radius = []w3{{}}, float64(s.A)
	case Capsule:
		b.verts, b.radius = []w3{{0, -float64(s.B), 0}, {0, float64(s.B), 0}}, float64(s.A)
		b.edges = [][2]int{{0, 1}}
	case Box:
		for i := range 8 {
			v := widen(s.Half())
			for k := range 3 {
				if i>>k&1 == 0 {
					v[k] = -v[k]
				}
				if j := i ^ 1<<k; j > i {
					b.edges = append(b.edges, [2]int{i, j})
				}
			}
			b.verts = append(b.verts, v)
		}
		for _, n := range []geom.Vec3{f.R.X, f.R.Y, f.R.Z} {
			b.faces = append(b.faces, widen(n), widen(n).mul(-1))
		}
	case Hull:
		h := &st.hulls[s.Ref]
		for _, v := range h.verts {
			b.verts = append(b.verts, widen(v))
		}
		for i := range h.planes {
			l := h.face(i)
			n := put(f, widen(h.planes[i].n)).sub(widen(f.P))
			b.faces = append(b.faces, n.mul(1/n.len()), n.mul(-1/n.len()))
			for j := range l {
				if k := l[(j+1)%len(l)]; l[j] < k {
					b.edges = append(b.edges, [2]int{int(l[j]), int(k)})
				}
			}
		}
	default:
		panic(fmt.Sprint("no solid of kind ", s.Kind))
	}
	for i, v := range b.verts {
		b.verts[i] = put(f, v)
		b.scale = max(b.scale, v.len())
	}
	b.scale += b.radius
	return b
}

// apart returns how far b is beyond a along the unit vector n.
func apart(a, b *solid, n w3) float64 {
	hi, lo := math.Inf(-1), math.Inf(1)
	for _, v := range a.verts {
		hi = max(hi, v.dot(n))
	}
	for _, v := range b.verts {
		lo = min(lo, v.dot(n))
	}
	return lo - hi - a.radius - b.radius
}

// distance returns the signed distance of two bodies and its direction.
func distance(a, b *solid) (float64, w3) {
	best, dir := math.Inf(-1), w3{}
	try := func(n w3) {
		l := n.len()
		if l < 1e-9 {
			return
		}
		n = n.mul(1 / l)
		if d := apart(a, b, n); d > best {
			best, dir = d, n
		}
		if d := apart(a, b, n.mul(-1)); d > best {
			best, dir = d, n.mul(-1)
		}
	}
	for _, n := range a.faces {
		try(n)
	}
	for _, n := range b.faces {
		try(n)
	}
	for _, e := range a.edges {
		u := a.verts[e[1]].sub(a.verts[e[0]])
		for _, g := range b.edges {
			try(u.cross(b.verts[g[1]].sub(b.verts[g[0]])))
		}
	}
	if !math.IsInf(best, -1) && best+a.radius+b.radius < -1e-9 {
		return best, dir // the cores overlap, so no corner decides
	}
	for _, v := range a.verts {
		for _, w := range b.verts {
			try(w.sub(v))
		}
	}
	fromEdges := func(p, q *solid) {
		for _, e := range p.edges {
			u := p.verts[e[1]].sub(p.verts[e[0]])
			for _, w := range q.verts {
				d := w.sub(p.verts[e[0]])
				try(d.sub(u.mul(d.dot(u) / u.dot(u))))
			}
		}
	}
	fromEdges(a, b)
	fromEdges(b, a)
	if math.IsInf(best, -1) { // two centres in one point
		return -a.radius - b.radius, w3{0, 1, 0}
	}
	return best, dir
}

// level returns how far p is above the surface of b, exactly if outside or if
// b has no flat core.
func level(b *solid, p w3) float64 {
	d, _ := distance(b, &solid{verts: []w3{p}})
	return d
}

func randomRot(r *rand.Rand) geom.Quat {
	return geom.Quat{X: r.Float32() - 0.5, Y: r.Float32() - 0.5, Z: r.Float32() - 0.5, W: r.Float32() - 0.5}.Norm()
}

func randomVec(r *rand.Rand, size float32) geom.Vec3 {
	return geom.Vec3{X: (r.Float32()*2 - 1) * size, Y: (r.Float32()*2 - 1) * size, Z: (r.Float32()*2 - 1) * size}
}

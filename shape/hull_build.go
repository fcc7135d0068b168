package shape

import (
	"cmp"
	"math"
	setbits "math/bits"
	"slices"

	"github.com/foretick/foretick/geom"
)

// hullBuild is a hull in float64. It has at most 64 points, so a set of them is
// the bits of a number; its faces are found by trying all planes through three
// of them, which needs no repair where points lie in one plane.
type hullBuild struct {
	pts   []v3
	faces []buildFace
	near  float64 // metres: what is this near a plane is in it
}

type buildFace struct {
	n    v3
	d    float64
	on   uint64  // points in the plane
	loop []uint8 // its corners, counterclockwise from outside
}

// buildHull adds what is furthest outside of each face, until there is nothing.
func buildHull(points []geom.Vec3) (hullBuild, error) {
	var b hullBuild
	if len(points) < 4 || len(points) > maxHullPoints {
		return b, errHullPoints
	}
	for _, p := range points {
		if !(geom.Abs(p.X) <= maxSize && geom.Abs(p.Y) <= maxSize && geom.Abs(p.Z) <= maxSize) {
			return b, errHullPoint
		}
	}
	if !b.start(points) {
		return b, errHullFlat
	}
	for range maxHullVerts {
		if !b.findFaces() {
			return b, errHullBuild
		}
		if len(b.pts) == maxHullVerts || !b.grow(points) {
			break
		}
	}
	if b.thickness() < minSize {
		return b, errHullFlat
	}
	return b, nil
}

// start takes four points that are far apart. It returns false if all lie in a
// plane.
func (b *hullBuild) start(points []geom.Vec3) bool {
	size, far := 0.0, 0.0
	o := wide(points[0])
	for _, p := range points {
		size = math.Max(size, wide(p).sub(o).len())
		far = math.Max(far, wide(p).len())
	}
	b.near = math.Max(size*hullNear, far*hullRound)
	best := func(measure func(p v3) float64) v3 {
		at, most := o, 0.0
		for _, p := range points {
			if d := measure(wide(p)); d > most {
				at, most = wide(p.Add(geom.Vec3{})), d
			}
		}
		return at
	}
	p := best(func(p v3) float64 { return p.sub(o).len2() })
	q := best(func(q v3) float64 { return q.sub(p).len2() })
	u := q.sub(p)
	r := best(func(r v3) float64 { return u.cross(r.sub(p)).len2() })
	n := u.cross(r.sub(p)).norm()
	s := best(func(s v3) float64 { return math.Abs(n.dot(s.sub(p))) })
	b.pts = []v3{p, q, r, s}
	thick := math.Abs(n.dot(s.sub(p)))
	return thick > 10*b.near && thick > minSize*0.5
}

// grow adds the points that are furthest above the faces, as many as there is
// room for, and reports whether there were any.
func (b *hullBuild) grow(points []geom.Vec3) bool {
	type top struct {
		at  int
		far float64
	}
	tops := make([]top, len(b.faces))
	for i := range tops {
		f := &b.faces[i]
		tops[i].far = 2 * b.near
		for at, p := range points {
			if d := f.n.dot(wide(p)) - f.d; d > tops[i].far {
				tops[i] = top{at, d}
			}
		}
	}
	slices.SortStableFunc(tops, func(x, y top) int { return cmp.Compare(y.far, x.far) })
	grown := false
	for _, t := range tops {
		if t.far <= 2*b.near || len(b.pts) == maxHullVerts {
			break
		}
		p := wide(points[t.at].Add(geom.Vec3{}))
		if slices.ContainsFunc(b.pts, func(q v3) bool { return q.sub(p).len2() < float64(16*float64(b.near*b.near)) }) {
			continue // two faces may have found one corner
		}
		b.pts = append(b.pts, p)
		grown = true
	}
	return grown
}

// thickness is the least width square to a face.
func (b *hullBuild) thickness() float64 {
	least := math.Inf(1)
	for i := range b.faces {
		low := math.Inf(1)
		for _, p := range b.pts {
			low = math.Min(low, b.faces[i].n.dot(p))
		}
		least = math.Min(least, b.faces[i].d-low)
	}
	return least
}

// findFaces finds the faces of the points and drops points that are on none.
// Where the surface is not closed, some points are neither in a plane nor out
// of it; another tolerance decides.
func (b *hullBuild) findFaces() bool {
	for _, k := range hullTries {
		near := b.near * k
		b.candidates(near)
		if b.closed() {
			b.drop()
			return true
		}
	}
	return false
}

// candidates sets faces to those planes through three points that have no
// point above, each set of points once.
func (b *hullBuild) candidates(near float64) {
	b.faces = b.faces[:0]
	var all []buildFace
	for i, p := range b.pts {
		for j := i + 1; j < len(b.pts); j++ {
			u := b.pts[j].sub(p)
			for k := j + 1; k < len(b.pts); k++ {
				n := u.cross(b.pts[k].sub(p))
				if n.len2() <= float64(float64(near*near)*100)*longest2(p, b.pts[j], b.pts[k]) {
					continue // nearly on a line: their plane says little
				}
				n = n.norm()
				for range 2 {
					if on := b.support(n, n.dot(p), near); on != 0 {
						all = append(all, buildFace{n: n, d: n.dot(p), on: on})
					}
					n = n.neg()
				}
			}
		}
	}
	slices.SortStableFunc(all, func(x, y buildFace) int { return setbits.OnesCount64(y.on) - setbits.OnesCount64(x.on) })
	for _, f := range all {
		known := false
		for i := range b.faces {
			known = known || f.on&^b.faces[i].on == 0
		}
		if known {
			continue
		}
		b.order(&f, near)
		corners := f.corners()
		for i := range b.faces {
			known = known || setbits.OnesCount64(corners&b.faces[i].corners()) > 2
		}
		if !known && len(f.loop) > 2 {
			b.faces = append(b.faces, f)
		}
	}
}

// longest2 is the square of the longest side of a triangle.
func longest2(a, b, c v3) float64 {
	return math.Max(b.sub(a).len2(), math.Max(c.sub(b).len2(), a.sub(c).len2()))
}

// support returns which points are in a plane, none if a point is above it.
func (b *hullBuild) support(n v3, d, near float64) uint64 {
	var on uint64
	for i, p := range b.pts {
		l := n.dot(p) - d
		if l > near {
			return 0
		}
		if l >= 0-near {
			on |= 1 << i
		}
	}
	return on
}

func (f *buildFace) corners() uint64 {
	var s uint64
	for _, k := range f.loop {
		s |= 1 << k
	}
	return s
}

// order makes the loop of a face: the convex hull in the plane, without points
// on its sides (A. Andrew 1979), and the plane that fits it.
func (b *hullBuild) order(f *buildFace, near float64) {
	u := f.n.cross(v3{X: 1})
	if math.Abs(f.n.X) > 0.6 {
		u = f.n.cross(v3{Y: 1})
	}
	u = u.norm()
	w := f.n.cross(u)
	type flat struct {
		x, y float64
		k    uint8
	}
	var pts []flat
	for k, p := range b.pts {
		if f.on>>k&1 != 0 {
			pts = append(pts, flat{u.dot(p), w.dot(p), uint8(k)})
		}
	}
	slices.SortFunc(pts, func(p, q flat) int {
		switch {
		case p.x < q.x || p.x == q.x && p.y < q.y:
			return -1
		case p.x > q.x || p.x == q.x && p.y > q.y:
			return 1
		}
		return int(p.k) - int(q.k)
	})
	var ring []flat
	chain := func(from int, p flat) {
		for len(ring) > from+1 {
			a, c := ring[len(ring)-2], ring[len(ring)-1]
			dx, dy := p.x-a.x, p.y-a.y
			if float64(dx*(c.y-a.y))-float64(dy*(c.x-a.x)) < 0-float64(near*math.Sqrt(float64(dx*dx)+float64(dy*dy))) {
				break
			}
			ring = ring[:len(ring)-1]
		}
		ring = append(ring, p)
	}
	for _, p := range pts {
		chain(0, p)
	}
	top := len(ring) - 1
	for i := len(pts) - 2; i >= 0; i-- {
		chain(top, pts[i])
	}
	f.loop = f.loop[:0:0]
	for _, p := range ring[:len(ring)-1] {
		f.loop = append(f.loop, p.k)
	}
	b.fit(f)
}

// fit sets a face's plane from all of its corners (M. Newell).
func (b *hullBuild) fit(f *buildFace) {
	if len(f.loop) < 3 {
		return
	}
	var n v3
	o := b.pts[f.loop[0]]
	for i := 2; i < len(f.loop); i++ {
		n = n.add(b.pts[f.loop[i-1]].sub(o).cross(b.pts[f.loop[i]].sub(o)))
	}
	if n = n.norm(); n == (v3{}) {
		f.loop = nil
		return
	}
	f.n, f.d = n, math.Inf(-1)
	for _, k := range f.loop {
		f.d = math.Max(f.d, n.dot(b.pts[k]))
	}
}

// closed reports whether each edge of a face is, the other way round, one of
// exactly one other, and the surface is that of a ball.
func (b *hullBuild) closed() bool {
	var seen [maxHullVerts]uint64 // seen[a] bit c: an edge from a to c
	var used uint64
	edges := 0
	for i := range b.faces {
		l := b.faces[i].loop
		for j, a := range l {
			c := l[(j+1)%len(l)]
			if seen[a]>>c&1 != 0 {
				return false
			}
			seen[a] |= 1 << c
			used |= 1 << a
			edges++
		}
	}
	for a := range seen {
		for s := seen[a]; s != 0; s &= s - 1 {
			if seen[setbits.TrailingZeros64(s)]>>a&1 == 0 {
				return false
			}
		}
	}
	return len(b.faces) <= maxHullFaces && setbits.OnesCount64(used)-edges/2+len(b.faces) == 2
}

// drop leaves out points that are on no face's loop.
func (b *hullBuild) drop() {
	var used uint64
	for i := range b.faces {
		used |= b.faces[i].corners()
	}
	var to [maxHullVerts]uint8
	n := 0
	for k, p := range b.pts {
		if used>>k&1 != 0 {
			b.pts[n], to[k] = p, uint8(n)
			n++
		}
	}
	b.pts = b.pts[:n]
	for i := range b.faces {
		for j, k := range b.faces[i].loop {
			b.faces[i].loop[j] = to[k]
		}
	}
}

package soup

import (
	"math"

	"github.com/foretick/foretick/geom"
)

// Soup is triangles in a grid of cubes.
type Soup struct {
	Triangles []Triangle
	Full      bool // look at every triangle; slow

	lo, hi V
	n      [3]int
	first  []int32 // by cube: where its list begins
	list   []int32
	seen   []uint32 // by triangle: the last look that met it
	look   uint32
}

const (
	cube       = 2.0     // metres: a few triangles of a shooter's map
	maxEntries = 1 << 26 // of all cubes: 256 MB
	maxCubes   = 1 << 22
)

// New returns the soup of a mesh.
func New(vertices []geom.Vec3, triangles [][3]uint32) *Soup {
	s := &Soup{Triangles: make([]Triangle, len(triangles)), seen: make([]uint32, len(triangles))}
	s.lo, s.hi = V{math.Inf(1), math.Inf(1), math.Inf(1)}, V{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for i, t := range triangles {
		s.Triangles[i] = Triangle{Of(vertices[t[0]]), Of(vertices[t[1]]), Of(vertices[t[2]])}
		lo, hi := s.Triangles[i].box()
		s.lo, s.hi = least(s.lo, lo), most(s.hi, hi)
	}
	if len(triangles) == 0 {
		s.Full = true
		return s
	}
	size := s.hi.Sub(s.lo)
	s.n = [3]int{int(size.X/cube) + 1, int(size.Y/cube) + 1, int(size.Z/cube) + 1}
	if size.Len() > cube*maxCubes || s.n[0]*s.n[1]*s.n[2] > maxCubes {
		s.Full = true
		return s
	}
	s.fill()
	return s
}

// Size returns the length of the diagonal of the box around all triangles.
func (s *Soup) Size() float64 { return s.hi.Sub(s.lo).Len() }

// Lowest returns the least Y of a corner.
func (s *Soup) Lowest() float64 { return s.lo.Y }

func (t *Triangle) box() (lo, hi V) {
	return least(t.A, least(t.B, t.C)), most(t.A, most(t.B, t.C))
}

func least(a, b V) V { return V{math.Min(a.X, b.X), math.Min(a.Y, b.Y), math.Min(a.Z, b.Z)} }
func most(a, b V) V  { return V{math.Max(a.X, b.X), math.Max(a.Y, b.Y), math.Max(a.Z, b.Z)} }

// fill counts and then lists the triangles of each cube.
func (s *Soup) fill() {
	entries := 0
	for i := range s.Triangles {
		lo, hi := s.Triangles[i].box()
		x0, x1 := span(lo.X-s.lo.X, hi.X-s.lo.X, s.n[0])
		y0, y1 := span(lo.Y-s.lo.Y, hi.Y-s.lo.Y, s.n[1])
		z0, z1 := span(lo.Z-s.lo.Z, hi.Z-s.lo.Z, s.n[2])
		if entries += (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1); entries > maxEntries {
			s.Full = true
			return
		}
	}
	s.first = make([]int32, s.n[0]*s.n[1]*s.n[2]+1)
	for i := range s.Triangles {
		lo, hi := s.Triangles[i].box()
		s.cubes(lo, hi, func(c int) { s.first[c+1]++ })
	}
	for c := 1; c < len(s.first); c++ {
		s.first[c] += s.first[c-1]
	}
	next := append([]int32(nil), s.first...)
	s.list = make([]int32, s.first[len(s.first)-1])
	for i := range s.Triangles {
		lo, hi := s.Triangles[i].box()
		s.cubes(lo, hi, func(c int) { s.list[next[c]] = int32(i); next[c]++ })
	}
}

// cubes visits those that a box touches; beyond the edge of the grid there is
// nothing.
func (s *Soup) cubes(lo, hi V, visit func(int)) {
	x0, x1 := span(lo.X-s.lo.X, hi.X-s.lo.X, s.n[0])
	y0, y1 := span(lo.Y-s.lo.Y, hi.Y-s.lo.Y, s.n[1])
	z0, z1 := span(lo.Z-s.lo.Z, hi.Z-s.lo.Z, s.n[2])
	for z := z0; z <= z1; z++ {
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				visit((z*s.n[1]+y)*s.n[0] + x)
			}
		}
	}
}

// span is a range of cubes, a hair wider than the metres, so that a rounding
// leaves nothing out.
func span(lo, hi float64, n int) (int, int) {
	const hair = 1e-6
	a, b := math.Floor((lo-hair)/cube), math.Floor((hi+hair)/cube)
	if !(b >= 0 && a < float64(n)) {
		return 0, -1
	}
	return int(math.Max(a, 0)), int(math.Min(b, float64(n-1)))
}

// Near visits each triangle whose box may touch the box from lo to hi, once,
// in no order that means anything.
func (s *Soup) Near(lo, hi V, visit func(i int, t *Triangle)) {
	if s.Full {
		for i := range s.Triangles {
			visit(i, &s.Triangles[i])
		}
		return
	}
	s.look++
	s.cubes(lo, hi, func(c int) {
		for _, i := range s.list[s.first[c]:s.first[c+1]] {
			if s.seen[i] != s.look {
				s.seen[i] = s.look
				visit(int(i), &s.Triangles[i])
			}
		}
	})
}

// Crossed returns the first triangle that the line from p to q meets, -1 if
// none.
func (s *Soup) Crossed(p, q V) (triangle int, at float64) {
	triangle, at = -1, 2
	s.Near(least(p, q), most(p, q), func(i int, t *Triangle) {
		if a, ok := t.Crossed(p, q); ok && (a < at || a == at && i < triangle) {
			triangle, at = i, a
		}
	})
	return triangle, at
}

// Deepest returns the triangle that is closest to the line from p to q, within
// reach, and how far it is; -1 if none is.
func (s *Soup) Deepest(p, q V, reach float64) (triangle int, distance float64) {
	triangle, distance = -1, reach
	r := V{reach, reach, reach}
	s.Near(least(p, q).Sub(r), most(p, q).Add(r), func(i int, t *Triangle) {
		if d, _, _ := t.Distance(p, q); d < distance || d == distance && triangle >= 0 && i < triangle {
			triangle, distance = i, d
		}
	})
	return triangle, distance
}

// A Touch is where a cast ended.
type Touch struct {
	Triangle int     // -1: nowhere
	At       float64 // of the move
	Inside   bool    // it began in touch
	Point    V       // on the triangle
	Normal   V       // from there to the axis
}

// touching: a cast ends this close, in metres.
const touching = 1e-7

// Cast moves a capsule, given by the ends of its axis (which may be one
// point), until it touches. Each step is as long as the distance allows: it
// ends short, never behind.
func (s *Soup) Cast(p, q V, radius float64, move V) Touch { return s.cast(p, q, radius, move, false) }

// cast is Cast; one-sided, triangles whose front the capsule's middle is not
// before are not there.
func (s *Soup) cast(p, q V, radius float64, move V, oneSided bool) Touch {
	middle := p.Add(q).Mul(0.5)
	best := Touch{Triangle: -1, At: 1}
	length := move.Len()
	r := V{radius, radius, radius}
	lo, hi := least(p, q), most(p, q)
	lo, hi = least(lo, lo.Add(move)).Sub(r), most(hi, hi.Add(move)).Add(r)
	inside := 0.0
	s.Near(lo, hi, func(i int, t *Triangle) {
		if a, b := t.box(); a.X > hi.X || a.Y > hi.Y || a.Z > hi.Z || b.X < lo.X || b.Y < lo.Y || b.Z < lo.Z {
			return
		}
		if oneSided && t.Normal().Dot(middle.Sub(t.A)) < 0 {
			return
		}
		at := 0.0
		for range 500 {
			step := move.Mul(at)
			d, x, y := t.Distance(p.Add(step), q.Add(step))
			gap := d - radius
			n := x.Sub(y).Unit()
			if at == 0 && gap <= 0 { // in touch: the deepest counts
				if !best.Inside || gap < inside {
					if d == 0 {
						n = outward(t, p, q)
					}
					best, inside = Touch{i, 0, true, y, n}, gap
				}
				return
			}
			if gap <= touching {
				if move.Dot(n) < 0 && at < best.At {
					best = Touch{Triangle: i, At: at, Point: y, Normal: n}
				}
				return
			}
			if at += gap / length; !(at < best.At) {
				return
			}
		}
		if at < best.At { // it grazes; that is far enough
			step := move.Mul(at)
			_, x, y := t.Distance(p.Add(step), q.Add(step))
			best = Touch{Triangle: i, At: at, Point: y, Normal: x.Sub(y).Unit()}
		}
	})
	return best
}

// outward is the side of a triangle where the middle of a line is that crosses it.
func outward(t *Triangle, p, q V) V {
	n := t.Normal()
	if n.Dot(p.Add(q).Mul(0.5).Sub(t.A)) < 0 {
		return n.Mul(-1)
	}
	return n
}

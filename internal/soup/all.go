package soup

import "math"

// All is every triangle of a soup for a judge that leaves none out: each is
// asked in turn, first on which side of its plane the ends of the line are.
type All struct {
	soup   *Soup
	planes []plane
}

type plane struct {
	n    V
	d, e float64 // n.p = d on the plane; e is what rounding may make of that
}

// NewAll returns all triangles of s.
func NewAll(s *Soup) *All {
	a := &All{soup: s, planes: make([]plane, len(s.Triangles))}
	for i := range s.Triangles {
		t := &s.Triangles[i]
		n := t.Normal()
		if l := n.Len(); l > 0 {
			n = n.Mul(1 / l)
		}
		a.planes[i] = plane{n, n.Dot(t.A), 1e-9 * (1 + math.Abs(t.A.X) + math.Abs(t.A.Y) + math.Abs(t.A.Z))}
	}
	return a
}

// Crossed is Soup.Crossed by brute force.
func (a *All) Crossed(p, q V) (triangle int, at float64) {
	triangle, at = -1, 2
	for i := range a.planes {
		l := &a.planes[i]
		x, y := l.n.Dot(p)-l.d, l.n.Dot(q)-l.d
		if x > l.e && y > l.e || x < -l.e && y < -l.e {
			continue
		}
		if c, ok := a.soup.Triangles[i].Crossed(p, q); ok && (c < at || c == at && i < triangle) {
			triangle, at = i, c
		}
	}
	return triangle, at
}

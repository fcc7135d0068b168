package soup

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

// Engine answers queries about one static body that is the soup, as a
// physics.Engine does, slowly. It knows no layers and no past.
type Engine struct {
	Soup     *Soup
	ID       physics.ID
	OneSided bool // only fronts are there: what shooter maps do not bear
}

// SphereCast is a physics.Engine's.
func (e *Engine) SphereCast(radius float32, from, move geom.Vec3, _ *physics.Query) (physics.Hit, bool) {
	p := Of(from)
	return e.hit(e.Soup.cast(p, p, float64(radius), Of(move), e.OneSided))
}

// CapsuleCast is a physics.Engine's.
func (e *Engine) CapsuleCast(c physics.Capsule, move geom.Vec3, _ *physics.Query) (physics.Hit, bool) {
	p, q := axis(&c)
	return e.hit(e.Soup.cast(p, q, float64(c.Radius), Of(move), e.OneSided))
}

func (e *Engine) hit(t Touch) (physics.Hit, bool) {
	if t.Triangle < 0 {
		return physics.Hit{}, false
	}
	return physics.Hit{
		ID: e.ID, Feature: uint32(t.Triangle), Inside: t.Inside, Fraction: float32(t.At),
		Point: t.Point.Vec3(), Normal: t.Normal.Vec3(),
		Back: t.Normal.Dot(e.Soup.Triangles[t.Triangle].Normal()) < 0,
	}, true
}

func axis(c *physics.Capsule) (p, q V) {
	up := Of(geom.Vec3{Y: c.HalfHeight}.Rotate(c.Rot))
	return Of(c.Pos).Sub(up), Of(c.Pos).Add(up)
}

// CapsuleOverlap is a physics.Engine's; in order of triangles.
func (e *Engine) CapsuleOverlap(c physics.Capsule, _ *physics.Query, out []physics.Overlap) []physics.Overlap {
	p, q := axis(&c)
	r := V{float64(c.Radius), float64(c.Radius), float64(c.Radius)}
	first := len(out)
	e.Soup.Near(least(p, q).Sub(r), most(p, q).Add(r), func(i int, t *Triangle) {
		d, x, y := t.Distance(p, q)
		if d >= r.X || e.OneSided && t.Normal().Dot(Of(c.Pos).Sub(t.A)) < 0 {
			return
		}
		n, depth := x.Sub(y).Unit(), r.X-d
		if d == 0 {
			n = outward(t, p, q)
			far := p.Sub(t.A).Dot(n)
			if f := q.Sub(t.A).Dot(n); f < far {
				far = f
			}
			depth = r.X - far
		}
		out = append(out, physics.Overlap{ID: e.ID, Feature: uint32(i), Point: y.Vec3(), Normal: n.Vec3(), Depth: float32(depth)})
	})
	sortByFeature(out[first:])
	return out
}

func sortByFeature(o []physics.Overlap) {
	for i := 1; i < len(o); i++ {
		for k := i; k > 0 && o[k].Feature < o[k-1].Feature; k-- {
			o[k], o[k-1] = o[k-1], o[k]
		}
	}
}

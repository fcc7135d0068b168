package shape

import "github.com/foretick/foretick/geom"

// Mass is what a shape of some density weighs.
type Mass struct {
	Mass    float32   // kg
	Centre  geom.Vec3 // of mass, in the shape's axes
	Inertia geom.Mat3 // kg m^2 about Centre, in the shape's axes
}

// Mass returns the mass properties of a shape: exact for spheres, capsules,
// boxes and hulls; the sum of its pieces, overlaps counted twice, for a
// compound; zero for meshes and fields. The Store may be nil for spheres,
// capsules and boxes.
func (st *Store) Mass(s Shape, density float32) Mass {
	switch s.Kind {
	case Sphere:
		m := float32(float32(density*(4*geom.Pi/3)) * float32(float32(s.A*s.A)*s.A))
		return Mass{Mass: m, Inertia: diagonal(geom.Vec3{X: 1, Y: 1, Z: 1}.Mul(float32(0.4 * float32(m*float32(s.A*s.A)))))}
	case Capsule:
		return capsuleMass(s.A, s.B, density)
	case Box:
		m := float32(float32(density*8) * float32(float32(s.A*s.B)*s.C))
		x, y, z := float32(s.A*s.A), float32(s.B*s.B), float32(s.C*s.C)
		return Mass{Mass: m, Inertia: diagonal(geom.Vec3{X: y + z, Y: z + x, Z: x + y}.Mul(m / 3))}
	case Hull:
		return st.hulls[s.Ref].mass.times(density)
	case Compound:
		return st.compounds[s.Ref].mass.times(density)
	}
	return Mass{}
}

func diagonal(v geom.Vec3) geom.Mat3 {
	return geom.Mat3{X: geom.Vec3{X: v.X}, Y: geom.Vec3{Y: v.Y}, Z: geom.Vec3{Z: v.Z}}
}

// times returns m, of density 1, for another density.
func (m Mass) times(density float32) Mass {
	return Mass{float32(m.Mass * density), m.Centre, m.Inertia.Scale(density)}
}

// capsuleMass adds a cylinder and two half spheres, each of which has its
// centre 3/8 of the radius from its flat side.
func capsuleMass(r, h, density float32) Mass {
	rr, hh := float32(r*r), float32(h*h)
	area := float32(geom.Pi * rr)
	cyl := float32(density * float32(area*float32(2*h)))
	ball := float32(density * float32(area*float32(r*(4.0/3))))
	along := float32(cyl*float32(rr*0.5)) + float32(ball*float32(rr*0.4))
	across := float32(cyl*(float32(rr*0.25)+hh/3)) + float32(ball*(float32(rr*0.4)+hh+float32(0.75*float32(r*h))))
	return Mass{Mass: cyl + ball, Inertia: diagonal(geom.Vec3{X: across, Y: along, Z: across})}
}

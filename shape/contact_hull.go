package shape

import "github.com/foretick/foretick/geom"

func sphereHull(radius float32, fa *geom.Frame, b *hull, fb *geom.Frame, margin float32, m *Manifold) bool {
	return false
}

func capsuleHull(a *Shape, fa *geom.Frame, b *hull, fb *geom.Frame, margin float32, m *Manifold) bool {
	return false
}

func boxHull(a *Shape, fa *geom.Frame, b *hull, fb *geom.Frame, margin float32, m *Manifold) bool {
	return false
}

func hullHull(a *hull, fa *geom.Frame, b *hull, fb *geom.Frame, margin float32, m *Manifold) bool {
	return false
}

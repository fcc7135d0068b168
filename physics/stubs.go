package physics

import "github.com/foretick/foretick/geom"

func (w *World) stopAtStatics(r int, from, to geom.Vec3) geom.Vec3 { return to }

type (
	queryScratch struct{}
	past         struct{}
)

func (w *World) ensureTree()          {}
func (w *World) record()              {}
func (w *World) initPast()            {}
func (w *World) markTeleport(row int) {}
func (w *World) RayCast(from, move geom.Vec3, q *Query) (Hit, bool) { return Hit{}, false }
func (w *World) SphereCast(radius float32, from, move geom.Vec3, q *Query) (Hit, bool) {
	return Hit{}, false
}
func (w *World) CapsuleCast(c Capsule, move geom.Vec3, q *Query) (Hit, bool) { return Hit{}, false }
func (w *World) CapsuleOverlap(c Capsule, q *Query, out []Overlap) []Overlap { return out }

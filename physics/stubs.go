package physics

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// Of this file nothing stays: query.go, past.go and tree.go bring the real ones.

type (
	queryScratch struct{}
	past         struct{}
)

func (w *World) ensureTree() {
	if w.treeOf == w.fixed.version {
		return
	}
	var b []shape.AABB
	for r := range w.fixed.ids {
		f := geom.FrameOf(w.fixed.st[r].Pos, w.fixed.st[r].Rot)
		b = append(b, w.cfg.Shapes.Bounds(w.fixed.defs[r].Shape, &f))
	}
	w.tree = shape.Tree{}
	w.tree.Build(b)
	w.treeOf = w.fixed.version
}

func (w *World) record()              {}
func (w *World) initPast()            {}
func (w *World) markTeleport(row int) {}

func (w *World) stopAtStatics(r int, from, to geom.Vec3) geom.Vec3 { return to }

func (w *World) RayCast(from, move geom.Vec3, q *Query) (Hit, bool) { return Hit{}, false }
func (w *World) SphereCast(radius float32, from, move geom.Vec3, q *Query) (Hit, bool) {
	return Hit{}, false
}
func (w *World) CapsuleCast(c Capsule, move geom.Vec3, q *Query) (Hit, bool) { return Hit{}, false }
func (w *World) CapsuleOverlap(c Capsule, q *Query, out []Overlap) []Overlap { return out }

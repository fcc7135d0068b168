package physics

import (
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// ensureTree makes tree that of the static bodies. It is a function of them,
// so it is no state: whoever needs it first makes it.
func (w *World) ensureTree() {
	if w.treeOf == w.fixed.version {
		return
	}
	boxes := w.query.boxes[:0]
	for r := range w.fixed.ids {
		f := geom.FrameOf(w.fixed.st[r].Pos, w.fixed.st[r].Rot)
		b := w.cfg.Shapes.Bounds(w.fixed.defs[r].Shape, &f)
		boxes = append(boxes, b.Grown(float32(boxSlack*reachOf(&b))))
	}
	w.tree.Build(boxes)
	w.treeOf, w.query.boxes = w.fixed.version, boxes
}

// reachOf is how far from the origin a box reaches along an axis.
func reachOf(b *shape.AABB) float32 {
	r := float32(0)
	for _, x := range [...]float32{b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z} {
		if x = geom.Abs(x); x > r {
			r = x
		}
	}
	return r
}

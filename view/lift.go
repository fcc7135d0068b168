package view

import (
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/tick"
)

// lift is what of a frame was made column by column, which costs a fraction of
// going entity by entity: where the worlds have the same entities in the same
// rows, as they nearly always have.
type lift struct {
	rest []int // columns that are still to be made entity by entity
	raw  bool  // the raw picture has what is predicted already
}

// liftAll blends whole columns of the prediction into the picture. Rows of
// entities that are not predicted are overwritten or removed afterwards.
func (d *Display) liftAll(s *Source) {
	l := &d.lifted
	l.rest, l.raw = l.rest[:0], false
	if s.Cur == nil || s.Predicted == nil {
		return
	}
	smooth := len(d.smooth)
	for col := range d.g.Components() {
		if !d.liftColumn(s, col) {
			l.rest = append(l.rest, col)
		} else if d.g.Plan(col).Smooth() && d.liftRaw(col) {
			smooth--
		}
	}
	l.raw = smooth == 0
}

func (d *Display) liftColumn(s *Source, col int) bool {
	to, cur := d.now.shown.Column(col), s.Cur.Column(col)
	prev := cur
	if s.Prev != nil {
		prev = s.Prev.Column(col)
	}
	if !to.SameIDs(cur) || !prev.SameIDs(cur) {
		return false
	}
	p, alpha := d.g.Plan(col), held(s.Alpha)
	dst, a, b := to.Data(), prev.Data(), cur.Data()
	switch {
	case string(a) == string(b): // what never changes, or rests
		copy(dst, b)
		return true
	case !p.Smooth():
		p.BlendRows(dst, a, b, alpha)
		return true
	}
	for n := p.Size; len(dst) >= n; dst, a, b = dst[n:], a[n:], b[n:] {
		if string(a[:n]) == string(b[:n]) {
			copy(dst, b[:n])
			continue
		}
		d.between(dst[:n], a[:n], b[:n], col, alpha)
	}
	return true
}

// liftRaw copies what is predicted of a smooth column.
func (d *Display) liftRaw(col int) bool {
	raw, shown := d.now.raw.Column(col), d.now.shown.Column(col)
	if !raw.SameIDs(shown) {
		return false
	}
	copy(raw.Data(), shown.Data())
	return true
}

// between writes to dst component col between from and to. A teleport happens
// half way.
func (d *Display) between(dst, from, to []byte, col int, alpha float32) {
	p := d.g.Plan(col)
	if p.Smooth() && !(p.Distance(from, to) < d.TeleportDistance) {
		if alpha < 0.5 {
			to = from
		}
		copy(dst, to)
		return
	}
	p.Blend(dst, from, to, alpha)
}

// cell returns component col of e in w.
func cell(w *ecs.World, col int, e tick.Entity) ([]byte, bool) {
	c := w.Column(col)
	r, ok := c.Row(e)
	if !ok {
		return nil, false
	}
	return c.Bytes(r), true
}

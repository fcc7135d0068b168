package view

import (
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/tick"
)

// State says how a pose was obtained.
type State uint8

const (
	Absent       State = iota // not there at that time
	Interpolated              // from the versions around
	Held                      // the newest, too old to go on from
	Extrapolated              // in a straight line from the newest two
)

// Sample makes e in w as it was at time t+frac, frac in [0, 1): its owner and
// all components that travel. Between two versions it blends, however many
// snapshots are missing there. Past the last one it goes on in a straight line
// (fields tagged smooth only) for MaxExtrapolation ticks, then stands still.
// Before the first and after the end it removes e from w.
//
// A teleport or a change of owner is not blended: it happens half way. A
// component that appears or disappears does so at the later version, as does
// every value that is no float.
//
// The result depends on nothing but the versions kept and the time. w must be
// a world of the buffer's game.
func (b *Buffer) Sample(w *ecs.World, e tick.Entity, t tick.Tick, frac float32) State {
	if k := b.find(e); k != nil {
		if i := k.inForce(t); i >= 0 && !k.at(i).gone {
			return b.pose(w, k, i, t, frac)
		}
	}
	remove(w, b.empty, e)
	return Absent
}

// remove takes e out of w without quarantine for its index.
func remove(w, empty *ecs.World, e tick.Entity) {
	if w.Alive(e) {
		w.CopyEntity(empty, e)
	}
}

// after returns the time from a tick to t+frac, in ticks.
func after(a, t tick.Tick, frac float32) float32 { return float32(t.Since(a)) + frac }

func (b *Buffer) pose(w *ecs.World, k *track, i int, t tick.Tick, frac float32) State {
	v := k.at(i)
	past := after(v.tick, t, frac)
	if past == 0 {
		b.put(w, k.id, v, nil, 0)
		return Interpolated
	}
	if b.spans(k, i) {
		next, x := k.at(i+1), past/k.gap(i)
		switch {
		case !b.cut(k, i):
			b.put(w, k.id, v, next, x)
		case x < 0.5:
			b.put(w, k.id, v, nil, 0)
		default:
			b.put(w, k.id, next, nil, 0)
		}
		return Interpolated
	}
	b.put(w, k.id, v, nil, 0)
	if i == 0 || !b.spans(k, i-1) || b.cut(k, i-1) {
		return Held
	}
	state := Extrapolated
	if limit := float32(b.MaxExtrapolation); past > limit {
		past, state = limit, Held
	}
	b.goOn(w, k.id, k.at(i-1), v, past/k.gap(i-1))
	return state
}

// spans reports whether the entity lived from version i to the next.
func (b *Buffer) spans(k *track, i int) bool {
	return i >= 0 && i+1 < k.n && !k.at(i).gone && !k.at(i+1).gone
}

// gap returns the ticks from version i to the next.
func (k *track) gap(i int) float32 { return float32(k.at(i + 1).tick.Since(k.at(i).tick)) }

// put writes version v, or what lies x of the way from v to next.
func (b *Buffer) put(w *ecs.World, e tick.Entity, v, next *version, x float32) {
	w.Insert(e)
	w.SetOwner(e, v.owner)
	off, nextOff := 0, 0
	for i, col := range b.g.Wire() {
		c, size, bit := w.Column(col), b.wire[i].Size, uint64(1)<<uint(i)
		if v.mask&bit == 0 {
			c.Remove(e)
		} else {
			dst, from := c.Bytes(c.Add(e)), v.data[off:off+size]
			if next != nil && next.mask&bit != 0 {
				b.wire[i].Blend(dst, from, next.data[nextOff:nextOff+size], x)
			} else {
				copy(dst, from)
			}
			off += size
		}
		if next != nil && next.mask&bit != 0 {
			nextOff += size
		}
	}
}

// goOn adds x times the way from v to last to what put wrote of last.
func (b *Buffer) goOn(w *ecs.World, e tick.Entity, v, last *version, x float32) {
	for i, col := range b.g.Wire() {
		if p := b.wire[i]; p.Smooth() {
			from, to := b.part(last, i), b.part(v, i)
			if from != nil && to != nil {
				c := w.Column(col)
				p.AddOffset(c.Bytes(c.Add(e)), from, to, x)
			}
		}
	}
}

// part returns the i-th travelling component of v, or nil.
func (b *Buffer) part(v *version, i int) []byte {
	if v.mask>>uint(i)&1 == 0 {
		return nil
	}
	off := 0
	for j, p := range b.wire[:i] {
		off += p.Size * int(v.mask>>uint(j)&1)
	}
	return v.data[off : off+b.wire[i].Size]
}

// cut reports whether version i and the next must not be blended.
func (b *Buffer) cut(k *track, i int) bool {
	return k.at(i).owner != k.at(i+1).owner || b.teleport(k, i)
}

// teleport reports whether some component went further from version i to the
// next than its motion before and after explains.
func (b *Buffer) teleport(k *track, i int) bool {
	for c, p := range b.wire {
		if !p.Smooth() {
			continue
		}
		// Negated so that NaN, from a difference of huge numbers, is one too.
		d, ok := b.apart(k, i, c)
		if ok && !(d < b.TeleportDistance) && !(d <= b.explained(k, i, c)) {
			return true
		}
	}
	return false
}

// apart returns how far component c went from version i to the next.
func (b *Buffer) apart(k *track, i, c int) (float32, bool) {
	if !b.spans(k, i) {
		return 0, false
	}
	x, y := b.part(k.at(i), c), b.part(k.at(i+1), c)
	if x == nil || y == nil {
		return 0, false
	}
	return b.wire[c].Distance(x, y), true
}

func (b *Buffer) explained(k *track, i, c int) float32 {
	speed, known := float32(0), false
	for _, j := range [2]int{i - 1, i + 1} {
		if d, ok := b.apart(k, j, c); ok {
			known = true
			if v := d / k.gap(j); v > speed {
				speed = v
			}
		}
	}
	if !known {
		return teleportSpeed * k.gap(i)
	}
	return (float32(teleportFactor*speed) + teleportSlack) * k.gap(i)
}

// jumped reports whether a Sample at the second time shows e across a teleport,
// or after an absence, as against one at the first.
func (b *Buffer) jumped(e tick.Entity, t0 tick.Tick, f0 float32, t1 tick.Tick, f1 float32) bool {
	k := b.find(e)
	if k == nil {
		return false
	}
	for i := k.inForce(t1); i >= 0; i-- {
		v := k.at(i)
		if v.gone && v.tick.After(t0) {
			return true
		}
		if b.spans(k, i) {
			gap := k.gap(i)
			if after(v.tick, t0, f0)/gap < 0.5 && after(v.tick, t1, f1)/gap >= 0.5 && b.teleport(k, i) {
				return true
			}
		}
		if !v.tick.After(t0) {
			break
		}
	}
	return false
}

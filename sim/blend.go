package sim

import (
	"math"

	"github.com/foretick/foretick/geom"
)

func f32At(b []byte, off int) float32 { return math.Float32frombits(le.Uint32(b[off:])) }
func f64At(b []byte, off int) float64 { return math.Float64frombits(le.Uint64(b[off:])) }

const (
	pi  = float32(math.Pi)
	tau = 2 * pi
)

func wrapAngle(d float32) float32 {
	if d > pi || d < -pi {
		d -= float32(tau * float32(math.Floor(float64((d+pi)/tau))))
	}
	return d
}

// Blend writes to dst the component between a (t = 0) and b (t = 1): numbers
// linearly, rotations the short way, everything else a's until t is 1. It is
// for what is shown and for poses that all machines read alike: no product in
// it is fused with a sum. dst may be a or b.
func (p *Plan) Blend(dst, a, b []byte, t float32) {
	for i := range p.blends {
		r := &p.blends[i]
		switch r.kind {
		case blendFloat:
			end := r.off + 4*r.n
			blendFloats(dst[r.off:end], a[r.off:end], b[r.off:end], t)
		case blendStep:
			from := a
			if t >= 1 {
				from = b
			}
			copy(dst[r.off:r.off+r.n], from[r.off:])
		default:
			p.fields[r.field].blend(dst, a, b, t)
		}
	}
}

// BlendRows is Blend for components that lie one after the other.
func (p *Plan) BlendRows(dst, a, b []byte, t float32) {
	size := p.Size
	if size == 0 {
		return
	}
	if len(p.blends) == 1 { // all of one kind: one long component
		switch p.blends[0].kind {
		case blendFloat:
			blendFloats(dst, a[:len(dst)], b[:len(dst)], t)
			return
		case blendStep:
			if t >= 1 {
				a = b
			}
			copy(dst, a)
			return
		}
	}
	for len(dst) >= size {
		p.Blend(dst[:size], a[:size], b[:size], t)
		dst, a, b = dst[size:], a[size:], b[size:]
	}
}

func blendFloats(dst, a, b []byte, t float32) {
	if t >= 1 {
		copy(dst, b)
		return
	}
	for len(dst) >= 4 && len(a) >= 4 && len(b) >= 4 {
		x, y := math.Float32frombits(le.Uint32(a)), math.Float32frombits(le.Uint32(b))
		le.PutUint32(dst, math.Float32bits(x+float32((y-x)*t)))
		dst, a, b = dst[4:], a[4:], b[4:]
	}
}

// blend is for what is neither a plain float32 nor steps.
func (f *field) blend(dst, a, b []byte, t float32) {
	switch f.kind {
	case fFloat32:
		x, y := f32At(a, f.off), f32At(b, f.off)
		le.PutUint32(dst[f.off:], math.Float32bits(x+float32(wrapAngle(y-x)*t)))
	case fFloat64:
		x, y := f64At(a, f.off), f64At(b, f.off)
		v := x + float64((y-x)*float64(t))
		if t >= 1 {
			v = y
		}
		le.PutUint64(dst[f.off:], math.Float64bits(v))
	case fQuat:
		if t <= 0 || t >= 1 { // exactly an end, where Nlerp would normalise
			end := a
			if t >= 1 {
				end = b
			}
			copy(dst[f.off:f.off+16], end[f.off:])
			return
		}
		putQuat(dst[f.off:], quatAt(a[f.off:]).Nlerp(quatAt(b[f.off:]), t))
	}
}

// Distance returns how far apart the fields tagged smooth are: the length over
// all of them, rotations as an angle in radians (a large one as its chord).
func (p *Plan) Distance(a, b []byte) float32 {
	var sum float32
	for i := range p.smooths {
		r := &p.smooths[i]
		if r.kind != blendFloat {
			d := p.fields[r.field].apart(a, b)
			sum += float32(d * d)
			continue
		}
		end := r.off + 4*r.n
		for x, y := a[r.off:end], b[r.off:end]; len(x) >= 4 && len(y) >= 4; x, y = x[4:], y[4:] {
			d := math.Float32frombits(le.Uint32(x)) - math.Float32frombits(le.Uint32(y))
			sum += float32(d * d)
		}
	}
	return geom.Sqrt(sum)
}

// apart returns the difference of one field; integers count as numbers.
func (f *field) apart(a, b []byte) float32 {
	switch f.kind {
	case fFloat32:
		d := f32At(a, f.off) - f32At(b, f.off)
		if f.angle {
			d = wrapAngle(d)
		}
		return geom.Abs(d)
	case fFloat64:
		return geom.Abs(float32(f64At(a, f.off) - f64At(b, f.off)))
	case fQuat:
		// q and -q are one rotation, and the nearer pair of them is apart by a
		// chord of half the angle.
		q, r := quatAt(a[f.off:]), quatAt(b[f.off:])
		if q.Dot(r) < 0 {
			r = geom.Quat{X: -r.X, Y: -r.Y, Z: -r.Z, W: -r.W}
		}
		d := geom.Quat{X: q.X - r.X, Y: q.Y - r.Y, Z: q.Z - r.Z, W: q.W - r.W}
		return 2 * geom.Sqrt(d.Dot(d))
	}
	return geom.Abs(float32(f.integer(a) - f.integer(b)))
}

// integer returns a field that is one, as a float64: exact but for the last
// bits of the largest 64-bit numbers.
func (f *field) integer(b []byte) float64 {
	switch f.kind {
	case fInt64:
		return float64(int64(le.Uint64(b[f.off:])))
	case fUint64:
		return float64(le.Uint64(b[f.off:]))
	case fUint32:
		return float64(le.Uint32(b[f.off:]))
	}
	var w [4]int32
	f.quantise(b[f.off:], w[:])
	return float64(w[0])
}

// Differs reports whether a and b differ by more than a field's tolerance. A
// field without one must be the same to the bit.
func (p *Plan) Differs(a, b []byte) bool {
	if string(a[:p.Size]) == string(b[:p.Size]) {
		return false
	}
	if p.strict {
		return true
	}
	for i := range p.fields {
		f := &p.fields[i]
		size := kindSize[f.kind]
		if string(a[f.off:f.off+size]) == string(b[f.off:f.off+size]) {
			continue
		}
		// Not <= so that NaN differs.
		if f.tolerance == 0 || !(f.apart(a, b) <= f.tolerance) {
			return true
		}
	}
	return false
}

// AddOffset adds to the smooth fields of dst k times (from - to): the way a
// correction is shown. Rotations turn the k-th part of the way back.
func (p *Plan) AddOffset(dst, from, to []byte, k float32) {
	for i := range p.smooths {
		r := &p.smooths[i]
		if r.kind != blendFloat {
			p.fields[r.field].addOffset(dst, from, to, k)
			continue
		}
		end := r.off + 4*r.n
		z, x, y := dst[r.off:end], from[r.off:end], to[r.off:end]
		for len(z) >= 4 && len(x) >= 4 && len(y) >= 4 {
			d := math.Float32frombits(le.Uint32(x)) - math.Float32frombits(le.Uint32(y))
			le.PutUint32(z, math.Float32bits(math.Float32frombits(le.Uint32(z))+float32(d*k)))
			z, x, y = z[4:], x[4:], y[4:]
		}
	}
}

func (f *field) addOffset(dst, from, to []byte, k float32) {
	switch f.kind {
	case fFloat32:
		d := wrapAngle(f32At(from, f.off) - f32At(to, f.off))
		le.PutUint32(dst[f.off:], math.Float32bits(f32At(dst, f.off)+float32(d*k)))
	case fFloat64:
		d := f64At(from, f.off) - f64At(to, f.off)
		le.PutUint64(dst[f.off:], math.Float64bits(f64At(dst, f.off)+float64(d*float64(k))))
	case fQuat:
		rot := quatAt(from[f.off:]).Mul(quatAt(to[f.off:]).Conj())
		part := geom.Quat{W: 1}.Nlerp(rot, k)
		putQuat(dst[f.off:], part.Mul(quatAt(dst[f.off:])).Norm())
	}
}

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
	for i := range p.fields {
		f := &p.fields[i]
		switch f.kind {
		case fFloat32:
			x, y := f32At(a, f.off), f32At(b, f.off)
			d := y - x
			if f.angle {
				d = wrapAngle(d)
			}
			v := x + float32(d*t)
			if t >= 1 && !f.angle {
				v = y
			}
			le.PutUint32(dst[f.off:], math.Float32bits(v))
		case fFloat64:
			x, y := f64At(a, f.off), f64At(b, f.off)
			le.PutUint64(dst[f.off:], math.Float64bits(x+float64((y-x)*float64(t))))
		case fQuat:
			putQuat(dst[f.off:], quatAt(a[f.off:]).Nlerp(quatAt(b[f.off:]), t))
		default:
			from := a
			if t >= 1 {
				from = b
			}
			copy(dst[f.off:f.off+kindSize[f.kind]], from[f.off:])
		}
	}
}

// Distance returns how far apart the fields tagged smooth are: the length over
// all of them, rotations as an angle in radians.
func (p *Plan) Distance(a, b []byte) float32 {
	var sum float32
	for i := range p.fields {
		f := &p.fields[i]
		if f.smooth {
			d := f.apart(a, b)
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
		// q and -q are one rotation; for small angles 1-|dot| is angle^2/8.
		d := 1 - geom.Abs(quatAt(a[f.off:]).Dot(quatAt(b[f.off:])))
		if d < 0 {
			d = 0
		}
		return geom.Sqrt(8 * d)
	}
	var wa, wb [4]int32
	f.quantise(a[f.off:], wa[:])
	f.quantise(b[f.off:], wb[:])
	return geom.Abs(float32(wa[0]) - float32(wb[0]))
}

// Differs reports whether a and b differ by more than a field's tolerance. A
// field without one must be the same to the bit.
func (p *Plan) Differs(a, b []byte) bool {
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
	for i := range p.fields {
		f := &p.fields[i]
		if !f.smooth {
			continue
		}
		switch f.kind {
		case fFloat32:
			d := f32At(from, f.off) - f32At(to, f.off)
			if f.angle {
				d = wrapAngle(d)
			}
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
}

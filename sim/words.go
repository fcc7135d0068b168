package sim

import (
	"encoding/binary"
	"math"

	"github.com/foretick/foretick/geom"
)

var le = binary.LittleEndian

// Quantise turns a component into its words. Values are clamped to their
// range first, because a conversion out of range differs between processors;
// NaN becomes 0.
func (p *Plan) Quantise(src []byte, dst []int32) {
	for i := range p.fields {
		f := &p.fields[i]
		if f.kind == fFloat32 && f.step == 0 {
			dst[f.word] = orderFloat(le.Uint32(src[f.off:]))
			continue
		}
		f.quantise(src[f.off:], dst[f.word:])
	}
}

// Dequantise turns words back into a component.
func (p *Plan) Dequantise(src []int32, dst []byte) {
	for i := range p.fields {
		f := &p.fields[i]
		if f.kind == fFloat32 && f.step == 0 {
			le.PutUint32(dst[f.off:], unorderFloat(src[f.word]))
			continue
		}
		f.dequantise(src[f.word:], dst[f.off:])
	}
}

// Round leaves in b what would arrive if it travelled. Rounding twice changes
// nothing.
func (p *Plan) Round(b []byte) {
	var w [4]int32
	for i := range p.fields {
		f := &p.fields[i]
		f.quantise(b[f.off:], w[:])
		f.dequantise(w[:], b[f.off:])
	}
}

// Valid reports whether words from the network are a value: within their
// ranges, floats finite.
func (p *Plan) Valid(words []int32) bool {
	if len(words) != p.Words {
		return false
	}
	for i := range p.fields {
		if !p.fields[i].valid(words[p.fields[i].word:]) {
			return false
		}
	}
	return true
}

// orderFloat maps float bits to integers in the order of the floats, so that
// near values have near integers. -0 and 0 stay apart.
func orderFloat(bits uint32) int32 {
	w := int32(bits)
	return w ^ int32(uint32(w>>31)>>1)
}

func unorderFloat(w int32) uint32 { return uint32(w ^ int32(uint32(w>>31)>>1)) }

// roundHalfUp converts n so that, inlined, it is not fused with the product it is.
func roundHalfUp(n float64) int32 { return int32(math.Floor(float64(n) + 0.5)) }

func (f *field) quantise(src []byte, dst []int32) {
	switch f.kind {
	case fBool:
		dst[0] = int32(src[0] & 1)
	case fInt8:
		dst[0] = f.clamp(int32(int8(src[0])))
	case fUint8:
		dst[0] = f.clamp(int32(src[0]))
	case fInt16:
		dst[0] = f.clamp(int32(int16(le.Uint16(src))))
	case fUint16, fCounter:
		dst[0] = f.clamp(int32(le.Uint16(src)))
	case fInt32, fUint32:
		dst[0] = f.clamp(int32(le.Uint32(src)))
	case fInt64, fUint64:
		dst[0], dst[1] = int32(le.Uint32(src)), int32(le.Uint32(src[4:]))
	case fFloat32:
		if f.step == 0 {
			dst[0] = orderFloat(le.Uint32(src))
			return
		}
		dst[0] = f.steps(float64(math.Float32frombits(le.Uint32(src))))
	case fFloat64:
		if f.step == 0 {
			dst[0], dst[1] = int32(le.Uint32(src)), int32(le.Uint32(src[4:]))
			return
		}
		dst[0], dst[1] = f.steps(math.Float64frombits(le.Uint64(src))), 0
	case fQuat:
		f.quantiseQuat(src, dst)
	}
}

func (f *field) dequantise(src []int32, dst []byte) {
	switch f.kind {
	case fBool, fInt8, fUint8:
		dst[0] = byte(src[0])
	case fInt16, fUint16, fCounter:
		le.PutUint16(dst, uint16(src[0]))
	case fInt32, fUint32:
		le.PutUint32(dst, uint32(src[0]))
	case fInt64, fUint64:
		le.PutUint32(dst, uint32(src[0]))
		le.PutUint32(dst[4:], uint32(src[1]))
	case fFloat32:
		if f.step == 0 {
			le.PutUint32(dst, unorderFloat(src[0]))
			return
		}
		le.PutUint32(dst, math.Float32bits(float32(float64(src[0])*f.step)))
	case fFloat64:
		if f.step == 0 {
			le.PutUint32(dst, uint32(src[0]))
			le.PutUint32(dst[4:], uint32(src[1]))
			return
		}
		le.PutUint64(dst, math.Float64bits(float64(src[0])*f.step))
	case fQuat:
		f.dequantiseQuat(src, dst)
	}
}

func (f *field) clamp(w int32) int32 {
	if f.bounded {
		if w < f.lo {
			return f.lo
		}
		if w > f.hi {
			return f.hi
		}
	}
	return w
}

func (f *field) steps(v float64) int32 {
	if v != v {
		v = 0
	}
	n := v / f.step
	if n <= float64(f.lo) {
		return f.lo
	}
	if n >= float64(f.hi) {
		return f.hi
	}
	return roundHalfUp(n)
}

func (f *field) valid(w []int32) bool {
	switch f.kind {
	case fFloat32:
		if f.step == 0 {
			return unorderFloat(w[0])&0x7f800000 != 0x7f800000
		}
	case fFloat64:
		if f.step == 0 {
			return uint32(w[1])&0x7ff00000 != 0x7ff00000
		}
		if w[1] != 0 {
			return false
		}
	case fQuat:
		return f.validQuat(w)
	case fInt8:
		return w[0] == int32(int8(w[0])) && f.clamp(w[0]) == w[0]
	case fUint8:
		return w[0] == int32(uint8(w[0])) && f.clamp(w[0]) == w[0]
	case fInt16:
		return w[0] == int32(int16(w[0])) && f.clamp(w[0]) == w[0]
	case fUint16, fCounter:
		return w[0] == int32(uint16(w[0])) && f.clamp(w[0]) == w[0]
	case fInt64, fUint64:
		return true
	}
	return !f.bounded || f.clamp(w[0]) == w[0]
}

func quatAt(b []byte) geom.Quat {
	at := func(i int) float32 { return math.Float32frombits(le.Uint32(b[4*i:])) }
	return geom.Quat{X: at(0), Y: at(1), Z: at(2), W: at(3)}
}

func putQuat(b []byte, q geom.Quat) {
	for i, v := range [4]float32{q.X, q.Y, q.Z, q.W} {
		le.PutUint32(b[4*i:], math.Float32bits(v))
	}
}

// quantiseQuat writes the index of the largest component, whose sign is made
// positive, and the three others ("smallest three").
func (f *field) quantiseQuat(src []byte, dst []int32) {
	if f.bits == 0 {
		for i := range 4 {
			dst[i] = orderFloat(le.Uint32(src[4*i:]))
		}
		return
	}
	q := quatAt(src)
	c := [4]float32{q.X, q.Y, q.Z, q.W}
	big := 0
	for i := range c {
		if c[i] != c[i] {
			c = [4]float32{0, 0, 0, 1}
			big = 3
			break
		}
		if c[i]*c[i] > c[big]*c[big] {
			big = i
		}
	}
	sign := float64(1)
	if c[big] < 0 {
		sign = -1
	}
	top := float64(int32(1)<<(f.bits-1) - 1)
	dst[0] = int32(big)
	j := 1
	for i := range c {
		if i == big {
			continue
		}
		n := float64(c[i]) * sign * math.Sqrt2 * top
		if n > top {
			n = top
		}
		if n < -top {
			n = -top
		}
		dst[j] = roundHalfUp(n)
		j++
	}
}

func (f *field) dequantiseQuat(src []int32, dst []byte) {
	if f.bits == 0 {
		for i := range 4 {
			le.PutUint32(dst[4*i:], unorderFloat(src[i]))
		}
		return
	}
	top := float64(int32(1)<<(f.bits-1) - 1)
	var c [4]float32
	big := int(src[0]) & 3
	rest, j := 1.0, 1
	for i := range c {
		if i == big {
			continue
		}
		v := float64(src[j]) / (top * math.Sqrt2)
		rest -= float64(v * v)
		c[i] = float32(v)
		j++
	}
	if rest < 0 {
		rest = 0
	}
	c[big] = float32(math.Sqrt(rest))
	putQuat(dst, geom.Quat{X: c[0], Y: c[1], Z: c[2], W: c[3]})
}

func (f *field) validQuat(w []int32) bool {
	if f.bits == 0 {
		for i := range 4 {
			if unorderFloat(w[i])&0x7f800000 == 0x7f800000 {
				return false
			}
		}
		return true
	}
	top := int32(1)<<(f.bits-1) - 1
	for _, v := range w[1:4] {
		if v < -top || v > top {
			return false
		}
	}
	return w[0] >= 0 && w[0] < 4
}

package sim

import (
	"encoding/binary"
	"math"
)

var le = binary.LittleEndian

// Quantise turns a component into its words, which are always Valid. Values
// are clamped to their range first, because a conversion out of range differs
// between processors; NaN, and in an exact float infinity, becomes 0.
func (p *Plan) Quantise(src []byte, dst []int32) {
	for i := range p.runs {
		switch r := &p.runs[i]; r.kind {
		case runFloat:
			quantiseFloats(src[r.off:], dst[r.word:r.word+r.n])
		case runField:
			p.fields[r.field].quantise(src[r.off:], dst[r.word:])
		default:
			r.quantise(src[r.off:], dst[r.word:])
		}
	}
}

// Dequantise turns words back into a component.
func (p *Plan) Dequantise(src []int32, dst []byte) {
	for i := range p.runs {
		switch r := &p.runs[i]; r.kind {
		case runFloat:
			dequantiseFloats(src[r.word:r.word+r.n], dst[r.off:])
		case runField:
			p.fields[r.field].dequantise(src[r.word:], dst[r.off:])
		default:
			r.dequantise(src[r.word:], dst[r.off:])
		}
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
	for i := range p.runs {
		ok := true
		switch r := &p.runs[i]; r.kind {
		case runFloat:
			ok = validFloats(words[r.word : r.word+r.n])
		case runField:
			ok = p.fields[r.field].valid(words[r.word:])
		case runWord: // any
		default:
			ok = r.valid(words[r.word:])
		}
		if !ok {
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

// roundHalfUp rounds n first, so that the product it may come from is not
// fused with the sum.
func roundHalfUp(n float64) int32 { return int32(math.Floor(float64(n) + 0.5)) }

// finite32 replaces NaN and infinity by 0: neither travels.
func finite32(bits uint32) uint32 {
	if bits&0x7f800000 == 0x7f800000 {
		return 0
	}
	return bits
}

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
	case fInt32:
		dst[0] = f.clamp(int32(le.Uint32(src)))
	case fUint32:
		v := le.Uint32(src)
		if f.bounded && v > math.MaxInt32 {
			v = math.MaxInt32
		}
		dst[0] = f.clamp(int32(v))
	case fInt64, fUint64:
		dst[0], dst[1] = int32(le.Uint32(src)), int32(le.Uint32(src[4:]))
	case fFloat32:
		if f.step == 0 {
			dst[0] = orderFloat(finite32(le.Uint32(src)))
			return
		}
		dst[0] = f.steps(float64(math.Float32frombits(le.Uint32(src))))
	case fFloat64:
		if f.step == 0 {
			lo, hi := le.Uint32(src), le.Uint32(src[4:])
			if hi&0x7ff00000 == 0x7ff00000 {
				lo, hi = 0, 0
			}
			dst[0], dst[1] = int32(lo), int32(hi)
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

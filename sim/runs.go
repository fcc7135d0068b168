package sim

import "math"

// runKind says how a run of fields becomes words.
type runKind uint8

const (
	runField runKind = iota // one field of any kind
	runFloat                // exact float32s
	runWord                 // 32-bit integers without bounds
	runHalf                 // 16-bit unsigned ones, counters too
	runByte                 // 8-bit unsigned ones
)

// run is fields of one kind that follow each other: a loop without questions.
// Nearly all that travels is in one of the short kinds.
type run struct {
	kind      runKind
	off, word int // of the first
	n         int // fields
	field     int // of runField
}

// blendKind says how a run of fields is blended.
type blendKind uint8

const (
	blendField blendKind = iota // one field: an angle, a rotation, a float64
	blendFloat                  // float32s: on a line
	blendStep                   // bytes that step
)

type blendRun struct {
	kind  blendKind
	off   int // bytes
	n     int // floats or bytes
	field int // of blendField
}

// findRuns finds the runs; a plan's fields lie without gaps, so neighbours of a
// kind always go on from each other.
func (p *Plan) findRuns() {
	for i := range p.fields {
		f := &p.fields[i]
		k := f.runKind()
		if n := len(p.runs); n > 0 && k != runField && p.runs[n-1].kind == k {
			p.runs[n-1].n++
		} else {
			p.runs = append(p.runs, run{k, f.off, f.word, 1, i})
		}
		b, size := f.blendKind()
		if n := len(p.blends); n > 0 && b != blendField && p.blends[n-1].kind == b {
			p.blends[n-1].n += size
		} else {
			p.blends = append(p.blends, blendRun{b, f.off, size, i})
		}
		if f.smooth {
			p.findSmooth(f, i)
		}
	}
}

func (p *Plan) findSmooth(f *field, i int) {
	k := blendField
	if f.kind == fFloat32 && !f.angle {
		k = blendFloat
	}
	if n := len(p.smooths); n > 0 && k == blendFloat {
		if s := &p.smooths[n-1]; s.kind == k && s.off+4*s.n == f.off {
			s.n++
			return
		}
	}
	p.smooths = append(p.smooths, blendRun{k, f.off, 1, i})
}

func (f *field) runKind() runKind {
	switch {
	case f.bounded:
		return runField
	case f.kind == fFloat32 && f.step == 0:
		return runFloat
	case f.kind == fInt32 || f.kind == fUint32:
		return runWord
	case f.kind == fUint16 || f.kind == fCounter:
		return runHalf
	case f.kind == fUint8:
		return runByte
	}
	return runField
}

func (f *field) blendKind() (k blendKind, n int) {
	switch {
	case f.kind == fFloat32 && !f.angle:
		return blendFloat, 1
	case f.kind == fFloat32 || f.kind == fFloat64 || f.kind == fQuat:
		return blendField, 1
	}
	return blendStep, kindSize[f.kind]
}

func quantiseFloats(src []byte, dst []int32) {
	src = src[:4*len(dst)]
	for ; len(dst) >= 2 && len(src) >= 8; dst, src = dst[2:], src[8:] { // so that no bounds are checked
		v := le.Uint64(src)
		dst[0], dst[1] = orderFloat(finite32(uint32(v))), orderFloat(finite32(uint32(v>>32)))
	}
	if len(dst) > 0 {
		dst[0] = orderFloat(finite32(le.Uint32(src)))
	}
}

func dequantiseFloats(src []int32, dst []byte) {
	dst = dst[:4*len(src)]
	for ; len(src) >= 2 && len(dst) >= 8; dst, src = dst[8:], src[2:] {
		le.PutUint64(dst, uint64(unorderFloat(src[0]))|uint64(unorderFloat(src[1]))<<32)
	}
	if len(src) > 0 {
		le.PutUint32(dst, unorderFloat(src[0]))
	}
}

func validFloats(words []int32) bool {
	for _, w := range words {
		if unorderFloat(w)&0x7f800000 == 0x7f800000 {
			return false
		}
	}
	return true
}

func (r *run) quantise(src []byte, dst []int32) {
	dst = dst[:r.n]
	switch r.kind {
	case runWord:
		for i := range dst {
			dst[i] = int32(le.Uint32(src[4*i:]))
		}
	case runHalf:
		for i := range dst {
			dst[i] = int32(le.Uint16(src[2*i:]))
		}
	case runByte:
		for i := range dst {
			dst[i] = int32(src[i])
		}
	}
}

func (r *run) dequantise(src []int32, dst []byte) {
	src = src[:r.n]
	switch r.kind {
	case runWord:
		for i, w := range src {
			le.PutUint32(dst[4*i:], uint32(w))
		}
	case runHalf:
		for i, w := range src {
			le.PutUint16(dst[2*i:], uint16(w))
		}
	case runByte:
		for i, w := range src {
			dst[i] = byte(w)
		}
	}
}

func (r *run) valid(words []int32) bool {
	limit := uint32(math.MaxUint32)
	switch r.kind {
	case runHalf:
		limit = math.MaxUint16
	case runByte:
		limit = math.MaxUint8
	}
	for _, w := range words[:r.n] {
		if uint32(w) > limit {
			return false
		}
	}
	return true
}

package sim

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/tick"
)

// Plan is how a component travels, is compared and is blended, read once from
// its struct tags:
//
//	net:"exact"            every bit travels (the default)
//	net:"step=1/128"       rounded to multiples of the step, and clamped to 2^23 of
//	                       them: past that a float32 is coarser (float64: 2^30)
//	net:"min=-1,max=1"     clamped before it travels; out of range is refused;
//	                       on a float only together with a step
//	net:"bits=15"          a rotation as its smallest three, that many bits each
//	net:"tolerance=0.01"   a smaller difference is drift, not worth a replay
//	net:"smooth"           a correction of it is shown gradually
//	net:"angle"            blends the short way round, in radians
//
// A tag on a field that is a struct or an array holds for all in it that have
// none of their own.
type Plan struct {
	Name  string
	Hash  uint32
	Size  int // bytes
	Words int

	fields  []field
	runs    []run      // the fields again, to quantise
	blends  []blendRun // to blend
	smooths []blendRun // those that are shown smoothly
	exact   bool       // every field travels with all its bits
	strict  bool       // no field has a tolerance
	smooth  bool       // some field is shown smoothly

	retagged int // how many of the other tags found their field
}

type fieldKind uint8

const (
	fBool fieldKind = iota
	fInt8
	fInt16
	fInt32
	fInt64
	fUint8
	fUint16
	fUint32
	fUint64
	fFloat32
	fFloat64
	fQuat
	fCounter
)

var kindSize = [...]int{1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 16, 2}
var kindWords = [...]int{1, 1, 1, 1, 2, 1, 1, 1, 2, 1, 2, 4, 1}

type field struct {
	path      string
	kind      fieldKind
	off       int
	word      int
	step      float64 // 0: exact
	lo, hi    int32   // bounds of the word, when bounded
	bounded   bool
	bits      uint // of a rotation; 0: exact
	tolerance float32
	smooth    bool
	angle     bool
}

// readPlan panics on what a component cannot be: the message is for the
// developer, at init.
func readPlan(t reflect.Type, retag map[string]string) *Plan {
	if t.Kind() != reflect.Struct {
		panic("sim: component " + t.String() + " is not a struct")
	}
	p := &Plan{Name: t.Name(), Size: int(t.Size()), exact: true, strict: true}
	if p.Name == "" || len(p.Name) > 32 {
		panic("sim: a component's type needs a name of 1 to 32 bytes")
	}
	p.addStruct(t, "", 0, "", retag)
	end := 0
	for _, f := range p.fields {
		if f.off != end {
			panic("sim: component " + p.Name + " has padding before " + f.path +
				": order its fields from large to small, or add " + filler(f.off-end) + " before it")
		}
		end = f.off + kindSize[f.kind]
		p.exact = p.exact && f.step == 0 && f.bits == 0 && (!f.bounded || f.kind == fBool)
		p.strict = p.strict && f.tolerance == 0
		p.smooth = p.smooth || f.smooth
	}
	if p.retagged != len(retag) {
		panic("sim: component " + p.Name + " has not all the fields that are to be retagged")
	}
	if end != p.Size {
		panic("sim: component " + p.Name + " has padding at its end: add " + filler(p.Size-end))
	}
	p.hash()
	p.findRuns()
	return p
}

// filler is a field that fills n bytes of padding, wherever they begin.
func filler(n int) string {
	if n == 1 {
		return "Pad uint8"
	}
	return "Pad [" + strconv.Itoa(n) + "]uint8"
}

func (p *Plan) addStruct(t reflect.Type, path string, off int, tag string, retag map[string]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		ftag := p.netTag(string(f.Tag))
		if ftag == "" {
			ftag = tag
		}
		name := f.Name
		if path != "" {
			name = path + "." + f.Name
		}
		if f.Name == "_" { // Go does not promise to copy what it holds
			panic("sim: component " + p.Name + " has a blank field: give it a name")
		}
		p.addType(f.Type, name, off+int(f.Offset), ftag, retag)
	}
}

// netTag finds net:"..." among a field's tags. Package reflect's way brings all
// of strconv's unquoting along.
func (p *Plan) netTag(tags string) string {
	for {
		key, rest, ok := strings.Cut(strings.TrimLeft(tags, " "), `:"`)
		if !ok {
			return ""
		}
		end := 0
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(rest) {
			return ""
		}
		if key == "net" {
			return rest[:end]
		}
		tags = rest[end+1:]
	}
}

func (p *Plan) addType(t reflect.Type, path string, off int, tag string, retag map[string]string) {
	if over, ok := retag[path]; ok {
		tag = over
		p.retagged++
	}
	k, leaf := leafKind(t)
	switch {
	case leaf:
		p.addField(path, k, off, tag)
	case t.Kind() == reflect.Struct:
		p.addStruct(t, path, off, tag, retag)
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			p.addType(t.Elem(), path+"["+strconv.Itoa(i)+"]", off+i*int(t.Elem().Size()), tag, retag)
		}
	default:
		panic("sim: " + p.Name + "." + path + " is a " + t.String() +
			": a component holds bools, sized numbers, arrays and structs of them")
	}
}

func leafKind(t reflect.Type) (fieldKind, bool) {
	switch t {
	case reflect.TypeFor[geom.Quat]():
		return fQuat, true
	case reflect.TypeFor[Counter]():
		return fCounter, true
	case reflect.TypeFor[tick.Entity]():
		return fUint32, true
	}
	k, ok := map[reflect.Kind]fieldKind{
		reflect.Bool: fBool, reflect.Int8: fInt8, reflect.Int16: fInt16, reflect.Int32: fInt32,
		reflect.Int64: fInt64, reflect.Uint8: fUint8, reflect.Uint16: fUint16, reflect.Uint32: fUint32,
		reflect.Uint64: fUint64, reflect.Float32: fFloat32, reflect.Float64: fFloat64,
	}[t.Kind()]
	return k, ok
}

func (p *Plan) addField(path string, k fieldKind, off int, tag string) {
	f := field{path: path, kind: k, off: off, word: p.Words}
	lo, hi, haveLo, haveHi, exact := 0.0, 0.0, false, false, false
	for _, part := range strings.Split(tag, ",") {
		key, val, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch key {
		case "":
		case "exact":
			exact = true
		case "step":
			f.step = p.number(path, key, val)
		case "min":
			lo, haveLo = p.number(path, key, val), true
		case "max":
			hi, haveHi = p.number(path, key, val), true
		case "bits":
			f.bits = p.bits(path, val)
		case "tolerance":
			f.tolerance = float32(p.number(path, key, val))
		case "smooth":
			f.smooth = true
		case "angle":
			f.angle = true
		default:
			p.bad(path, "has an unknown tag "+key)
		}
	}
	if exact && (f.step != 0 || f.bits != 0) {
		p.bad(path, "is exact, so it takes no step and no bits")
	}
	p.limit(&f, lo, hi, haveLo, haveHi)
	p.fields = append(p.fields, f)
	p.Words += kindWords[k]
}

// maxSteps is how many steps either side of 0 a float has. Within them every
// word survives the way to the float and back, so a value has one encoding.
func maxSteps(k fieldKind) float64 {
	if k == fFloat32 {
		return 1 << 23
	}
	return 1 << 30
}

// Steps outside leave the normal float32s somewhere within maxSteps.
const minStep, maxStep = 1e-30, 1e30

// intRange is what min and max of an integer may be. A uint32 with bounds has
// 31 bits, because a word is an int32.
var intRange = map[fieldKind][2]float64{
	fInt8: {-1 << 7, 1<<7 - 1}, fUint8: {0, 1<<8 - 1}, fInt16: {-1 << 15, 1<<15 - 1},
	fUint16: {0, 1<<16 - 1}, fInt32: {-1 << 31, 1<<31 - 1}, fUint32: {0, 1<<31 - 1},
}

func (p *Plan) limit(f *field, lo, hi float64, haveLo, haveHi bool) {
	if haveLo != haveHi || haveLo && !(lo < hi) {
		p.bad(f.path, "needs min and max, min below max")
	}
	isFloat := f.kind == fFloat32 || f.kind == fFloat64
	most := maxSteps(f.kind)
	switch {
	case f.tolerance < 0:
		p.bad(f.path, "has a negative tolerance")
	case f.angle && f.kind != fFloat32:
		p.bad(f.path, "is an angle only as a float32")
	case f.smooth && !isFloat && f.kind != fQuat:
		p.bad(f.path, "is smooth only as a float or a rotation")
	case f.kind == fBool && haveLo:
		p.bad(f.path, "takes no such min and max")
	case f.bits != 0 && f.kind != fQuat:
		p.bad(f.path, "takes bits=2 to 24, on a rotation")
	case f.step != 0 && !isFloat:
		p.bad(f.path, "takes no step")
	case f.step != 0 && !(f.step >= minStep && f.step <= maxStep):
		p.bad(f.path, "needs a step from 1e-30 to 1e30")
	case f.step > 0 && !haveLo:
		f.bounded, f.lo, f.hi = true, int32(-most), int32(most)
	case f.step > 0 && (lo/f.step < -most || hi/f.step > most):
		p.bad(f.path, "has more steps than a float of its size tells apart")
	case f.step > 0:
		f.bounded, f.lo, f.hi = true, roundHalfUp(lo/f.step), roundHalfUp(hi/f.step)
	case haveLo && isFloat:
		p.bad(f.path, "takes min and max only with a step")
	case haveLo:
		r, ok := intRange[f.kind]
		if !ok || lo < r[0] || hi > r[1] || lo != math.Floor(lo) || hi != math.Floor(hi) {
			p.bad(f.path, "takes no such min and max")
		}
		f.bounded, f.lo, f.hi = true, int32(lo), int32(hi)
	}
	if f.kind == fBool {
		f.bounded, f.lo, f.hi = true, 0, 1
	}
}

// number reads 0.01 or 1/128.
func (p *Plan) number(path, key, s string) float64 {
	if s == "" {
		p.bad(path, "has the tag "+key+" without a value: write "+key+"=number")
	}
	num, den, frac := strings.Cut(s, "/")
	v, err := strconv.ParseFloat(num, 64)
	if err == nil && frac {
		var d float64
		d, err = strconv.ParseFloat(den, 64)
		v /= d
	}
	if err != nil || v != v || v-v != 0 {
		p.bad(path, "has a tag value that is no number: "+s)
	}
	return v
}

func (p *Plan) bits(path, s string) uint {
	v := p.number(path, "bits", s)
	if v < 2 || v > 24 || v != math.Floor(v) {
		p.bad(path, "takes bits=2 to 24, on a rotation")
	}
	return uint(v)
}

func (p *Plan) bad(path, what string) {
	panic("sim: " + p.Name + "." + path + " " + what)
}

// Fields returns the path of every field, in order, for tools.
func (p *Plan) Fields() []string {
	var out []string
	for _, f := range p.fields {
		out = append(out, f.path)
	}
	return out
}

// FieldAt returns the path of the field at a byte offset.
func (p *Plan) FieldAt(off int) string {
	for _, f := range p.fields {
		if off >= f.off && off < f.off+kindSize[f.kind] {
			return f.path
		}
	}
	return "?"
}

// Exact reports whether every bit of the component travels.
func (p *Plan) Exact() bool { return p.exact }

// Smooth reports whether some field is shown smoothly.
func (p *Plan) Smooth() bool { return p.smooth }

const fnvOffset uint32 = 2166136261

func fnvString(h uint32, s string) uint32 {
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return (h ^ 0xff) * 16777619
}

func fnvWord(h, w uint32) uint32 {
	for range 4 {
		h = (h ^ w&0xff) * 16777619
		w >>= 8
	}
	return h
}

func (p *Plan) hash() {
	h := fnvString(fnvOffset, p.Name)
	for _, f := range p.fields {
		h = fnvString(h, f.path)
		h = fnvWord(h, uint32(f.kind)<<8|uint32(f.bits)<<1|b2u(f.bounded))
		h = fnvString(h, strconv.FormatFloat(f.step, 'g', -1, 64))
		h = fnvWord(fnvWord(h, uint32(f.lo)), uint32(f.hi))
	}
	p.Hash = h
}

package sim

import (
	"math"
	"strconv"
)

// Texts appends what each field of a component holds, in the order of Fields,
// each so that other bits give another text. For tools.
func (p *Plan) Texts(to []string, b []byte) []string {
	for i := range p.fields {
		to = append(to, p.fields[i].text(b[p.fields[i].off:]))
	}
	return to
}

func (f *field) text(b []byte) string {
	switch f.kind {
	case fBool:
		return strconv.FormatBool(b[0]&1 == 1)
	case fInt8:
		return strconv.Itoa(int(int8(b[0])))
	case fUint8:
		return strconv.Itoa(int(b[0]))
	case fInt16:
		return strconv.Itoa(int(int16(le.Uint16(b))))
	case fUint16, fCounter:
		return strconv.Itoa(int(le.Uint16(b)))
	case fInt32:
		return strconv.Itoa(int(int32(le.Uint32(b))))
	case fUint32:
		return strconv.FormatUint(uint64(le.Uint32(b)), 10)
	case fInt64:
		return strconv.FormatInt(int64(le.Uint64(b)), 10)
	case fUint64:
		return strconv.FormatUint(le.Uint64(b), 10)
	case fFloat64:
		return strconv.FormatFloat(math.Float64frombits(le.Uint64(b)), 'g', -1, 64)
	case fQuat:
		return floatText(b) + " " + floatText(b[4:]) + " " + floatText(b[8:]) + " " + floatText(b[12:])
	}
	return floatText(b)
}

func floatText(b []byte) string {
	return strconv.FormatFloat(float64(math.Float32frombits(le.Uint32(b))), 'g', -1, 32)
}

// InputFields names the fields of a player's input, with their component.
func (g *Game) InputFields() []string {
	var out []string
	for _, col := range g.inputs {
		p := g.comps[col].plan
		for _, f := range p.Fields() {
			out = append(out, p.Name+"."+f)
		}
	}
	return out
}

// InputTexts appends what each field of an input holds, in the order of InputFields.
func (g *Game) InputTexts(to []string, in []byte) []string {
	for _, col := range g.inputs {
		to = g.comps[col].plan.Texts(to, in[g.comps[col].offset:])
	}
	return to
}

package sim

// Finite reports whether every float of a component, as it is in memory, is a
// number. What travels always is: Quantise makes 0 of the others, which is why
// a check must look here.
func (p *Plan) Finite(b []byte) bool {
	for i := range p.fields {
		f := &p.fields[i]
		n := 1
		switch f.kind {
		case fFloat64:
			if le.Uint32(b[f.off+4:])&0x7ff00000 == 0x7ff00000 {
				return false
			}
			continue
		case fQuat:
			n = 4
		case fFloat32:
		default:
			continue
		}
		for k := range n {
			if le.Uint32(b[f.off+4*k:])&0x7f800000 == 0x7f800000 {
				return false
			}
		}
	}
	return true
}

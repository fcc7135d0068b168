// Package wasmpack makes a WebAssembly program smaller: its data become one
// packed segment, which a start function of a hundred bytes unpacks into the
// same memory before anything else runs. A quarter of what Go's linker writes is
// a table of sixteen entries per function that say the same, in some fifty
// thousand segments.
package wasmpack

import "errors"

// Section ids of a module, in the order in which they come.
const (
	secType     = 1
	secFunction = 3
	secMemory   = 5
	secStart    = 8
	secCode     = 10
	secData     = 11
	secCount    = 12 // of data segments; comes before the code
)

const header = "\x00asm\x01\x00\x00\x00"

const page = 1 << 16

var errShape = errors.New("wasmpack: not a module of the kind that Go's linker writes")

// A section of a module, as it stands there.
type section struct {
	id   byte
	body []byte
}

// Pack returns a module that begins with the same memory and does the same. It
// refuses what Go's linker does not write: a start function, a memory from
// elsewhere, segments that are not of a fixed place.
func Pack(module []byte) ([]byte, error) {
	sections, imports, err := split(module)
	if err != nil {
		return nil, err
	}
	at := map[byte]int{}
	for i, s := range sections {
		if s.id != 0 {
			at[s.id] = i
		}
	}
	for _, id := range []byte{secType, secFunction, secMemory, secCode, secData} {
		if _, ok := at[id]; !ok {
			return nil, errShape
		}
	}
	_, started := at[secStart]
	_, counted := at[secCount]
	if started || counted {
		return nil, errShape
	}
	body := func(id byte) *[]byte { return &sections[at[id]].body }

	low, image, err := load(*body(secData))
	if err != nil {
		return nil, err
	}
	memory := reader{b: *body(secMemory)}
	if memory.uint() != 1 {
		return nil, errShape
	}
	memory.uint() // whether it has a most
	room := memory.uint() * page
	packed := compress(image)
	place := room - len(packed)
	if memory.bad || place < low+len(image) { // no room beyond what it becomes
		return nil, errShape
	}

	kinds, types := counted1(*body(secType))
	*body(secType) = append(uvar(nil, kinds+1), append(types, 0x60, 0, 0)...)
	n, functions := counted1(*body(secFunction))
	*body(secFunction) = append(uvar(nil, n+1), uvar(functions, kinds)...)
	m, code := counted1(*body(secCode))
	if m != n {
		return nil, errShape
	}
	f := unpacker(place, room, low)
	*body(secCode) = append(uvar(nil, m+1), append(uvar(code, len(f)), f...)...)
	*body(secData) = segment(place, packed)

	out := []byte(header)
	for _, s := range sections {
		if s.id == secCode || s.id == 9 && !started { // before elements and code
			if !started {
				start := uvar(nil, imports+n)
				out = append(uvar(append(out, secStart), len(start)), start...)
				started = true
			}
		}
		out = append(uvar(append(out, s.id), len(s.body)), s.body...)
	}
	return out, nil
}

// split returns the sections of a module and how many functions it imports.
func split(module []byte) (sections []section, imports int, err error) {
	if len(module) < len(header) || string(module[:len(header)]) != header {
		return nil, 0, errShape
	}
	r := reader{b: module[len(header):]}
	for len(r.b) > 0 && !r.bad {
		id := r.byte()
		s := section{id, r.bytes(r.uint())}
		sections = append(sections, s)
		if id != 2 {
			continue
		}
		in := reader{b: s.body}
		for range in.uint() {
			in.bytes(in.uint())
			in.bytes(in.uint())
			if in.byte() != 0 { // Go imports functions only
				return nil, 0, errShape
			}
			in.uint()
			imports++
			if in.bad {
				return nil, 0, errShape
			}
		}
	}
	if r.bad {
		return nil, 0, errShape
	}
	return sections, imports, nil
}

// maxImage, bytes, is far more than a program has, and bounds what a broken one
// can ask for.
const maxImage = 1 << 28

// load returns the memory that data segments make, from the first to the last
// byte.
func load(data []byte) (low int, image []byte, err error) {
	type piece struct {
		at int
		b  []byte
	}
	var pieces []piece
	r := reader{b: data}
	low, high := maxImage, 0
	for n := r.uint(); n > 0 && !r.bad; n-- {
		if r.uint() != 0 || r.byte() != 0x41 { // into the memory, i32.const
			return 0, nil, errShape
		}
		p := piece{at: r.int()}
		if r.byte() != 0x0b || p.at < 0 {
			return 0, nil, errShape
		}
		p.b = r.bytes(r.uint())
		pieces = append(pieces, p)
		low, high = min(low, p.at), max(high, p.at+len(p.b))
	}
	if r.bad || len(pieces) == 0 || high > maxImage {
		return 0, nil, errShape
	}
	image = make([]byte, high-low)
	for _, p := range pieces {
		copy(image[p.at-low:], p.b)
	}
	return low, image, nil
}

// counted1 splits a section into its count and the rest, which is a copy.
func counted1(body []byte) (n int, rest []byte) {
	r := reader{b: body}
	n = r.uint()
	return n, append([]byte(nil), r.b...)
}

func segment(place int, b []byte) []byte {
	out := svar([]byte{1, 0, 0x41}, place)
	out = uvar(append(out, 0x0b), len(b))
	return append(out, b...)
}

// reader reads a module; bad is set by what cannot be.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.bad = true
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.b) {
		r.bad = true
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) uint() int {
	v := 0
	for shift := 0; shift < 35; shift += 7 {
		c := r.byte()
		v |= int(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
	r.bad = true
	return 0
}

func (r *reader) int() int {
	v := 0
	for shift := 0; shift < 35; shift += 7 {
		c := r.byte()
		v |= int(c&0x7f) << shift
		if c < 0x80 {
			if c&0x40 != 0 {
				v -= 1 << (shift + 7)
			}
			return v
		}
	}
	r.bad = true
	return 0
}

func uvar(b []byte, v int) []byte {
	for ; v >= 0x80; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v))
}

func svar(b []byte, v int) []byte {
	for ; v < -0x40 || v >= 0x40; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v)&0x7f)
}

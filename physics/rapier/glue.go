package rapier

import (
	"context"
	"errors"
	"math"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Rapier's WebAssembly expects a JavaScript host: numbers name objects of that
// host. This is as much of one as Rapier asks for. The names of imports carry a
// hash of what they do; the lock file pins them.

// Numbers of objects that wasm-bindgen fixes, and of ours, which are below what
// it may free.
const (
	jsUndefined = 1024
	jsNull      = 1025
	jsTrue      = 1026
	jsFalse     = 1027
	jsFirst     = 1028 // what is made and freed from here on
	jsBuffer    = 1    // where getters write
	jsFilter    = 2    // a function: colliders that a query looks at
	jsCollect   = 3    // a function: takes a collider that a query found
	jsHooks     = 4    // an object with the next two
	jsPair      = 5    // a function: pairs that may touch
	jsGlobal    = 6
)

// object is one that Rapier's side holds.
type object struct {
	num   float64 // a number, or a pointer to a shape
	more  float64 // a bound function has two numbers
	bytes []byte  // a Uint8Array
	next  uint32  // of those that are free
}

// host is the JavaScript side of one World.
type host struct {
	objects []object // from jsFirst on
	free    uint32   // first free one, counted from 1
	buffer  [16]float32
	keep    func(collider uint32) bool // of the query that runs; nil: all
	found   []uint32                   // what jsCollect was given
	pair    func(a, b uint32) bool     // may two colliders touch
}

func (h *host) add(o object) uint64 {
	if h.free != 0 {
		i := h.free - 1
		h.free = h.objects[i].next
		h.objects[i] = o
		return jsFirst + uint64(i)
	}
	h.objects = append(h.objects, o)
	return jsFirst + uint64(len(h.objects)) - 1
}

func (h *host) get(i uint64) object {
	if i < jsFirst || i-jsFirst >= uint64(len(h.objects)) {
		return object{}
	}
	return h.objects[i-jsFirst]
}

func (h *host) drop(i uint64) {
	if i >= jsFirst && i-jsFirst < uint64(len(h.objects)) {
		h.objects[i-jsFirst] = object{next: h.free}
		h.free = uint32(i-jsFirst) + 1
	}
}

// index is the number of a collider or body in its set, without generation.
func index(handle float64) uint32 { return uint32(math.Float64bits(handle)) }

func truth(b bool) uint64 {
	if b {
		return jsTrue
	}
	return jsFalse
}

// call is what our functions do when Rapier calls them.
func (h *host) call(fn uint64, args ...uint64) uint64 {
	switch fn {
	case jsFilter:
		return truth(h.keep == nil || h.keep(index(h.get(args[0]).num)))
	case jsCollect:
		h.found = append(h.found, index(h.get(args[0]).num))
		return jsTrue
	}
	if f := h.get(fn); f.bytes != nil { // jsPair, bound to two colliders
		if h.pair == nil || h.pair(index(f.num), index(f.more)) {
			return h.add(object{num: 1}) // SolverFlags: compute impulses
		}
		return jsNull
	}
	return jsUndefined
}

type hostKey struct{}

// boundPair marks what bind made of jsPair.
var boundPair = []byte{0}

// importNames are the functions that Rapier imports; what each does is in
// (*host).serve.
var importNames = []struct {
	name    string
	in, out string // i: int32, f: float32, d: float64
}{
	{"__wbindgen_object_drop_ref", "i", ""},
	{"__wbg_call_187d372bd5fdd4aa", "iii", "i"},
	{"__wbg_rawraycolliderintersection_new", "i", "i"},
	{"__wbg_call_939a2607c4484b0b", "iiiii", "i"},
	{"__wbg_rawcontactforceevent_new", "i", "i"},
	{"__wbg_rawsoftbodytearevent_new", "i", "i"},
	{"__wbg_bind_e7f12e49a3040c89", "iiii", "i"},
	{"__wbg_call_1875a20c43a36133", "iiii", "i"},
	{"__wbg_rawshape_unwrap", "i", "i"},
	{"__wbg_performance_3fcf6e32a7e1ed0a", "i", "i"},
	{"__wbg_now_e7c6795a7f81e10f", "i", "d"},
	{"__wbindgen_object_clone_ref", "i", "i"},
	{"__wbg_length_7f3c00c40364105e", "i", "i"},
	{"__wbg_prototypesetcall_bc27214492979395", "iii", ""},
	{"__wbg_length_58572db4c38f3c3e", "i", "i"},
	{"__wbg_set_070bd465f1c195a4", "iii", ""},
	{"__wbg_new_from_slice_9a868026ffa4208a", "ii", "i"},
	{"__wbg_set_index_3a9fd81ba7ece0c0", "iif", ""},
	{"__wbg_new_with_length_cc0362bfe8499e5a", "i", "i"},
	{"__wbg_static_accessor_GLOBAL_THIS_10fb7dc1ae063179", "", "i"},
	{"__wbg_static_accessor_SELF_0b583911f537483a", "", "i"},
	{"__wbg_static_accessor_GLOBAL_266715b9d96ba635", "", "i"},
	{"__wbg_static_accessor_WINDOW_d7f903d1508cbdc4", "", "i"},
	{"__wbg___wbindgen_number_get_2e0e7dee9f701a71", "ii", ""},
	{"__wbg___wbindgen_throw_41e9ee4f547fc59a", "ii", ""},
	{"__wbg___wbindgen_boolean_get_5b446f51afd21013", "i", "i"},
	{"__wbg___wbindgen_is_function_1f9d30630b8b1d3d", "i", "i"},
	{"__wbg___wbindgen_is_undefined_8865fb403f8fe9d8", "i", "i"},
	{"__wbindgen_generic_0000000000000001", "d", "i"},
}

func types(s string) []api.ValueType {
	var t []api.ValueType
	for _, c := range s {
		t = append(t, map[rune]api.ValueType{'i': api.ValueTypeI32, 'f': api.ValueTypeF32, 'd': api.ValueTypeF64}[c])
	}
	return t
}

// imports gives a runtime the host's functions, under the name of the script
// that Rapier comes with.
func imports(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder("./rapier_wasm3d_bg.js")
	for i, f := range importNames {
		do := func(ctx context.Context, m api.Module, stack []uint64) {
			ctx.Value(hostKey{}).(*host).serve(i, m.Memory(), stack)
		}
		b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(do), types(f.in), types(f.out)).Export(f.name)
	}
	_, err := b.Instantiate(ctx)
	return err
}

// serve does what the import of that number does, from and to the stack.
func (h *host) serve(number int, m api.Memory, s []uint64) {
	for i, t := range importNames[number].in {
		if t == 'i' {
			s[i] = uint64(uint32(s[i])) // the rest is noise
		}
	}
	switch number {
	case 0: // drop
		h.drop(s[0])
	case 1, 3, 7: // call(function, this, arguments)
		s[0] = h.call(s[0], s[2:]...)
	case 6: // bind(function, this, two arguments)
		s[0] = h.add(object{num: h.get(s[2]).num, more: h.get(s[3]).num, bytes: boundPair})
	case 2, 4, 5: // a pointer becomes an object
		s[0] = h.add(object{num: float64(uint32(s[0]))})
	case 8: // and back
		s[0] = uint64(uint32(h.get(s[0]).num))
	case 9, 19, 20, 21, 22: // performance, and where it may be
		s[0] = jsGlobal
	case 10: // now: there is no clock
		s[0] = 0
	case 11: // clone
		if s[0] >= jsFirst {
			s[0] = h.add(h.get(s[0]))
		}
	case 12, 14: // length
		if s[0] == jsBuffer {
			s[0] = uint64(len(h.buffer))
			return
		}
		s[0] = uint64(len(h.get(s[0]).bytes))
	case 13: // copy into Rapier's memory
		m.Write(uint32(s[0]), h.get(s[2]).bytes)
	case 15: // floats from Rapier's memory
		for i := range min(uint32(s[2]), uint32(len(h.buffer))) {
			h.buffer[i], _ = m.ReadFloat32Le(uint32(s[1]) + 4*i)
		}
	case 16: // bytes from Rapier's memory
		b, _ := m.Read(uint32(s[0]), uint32(s[1]))
		s[0] = h.add(object{bytes: append([]byte{}, b...)})
	case 17:
		if i := uint32(s[1]); i < uint32(len(h.buffer)) {
			h.buffer[i] = math.Float32frombits(uint32(s[2]))
		}
	case 18: // an array that nobody reads
		s[0] = h.add(object{})
	case 23: // number?
		h.number(m, uint32(s[0]), s[1])
	case 24:
		b, _ := m.Read(uint32(s[0]), uint32(s[1]))
		panic(errors.New(string(b)))
	case 25: // boolean?
		s[0] = map[uint64]uint64{jsTrue: 1, jsFalse: 0}[s[0]]
	case 26: // function?
		s[0] = map[uint64]uint64{jsFilter: 1, jsCollect: 1, jsPair: 1}[s[0]]
	case 27: // undefined?
		if s[0] == jsUndefined {
			s[0] = 1
		} else {
			s[0] = 0
		}
	case 28:
		s[0] = h.add(object{num: math.Float64frombits(s[0])})
	}
}

// number writes whether an object is a number, and which.
func (h *host) number(m api.Memory, to uint32, i uint64) {
	is, x := uint32(0), 0.0
	if i >= jsFirst {
		is, x = 1, h.get(i).num
	}
	m.WriteFloat64Le(to+8, x)
	m.WriteUint32Le(to, is)
}

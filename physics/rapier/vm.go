package rapier

import (
	"context"
	"errors"
	"math"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/foretick/foretick/geom"
)

// vm is an instance of Rapier with a memory of its own. After an error, which
// Rapier's own panics are, it does nothing any more and gives zeros.
type vm struct {
	host
	ctx    context.Context
	mod    api.Module
	mem    api.Memory
	fns    [fnCount]api.Function
	wide   [fnCount]bool // gives 64 bits, not 32
	stack  [32]uint64
	err    error
	vecs   [6]uint64 // vectors that calls read from
	still  uint64    // the rotation that turns nothing
	serial uint64    // Rapier's serialiser
}

// fn is a function that Rapier exports.
type fn int

func (m *Module) instance() (*vm, error) {
	v := &vm{}
	v.ctx = context.WithValue(m.ctx, hostKey{}, &v.host)
	mod, err := m.runtime.InstantiateModule(v.ctx, m.code, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, err
	}
	v.mod, v.mem = mod, mod.Memory()
	for i, name := range fnNames {
		if v.fns[i] = mod.ExportedFunction(name); v.fns[i] == nil {
			return nil, errors.New("rapier: this is another version: it has no " + name)
		}
		for _, t := range v.fns[i].Definition().ResultTypes() {
			v.wide[i] = t == api.ValueTypeF64
		}
	}
	for i := range v.vecs {
		v.vecs[i] = v.call(vectorNew, 0, 0, 0)
	}
	v.still = v.call(rotationNew, 0, 0, 0, f32(1))
	v.serial = v.call(serialNew)
	return v, v.err
}

// call calls an export. Arguments are pointers, flags, and what f32 and f64 make.
func (v *vm) call(f fn, args ...uint64) uint64 {
	if v.err != nil {
		return 0
	}
	v.stack[0] = 0
	copy(v.stack[:], args)
	if err := v.fns[f].CallWithStack(v.ctx, v.stack[:max(len(args), 1)]); err != nil {
		v.err = err
		return 0
	}
	if v.wide[f] {
		return v.stack[0]
	}
	return uint64(uint32(v.stack[0])) // the rest is noise
}

func f32(x float32) uint64 { return uint64(math.Float32bits(x)) }
func f64(x float64) uint64 { return math.Float64bits(x) }

func asF32(x uint64) float32 { return math.Float32frombits(uint32(x)) }
func asF64(x uint64) float64 { return math.Float64frombits(x) }

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// vec puts a vector into one of the six that calls read from.
func (v *vm) vec(i int, a geom.Vec3) uint64 {
	p := v.vecs[i]
	v.call(vectorSetX, p, f32(a.X))
	v.call(vectorSetY, p, f32(a.Y))
	v.call(vectorSetZ, p, f32(a.Z))
	return p
}

// rot makes a rotation, which is to be freed.
func (v *vm) rot(q geom.Quat) uint64 {
	return v.call(rotationNew, f32(q.X), f32(q.Y), f32(q.Z), f32(q.W))
}

func (v *vm) freeRot(p uint64) { v.call(rotationFree, p, 0) }

// out is the vector that a getter wrote at an index of the buffer.
func (h *host) out(i int) geom.Vec3 { return geom.V3(h.buffer[i], h.buffer[i+1], h.buffer[i+2]) }

// floats and ints put arrays into Rapier's memory, which it then owns.
func (v *vm) floats(a []geom.Vec3) (ptr, n uint64) {
	n = 3 * uint64(len(a))
	ptr = v.call(malloc, 4*n, 4)
	for i, p := range a {
		at := uint32(ptr) + 12*uint32(i)
		v.mem.WriteFloat32Le(at, p.X)
		v.mem.WriteFloat32Le(at+4, p.Y)
		v.mem.WriteFloat32Le(at+8, p.Z)
	}
	return ptr, n
}

func (v *vm) ints(a []uint32) (ptr, n uint64) {
	n = uint64(len(a))
	ptr = v.call(malloc, 4*n, 4)
	for i, x := range a {
		v.mem.WriteUint32Le(uint32(ptr)+4*uint32(i), x)
	}
	return ptr, n
}

package level

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Component types of glTF.
const (
	i8  = 5120
	u8  = 5121
	i16 = 5122
	u16 = 5123
	u32 = 5125
	f32 = 5126
)

func sizeOf(component int) int {
	switch component {
	case i8, u8:
		return 1
	case i16, u16:
		return 2
	case u32, f32:
		return 4
	}
	return 0
}

// elements is count elements of n components in data, stride bytes apart.
type elements struct {
	data             []byte
	count, stride, n int
	component        int
}

// elements finds them in a buffer view, and checks that all are there.
func (d *document) elements(view, offset, component, count, n int) (elements, error) {
	data, v, err := d.view(view)
	if err != nil {
		return elements{}, err
	}
	size := sizeOf(component) * n
	if size == 0 {
		return elements{}, fmt.Errorf("component type %d", component)
	}
	stride := v.ByteStride
	if stride == 0 {
		stride = size
	}
	if stride < size {
		return elements{}, fmt.Errorf("elements of %d bytes, %d apart", size, stride)
	}
	if offset < 0 || offset > len(data) || count < 0 || count > maxVertices ||
		count > 0 && (count-1)*stride+size > len(data)-offset {
		return elements{}, fmt.Errorf("%d elements of %d bytes at %d in a buffer view of %d", count, size, offset, len(data))
	}
	return elements{data[offset:], count, stride, n, component}, nil
}

// number returns component c of element i.
func (e *elements) number(i, c int) float64 {
	b := e.data[i*e.stride+c*sizeOf(e.component):]
	switch e.component {
	case i8:
		return float64(int8(b[0]))
	case u8:
		return float64(b[0])
	case i16:
		return float64(int16(binary.LittleEndian.Uint16(b)))
	case u16:
		return float64(binary.LittleEndian.Uint16(b))
	case u32:
		return float64(binary.LittleEndian.Uint32(b))
	}
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

// full is what stands for 1 in a normalized accessor.
func full(component int) (float64, error) {
	switch component {
	case i8:
		return math.MaxInt8, nil
	case u8:
		return math.MaxUint8, nil
	case i16:
		return math.MaxInt16, nil
	case u16:
		return math.MaxUint16, nil
	}
	return 0, fmt.Errorf("component type %d, normalized", component)
}

// numbers returns all elements of an accessor, one after the other.
func (d *document) numbers(i int, kind string, n int) ([]float64, error) {
	a, err := at(d.Accessors, i, "accessor")
	if err != nil {
		return nil, err
	}
	if a.Type != kind || a.Count < 0 || a.Count > maxVertices || sizeOf(a.ComponentType) == 0 {
		return nil, fmt.Errorf("accessor %d: %d of %q, component type %d; want %s", i, a.Count, a.Type, a.ComponentType, kind)
	}
	var from elements
	if a.BufferView != nil {
		if from, err = d.elements(*a.BufferView, a.ByteOffset, a.ComponentType, a.Count, n); err != nil {
			return nil, fmt.Errorf("accessor %d: %w", i, err)
		}
	} else if a.Sparse == nil {
		return nil, fmt.Errorf("accessor %d has no data", i)
	}
	out := make([]float64, a.Count*n)
	for e := range from.count {
		for c := range n {
			out[e*n+c] = from.number(e, c)
		}
	}
	if a.Sparse != nil {
		if err := d.sparse(a, out, n); err != nil {
			return nil, fmt.Errorf("accessor %d, sparse: %w", i, err)
		}
	}
	if a.Normalized {
		one, err := full(a.ComponentType)
		if err != nil {
			return nil, fmt.Errorf("accessor %d: %w", i, err)
		}
		for k, x := range out {
			out[k] = max(x/one, -1)
		}
	}
	return out, nil
}

// sparse writes the elements that stand by themselves.
func (d *document) sparse(a *accessor, out []float64, n int) error {
	s := a.Sparse
	if s.Count < 0 || s.Count > a.Count {
		return fmt.Errorf("%d of %d elements", s.Count, a.Count)
	}
	if c := s.Indices.ComponentType; c != u8 && c != u16 && c != u32 {
		return fmt.Errorf("indices of component type %d", c)
	}
	index, err := d.elements(s.Indices.BufferView, s.Indices.ByteOffset, s.Indices.ComponentType, s.Count, 1)
	if err != nil {
		return err
	}
	value, err := d.elements(s.Values.BufferView, s.Values.ByteOffset, a.ComponentType, s.Count, n)
	if err != nil {
		return err
	}
	for k := range s.Count {
		e := int(index.number(k, 0))
		if e >= a.Count {
			return fmt.Errorf("element %d of %d", e, a.Count)
		}
		for c := range n {
			out[e*n+c] = value.number(k, c)
		}
	}
	return nil
}

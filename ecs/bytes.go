package ecs

import "unsafe"

// BytesOf returns the bytes of a component value. T holds no pointers.
func BytesOf[T any](v *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v))
}

package ecs

import "unsafe"

// BytesOf returns the bytes of a component value. T holds no pointers.
func BytesOf[T any](v *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v))
}

// BytesOfSlice returns the bytes of a slice's values. T holds no pointers.
func BytesOfSlice[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), uintptr(len(s))*unsafe.Sizeof(s[0]))
}

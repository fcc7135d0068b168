package client

import "syscall/js"

// random asks the browser: crypto/rand would bring its own generator and more.
func random() uint64 {
	a := js.Global().Get("Uint8Array").New(8)
	js.Global().Get("crypto").Call("getRandomValues", a)
	var b [8]byte
	js.CopyBytesToGo(b[:], a)
	n := uint64(1)
	for i, x := range b {
		n |= uint64(x) << (8 * i)
	}
	return n
}

//go:build !embedpage

package web

// What a program built with the tag embedpage has in it: here nothing.
var (
	embedded       map[string][]byte
	support        []byte
	galleryProgram []byte
)

//go:build !embedpage

package web

// embedded is three in the program: none.
var embedded map[string][]byte

//go:build !js

package client

import (
	"crypto/rand"
	"encoding/binary"
)

func random() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:]) | 1
}

package shape

const (
	minSize = 0.001 // metres; a smaller body turns unstable in float32
	maxSize = 10_000
)

const (
	maxHullVerts = 64  // of a hull; a power of two. A face has at most as many
	maxHullFaces = 128 // 2*64 - 4 is possible; a power of two
)

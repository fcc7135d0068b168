package shape

const (
	minSize = 0.001 // metres; a smaller body turns unstable in float32
	maxSize = 10_000
)

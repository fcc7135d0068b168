package level

const (
	// A map of a shooter has 10,000 triangles, a scanned city a million. More
	// is refused: the tree over them would take seconds and gigabytes.
	maxTriangles = 2 << 20
	maxJSON      = 16 << 20 // bytes: it costs thirty times as much to read
	maxVertices  = 3 * maxTriangles
	maxWork      = 2 * maxVertices // indices and primitives read; half a second

	// Nodes within nodes. Blender's rigs have some ten; more is an attack on
	// the stack.
	maxDepth = 64
)

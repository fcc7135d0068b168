package physics

const (
	// boxSlack is how much wider than computed the box of a static body is, as
	// a share of its distance from the origin: some roundings of float32.
	boxSlack = 4 * 0x1p-23

	// maxQuery, metres: a cast from further away, or that goes further, meets
	// nothing.
	maxQuery = 4e5

	minRadius = 0.001  // metres; a thinner sphere or capsule is cast as this
	maxRadius = 10_000 // metres; a thicker one, or a longer one, meets nothing

	maxPast = 1 << 12 // ticks

	// ballSlack is the share of a squared distance by which rounding may move
	// it, in the first test of a moving body.
	ballSlack = 8 * 0x1p-23
)

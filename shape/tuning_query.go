package shape

const (
	// maxDepth bounds the levels of a tree and so the stack of a walk. A power
	// of two.
	maxDepth = 64

	// bins is how finely a tree's builder looks for where to part boxes.
	bins = 12

	// manyPrims: with more boxes than this, only the longest axis is tried.
	manyPrims = 64

	fewPrims = 8 // boxes that are sorted instead

	meshLeaf = 2 // triangles in a leaf of a mesh, at most

	maxTriangles = 1 << 24   // of a mesh or field; 1 GB with all that belongs to them
	maxCoord     = 100_000.0 // metres, of a vertex

	minEdge   = 1e-6 // metres; a triangle whose longest edge is shorter is left out
	minSliver = 1e-7 // height of a triangle per longest edge; below, its normal is noise

	// ridgeSine is the sine of the angle between two triangles from which on
	// their edge is a ridge: 3 degrees. Flatter ones would catch what slides.
	ridgeSine = 0.0523

	maxTouching = 64 // triangles of a mesh or field that touch one convex shape

	mergeCosine = 0.99985 // between normals that count as one: 1 degree

	cellSlack = 1e-5 // of a cell, by which rounding may put a box beside one

	tiny64 = 1e-60 // squared length of a float64 vector without direction

	// castGap, metres: a cast stops at a gap between 0 and this, and counts as
	// moving along what it comes no nearer to than this. Rays agree with other
	// engines to far better than a millimetre even when they graze by 1 in 20.
	castGap = 1e-6

	// touchDepth, metres: a cast that starts deeper than this is inside. Places
	// are rounded to this at 100 m.
	touchDepth = 1e-5

	castSteps = 64 // Newton's steps of a cast; a grazing one divides the gap by 4 in each

	gjkSteps = 64    // of a distance; boxes take under 10
	gjkClose = 1e-10 // share of the squared distance that may be left
	gjkMeet  = 1e-16 // m^2; nearer cores meet

	parallel64 = 1e-12 // squared sine of segments without one nearest point

	// wayBias, metres: so much shorter must a later way out be to be taken:
	// faces come before edges.
	wayBias = 1e-6

	// leanLeast is the squared length below which nothing is left of a normal
	// but rounding.
	leanLeast = 1e-8

	// leastRound, metres: a thinner round has no distance to what it touches.
	leastRound = 1e-4

	// big is beyond every coordinate; its products stay finite in a walk.
	big = 1e17

	// tinyMove, metres: what a cast moves less than this along an axis counts
	// as this, so that 1/move times a distance stays finite.
	tinyMove = 1e-18

	// touching, metres: a box this far from a cast that stands still along an
	// axis is met. Over tinyMove it is far above 1.
	touching = 1e-12

	// putOff is how much later a cast leaves a box of a tree than computed:
	// four roundings of float32.
	putOff = 1 + 4*0x1p-23
)

package shape

// Without memory of the last step, what keeps two resting bodies on the same
// features is a fixed preference: faces of the first shape before those of the
// second, faces before edges.
const (
	featureSlop  = 0.005 // metres by which an axis must separate better than a preferred one; about what bodies at rest overlap
	featureShare = 0.05  // the same as a share of the overlap, and of the smallest half extent, which slop may not exceed

	parallelSine2 = 1e-6  // squared sine between edges below which their cross product says nothing
	edgeSlop      = 1e-5  // share of the centres' distance: a bound this near is no bound
	clipGrow      = 1e-5  // metres that a reference face is grown by, so that edges on its border are within
	clipInside    = 1e-5  // share of a face's side that a corner must be within it; nearer, an edge's end stands for it
	spreadFlat    = 1e-5  // of the square of a manifold's length: an area below this is none
	noAxis        = -1e17 // metres: worse than every axis
	boundsSlop    = 0.001 // metres: boxes seen from a turned frame are rounded
	coreTouch     = 1e-5
	coreTouch2    = 1e-10 // square metres: a core nearer than 0.01 mm has no direction, faces and edges decide
	alongSine2    = 0.01  // squared sine (6 degrees) within which capsules touch in two points
	alongShare    = 0.25  // of the radii's sum: how far to the side the second point may be
)

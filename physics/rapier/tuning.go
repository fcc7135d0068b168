package rapier

// Rapier's numbers for what Def says in words.
const (
	rapierDynamic   = 0
	rapierFixed     = 1
	rapierKinematic = 3 // by velocity

	ruleMultiply = 2 // friction: of two roots, so that a pair has the root of the product
	ruleMax      = 3 // restitution

	touchDefault = 15 // moving bodies touch moving and fixed ones
	hookContacts = 1  // ask which pairs may touch

	groups = 16 // layers that Rapier knows; ours are 32

	// Merge equal vertices, and let contacts at inner edges have the normals of
	// their faces, seen from either side.
	meshFlags = 656
)

const (
	maxPos   = 1e6     // metres; float32 has steps of 6 cm there
	maxSpeed = 1e5     // m/s and rad/s
	maxPast  = 1 << 12 // ticks
	maxValue = 1e9     // of densities, frictions and the like

	touching   = 1e-5 // metres: nearer than this is in touch
	inCore     = 0.01 // of a radius: an axis that is nearer says nothing of where it came from
	sharp      = 0.01 // metres: how far a cast may end from where it touches
	sharpSteps = 4
	sharpAngle = 0.01 // cosine: flatter, a gap says nothing of the way
	lookup     = 0.02 // metres: how far from a point of contact its triangle may be
)

package pucks

const (
	half       = 20 // metres from the middle to a wall
	goalHalf   = 3  // metres from the middle of an end wall to a goalpost
	freePucks  = 30
	maxPlayers = 16
	// maxBodies is how many pucks a step moves: memory on its stack.
	maxBodies = 64

	accel      = 30 // metres a second squared; with its drag a player reaches 10 m/s
	dashSpeed  = 9  // metres a second gained by one click
	dashClicks = 2  // clicks in one tick that count; what more a hostile counter claims does not
	dashRest   = 30 // ticks between dashes: half a second
	// maxSpeed, in metres a second, is half a radius a tick: a puck never
	// passes through another between two ticks.
	maxSpeed = 24
	// restSpeed, in metres a second: slower is at rest, and costs no bandwidth.
	restSpeed = 0.02

	bouncy    = 0.9  // share of the speed kept in a bump
	bumpSpeed = 0.5  // metres a second; a softer contact is silent
	bellRest  = 10   // ticks between two sounds of a puck
	goalRest  = 60   // ticks between two goals of a puck
	touchSkin = 0.02 // metres between two pucks that touch: a contact ends with them just apart
	// spawnTries is how many places are looked at for a new puck. The rink is
	// so empty that all of them taken is one chance in millions.
	spawnTries = 32
)

var (
	playerPuck = Puck{Radius: 0.8, InvMass: 0.5, Drag: 3}
	freePuck   = Puck{Radius: 0.6, InvMass: 1, Drag: 0.5}
)

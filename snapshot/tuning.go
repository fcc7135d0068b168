package snapshot

const (
	// maxVersions is how many versions of one entity a client keeps at most.
	// The server sends in full rather than name a baseline that so many newer
	// versions may have pushed out. At one version a tick it is a round trip of
	// about a second at 60 Hz; more is memory, less makes long links send in full.
	maxVersions = 64

	// firstVersions is the room an entity starts with on a client: most rest, and
	// one version is all they need.
	firstVersions = 4

	// lateMargin, in ticks, is how long before the newest baseline that was named
	// versions are kept, so that a packet overtaken on the way still decodes.
	// Less loses such packets under jitter; more is memory for each moving entity.
	lateMargin = 16

	// maxHeld, in words, stops a hostile server from filling the client's memory
	// with versions: past it an entity gets no further room. 64 MB.
	maxHeld = 16 << 20

	// recordWords is what a version takes beside its words, in words.
	recordWords = 6

	// pendingPackets is how many packets of one client await acknowledgement; an
	// ack of an older one is ignored. A power of two: 17 s at one packet a tick.
	pendingPackets = 1024

	// firstNotes is the room for statements that a packet starts with: more than
	// usually fit into one, so that it seldom grows. 12 bytes each.
	firstNotes = 96

	// maxMisses ends the choice of a tick's entities after so many in a row that
	// fitted nowhere: the packets are full. Less wastes room behind large
	// entities, more wastes time on encoding what is not sent.
	maxMisses = 16

	// wholePause is for how many plans a client whose packets are full is not
	// tried with everything in one: less wastes time on encoding what does not
	// fit, more on choosing where nothing need be chosen.
	wholePause = 15

	// codeWays is against how many baselines the code of an entity's change is
	// kept for other clients. More is memory, less misses where clients' round
	// trips differ by some ticks.
	codeWays = 4

	// maxIndex is the highest entity index.
	maxIndex = 1<<16 - 1
)

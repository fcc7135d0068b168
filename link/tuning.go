package link

import "time"

const (
	// AckBits is how many packets before the newest one each header answers
	// for. 64 is one second at 60 packets/s: an acknowledgement survives the
	// loss of every return packet but one in a second.
	AckBits = 64

	// Window is how many sequence numbers the link remembers, both ways: sent
	// packets whose acknowledgement still counts, and received ones that are
	// known as duplicates. Power of two; 1,024 is 8 s at 128 packets/s, more
	// than any history, and 24 KiB a link.
	Window = 1024

	// maxAhead is the largest step forward of a received sequence number.
	// Packets this far apart mean minutes of silence, after which a connection
	// is dead anyway; a smaller value would kill links that recover, a larger
	// one would take a packet replayed after half a wrap for a new one.
	maxAhead = 1 << 14

	// Gains of the smoothed round trip and its mean deviation, as in RFC 6298.
	// Larger follows faster and is noisier.
	rttGain, jitterGain = 8, 4

	// The minimum is over minSlots slots of minSlot each. Shorter forgets an
	// uncongested path too soon, longer misses that the route changed.
	minSlot  = time.Second
	minSlots = 10

	// lossSpan is how many packets the loss estimate looks back on, softly.
	// Smaller is noisier: its standard deviation at 10 % loss is 2 %.
	lossSpan = 128
)

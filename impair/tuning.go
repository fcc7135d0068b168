package impair

import "time"

const (
	// MaxInFlight caps the packets a link holds, waiting and travelling. One
	// more is dropped and counted. It is 16 s at 250 packets/s: deep enough for
	// the 5.8 s gaps of the recorded links, and bounded for a flood.
	MaxInFlight = 4096

	// MaxPacket is the largest packet in bytes; a larger one is dropped. No
	// datagram is larger.
	MaxPacket = 1 << 16

	// traceBytes is what one line of a Mahimahi trace lets pass.
	traceBytes = 1500

	// minQueue is the least default queue of a link with a bandwidth: two full
	// packets, below which nothing would pass.
	minQueue = 3000

	// maxTime cuts every configured time, so that sums cannot overflow.
	maxTime = time.Hour

	// maxTries bounds the redraws of a delay that fell outside its cut; then it
	// is clamped. At the worst configuration, mean zero, one draw in 65,000
	// gets there.
	maxTries = 16

	// The Wi-Fi model of ../shared/data: with probability (jitter-wifiFloor)/
	// wifiScale a packet waits Poisson(12) slots of wifiSlot.
	wifiFloor = time.Millisecond
	wifiScale = 90 * time.Millisecond
	wifiSlot  = 7500 * time.Microsecond

	// maxLines bounds what the trace parsers keep: 100 times the longest trace
	// that we know of.
	maxLines = 1 << 24
)

package transport

import "time"

const (
	// MaxPacket, bytes: the longest packet of any carrier. Above the 1,150 that a
	// snapshot may fill and what a QUIC datagram holds; longer would work over
	// WebSocket only.
	MaxPacket = 1200

	// MaxReason, bytes: what a WebSocket close frame has room for.
	MaxReason = 123

	// OutboxPackets wait for a slow socket: 133 ms at 60 Hz. More makes what a
	// slow peer sees older, fewer loses packets of a tick that sends several.
	OutboxPackets = 8

	// InboxPackets wait for Drain: four seconds at 60 Hz, or a join's burst of
	// packets in one slow frame. At most 300 kB a connection.
	InboxPackets = 256

	// CloseTimeout bounds the farewell: flush, reason, the peer's answer.
	CloseTimeout = 2 * time.Second

	// writeTimeout: a socket that takes no byte for so long is dead or hostile.
	// Shorter would cut players off during a common stall of a mobile network.
	writeTimeout = 5 * time.Second

	// dialTimeout bounds a dial whose context has no end.
	dialTimeout = 10 * time.Second

	// firstPacket: a stranger must say something within this, or holds a place
	// for nothing.
	firstPacket = 10 * time.Second

	// idleTimeout between two packets. A sleeping tab of a minute survives.
	idleTimeout = 90 * time.Second

	// socketBuffer, bytes, each way: how much the kernel queues out of our reach.
	// Small, because newest-wins ends where the kernel begins: half a second of
	// 60 kB/s; large enough for 200 kB/s at 250 ms RTT.
	socketBuffer = 32 << 10

	// maxMessage, bytes: a longer message ends the connection at once; between
	// MaxPacket and this it is read past and dropped, maxBadSize times.
	maxMessage = 64 << 10
	maxBadSize = 16

	// Rates a peer may send at, and how long it may insist on more before it is
	// closed. One second of the rate may come at once (after a stall). A client
	// sends one input packet a tick; a server several snapshot packets a tick,
	// and more while somebody joins.
	clientPackets = 512       // packets/s, of a client
	clientBytes   = 256 << 10 // bytes/s, of a client
	serverPackets = 8192
	serverBytes   = 8 << 20
	patience      = 5 * time.Second

	// staleAfter, of WebTransport: packets that the congestion window holds back
	// for longer are dropped, once there are packets of a newer tick. Packets put
	// within sameTick of each other are of one tick. Longer makes the newest
	// snapshot older (20 ms: by 5 ms at p99), shorter drops what a moment later
	// would have gone.
	staleAfter = 10 * time.Millisecond
	sameTick   = 5 * time.Millisecond

	// packetOverhead, bytes: what QUIC adds to a datagram at the least.
	packetOverhead = 20

	// How often a sender looks whether the congestion window opened; only while
	// it is shut.
	firstLook = 200 * time.Microsecond
	lastLook  = 1 * time.Millisecond

	// lastWords is how much later than the last packet the farewell goes: where it
	// comes, packets that are still being handed on are lost.
	lastWords = 20 * time.Millisecond

	// quicIdle: a QUIC connection without any packet for so long is lost, and
	// quicAlive keeps one that has nothing to say. Shorter would break what a
	// tunnel only interrupts; longer lets a client wait for a server that is gone.
	quicIdle  = 15 * time.Second
	quicAlive = 4 * time.Second

	// firstAttempt bounds the try over WebTransport before WebSocket is tried: at
	// 300 ms RTT the handshake takes one second.
	firstAttempt = 2 * time.Second

	// QUIC handshakes that are not finished: above halfOpenRetry a stranger has
	// to prove its address, which costs it a round trip; above maxHalfOpen it is
	// refused. Each is given headerTimeout.
	halfOpenRetry = 64
	maxHalfOpen   = 512

	// quicWindow, bytes: what a peer may send on streams before we read it. We
	// read only headers and the farewell.
	quicWindow = 16 << 10

	// headerTimeout bounds an HTTP request's header: a handshake that trickles.
	headerTimeout = 5 * time.Second

	// Connections of a Hub and of a Guard, unless configured. An address is an
	// IPv4 address or an IPv6 /64: a household or a school, so not one player.
	maxConns          = 1024
	maxPerAddress     = 64
	maxSockets        = 4096
	maxSocketsAddress = 256
	backlog           = 64

	// turnAway farewells are given at a time; to more strangers the refusal is
	// plain HTTP, which a browser cannot show to its user.
	turnAway = 16
)

// limits are the tuning of one connection; tests shorten them.
type limits struct {
	packets, bytes     float64       // per second, of the peer
	first, idle, write time.Duration // until the first packet, between packets, for one write
	patience           time.Duration // with a flood
}

func clientLimits() limits { // that a server sets a client
	return limits{clientPackets, clientBytes, firstPacket, idleTimeout, writeTimeout, patience}
}

func serverLimits() limits { // that a client sets a server, which speaks when spoken to
	return limits{serverPackets, serverBytes, idleTimeout, idleTimeout, writeTimeout, patience}
}

package wire

const (
	// Protocol is the version of everything in STANDARD.md except the first
	// fields of a hello and all of a refuse, which never change. It is part of
	// every session's salt.
	Protocol uint16 = 1

	// ProtocolSalt ("foretick") salts hello, welcome and refuse, in every
	// version, so that a peer of another version can be told so.
	ProtocolSalt uint64 = 0x6b63697465726f66

	// MaxPacket is the largest sealed packet, in bytes. QUIC datagrams carry
	// 1,243 at connect; 1,150 fits every transport, tunnels included.
	MaxPacket = 1150

	// SealSize is the checksum's size in bytes.
	SealSize = 4

	// MaxBody is what MaxPacket leaves for a body, in bytes.
	MaxBody = MaxPacket - SealSize

	// MinHello is the smallest sealed hello, in bytes. It is larger than any
	// answer to an address that has proved nothing (MaxAnswer), so that the
	// server is no use for multiplying somebody's traffic.
	MinHello = 256

	// MaxAnswer is the largest sealed welcome or refuse, in bytes.
	MaxAnswer = SealSize + (4+64+8+8+8*MaxReason+7)/8

	// MaxName bounds the names of games and components, in bytes: 64
	// components of a typical dozen letters fit in one hello.
	MaxName = 32

	// MaxComponents bounds the components of a hello; an entity's presence
	// mask has 64 bits.
	MaxComponents = 64

	// MaxPayload bounds the game's own bytes in a hello. It is recorded as an
	// input, so it stays small.
	MaxPayload = 256

	// MaxReason bounds the text of a refuse or bye, in bytes.
	MaxReason = 200

	// MaxInputs is the most inputs in a packet: about a second at 60 Hz. What
	// a client has not had acknowledged for longer is too late anyway.
	MaxInputs = 64

	// MaxInputWords is the most words a game's input may have: one input in
	// its longest form then fills half a packet.
	MaxInputWords = 128

	// ViewUnit is how many units of InputEntry.View make a tick.
	ViewUnit = 64

	// MarginUnit is how many units of SnapshotHead.Margin make a tick.
	MarginUnit = 16

	// MaxExecuted is the most ticks of executed-input feedback in a packet: two
	// seconds at 60 Hz, more than any input that can still be repaired.
	MaxExecuted = 128

	// MaxEffects is the most effects in a packet; more wait for the next one.
	MaxEffects = 64
)

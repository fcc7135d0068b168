package transport

// pipe is one end of a connection in memory. It has no goroutine: Send puts the
// packet into the other end's inbox.
type pipe struct {
	core
	peer *pipe
}

// Pipe returns the two ends of a perfect connection in memory: in order, no
// delay, nothing lost as long as the other end drains. Wrap an end with Impair
// for anything worse.
func Pipe() (a, b Conn) {
	x, y := &pipe{}, &pipe{}
	x.init("memory", Memory)
	y.init("memory", Memory)
	x.peer, y.peer = y, x
	return x, y
}

func (p *pipe) Send(packet []byte) {
	if p.ended() {
		return
	}
	if !rightSize(packet) {
		p.badSize.Add(1)
		return
	}
	p.sent.Add(1)
	p.sentBytes.Add(uint64(len(packet)))
	p.peer.arrived(packet)
}

func (p *pipe) Close(reason string) error {
	if p.finish(ByUs, reason, nil) {
		p.peer.finish(ByPeer, reason, nil)
	}
	return nil
}

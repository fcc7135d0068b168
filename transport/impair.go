package transport

import (
	"sync"
	"time"

	"github.com/foretick/foretick/impair"
)

// Impaired is a Conn behind the link simulator, on the real clock: what is sent
// passes one simulated link, what is received another. Wrap one end only.
type Impaired struct {
	core
	conn  Conn
	begun time.Duration // since epoch
	wake  chan struct{}

	links    sync.Mutex
	up, down *impair.Link
	pull     func(packet []byte) // what came through conn, into down
}

const never time.Duration = 1 << 62 // by when everything is due

// Impair puts up before what conn sends and down before what it receives. The
// seed decides what is lost and late; real arrival times are not seeded, so runs
// differ. Close delivers what is on its way up at once.
func Impair(conn Conn, up, down impair.Config, seed uint64) *Impaired {
	p := &Impaired{
		conn:  conn,
		begun: time.Since(epoch),
		wake:  make(chan struct{}, 1),
		up:    impair.New(up, seed),
		down:  impair.New(down, seed^1<<63),
	}
	p.init(conn.Remote(), conn.Carrier())
	p.pull = func(packet []byte) { p.down.Send(packet, p.now()) }
	go p.run()
	return p
}

func (p *Impaired) now() time.Duration { return time.Since(epoch) - p.begun }

// epoch: see queue.at.
var epoch = time.Now()

// Set changes both links for packets from now on.
func (p *Impaired) Set(up, down impair.Config) {
	p.links.Lock()
	p.up.Set(up)
	p.down.Set(down)
	p.links.Unlock()
	poke(p.wake)
}

// Counters of both links.
func (p *Impaired) Counters() (up, down impair.Counters) {
	p.links.Lock()
	defer p.links.Unlock()
	return p.up.Counters(), p.down.Counters()
}

// Send implements Conn.
func (p *Impaired) Send(packet []byte) {
	if !rightSize(packet) {
		p.badSize.Add(1)
		return
	}
	p.links.Lock()
	if !p.ended() {
		p.up.Send(packet, p.now())
	}
	p.links.Unlock()
	poke(p.wake)
}

// Drain implements Conn.
func (p *Impaired) Drain(f func(packet []byte)) int {
	p.move()
	return p.core.Drain(f)
}

// Ready implements Conn.
func (p *Impaired) Ready() <-chan struct{} {
	if p.conn.Ready() == nil {
		return nil
	}
	return p.ready
}

// Close implements Conn.
func (p *Impaired) Close(reason string) error {
	p.links.Lock()
	for packet, ok := p.up.Deliver(never); ok; packet, ok = p.up.Deliver(never) {
		p.conn.Send(packet)
	}
	p.finish(ByUs, reason, nil)
	p.links.Unlock()
	return p.conn.Close(reason)
}

// Gone is that of the connection below, or Done if that has none.
func (p *Impaired) Gone() <-chan struct{} {
	if c, ok := p.conn.(interface{ Gone() <-chan struct{} }); ok {
		return c.Gone()
	}
	return p.done
}

// lost ends p like conn, which has ended. What is on its way down comes at once,
// or a refusal would be known by its reason only.
func (p *Impaired) lost() {
	p.move()
	p.links.Lock()
	defer p.links.Unlock()
	for packet, ok := p.down.Deliver(never); ok; packet, ok = p.down.Deliver(never) {
		p.arrived(packet)
	}
	if end, ok := p.conn.Err().(*Closed); ok {
		p.finish(end.Cause, end.Reason, nil)
	}
}

// Stats implements Conn: those of the connection below.
func (p *Impaired) Stats() Stats {
	s := p.conn.Stats()
	s.Overrun += p.overrun.Load()
	s.BadSize += p.badSize.Load()
	return s
}

// move takes every packet as far as it may be now, and returns how long nothing
// more is due.
func (p *Impaired) move() time.Duration {
	p.links.Lock()
	defer p.links.Unlock()
	p.conn.Drain(p.pull)
	now := p.now()
	for packet, ok := p.up.Deliver(now); ok; packet, ok = p.up.Deliver(now) {
		p.conn.Send(packet)
	}
	for packet, ok := p.down.Deliver(now); ok; packet, ok = p.down.Deliver(now) {
		p.arrived(packet)
	}
	wait := time.Hour
	for _, l := range [2]*impair.Link{p.up, p.down} {
		if at, ok := l.Next(); ok && at-now < wait {
			wait = at - now
		}
	}
	return wait
}

// run moves packets when one comes, is sent, or is due. In the browser nothing
// tells that one came (Ready is nil): Drain moves those.
func (p *Impaired) run() {
	timer := time.AfterFunc(time.Hour, func() { poke(p.wake) })
	defer timer.Stop()
	for {
		timer.Reset(p.move())
		select {
		case <-p.wake:
		case <-p.conn.Ready():
		case <-p.done:
			return
		case <-p.conn.Done():
			p.lost()
			return
		}
	}
}

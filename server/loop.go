package server

import (
	"errors"
	"sync"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/transport"
)

// loop is the goroutine that owns the authority.
type loop struct {
	a      *authority.Authority
	hz     int
	start  time.Time
	accept <-chan transport.Conn
	wrap   func(transport.Conn) transport.Conn

	events chan event // of the connections' watchers
	calls  chan func(*authority.Authority)
	stop   chan string
	done   chan struct{}
	once   sync.Once

	next   authority.Conn
	conns  map[authority.Conn]*peer
	swept  time.Duration
	ticked int64 // ticks and skipped ones, since start
	watch  sync.WaitGroup

	meter meter
	debug *debug
}

type peer struct {
	conn     transport.Conn
	stranger time.Duration // since when it has no player
}

// event says that a connection has packets, or is gone.
type event struct {
	id   authority.Conn
	gone bool
}

func newLoop(g *sim.Game, a *authority.Authority, accept <-chan transport.Conn, wrap func(transport.Conn) transport.Conn) *loop {
	return &loop{
		a: a, hz: g.Hz(), start: time.Now(), accept: accept, wrap: wrap,
		events: make(chan event, eventQueue),
		calls:  make(chan func(*authority.Authority)),
		stop:   make(chan string, 1),
		done:   make(chan struct{}),
		conns:  map[authority.Conn]*peer{},
	}
}

func (l *loop) now() time.Duration { return time.Since(l.start) }

// run ticks until it is told to stop. Deadlines are counted from the start, so
// that errors of the timer do not add up.
func (l *loop) run() {
	defer close(l.done)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case c := <-l.accept:
			l.add(l.wrap(c))
		case e := <-l.events:
			l.take(e)
			l.send()
		case f := <-l.calls:
			f(l.a)
			l.send()
		case <-timer.C:
			l.catchUp()
			timer.Reset(every(l.ticked+1, l.hz) - l.now())
		case reason := <-l.stop:
			l.shutdown(reason)
			return
		}
	}
}

// catchUp executes the ticks that are due. After a pause it runs at most
// maxCatchUp of them and gives up the rest of the time: the numbers of the
// ticks stay one apart, the match is late from then on, and clients adapt.
func (l *loop) catchUp() {
	now := l.now()
	due := int64(now/time.Second)*int64(l.hz) + int64(now%time.Second)*int64(l.hz)/int64(time.Second)
	if every(due+1, l.hz) <= now { // the time of a tick is rounded down
		due++
	}
	if behind := due - l.ticked; behind > maxCatchUp {
		l.meter.skip(behind - maxCatchUp)
		l.ticked = due - maxCatchUp
	}
	for l.ticked < due {
		l.ticked++
		l.drainEvents()
		l.tick(every(l.ticked, l.hz))
	}
}

// drainEvents takes what came up to now: it may be for this very tick. What
// comes meanwhile waits, or a flood would hold up the tick.
func (l *loop) drainEvents() {
	for range len(l.events) {
		l.take(<-l.events)
	}
}

// tick executes one tick that was due at a time. The authority is told that
// time, not when the timer woke us: clients set their clocks by it.
func (l *loop) tick(due time.Duration) {
	began := l.now()
	l.a.Tick(due)
	l.send()
	l.debug.publish(l.a)
	l.sweep(due)
	l.meter.note(l.now()-began, began-due > lateTick, l.a.Players())
}

// add begins to watch a connection.
func (l *loop) add(c transport.Conn) {
	l.next++
	id := l.next
	l.conns[id] = &peer{conn: c, stranger: l.now()}
	l.watch.Go(func() { l.watcher(id, c) })
}

// watcher turns a connection's signals into events. It may wait; the loop
// does not. One signal stands for any number of packets.
func (l *loop) watcher(id authority.Conn, c transport.Conn) {
	for {
		e := event{id: id}
		select {
		case <-c.Ready():
		case <-c.Done():
			e.gone = true
		case <-l.done:
			return
		}
		select {
		case l.events <- e:
		case <-l.done:
			return
		}
		if e.gone {
			return
		}
	}
}

func (l *loop) take(e event) {
	p := l.conns[e.id]
	if p == nil {
		return
	}
	now := l.now()
	p.conn.Drain(func(packet []byte) { l.a.Receive(e.id, packet, now) })
	if e.gone {
		l.a.Closed(e.id)
		if left(p.conn) {
			l.a.Kick(l.a.Player(e.id), "left")
		}
		delete(l.conns, e.id)
	}
}

// left reports whether a client ended its connection on purpose, whether or
// not its goodbye came through: who comes back would do so as somebody new. A
// browser says "peer left" for a page that was closed.
func left(conn transport.Conn) bool {
	var end *transport.Closed
	return errors.As(conn.Err(), &end) && end.Cause == transport.ByPeer && (end.Reason == "left" || end.Reason == "peer left")
}

// send hands out what the authority made.
func (l *loop) send() {
	for _, p := range l.a.Drain() {
		if to := l.conns[p.Conn]; to != nil {
			to.conn.Send(p.Data)
		}
	}
}

// sweep closes connections that have had no player for long: refused, kicked,
// or never a client.
func (l *loop) sweep(now time.Duration) {
	if now-l.swept < time.Second {
		return
	}
	l.swept = now
	for id, p := range l.conns {
		if l.a.Player(id) != sim.NoPlayer {
			p.stranger = now
		} else if now-p.stranger > strangerTimeout {
			p.conn.Close("not in the match")
		}
	}
}

// shutdown tells everybody. The connections flush by themselves when they are
// closed.
func (l *loop) shutdown(reason string) {
	l.a.Shutdown(reason)
	l.send()
	for _, p := range l.conns {
		p.conn.Close(reason)
	}
}

// end stops the loop and waits for it.
func (l *loop) end(reason string) {
	l.once.Do(func() { l.stop <- reason })
	<-l.done
	l.watch.Wait()
}

func (l *loop) do(f func(*authority.Authority)) bool {
	ran := make(chan struct{})
	select {
	case l.calls <- func(a *authority.Authority) { f(a); close(ran) }:
		<-ran
		return true
	case <-l.done:
		return false
	}
}

func (l *loop) stats() Stats { return l.meter.stats() }

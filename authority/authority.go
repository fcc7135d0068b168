// Package authority is the server as a state machine: packets and time in,
// packets out. It has no clock, no goroutine and no I/O; a ticker, a test or
// the lab pumps it:
//
//	a.Receive(conn, packet, now)      // whenever one comes
//	a.Tick(now)                       // once a tick
//	for _, p := range a.Drain() { send(p.Conn, p.Data) }
//
// Its story is tick.go.
package authority

import (
	"time"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/wire"
)

// Conn is the shell's number for a connection. Packets of one connection come
// from one peer, and it is never used again.
type Conn uint32

// Packet is to be sent. Data is valid until the next call but Drain.
type Packet struct {
	Conn Conn
	Data []byte
}

// Counters count since New.
type Counters struct {
	Packets, Bytes uint64 // received
	SentPackets    uint64
	SentBytes      uint64
	Stranger       uint64 // no session, or not sealed with it
	Malformed      uint64 // sealed, yet not a message
	Duplicate      uint64 // packets seen before
	Flood          uint64 // beyond what is read in a tick
	Unsent         uint64 // nobody drained
	Refused        uint64 // hellos
	InputLate      uint64 // inputs whose tick was over and had been a hole
	InputOld       uint64 // inputs whose tick was over and had been executed: copies
	InputDuplicate uint64 // inputs held already
	InputAhead     uint64 // inputs too far in the future
	InputBad       uint64 // inputs that are no values
	Holes          uint64 // ticks executed without the player's own input
	EffectsDropped uint64
	Joins, Leaves  uint64
	Resumes        uint64
}

// Authority is the server of one match. Not safe for concurrent use.
type Authority struct {
	cfg   Config
	g     *sim.Game
	run   *sim.Runner
	world *ecs.World
	hist  *snapshot.History

	now     tick.Tick // next tick to execute; the world is state now
	tickAt  time.Duration
	ticked  bool
	clients []*client // by player
	leaving []sim.Player
	issued  uint64 // sessions and tokens
	begun   []beginning

	effects *tick.Ring[[]sim.Effect]
	out     []Packet
	pool    [][]byte
	drained bool
	count   Counters

	w     bits.Writer
	r     bits.Reader
	in    wire.Input
	head  wire.SnapshotHead
	hello wire.Hello
	input []byte
	parts []int
}

// New makes an authority. Its world is empty; the first Tick is StartTick.
func New(cfg Config) *Authority {
	cfg.fill()
	g := cfg.Game
	a := &Authority{
		cfg: cfg, g: g, run: sim.NewRunner(g, cfg.Seed), world: g.NewWorld(),
		hist: snapshot.NewHistory(g, cfg.History), now: cfg.StartTick,
		effects: tick.NewRing[[]sim.Effect](effectTicks),
		input:   make([]byte, g.InputSize()),
	}
	return a
}

// Now returns the next tick to be executed, which labels the world's state.
func (a *Authority) Now() tick.Tick { return a.now }

// World returns the state Now, for reading.
func (a *Authority) World() *ecs.World { return a.world }

// History returns the recent states in words, for reading.
func (a *Authority) History() *snapshot.History { return a.hist }

// Runner returns the runner, for reading the world between ticks.
func (a *Authority) Runner() *sim.Runner { return a.run }

// Effects returns what tick t emitted.
func (a *Authority) Effects(t tick.Tick) ([]sim.Effect, bool) {
	e, ok := a.effects.At(t)
	if !ok {
		return nil, false
	}
	return *e, true
}

// Counters returns the counters.
func (a *Authority) Counters() Counters { return a.count }

// Player returns the player of a connection, NoPlayer if it has none.
func (a *Authority) Player(conn Conn) sim.Player {
	if c := a.byConn(conn); c != nil {
		return c.player
	}
	return sim.NoPlayer
}

// Players returns how many players there are.
func (a *Authority) Players() int { return len(a.clients) }

// Closed tells that a connection is gone. The player stays until the timeout,
// so that he may resume.
func (a *Authority) Closed(conn Conn) {
	if c := a.byConn(conn); c != nil {
		c.gone = true
	}
}

// Kick ends a player's session and tells him why.
func (a *Authority) Kick(p sim.Player, reason string) {
	if c := a.byPlayer(p); c != nil {
		a.bye(c, wire.CodeKicked, reason)
		a.drop(c)
	}
}

// Shutdown ends all sessions and tells the players why.
func (a *Authority) Shutdown(reason string) {
	for len(a.clients) > 0 {
		a.bye(a.clients[0], wire.CodeShutdown, reason)
		a.drop(a.clients[0])
	}
}

func (a *Authority) byConn(conn Conn) *client {
	for _, c := range a.clients {
		if c.conn == conn {
			return c
		}
	}
	return nil
}

func (a *Authority) byPlayer(p sim.Player) *client {
	for _, c := range a.clients {
		if c.player == p {
			return c
		}
	}
	return nil
}

// Drain returns the packets to be sent since the last call, in order.
func (a *Authority) Drain() []Packet {
	if a.drained {
		return nil
	}
	a.drained = true
	return a.out
}

// emit seals the body in a.w for conn.
func (a *Authority) emit(conn Conn, salt uint64) int {
	if a.drained {
		a.out, a.drained = a.out[:0], false
	}
	if len(a.out) >= maxOut {
		a.count.Unsent++
		return 0
	}
	i := len(a.out)
	if i == len(a.pool) {
		a.pool = append(a.pool, make([]byte, 0, wire.MaxPacket))
	}
	a.pool[i] = wire.Seal(a.pool[i][:0], salt, a.w.Bytes())
	a.out = append(a.out, Packet{conn, a.pool[i]})
	a.count.SentPackets++
	a.count.SentBytes += uint64(len(a.pool[i]))
	return len(a.pool[i])
}

// position returns where the server's clock stands: the tick it executed last
// and the part that has passed since, in 1/65536.
func (a *Authority) position(now time.Duration) (tick.Tick, uint16) {
	if !a.ticked {
		return a.now - 1, 0
	}
	// Bounded before it is multiplied: a shell may have slept for hours.
	since := max(0, min(now-a.tickAt, 64*time.Second/time.Duration(a.g.Hz())))
	passed := int64(since) * int64(a.g.Hz()) * 65536 / int64(time.Second)
	return a.now - 1 + tick.Tick(passed>>16), uint16(passed)
}

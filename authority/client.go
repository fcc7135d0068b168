package authority

import (
	"time"

	"github.com/foretick/foretick/internal/fault"
	"github.com/foretick/foretick/link"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/wire"
)

// client is one player's session.
type client struct {
	conn    Conn
	player  sim.Player
	session uint64
	token   uint64
	nonce   uint64  // of the hello that began this session
	hellos  [8]said // that one and those before
	joined  bool    // in the world
	every   int     // ticks between snapshots
	gone    bool    // its connection closed
	heard   time.Duration

	link   *link.Link
	sender *snapshot.Sender
	order  snapshot.Order
	sent   [sentRing]carried

	inputs   *tick.Ring[heldInput]
	executed *tick.Ring[Executed]
	run      int // holes in a row
	read     int // packets read in this tick

	hasInput bool
	label    tick.Tick // newest label of the packet that came last
	margin   int       // how early that came, in 1/16 ticks

	execTold  tick.Tick // executed feedback is acknowledged before this tick
	effects   tick.Tick // effects are acknowledged up to and with this tick
	allowance float64   // bytes that may be sent now
	count     ClientCounters
}

// ClientCounters count since the player joined.
type ClientCounters struct {
	Holes     uint64 // ticks executed without his own input
	Snapshots uint64 // packets
	Bytes     uint64 // of snapshots
	Skipped   uint64 // snapshots skipped for the budget
}

// heldInput is an input that waits for its tick.
type heldInput struct {
	hole bool // said to be none
	view uint16
	data []byte
}

// Executed says what a player executed at a tick.
type Executed struct {
	How  sim.How
	Late bool // a copy of his own input came after the tick
}

// carried is what a packet told besides entities.
type carried struct {
	seq       uint16
	used      bool
	exec      bool
	execNext  tick.Tick // told before this tick
	effects   bool
	effectsTo tick.Tick
}

func (a *Authority) newClient(conn Conn, p sim.Player, now time.Duration) *client {
	c := &client{
		conn: conn, player: p, heard: now, run: fresh, every: a.cfg.SnapshotEvery,
		inputs:   tick.NewRing[heldInput](a.cfg.History),
		executed: tick.NewRing[Executed](a.cfg.History),
		sender:   snapshot.NewSender(a.hist),
		token:    a.draw(),
	}
	c.order = func(f *snapshot.Frame, i int) (float32, bool) {
		owner, mask := sim.Player(f.Owners[i]), f.Masks[i]
		if a.g.ModeOfEntity(owner, c.player, mask, false) == sim.Simulated {
			return always, true
		}
		// He may have switched on that others are predicted, too.
		return 1, a.g.ModeOfEntity(owner, c.player, mask, true) == sim.Simulated
	}
	a.start(c, conn, now)
	i := 0
	for i < len(a.clients) && a.clients[i].player < p {
		i++
	}
	a.clients = append(a.clients, nil)
	copy(a.clients[i+1:], a.clients[i:])
	a.clients[i] = c
	return c
}

// start begins a session: a new one, or one resumed on another connection.
func (a *Authority) start(c *client, conn Conn, now time.Duration) {
	c.conn, c.gone = conn, false
	a.begin(conn, now)
	c.session = a.draw()
	c.link = link.New(a.cfg.StartSeq)
	c.sender.Reset()
	clear(c.sent[:])
	c.inputs.Clear()
	c.hasInput = false
	c.execTold, c.effects = a.now, a.now-1
	c.allowance = a.most()
}

// most is how many bytes may be saved up: at least a packet, or the smallest
// budgets would never see one.
func (a *Authority) most() float64 {
	if a.cfg.Budget/4 < wire.MaxPacket {
		return wire.MaxPacket
	}
	return float64(a.cfg.Budget) / 4
}

// said is a hello that began a session, and where it came from.
type said struct {
	nonce uint64
	conn  Conn
}

// beginning is a session that began lately, whatever became of it.
type beginning struct {
	conn Conn
	at   time.Duration
}

// begin takes down that a session begins on conn, and forgets those of old.
func (a *Authority) begin(conn Conn, now time.Duration) {
	old := 0
	for old < len(a.begun) && now-a.begun[old].at >= anewEvery {
		old++
	}
	a.begun = append(a.begun[:0], a.begun[old:]...)
	a.begun = append(a.begun, beginning{conn, now})
}

// beganLately reports whether a session began on conn less than anewEvery ago,
// be it over already.
func (a *Authority) beganLately(conn Conn, now time.Duration) bool {
	for _, b := range a.begun {
		if b.conn == conn && now-b.at < anewEvery {
			return true
		}
	}
	return false
}

// says takes down the hello that begins a session.
func (c *client) says(nonce uint64, conn Conn) {
	copy(c.hellos[1:], c.hellos[:])
	c.hellos[0], c.nonce = said{nonce, conn}, nonce
}

// said reports whether a hello that came over conn began an earlier session.
func (c *client) said(nonce uint64, conn Conn) bool {
	for _, h := range c.hellos[1:] {
		if h == (said{nonce, conn}) && nonce != 0 {
			return true
		}
	}
	return false
}

// earn adds a tick's worth of budget.
func (c *client) earn(a *Authority) {
	c.allowance += float64(a.cfg.Budget) / float64(a.g.Hz())
	if most := a.most(); c.allowance > most {
		c.allowance = most
	}
}

// due reports whether it is the client's turn at state n. Players take turns,
// so that their packets do not all leave in one tick.
func (c *client) due(n tick.Tick) bool {
	return c.joined && !c.gone && (uint32(n)+uint32(c.player))%uint32(c.every) == 0
}

// SetSnapshotEvery sets how many ticks apart the snapshots of one session are,
// held between 1 and a second's. It reports false if there is no such session.
// Who can name its number is its client, or was told by it.
func (a *Authority) SetSnapshotEvery(session uint64, ticks int) bool {
	for _, c := range a.clients {
		if c.session == session {
			c.every = max(1, min(ticks, a.g.Hz(), maxEvery))
			return true
		}
	}
	return false
}

// drop ends a session; the world is told in the next tick.
func (a *Authority) drop(c *client) {
	for i, o := range a.clients {
		if o == c {
			a.clients = append(a.clients[:i], a.clients[i+1:]...)
			if c.joined && !fault.Is("inv23") {
				a.leaving = append(a.leaving, c.player)
			}
			return
		}
	}
}

// pardon excuses everybody's silence while the server itself stood still: what
// they said then may not have been read yet.
func (a *Authority) pardon(now time.Duration) {
	gap := now - a.tickAt - time.Second/time.Duration(a.g.Hz())
	if !a.ticked || gap <= a.cfg.Timeout/4 {
		return
	}
	for _, c := range a.clients {
		c.heard = max(c.heard, min(c.heard+gap, now))
	}
}

func (a *Authority) dropSilent(now time.Duration) {
	for i := 0; i < len(a.clients); {
		c := a.clients[i]
		if now-c.heard <= a.cfg.Timeout {
			i++
			continue
		}
		a.bye(c, wire.CodeTimeout, "nothing was heard for too long")
		a.drop(c)
	}
}

func (a *Authority) bye(c *client, code wire.Code, reason string) {
	m := wire.Bye{Code: code, Reason: reason}
	a.w.Reset(a.w.Bytes()[:0])
	m.Append(&a.w)
	a.emit(c.conn, wire.SessionSalt(c.session))
}

// Executed returns what a player executed at tick t, false if unknown.
func (a *Authority) Executed(p sim.Player, t tick.Tick) (Executed, bool) {
	c := a.byPlayer(p)
	if c == nil {
		return Executed{}, false
	}
	e, ok := c.executed.At(t)
	if !ok {
		return Executed{}, false
	}
	return *e, true
}

// Fill returns how many inputs of a player wait in a row, the next tick's first.
func (a *Authority) Fill(p sim.Player) int {
	if c := a.byPlayer(p); c != nil {
		return c.fill(a.now)
	}
	return 0
}

func (c *client) fill(now tick.Tick) int {
	n := 0
	for {
		in, ok := c.inputs.At(now.Add(int32(n)))
		if !ok || in.hole {
			return n
		}
		n++
	}
}

// ClientCounters returns a player's counters.
func (a *Authority) ClientCounters(p sim.Player) ClientCounters {
	if c := a.byPlayer(p); c != nil {
		return c.count
	}
	return ClientCounters{}
}

// Sender returns a player's baselines, for checks.
func (a *Authority) Sender(p sim.Player) *snapshot.Sender {
	if c := a.byPlayer(p); c != nil {
		return c.sender
	}
	return nil
}

// InWorld appends the players who have joined the world.
func (a *Authority) InWorld(to []sim.Player) []sim.Player {
	for _, c := range a.clients {
		if c.joined {
			to = append(to, c.player)
		}
	}
	return to
}

// misfill is where two faults are planted: into a hole goes the next tick's
// input, or the last one counts as sent again.
func (a *Authority) misfill(c *client, how sim.How) sim.How {
	if next, ok := c.inputs.At(a.now + 1); fault.Is("inv1") && ok && !next.hole {
		copy(a.input, next.data)
		return sim.AsSent
	}
	if fault.Is("inv2") && c.run == 1 && c.hasInput {
		return sim.AsSent
	}
	return how
}

// after is the next tick; here it may be planted that the server stands still.
func after(n tick.Tick) tick.Tick {
	if fault.Is("inv4") && n%128 == 0 {
		return n
	}
	return n + 1
}

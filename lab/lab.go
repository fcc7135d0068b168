package lab

import (
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/view"
)

// Lab is a match in virtual time. It is not safe for concurrent use, and two
// labs share nothing.
type Lab struct {
	Match  Match
	Game   *sim.Game
	Server *authority.Authority
	Peers  []*Peer
	Now    time.Duration

	nextTick time.Duration
	ticks    int64
	conns    authority.Conn
	truth    *truth
	report   *Report
	spare    *ecs.World
	parted   bool // the last rerun left the history it repeats
	run      *sim.Runner
	seed     uint64 // the match's, which the server tells clients

	// The swarm's: tap sees every packet as it is sent and as it arrives, stray
	// the packets to connections that no peer has.
	tap   func(p *Peer, w way, packet []byte)
	stray func(conn authority.Conn, packet []byte)
}

// way is where a packet is.
type way uint8

const (
	sentUp way = iota // by the client
	cameUp
	sentDown // by the server
	cameDown
)

func (l *Lab) see(p *Peer, w way, packet []byte) {
	if l.tap != nil {
		l.tap(p, w, packet)
	}
}

// Peer is one client with its link.
type Peer struct {
	Replica *replica.Replica
	Conn    authority.Conn
	Up      *impair.Link // from client to server
	Down    *impair.Link
	Frame   *view.Frame // the last one

	Paused bool // makes no frames, as a tab that sleeps; packets wait
	Gone   bool

	cfg       replica.Config
	index     int
	nextFrame time.Duration
	every     time.Duration
	drift     float64 // of its clock, as a share
	start     time.Duration
	causes    causes
}

// New sets a match up; nothing has happened yet.
func New(g *sim.Game, m Match) *Lab {
	g.Seal()
	m.fill(g)
	l := &Lab{Match: m, Game: g, nextTick: time.Second / time.Duration(g.Hz())}
	cfg := authority.Config{Game: g, Seed: mix(m.Seed), Secret: mix(m.Seed + 1), MaxPlayers: 64,
		SnapshotEvery: int(float64(g.Hz())/m.SnapshotHz + 0.5), StartTick: m.StartTick}
	if m.Server != nil {
		m.Server(&cfg)
	}
	l.Server, l.seed = authority.New(cfg), cfg.Seed
	l.report = newReport(l)
	if m.Causes {
		l.truth = newTruth(l)
	}
	for range m.Players {
		l.Join()
	}
	return l
}

// Join adds a client, now.
func (l *Lab) Join() *Peer {
	i := len(l.Peers)
	p := &Peer{index: i, start: l.Now}
	link := l.Match.Link
	if i < len(l.Match.Links) {
		link = l.Match.Links[i]
	}
	seed := mix(l.Match.Seed + uint64(i)*977 + 7)
	p.Up = impair.New(link.config(true), seed)
	p.Down = impair.New(link.config(false), mix(seed))
	p.every = time.Duration(float64(time.Second) / l.Match.FrameHz)
	// Clients' frames fall between each other and the server's ticks.
	p.nextFrame = l.Now + p.every*time.Duration(mix(seed+3)%1000)/1000
	p.drift = l.Match.DriftPPM / 1e6
	if i%2 == 1 {
		p.drift = -p.drift
	}
	p.cfg = replica.Config{Game: l.Game, Bot: l.Match.Bot, Secret: mix(seed + 9)}
	if l.Match.Causes {
		p.cfg.Inspect = func(m *predict.Mismatch) { l.diagnose(p, m) }
	}
	if l.Match.Replica != nil {
		l.Match.Replica(i, &p.cfg)
	}
	l.Peers = append(l.Peers, p)
	l.dial(p)
	p.Replica = replica.New(p.cfg)
	return p
}

// dial gives a peer a fresh connection.
func (l *Lab) dial(p *Peer) {
	l.conns++
	p.Conn = l.conns
}

// Local is the peer's own clock.
func (p *Peer) Local(now time.Duration) time.Duration {
	d := now - p.start
	return d + time.Duration(float64(d)*p.drift)
}

// Run runs a match to its end.
func Run(g *sim.Game, m Match) *Report {
	l := New(g, m)
	l.Until(time.Duration(l.Match.Seconds * float64(time.Second)))
	return l.Finish()
}

// Until runs everything that happens up to a time.
func (l *Lab) Until(end time.Duration) {
	for l.step(end) {
	}
	if l.Now < end {
		l.Now = end
	}
}

// Finish closes the books and returns the report.
func (l *Lab) Finish() *Report {
	if l.truth != nil {
		l.settleAll()
	}
	l.report.finish(l)
	return l.report
}

// step does the next thing that is due, in an order that depends on times and
// peers alone: packets, then the server's tick, then frames.
func (l *Lab) step(end time.Duration) bool {
	at, what, who := l.nextTick, -1, -1
	for i, p := range l.Peers {
		if t, ok := p.Up.Next(); ok && (t < at || t == at && what < 0) {
			at, what, who = t, 0, i
		}
		if t, ok := p.Down.Next(); ok && !p.Paused && (t < at || t == at && what < 0) {
			at, what, who = t, 1, i
		}
	}
	for i, p := range l.Peers {
		if !p.Gone && !p.Paused && p.nextFrame < at {
			at, what, who = p.nextFrame, 2, i
		}
	}
	if at > end {
		return false
	}
	if at > l.Now {
		l.Now = at
	}
	switch what {
	case 0:
		l.arriveUp(l.Peers[who])
	case 1:
		l.arriveDown(l.Peers[who])
	case 2:
		l.frame(l.Peers[who])
	default:
		l.tick()
	}
	return true
}

func (l *Lab) arriveUp(p *Peer) {
	packet, ok := p.Up.Deliver(l.Now)
	if !ok {
		return
	}
	l.see(p, cameUp, packet)
	l.Server.Receive(p.Conn, packet, l.Now)
	l.flush()
	l.watch(Arrived, p.index)
}

func (l *Lab) arriveDown(p *Peer) {
	packet, ok := p.Down.Deliver(l.Now)
	if !ok || p.Gone {
		return
	}
	l.see(p, cameDown, packet)
	p.Replica.Receive(packet, p.Local(l.Now))
	l.watch(Arrived, p.index)
}

// flush sends what the server has to send.
func (l *Lab) flush() {
	for _, out := range l.Server.Drain() {
		if p := l.byConn(out.Conn); p != nil {
			l.see(p, sentDown, out.Data)
			p.Down.Send(out.Data, l.Now)
		} else if l.stray != nil {
			l.stray(out.Conn, out.Data)
		}
	}
}

func (l *Lab) byConn(c authority.Conn) *Peer {
	for _, p := range l.Peers {
		if p.Conn == c {
			return p
		}
	}
	return nil
}

func (l *Lab) tick() {
	l.Server.Tick(l.Now)
	l.ticks++
	l.nextTick = time.Duration((l.ticks + 1) * int64(time.Second) / int64(l.Game.Hz()))
	if l.truth != nil {
		l.truth.after(l)
		l.settle()
	}
	l.flush()
	l.report.tick(l)
	l.watch(Ticked, -1)
}

func (l *Lab) frame(p *Peer) {
	p.Frame = p.Replica.Frame(p.Local(l.Now))
	for _, packet := range p.Replica.Drain() {
		l.see(p, sentUp, packet)
		p.Up.Send(packet, l.Now)
	}
	p.nextFrame += p.every
	if p.nextFrame <= l.Now {
		p.nextFrame = l.Now + p.every
	}
	l.report.frame(l, p)
	l.watch(Framed, p.index)
}

func (l *Lab) watch(e Event, i int) {
	if l.Match.Watch != nil {
		l.Match.Watch(l, e, i)
	}
}

// Pause stops a client's frames for a while, as a browser does with a tab in
// the background: its packets wait, its clock runs on.
func (l *Lab) Pause(p *Peer) { p.Paused = true }

// Resume lets a paused client go on.
func (l *Lab) Resume(p *Peer) {
	p.Paused = false
	p.nextFrame = l.Now
}

// Leave closes a client in good order.
func (l *Lab) Leave(p *Peer) {
	p.Replica.Close()
	for _, packet := range p.Replica.Drain() {
		l.see(p, sentUp, packet)
		p.Up.Send(packet, l.Now)
	}
	p.Gone = true
}

// Vanish ends a client without a word.
func (l *Lab) Vanish(p *Peer) { p.Gone = true }

// mix is the finaliser of splitmix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (p *Peer) playing() bool { return p.Replica.State() == replica.Playing }

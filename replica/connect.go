package replica

import (
	"time"

	"github.com/foretick/foretick/link"
	"github.com/foretick/foretick/pace"
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/wire"
)

// timer says when something is due again.
type timer struct {
	at  time.Duration
	set bool
}

func (t *timer) due(now, every time.Duration) bool {
	if t.set && now-t.at < every {
		return false
	}
	t.at, t.set = now, true
	return true
}

// syncing is the first reading of the server's clock.
type syncing struct {
	ping    timer
	id      uint16
	answers int
	first   time.Duration // when the first answer came
	best    time.Duration // least RTT
	worst   time.Duration
	at      time.Duration
	tick    tick.Tick
	frac    float64
	done    bool
}

// wholeTick gathers the packets of one tick until it is complete.
type wholeTick struct {
	tick  tick.Tick
	parts uint32
	last  int // number of parts, 0: not known
	all   bool
}

// redial begins to say hello, at first or again.
func (r *Replica) redial() {
	r.state = Connecting
	r.drawn++
	x := (r.cfg.Secret + r.drawn*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	r.nonce = x ^ x>>29
	r.hello = timer{}
}

// connect does what is due of saying hello, reading the clock and noticing
// that nothing is heard any more.
func (r *Replica) connect(now time.Duration) {
	switch r.state {
	case Connecting:
		if r.hello.due(now, helloEvery) {
			r.sayHello()
		}
	case Syncing, Playing:
		every := pingEvery
		switch {
		case r.sync.done:
		case r.sync.id < probes*4:
			every = probeEvery
		default:
			every = probeSlow
		}
		if r.sync.ping.due(now, every) {
			r.ping(now)
		}
		r.settle(now)
		if now-r.heard > r.stall() {
			r.resumes++
			r.redial()
			r.sayHello()
			r.hello.due(now, helloEvery)
		}
	}
}

// stall is how long nothing may be heard.
func (r *Replica) stall() time.Duration {
	s := stallIntervals*time.Duration(r.every)*time.Second/time.Duration(r.g.Hz()) + r.link.RTT()
	if s < stallMin {
		s = stallMin
	}
	return s
}

func (r *Replica) sayHello() {
	m := wire.Hello{Protocol: wire.Protocol, Nonce: r.nonce, Token: r.token, Game: r.g.Name(),
		Version: r.g.Version(), Hz: uint16(r.g.Hz()), Payload: r.cfg.Payload}
	for _, col := range r.g.Wire() {
		m.Components = append(m.Components, wire.Component{Name: r.g.Plan(col).Name, Hash: r.g.Plan(col).Hash})
	}
	if _, err := m.Size(); err != nil {
		r.state, r.code, r.why = Refused, wire.CodeNotAllowed, err.Error()
		return
	}
	r.w.Reset(r.w.Bytes()[:0])
	m.Append(&r.w)
	r.emit(wire.ProtocolSalt)
}

func (r *Replica) ping(now time.Duration) {
	r.sync.id++
	m := wire.Ping{ID: r.sync.id, Time: uint64(now)}
	r.w.Reset(r.w.Bytes()[:0])
	m.Append(&r.w)
	r.emit(wire.SessionSalt(r.session))
}

func (r *Replica) takePong(now time.Duration) {
	var m wire.Pong
	if m.Parse(&r.rd) != nil || m.Time > uint64(now) {
		r.count.Malformed++
		return
	}
	rtt := now - time.Duration(m.Time)
	r.link.AddRTTSample(rtt, now)
	s := &r.sync
	if s.done {
		return
	}
	if s.answers == 0 {
		s.first = now
	}
	if s.answers == 0 || rtt < s.best {
		s.best, s.at, s.tick, s.frac = rtt, now, tick.Tick(m.Tick), float64(m.Frac)/65536
	}
	if rtt > s.worst {
		s.worst = rtt
	}
	s.answers++
}

// settle takes the best reading of the clock once there are enough.
func (r *Replica) settle(now time.Duration) {
	s := &r.sync
	if s.done || s.answers == 0 || s.answers < probes && now-s.first < probeWait {
		return
	}
	s.done = true
	r.lead.Sync(s.at, s.tick, s.frac, s.best)
	r.lead.Spread(s.worst - s.best)
	r.begin()
}

// takeHandshake reads the answers to a hello.
func (r *Replica) takeHandshake(body []byte, now time.Duration) {
	if r.state != Connecting {
		r.count.Duplicate++
		return
	}
	r.rd.Reset(body)
	switch wire.PeekKind(body) {
	case wire.KindWelcome:
		var m wire.Welcome
		if m.Parse(&r.rd) != nil || m.Nonce != r.nonce || m.Player == 0 {
			r.count.Malformed++
			return
		}
		r.welcome(&m, now)
	case wire.KindRefuse:
		var m wire.Refuse
		if m.Parse(&r.rd) != nil || m.Nonce != r.nonce {
			r.count.Malformed++
			return
		}
		r.state, r.code, r.why = Refused, m.Code, m.Reason
	default:
		r.count.Malformed++
	}
}

// welcome begins a session with nothing known.
func (r *Replica) welcome(m *wire.Welcome, now time.Duration) {
	r.state = Syncing
	r.resumed = m.Token == r.token && r.session != 0 // not another replica's session
	r.player, r.session, r.token = sim.Player(m.Player), m.Session, m.Token
	r.unacked = false
	r.gone = r.gone[:0]
	r.seed, r.every = m.Seed, int(m.SnapshotEvery)
	r.link = link.New(r.cfg.StartSeq)
	r.recv = snapshot.NewReceiver(r.g)
	hz := r.g.Hz()
	r.lead = pace.NewLead(pace.LeadConfig{Hz: hz, Fixed: r.cfg.FixedLead, SendTicks: r.cfg.SendEvery})
	r.playout = pace.NewPlayout(pace.PlayoutConfig{Hz: hz, Interval: r.every,
		Fixed: time.Duration(r.cfg.FixedDelay * float64(time.Second) / float64(hz))})
	cfg := predict.Config{Game: r.g, Seed: m.Seed, Me: r.player, History: r.cfg.History, Inspect: r.cfg.Inspect,
		Keep: r.cfg.ForceRollback}
	if n := r.every + r.g.Hz(); cfg.History < n { // to the next snapshot, with any lead
		cfg.History = n
	}
	if r.pred != nil {
		cfg.Count = r.pred.Counters()
	}
	r.pred = predict.New(cfg)
	r.buffer.Reset()
	r.roster.clear()
	r.sync = syncing{}
	r.whole = wholeTick{}
	r.causes.restart()
	r.server, r.heard = tick.Tick(m.Tick), now
	r.execTold, r.acked = r.server, r.server
	r.lastSend = r.server
	r.run = unheard
	clear(r.sent[:])
}

// begin starts to play once the clock is read and the world is here.
func (r *Replica) begin() {
	if r.state == Syncing && r.sync.done && r.pred.Started() {
		r.state = Playing
	}
}

// takeBye ends the session. A timeout is not the end: say hello again.
func (r *Replica) takeBye() {
	var m wire.Bye
	if m.Parse(&r.rd) != nil {
		r.count.Malformed++
		return
	}
	if m.Code == wire.CodeTimeout || m.Code == wire.CodeBehind {
		r.resumes++
		r.redial()
		return
	}
	r.state, r.code, r.why = Closed, m.Code, m.Reason
}

package lab

import (
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
)

const (
	maxPeers  = 24              // that ever join in one seed
	settling  = 6 * time.Second // between healing and quiet; see invariant 22
	longRest  = 40 * time.Second
	quietFor  = 2 * time.Second // at rest, and three snapshots more
	afterLast = time.Second     // beyond the timeout
)

// swarm is one seed being played.
type swarm struct {
	plan    *plan
	lab     *Lab
	opt     SwarmOptions
	d       *dice // what is drawn while it runs
	resting bool
	healed  time.Duration
	paused  map[uint64]*Peer
	liar    *liar
	checker
}

func newSwarm(p *plan, o SwarmOptions) *swarm {
	s := &swarm{plan: p, opt: o, d: newDice(p.seed, 1), paused: map[uint64]*Peer{}}
	m := p.match
	m.Bot = s.bot
	m.Server = func(c *authority.Config) {
		c.History, c.Budget, c.Timeout, c.StartSeq = p.history, p.budget, p.timeout, p.startSeq
	}
	m.Replica = func(i int, c *replica.Config) {
		x := p.client(i)
		c.History, c.SendEvery, c.StartSeq, c.Off = x.cfg.History, x.cfg.SendEvery, x.cfg.StartSeq, x.cfg.Off
		c.FixedLead, c.FixedDelay = x.cfg.FixedLead, x.cfg.FixedDelay
		c.Decoded = s.decoded(i)
	}
	m.Watch = s.watch
	s.checker.s = s
	s.lab = New(p.game.Game, m)
	s.lab.tap, s.lab.stray = s.tap, s.stray
	s.begin()
	for _, peer := range s.lab.Peers {
		s.equip(peer)
	}
	return s
}

// bot plays until the quiet.
func (s *swarm) bot(t *sim.Turn) {
	if s.resting {
		t.Input.Rest()
		return
	}
	s.plan.game.Bot(t)
}

func (s *swarm) join() { s.equip(s.lab.Join()) }

// equip gives a peer what was drawn for it.
func (s *swarm) equip(p *Peer) {
	x := s.plan.client(p.index)
	p.every = time.Duration(float64(time.Second) / x.frameHz)
	p.drift = x.drift
	p.Up.Set(x.up)
	p.Down.Set(x.down)
	s.checker.peer(p)
}

// play plays the seed to its end or to the first violation.
func (s *swarm) play() {
	for i := range s.plan.deeds {
		if !s.until(s.plan.deeds[i].at) {
			return
		}
		s.do(&s.plan.deeds[i])
	}
	if !s.until(s.plan.chaos) {
		return
	}
	s.heal()
	if !s.until(s.healed + settling) {
		return
	}
	s.resting = true
	if !s.rest() {
		return
	}
	s.checkEqual()
	s.checkEffects()
	if s.bad != nil {
		return
	}
	s.leaveAll()
	if s.until(s.lab.Now + s.plan.timeout + afterLast) {
		s.checkEmpty()
	}
}

// until runs up to a time and reports whether all is still well.
func (s *swarm) until(end time.Duration) bool {
	for s.bad == nil && s.lab.step(end) {
	}
	if s.bad == nil && s.lab.Now < end {
		s.lab.Now = end
	}
	return s.bad == nil
}

// heal ends the chaos: clean links, nobody asleep, nobody comes or goes.
func (s *swarm) heal() {
	s.healed = s.lab.Now
	d := newDice(s.plan.seed, 3000)
	for _, p := range s.lab.Peers {
		c := impair.Config{Delay: d.ms(2, 60)}
		p.Up.Set(c)
		p.Down.Set(c)
		if p.Paused {
			s.lab.Resume(p)
		}
	}
	if s.liar != nil {
		s.liar.stop()
	}
}

// rest waits until nothing that travels has changed for a while.
func (s *swarm) rest() bool {
	hz := s.lab.Game.Hz()
	ticks := int32(int(quietFor.Seconds()*float64(hz)) + 3*s.plan.every)
	for end := s.lab.Now + longRest; s.lab.Now < end; {
		if !s.until(s.lab.Now + 200*time.Millisecond) {
			return false
		}
		if s.lastChange(ticks) {
			return true
		}
	}
	s.fail(21, -1, "the game does not come to rest when nobody plays")
	return false
}

// lastChange reports whether the world has been the same for some ticks.
func (s *swarm) lastChange(ticks int32) bool {
	return s.lab.Server.Now().Since(s.changed) > ticks
}

// leaveAll ends every client, one in two without a word.
func (s *swarm) leaveAll() {
	for i, p := range s.lab.Peers {
		switch {
		case p.Gone:
		case i%2 == 0:
			s.lab.Leave(p)
		default:
			s.lab.Vanish(p)
		}
	}
}

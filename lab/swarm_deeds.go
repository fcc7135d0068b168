package lab

import (
	"slices"
	"time"
)

// what is done to a match at some time.
type what uint8

const (
	join what = iota
	leave
	vanish
	redial // as if the connection broke and another was made
	pause
	resume
	garbage
	flip
	replay
	stranger
	flood
	lie
)

// deed is something done to a match. Who is a peer as counted then.
type deed struct {
	at   time.Duration
	what what
	who  uint64
	n    uint64 // more random numbers
}

// drawDeeds draws what happens in the chaos, in order of time.
func (p *plan) drawDeeds(d *dice) {
	add := func(f Features, w what, most int) {
		n := d.between(1, most)
		for range n {
			at := d.ms(500, int(p.chaos/time.Millisecond)-500)
			x := deed{at, w, d.next(), d.next()}
			if p.has(f) {
				p.deeds = append(p.deeds, x)
			}
		}
	}
	add(Joining, join, 6)
	add(Joining, leave, 4)
	add(Vanishing, vanish, 3)
	add(Redialling, redial, 10)
	add(Garbage, garbage, 40)
	add(Flips, flip, 40)
	add(Replays, replay, 40)
	add(Strangers, stranger, 40)
	add(Floods, flood, 4)
	if p.has(Liars) {
		p.deeds = append(p.deeds, deed{at: d.ms(500, 8000), what: lie, n: d.next()})
	}
	for range d.between(1, 4) {
		at := d.ms(500, int(p.chaos/time.Millisecond)-1500)
		x := deed{at, pause, d.next(), d.next()}
		long := d.ms(1000, 15_000)
		if !p.has(Pauses) {
			continue
		}
		p.deeds = append(p.deeds, x, deed{min(at+long, p.chaos), resume, x.who, 0})
	}
	slices.SortStableFunc(p.deeds, func(a, b deed) int { return int(a.at - b.at) })
}

// do does a deed.
func (s *swarm) do(x *deed) {
	l := s.lab
	switch x.what {
	case join:
		if len(l.Peers) < maxPeers {
			s.join()
		}
		return
	case stranger:
		s.stranger(x)
		return
	case lie:
		s.liar = newLiar(s, x.n)
		return
	case resume:
		if p := s.paused[x.who]; p != nil {
			delete(s.paused, x.who)
			l.Resume(p)
		}
		return
	}
	p := s.pick(x.who)
	if p == nil {
		return
	}
	switch x.what {
	case leave:
		l.Leave(p)
	case vanish:
		l.Vanish(p)
	case redial:
		l.Reconnect(p, x.n&1 == 1)
	case pause:
		l.Pause(p)
		s.paused[x.who] = p
	default:
		s.attack(p, x)
	}
}

// pick returns one of those who play and are not asleep, or nil. The last one
// never goes: somebody is to see the end.
func (s *swarm) pick(who uint64) *Peer {
	var live []*Peer
	for _, p := range s.lab.Peers {
		if !p.Gone && !p.Paused {
			live = append(live, p)
		}
	}
	if len(live) < 2 {
		return nil
	}
	return live[who%uint64(len(live))]
}

// Reconnect breaks a peer's connection and makes another, over which it resumes
// its session. The server is told that the old one is gone, or finds out.
func (l *Lab) Reconnect(p *Peer, told bool) {
	old := p.Conn
	l.dial(p)
	if told {
		l.Server.Closed(old)
	}
	p.Replica.Redial()
}

package lab

import (
	"strconv"

	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// truthEffect is an effect that happened.
type truthEffect struct {
	tick tick.Tick
	what effectOf
}

// effectOf is whose effect and which: within a few ticks the same one may have
// moved, so tick and ordinal do not count.
type effectOf struct {
	e    tick.Entity
	kind uint8
}

// shownEffects is what one client has shown since its prediction began.
type shownEffects struct {
	net  map[effectOf]int // shown less taken back
	list []effectOf       // the keys of net, in order of appearance
	from tick.Tick        // it shows the effects from this tick on

	// The server has given up telling those up to and with tick lost.
	lost     tick.Tick
	someLost bool
}

// effectReach is how far back, in ticks, the authority tells of effects.
const effectReach = 127

func (x *shownEffects) restart(from tick.Tick) {
	x.net, x.list, x.from = map[effectOf]int{}, nil, from
}

// told takes down after which tick a packet tells effects, and up to which
// there are some. Where acknowledgements fail for so long, or there is more to
// tell than there is room for, the oldest are given up.
func (x *shownEffects) told(from, last tick.Tick) {
	if last.Since(from) >= effectReach {
		x.lost, x.someLost = from, true
	}
}

func (x *shownEffects) gap() bool { return x.someLost && !x.lost.Before(x.from) }

func (x *shownEffects) take(show, cancel []sim.Effect) {
	for i := range show {
		x.add(&show[i], 1)
	}
	for i := range cancel {
		x.add(&cancel[i], -1)
	}
}

func (x *shownEffects) add(e *sim.Effect, n int) {
	if x.net == nil {
		return
	}
	k := effectOf{e.Entity, e.Kind}
	if _, ok := x.net[k]; !ok {
		x.list = append(x.list, k)
	}
	x.net[k] += n
}

// log writes down what the server emitted at tick n.
func (c *checker) log(l *Lab, n tick.Tick) {
	es, _ := l.Server.Effects(n)
	for i := range es {
		c.truth = append(c.truth, truthEffect{n, effectOf{es[i].Entity, es[i].Kind}})
	}
}

// checkEffects: every client that heard of everything since its prediction
// began has shown each effect once, and nothing else.
func (s *swarm) checkEffects() {
	if s.lab.Server.Counters().EffectsDropped > 0 {
		return
	}
	for i := range s.peers {
		w := &s.peers[i]
		x := &w.effects
		if w.p.Gone || !w.plays || x.gap() || w.p.Replica.Ledger().Stats.Dropped > 0 {
			continue
		}
		for _, t := range s.truth {
			if !t.tick.Before(x.from) {
				x.add(&sim.Effect{Entity: t.what.e, Kind: t.what.kind}, -1)
			}
		}
		for _, k := range x.list {
			s.check(x.net[k] == 0, 24, i, "effect "+s.lab.Game.Effects()[k.kind]+" of entity "+strconv.Itoa(int(k.e))+
				" was shown "+strconv.Itoa(x.net[k])+" times too often")
		}
	}
}

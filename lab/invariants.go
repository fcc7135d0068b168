package lab

import (
	"strconv"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/view"
)

// sampleTicks is how many of a client's samples are remembered: more than any
// input ring holds, so that an old one that is executed again is recognised.
const sampleTicks = 1024

// checker looks at a swarm after every event. It asks the two state machines
// through what they show, and keeps books of its own to compare that with.
type checker struct {
	s      *swarm
	bad    *Violation
	checks [Invariants]int64
	peers  []watched
	diags  int // diagnoses looked at

	start   tick.Tick
	changed tick.Tick // last tick that changed anything that travels
	count   int       // of entities then
	inputs  []inputColumn
	input   []byte
	want    []byte
	inWorld []sim.Player
	truth   []truthEffect
	born    map[tick.Entity]bool // every entity there ever was
	alive   []tick.Entity
	last    map[sim.Player]*lastInput // by player
	before  *ecs.World
}

// inputColumn is where an input component stands in a player's input.
type inputColumn struct{ col, off, size int }

// watched is what the checker knows of one client.
type watched struct {
	p       *Peer
	bound   authority.Conn // the connection that the server knows it by
	samples *tick.Ring[sampled]
	seen    tick.Tick
	pred    *predict.Predictor
	resets  int64
	since   time.Duration // it plays without a break
	plays   bool
	held    bool // the server has its next input
	wire    session
	effects shownEffects
	steady  steadiness
	up      capture
	down    capture
	rng     dice
}

// lastInput is what a player executed last, and when.
type lastInput struct {
	at   tick.Tick
	data []byte
}

type sampled struct {
	is   bool
	data []byte
}

func (c *checker) begin() {
	l := c.s.lab
	c.start, c.changed = l.Server.Now(), l.Server.Now()
	c.born, c.last = map[tick.Entity]bool{}, map[sim.Player]*lastInput{}
	c.before = l.Game.NewWorld()
	off := 0
	for col := range l.Game.Components() {
		if l.Game.KindOf(col) == sim.KindInput {
			size := l.Game.Plan(col).Size
			c.inputs = append(c.inputs, inputColumn{col, off, size})
			off += size
		}
	}
	c.input = make([]byte, off)
}

func (c *checker) peer(p *Peer) {
	c.peers = append(c.peers, watched{p: p, bound: p.Conn, samples: tick.NewRing[sampled](sampleTicks),
		rng: *newDice(c.s.plan.seed, 4000+uint64(p.index))})
}

func (c *checker) of(p *Peer) *watched { return &c.peers[p.index] }

// fail files the first violation.
func (c *checker) fail(invariant, client int, what string) {
	if c.bad != nil {
		return
	}
	c.bad = &Violation{Invariant: invariant, Tick: c.s.lab.Server.Now(), Client: client, What: what,
		Repeat: c.s.plan.repeat + " -seed " + strconv.FormatUint(c.s.plan.seed, 10)}
}

// check counts a look at an invariant and files a violation unless ok.
func (c *checker) check(ok bool, invariant, client int, what string) bool {
	c.checks[invariant]++
	if !ok {
		c.fail(invariant, client, what)
	}
	return ok
}

// watch is the lab's Match.Watch.
func (c *checker) watch(l *Lab, e Event, i int) {
	if c.bad != nil {
		return
	}
	switch e {
	case Ticked:
		c.ticked(l)
		if c.s.liar != nil {
			c.s.liar.turn()
		}
	case Framed:
		c.framed(&c.peers[i])
	case Arrived:
		w := &c.peers[i]
		if player := l.Server.Player(w.p.Conn); player != sim.NoPlayer {
			w.bound = w.p.Conn
			w.held = l.Server.Fill(player) > 0
		}
		c.checks[18]++
		if q := w.p.Replica.Queued(); q > replica.MaxInbox {
			c.fail(18, i, "a client's inbox holds "+strconv.Itoa(q)+" packets")
		}
	}
	c.diagnoses(l)
}

// diagnoses: every correction has a cause.
func (c *checker) diagnoses(l *Lab) {
	ds := l.report.Diagnoses
	for ; c.diags < len(ds); c.diags++ {
		d := &ds[c.diags]
		c.checks[24]++
		at := func() string {
			return " of entity " + strconv.Itoa(int(d.Entity)) + " at tick " + strconv.Itoa(int(d.Tick))
		}
		switch d.Cause {
		case Nondeterminism:
			c.fail(11, d.Client, "the same ingredients gave other bits: correction"+at())
		case Unnamed:
			c.fail(24, d.Client, "no cause was found for the correction"+at())
		}
	}
}

// ticked looks at the server after tick Now-1.
func (c *checker) ticked(l *Lab) {
	n := l.Server.Now() - 1
	c.check(int64(n+1-c.start) == l.ticks, 4, -1, "the server's tick has not advanced by one")
	c.check(time.Duration(l.ticks)*time.Second <= l.Now*time.Duration(l.Game.Hz())+time.Second, 4, -1, "the server is ahead of time")
	c.executed(l, n)
	c.entities(l, n)
	c.world(l)
	c.rings(l)
	c.log(l, n)
	for i := range c.peers {
		w := &c.peers[i]
		w.wire.tick(l)
		c.steadily(w)
	}
}

// rings: a read gives the tick that was asked for, or "missing".
func (c *checker) rings(l *Lab) {
	h, now := l.Server.History(), l.Server.Now()
	back := tick.Tick(c.s.d.below(4 * c.s.plan.history))
	c.checks[7]++
	if f, ok := h.At(now - back); ok && f.Tick != now-back {
		c.fail(7, -1, "the history gives tick "+strconv.Itoa(int(f.Tick))+" where "+strconv.Itoa(int(now-back))+" was asked for")
	}
	for i := range c.peers {
		w := &c.peers[i]
		if w.p.Gone || !w.p.playing() {
			continue
		}
		pr := w.p.Replica.Predictor()
		_, ok := pr.State(pr.Now() - tick.Tick(pr.History()) - back)
		c.check(!ok, 7, i, "a client's history gives a tick that it has lapped")
	}
}

// framed looks at a client after a frame.
func (c *checker) framed(w *watched) {
	r := w.p.Replica
	pr := r.Predictor()
	if pr == nil {
		return
	}
	s := r.Stats()
	if plays := r.State() == replica.Playing; plays != w.plays || pr != w.pred || s.Predict.Resets != w.resets {
		w.plays, w.since = plays, c.s.lab.Now
		if pr != w.pred || s.Predict.Resets != w.resets {
			w.effects.restart(oldest(pr))
			w.seen = pr.Now() - sampleTicks/2
		}
		w.pred, w.resets = pr, s.Predict.Resets
	}
	c.check(s.Counters.NoBaseline == 0, 8, w.p.index, "a delta's baseline was never held")
	c.check(s.Predict.Resets == 0 || s.Counters.Malformed == 0 || c.s.hostile(), 9, w.p.index, "what the server encoded does not decode")
	for t := tick.Later(w.seen, pr.Now()-sampleTicks/2); t.Before(pr.Now()); t++ {
		if rec, ok := pr.Record(t); ok {
			x := w.samples.Put(t)
			x.is, x.data = rec.Sampled, append(x.data[:0], rec.Sent...)
		}
	}
	w.seen = pr.Now()
	show, cancel := r.Effects()
	w.effects.take(show, cancel)
	if n := len(r.Buffer().Entities()); n > view.MaxEntities {
		c.fail(18, w.p.index, "the view holds "+strconv.Itoa(n)+" entities")
	}
	if w.plays {
		c.replays(w, pr)
	}
}

// oldest returns the tick that a prediction began at, shortly after it did.
func oldest(pr *predict.Predictor) tick.Tick {
	t := pr.Now()
	for back := 0; back < pr.History(); back++ {
		if _, ok := pr.State(t - 1); !ok {
			break
		}
		t--
	}
	return t
}

func (s *swarm) hostile() bool { return s.plan.has(Garbage | Flips | Replays | Floods) }

// decoded compares every statement of a packet with the server's state then.
func (s *swarm) decoded(i int) func(*snapshot.Update) {
	return func(u *snapshot.Update) {
		f, ok := s.lab.Server.History().At(u.Tick)
		if !ok || f.Tick != u.Tick || s.bad != nil {
			return
		}
		for k := range u.Items {
			it := &u.Items[k]
			at, alive := f.Find(it.Entity)
			inv, ok := 10, !alive
			if it.Kind != snapshot.Gone {
				ok = alive && f.Owners[at] == it.Owner && f.Masks[at] == it.Mask && sameWords(f.Words(at), it.Words)
			}
			if it.Kind == snapshot.Changed {
				inv = 9
			}
			if s.checks[inv]++; !ok {
				s.fail(inv, i, "of entity "+strconv.Itoa(int(it.Entity))+" at tick "+strconv.Itoa(int(u.Tick))+
					" a client was told "+[...]string{"another state", "that it is unchanged, and it is not", "that it is gone, and it is not"}[it.Kind])
			}
		}
	}
}

func sameWords(a, b []int32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

package predict

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// rig is a server and predictors that are all told the same.
type rig struct {
	t     *testing.T
	g     *sim.Game // the server's
	s     *past
	preds []*Predictor

	lead, down, behind int // ticks: client before server, snapshot after, view behind
	free               bool
	holes              float64 // share of inputs that do not arrive
	skips              float64 // share that were never sampled
	part               float64 // share of entities left out of a packet
	quiet              bool

	rnd     *rand.Rand
	hits    int
	push    float32
	sent    map[tick.Tick][]byte
	how     map[tick.Tick]sim.How
	run     int
	skipped int
	told    tick.Tick
	known   map[tick.Entity]bool
	reasons Reason
}

const start = tick.Tick(1<<32 - 100)

func newRig(t *testing.T, rnd *rand.Rand, games ...*sim.Game) *rig {
	r := &rig{t: t, g: games[0], rnd: rnd, lead: 6, down: 4, behind: 9, free: true,
		sent: map[tick.Tick][]byte{}, how: map[tick.Tick]sim.How{}, known: map[tick.Entity]bool{}}
	r.s = newPast(games[0], start)
	for i := range 7 {
		owner := []sim.Player{me, 2, 0, me, 0, me, 3}[i]
		spawn(r.s.w, start, owner, float32(i)*2)
	}
	r.s.keep()
	for _, g := range games {
		p := New(Config{Game: g, Seed: 7, Me: me, History: 64})
		p.Start(start, nil)
		if v := p.Reconcile(start, r.words(start)); v != Taken {
			t.Fatalf("first snapshot: %v", v)
		}
		p.Flush()
		r.preds = append(r.preds, p)
	}
	r.told = start
	return r
}

func (r *rig) simulates(owner uint16) bool {
	return owner == uint16(me) || owner == 0 && r.free
}

// words is what snapshot n says of what is simulated.
func (r *rig) words(n tick.Tick) []Value {
	w := r.s.at(n)
	var out []Value
	for _, e := range sorted(r.known) {
		if !w.Alive(e) {
			out = append(out, Value{Entity: e, Gone: true})
			delete(r.known, e)
		}
	}
	for _, e := range w.Entities() {
		if r.simulates(w.Owner(e)) && !(r.rnd.Float64() < r.part) {
			out = append(out, word(r.g, w, e))
		}
		r.known[e] = true
	}
	return out
}

func sorted(m map[tick.Entity]bool) []tick.Entity {
	var out []tick.Entity
	for e := range m {
		out = append(out, e)
	}
	slices.Sort(out)
	return out
}

// tick lets the clients predict a tick, the server execute the one it is at,
// and a snapshot arrive.
func (r *rig) tick() {
	r.sample()
	if n := r.preds[0].Now().Add(int32(-r.lead)); n == r.s.now {
		r.serve()
	}
	if n := r.s.now.Add(int32(-r.down)); n.After(start) {
		r.arrive(n)
	}
}

func (r *rig) sample() {
	n := r.preds[0].Now()
	if r.rnd.Intn(9) == 0 {
		r.push = float32(r.rnd.Intn(257)-128) / 64
	}
	if r.rnd.Intn(7) == 0 {
		r.hits++
	}
	in := input(r.push, r.hits)
	sampled := !(r.rnd.Float64() < r.skips)
	if r.skipped++; sampled {
		r.skipped = 0
		r.sent[n] = in
	}
	for _, p := range r.preds {
		rec := p.Open()
		r.pose(p, rec, n)
		if rec.Sampled = sampled; sampled {
			copy(rec.Sent, in)
			rec.How = sim.AsSent
		} else {
			rec.How = r.g.FillHole(rec.Sent, rec.Sent, r.skipped)
			clear(rec.Sent)
		}
		p.Step(rec)
	}
}

func (r *rig) pose(p *Predictor, rec *Record, n tick.Tick) {
	from := r.s.at(n.Add(int32(-r.behind)))
	for _, e := range r.seen(p) {
		owner := r.s.w.Owner(e)
		if from.Alive(e) {
			owner = from.Owner(e)
		}
		if r.known[e] && r.simulates(owner) {
			continue
		}
		if !from.Alive(e) {
			if p.world.Alive(e) {
				p.Vanish(rec, e)
			}
			continue
		}
		v := word(r.g, from, e)
		Put(r.g, p.world, &v)
		p.Pose(rec, e)
	}
}

// seen is all that may be an other: known of, or still shown.
func (r *rig) seen(p *Predictor) []tick.Entity {
	out := sorted(r.known)
	for _, e := range p.world.Entities() {
		if i, ok := slices.BinarySearch(out, e); !ok && p.otherAt(p.now, e) {
			out = slices.Insert(out, i, e)
		}
	}
	return out
}

func (r *rig) serve() {
	n := r.s.now
	in, ok := r.sent[n]
	how := sim.AsSent
	if !ok || r.rnd.Float64() < r.holes {
		r.run++
		how = r.g.FillHole(make([]byte, r.g.InputSize()), make([]byte, r.g.InputSize()), r.run)
	} else {
		r.run = 0
	}
	r.how[n] = how
	if !r.quiet {
		r.meddle()
	}
	r.s.step(in, how)
}

// meddle is what only the server knows of: r.s.w before tick now.
func (r *rig) meddle() {
	w, es := r.s.w, r.s.w.Entities()
	if len(es) == 0 {
		spawn(w, r.s.now, me, 0)
		return
	}
	e := es[r.rnd.Intn(len(es))]
	switch r.rnd.Intn(60) {
	case 0:
		if bodies.Column(); w.Column(bodies.Column()).Has(e) {
			give(w, e, bodies, body{X: float32(r.rnd.Intn(20)), V: 1})
		}
	case 1:
		if len(es) > 4 {
			w.Destroy(e, r.s.now)
		}
	case 2:
		if len(es) < 12 {
			spawn(w, r.s.now, sim.Player(r.rnd.Intn(3)), float32(r.rnd.Intn(30)))
		}
	case 3:
		w.SetOwner(e, uint16(r.rnd.Intn(3)))
	case 4:
		give(w, e, fuses, fuse{int32(2 + r.rnd.Intn(20))})
	case 5:
		w.Column(heats.Column()).Remove(e)
	case 6:
		give(w, e, heats, heat{float32(r.rnd.Intn(100)) / 7})
	case 7:
		if w.Owner(e) == uint16(me) {
			give(w, e, gains, gain{float32(r.rnd.Intn(5))})
		}
	case 8:
		r.free = !r.free
	case 9: // below the tolerance
		if b, ok := bodies.Of(w, e); ok {
			give(w, e, bodies, body{X: b.X + 0.001, V: b.V})
		}
	}
}

// arrive gives snapshot n to the predictors, now and then in two packets.
func (r *rig) arrive(n tick.Tick) {
	vals := r.words(n)
	if len(vals) > 0 && r.rnd.Intn(3) == 0 {
		vals[r.rnd.Intn(len(vals))].Rests = true
	}
	cut := len(vals)
	if cut > 1 && r.rnd.Intn(2) == 0 {
		cut = r.rnd.Intn(cut)
	}
	for _, p := range r.preds {
		for t := r.told; t.Before(n); t++ {
			p.Repair(t, r.how[t])
		}
		if v := p.Reconcile(n, vals[:cut]); v != Taken {
			r.t.Fatalf("snapshot %d at %d: %v", n, p.Now(), v)
		}
		if cut < len(vals) {
			p.Reconcile(n, vals[cut:])
		}
		p.Flush()
		r.reasons |= p.Why()
	}
	r.told = n
}

// otherAt reports whether e was another's pose in the state before tick n.
func (p *Predictor) otherAt(n tick.Tick, e tick.Entity) bool {
	r, ok := p.recs.At(n - 1)
	return ok && r.poses.has(e)
}

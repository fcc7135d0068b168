package predict

import (
	"slices"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/internal/fault"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Config says what to predict.
type Config struct {
	Game    *sim.Game
	Seed    uint64 // the match's
	Me      sim.Player
	History int // ticks kept; rounded up to a power of two

	Count Counters // where the counters begin: those of the session before

	// Keep is how many states behind the newest snapshot are kept, for Force and
	// for repairs; default 8. With Inspect all of History is. Fewer keep to the
	// processor's cache.
	Keep int

	// Inspect, if set, is shown every misprediction before anything is
	// changed: the history still is what was predicted. For the lab.
	Inspect func(*Mismatch)
}

// Predictor holds the client's world at tick Now and the history behind it.
// Not safe for concurrent use.
type Predictor struct {
	cfg    Config
	g      *sim.Game
	run    *sim.Runner
	world  *ecs.World
	now    tick.Tick
	begun  bool
	hist   *tick.Ring[state]
	recs   *tick.Ring[Record]
	pool   []*ecs.World  // of states that are no longer needed
	spare  []values      // of their records
	oldest tick.Tick     // states before it have been given back
	others []tick.Entity // interpolated now, ascending

	newest  tick.Tick // newest snapshot reconciled
	have    bool
	pending pending

	turned    tick.Tick // newest state at which something became or ceased to be the player's
	hasTurned bool

	released []tick.Entity // turning from interpolated to simulated
	kept     []tick.Entity // whose word is adopted
	why      Reason        // of the last replay
	input    []byte
	scratch  [2][]byte
	words    []int32
	mis      Mismatch
	cmp      compared
	count    Counters

	wire []int        // the game's
	cols []wireColumn // in wire order
}

// wireColumn is what is looked up of a travelling component all the time.
type wireColumn struct {
	plan    *sim.Plan
	kind    sim.Kind
	scratch []byte

	was, rows *ecs.Column // the state being compared, and where its rows are looked up
}

type state struct{ w *ecs.World }

// Counters count since New.
type Counters struct {
	Compared     int64 // (snapshot tick, with at least one entity compared)
	Differing    int64 // of those, with a differing bit
	Mispredicted int64 // of those, beyond tolerance: replayed
	Drift        int64 // entities whose difference was tolerated
	Rollbacks    int64
	Replayed     int64 // ticks
	Repairs      int64 // inputs executed otherwise than sent
	Resets       int64
	TooOld       int64 // snapshots older than the history or already passed
}

// New makes a predictor; Start begins.
func New(cfg Config) *Predictor {
	g := cfg.Game.Seal()
	if cfg.History < minHistory {
		cfg.History = minHistory
	}
	if cfg.Keep <= 0 {
		cfg.Keep = keepBehind
	}
	p := &Predictor{
		cfg: cfg, g: g, run: sim.NewRunner(g, cfg.Seed), world: g.NewWorld(),
		hist: tick.NewRing[state](cfg.History), recs: tick.NewRing[Record](cfg.History),
		input: make([]byte, g.InputSize()),
		count: cfg.Count,
	}
	p.wire = g.Wire()
	for _, col := range p.wire {
		p.cols = append(p.cols, wireColumn{plan: g.Plan(col), kind: g.KindOf(col), scratch: make([]byte, g.Plan(col).Size)})
	}
	return p
}

// Start begins, or begins anew, at state n with what the client makes of its
// entities: the nearest it knows. What the server says of that very tick is
// then given to Reconcile.
func (p *Predictor) Start(n tick.Tick, seed []Value) {
	p.world.Clear()
	p.hist.Clear()
	p.recs.Clear()
	p.others = p.others[:0]
	p.pending, p.hasTurned = pending{}, false
	p.now, p.begun, p.newest, p.have, p.oldest = n, true, n, false, n
	for i := range seed {
		Put(p.g, p.world, &seed[i])
	}
	p.save(n)
	p.count.Resets++
}

// Started reports whether there is a world.
func (p *Predictor) Started() bool { return p.begun }

// Now returns the tick of the world: the next to be predicted.
func (p *Predictor) Now() tick.Tick { return p.now }

// World returns the predicted world at Now. Between Open and Step the caller
// may write poses of others to it (see Pose).
func (p *Predictor) World() *ecs.World { return p.world }

// State returns the predicted state of tick t, for reading, or false.
func (p *Predictor) State(t tick.Tick) (*ecs.World, bool) {
	s, ok := p.hist.At(t)
	if !ok || t.After(p.now) {
		return nil, false
	}
	return s.w, true
}

// Record returns what tick t used, or false.
func (p *Predictor) Record(t tick.Tick) (*Record, bool) {
	if !t.Before(p.now) {
		return nil, false
	}
	return p.recs.At(t)
}

// Counters returns the counters.
func (p *Predictor) Counters() Counters { return p.count }

// Reconciled returns the tick of the newest snapshot taken in.
func (p *Predictor) Reconciled() (tick.Tick, bool) { return p.newest, p.have }

// History returns how many ticks are kept.
func (p *Predictor) History() int { return p.hist.Len() }

// Others returns the entities that are interpolated, ascending.
func (p *Predictor) Others() []tick.Entity { return p.others }

// IsOther reports whether e is interpolated.
func (p *Predictor) IsOther(e tick.Entity) bool {
	_, ok := slices.BinarySearch(p.others, e)
	return ok
}

// Open begins the record of tick Now. Then come Pose and Vanish for every
// other, the fields of the record, and Step.
func (p *Predictor) Open() *Record {
	r, ok := p.recs.At(p.now)
	if !ok { // else values were adopted at this very tick
		r = p.recs.Put(p.now)
		p.clean(r)
	}
	p.others = p.others[:0]
	return r
}

// Pose records entity e as it now stands in World as another's pose: read-only
// in this tick.
func (p *Predictor) Pose(r *Record, e tick.Entity) {
	r.poses.capture(p.wire, p.world, e)
	if n := len(p.others); n == 0 || p.others[n-1] < e {
		p.others = append(p.others, e)
	} else if i, ok := slices.BinarySearch(p.others, e); !ok {
		p.others = slices.Insert(p.others, i, e)
	}
}

// Vanish removes an interpolated entity from the world.
func (p *Predictor) Vanish(r *Record, e tick.Entity) {
	if p.world.Alive(e) {
		p.world.Destroy(e, p.now)
	}
	r.removed = append(r.removed, e)
}

// Step runs tick Now from the world and its record.
func (p *Predictor) Step(r *Record) {
	p.runTick(p.world, p.now, r, nil, &Replace{posed: true})
	if fault.Is("nondeterminism") && p.now%600 == 300 || fault.Is("inv11") && p.now%64 == 32 {
		p.flip()
	}
	p.now++
	p.save(p.now)
}

// flip is a planted fault: a bit that a replay will not have.
func (p *Predictor) flip() {
	for col := range p.g.Components() {
		c := p.world.Column(col)
		for row, e := range c.IDs() {
			if p.g.KindOf(col) == sim.KindPredicted && !p.IsOther(e) && c.Size() > 0 {
				c.Bytes(row)[0] ^= 1
				return
			}
		}
	}
}

// LastInput copies to dst the input that the player executed last, as far as
// the world at Now knows.
func (p *Predictor) LastInput(dst []byte) { p.run.LastInput(p.world, p.cfg.Me, dst) }

// View returns a step to read the world at Now with.
func (p *Predictor) View() *sim.Step { return p.run.Begin(p.world, p.now, sim.ClientSide) }

func (p *Predictor) save(t tick.Tick) {
	s := p.hist.Put(t)
	if n := len(p.pool); s.w == nil && n > 0 {
		s.w, p.pool = p.pool[n-1], p.pool[:n-1]
	}
	if s.w == nil {
		s.w = p.g.NewWorld()
	}
	s.w.CopyFrom(p.world)
}

// forget gives back the states that no replay will begin at, and what was
// adopted at them. The next ticks take them again: that keeps to the cache.
func (p *Predictor) forget() {
	if p.cfg.Inspect != nil {
		return
	}
	limit := p.newest.Add(-int32(p.cfg.Keep))
	if limit.Since(p.oldest) > int32(p.hist.Len()) {
		p.oldest = limit.Add(-int32(p.hist.Len()))
	}
	for ; p.oldest.Before(limit); p.oldest++ {
		if s, ok := p.hist.At(p.oldest); ok {
			p.pool = append(p.pool, s.w)
			s.w = nil
			p.hist.Drop(p.oldest)
		}
		if r, ok := p.recs.At(p.oldest); ok && r.adopted.list != nil {
			r.adopted.clear()
			p.spare = append(p.spare, r.adopted)
			r.adopted = values{}
		}
	}
}

// runTick is state n + record n = state n+1; it leaves the world at t+1.
func (p *Predictor) runTick(w *ecs.World, t tick.Tick, r *Record, scope []tick.Entity, x *Replace) {
	r.Ran = r.How
	p.run1(w, t, r, scope, x)
	if scope == nil {
		r.Effects = append(r.Effects[:0], p.run.Effects()...)
		return
	}
	r.mergeEffects(p.run.Effects(), scope)
}

// Replace says which ingredients of a tick are exchanged for the server's
// truth; the zero value exchanges nothing.
type Replace struct {
	Input []byte  // what the player executed; nil: as recorded
	How   sim.How // how that was obtained

	// Mended takes what the server is known to have executed by now in place of
	// what the tick ran with last.
	Mended bool

	// Others sets the others as they really were at the start of the tick, and
	// OthersInput what they executed; nil: the poses as recorded, read-only.
	Others      func(w *ecs.World, t tick.Tick)
	OthersInput func(run *sim.Runner, t tick.Tick)

	posed bool // the world has the poses that were recorded
}

// Adopt gives w the server's values that the record adopted.
func (p *Predictor) Adopt(w *ecs.World, r *Record) { p.applyAdopted(w, r, nil) }

// Rerun runs tick t on w from record r with some ingredients replaced. Values
// that were adopted at state t are applied first. The history is left alone:
// this is the counterfactual.
func (p *Predictor) Rerun(w *ecs.World, t tick.Tick, r *Record, x *Replace) {
	p.applyAdopted(w, r, nil)
	p.run1(w, t, r, nil, x)
}

// run1 is one tick on any world, of all or of those in scope: prediction,
// replay and counterfactual.
func (p *Predictor) run1(w *ecs.World, t tick.Tick, r *Record, scope []tick.Entity, x *Replace) {
	if x.Others != nil {
		x.Others(w, t)
	} else if !x.posed {
		p.putOthers(w, t, r, scope)
	}
	how := r.Ran
	if x.Mended {
		how = r.How
	}
	if x.Input != nil {
		copy(p.input, x.Input)
		how = x.How
	} else {
		p.executed(w, r, how, p.input)
	}
	p.run.Begin(w, t, sim.ClientSide)
	if scope != nil {
		p.run.Scope(scope)
	}
	if x.Others == nil {
		p.lockOthers(r, scope)
	} else {
		x.OthersInput(p.run, t)
	}
	if how == sim.Frozen {
		p.run.LockPlayer(p.cfg.Me)
	}
	p.run.SetInput(p.cfg.Me, p.input)
	p.run.Systems()
}

// putOthers makes the others, or those of them in scope, what tick t read.
func (p *Predictor) putOthers(w *ecs.World, t tick.Tick, r *Record, scope []tick.Entity) {
	for _, e := range r.removed {
		if scope == nil || holds(scope, e) {
			w.Destroy(e, t)
		}
	}
	r.poses.put(p.wire, w, scope)
}

func (p *Predictor) lockOthers(r *Record, scope []tick.Entity) {
	for i := range r.poses.list {
		if e := r.poses.list[i].e; scope == nil || holds(scope, e) {
			p.run.Lock(e)
		}
	}
}

// executed computes the input that tick r executes on w, obtained as how says.
func (p *Predictor) executed(w *ecs.World, r *Record, how sim.How, dst []byte) {
	if how == sim.AsSent {
		copy(dst, r.Sent)
		return
	}
	p.run.LastInput(w, p.cfg.Me, dst)
	p.g.Fill(dst, dst, how)
}

// mergeEffects replaces the effects of the entities in scope.
func (r *Record) mergeEffects(fresh []sim.Effect, scope []tick.Entity) {
	keep := r.Effects[:0]
	for _, e := range r.Effects {
		if _, in := slices.BinarySearch(scope, e.Entity); !in {
			keep = append(keep, e)
		}
	}
	r.Effects = append(keep, fresh...)
}

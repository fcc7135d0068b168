package lab

import (
	"strconv"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Checks says how Check is to try a game. Zero values mean the default.
type Checks struct {
	Bot     sim.Bot // plays; without one nobody moves, and little can go wrong
	Players int     // default 4
	Ticks   int     // default 600
	Seed    uint64

	// Fused looks for fused multiply-adds in the game's packages and returns
	// one line for each. It runs the compiler, so a shell or a test gives it.
	Fused func() ([]string, error)
}

// Breach is one way in which a game breaks the law that the next state
// depends on components, inputs, tick and side alone.
type Breach struct {
	Check  string      // what was tried, as in the constants Check...
	Tick   tick.Tick   // the first tick whose result differs
	Entity tick.Entity // NoEntity if it is not about one
	Field  string      // component and field: "Body.Vel.X"
	Why    string      // what to look for
}

// What Check tries, in this order.
const (
	CheckJoin        = "join"        // players get an entity
	CheckRollback    = "rollback"    // ticks are run again from an earlier state
	CheckClient      = "client"      // the same, with the client's systems
	CheckRebuild     = "rebuild"     // the world is torn down and rebuilt before every tick
	CheckInterleaved = "interleaved" // another match runs in the same process, in turn
	CheckHidden      = "hidden"      // the client's systems run without what does not travel
	CheckReadOnly    = "read-only"   // entities that the client does not predict stay as they are
	CheckOwn         = "reads-own"   // one entity alone gives what it gives among all
	CheckTravel      = "travel"      // values survive their way over the wire
	CheckFused       = "fused"       // no x*y + z in one instruction
)

// String says it in one line.
func (v Breach) String() string {
	s := v.Check + ": "
	if v.Field != "" {
		s += v.Field
		if v.Entity != tick.NoEntity {
			s += " of entity " + strconv.Itoa(int(v.Entity.Index()))
		}
		s += " in tick " + strconv.FormatUint(uint64(v.Tick), 10) + ": "
	}
	return s + v.Why
}

// replayed is how many ticks a forced rollback takes back.
const replayed = 8

// Check plays a game by itself, tries to catch it breaking the laws, and
// returns the first breach of each kind: none for a game that may be
// predicted. A game in which nothing happens passes, so give it a bot.
func Check(g *sim.Game, c Checks) []Breach {
	g.Seal()
	if c.Players <= 0 {
		c.Players = 4
	}
	if c.Ticks <= 0 {
		c.Ticks = 600
	}
	t := newTrial(g, &c)
	if !g.HasJoin() {
		t.found = append(t.found, Breach{Check: CheckJoin, Why: "game " + g.Name() + " has no Join: players get no entity"})
	}
	for _, f := range []func(){t.rollback, t.client, t.rebuild, t.interleaved, t.hidden, t.readOnly, t.own, t.travel} {
		f()
	}
	if c.Fused != nil {
		lines, err := c.Fused()
		if err != nil {
			lines = append(lines, "could not look: "+err.Error())
		}
		for _, line := range lines {
			t.found = append(t.found, Breach{Check: CheckFused, Why: line + ": write float32(x*y) + z"})
		}
	}
	return t.found
}

// trial is one game as it was played once: state n and everything that tick n
// used, from which any tick can be run again.
type trial struct {
	g     *sim.Game
	c     *Checks
	run   *sim.Runner
	ticks []trialTick
	last  *ecs.World
	w, x  *ecs.World
	found []Breach
}

type trialTick struct {
	was     *ecs.World
	inputs  []executed
	joins   []sim.Player
	leaves  []sim.Player
	effects []sim.Effect
}

// trialStart is the first tick: not 0, so that nothing rests on that.
const trialStart tick.Tick = 100

func newTrial(g *sim.Game, c *Checks) *trial {
	t := &trial{g: g, c: c, run: sim.NewRunner(g, mix(c.Seed)), w: g.NewWorld(), x: g.NewWorld()}
	t.play()
	return t
}

// play makes the original. Players come one after the other, and the last one
// goes for a while.
func (t *trial) play() {
	w := t.g.NewWorld()
	samples := make([]*sim.Sample, t.c.Players)
	in := make([]bool, t.c.Players)
	for i := range t.c.Ticks {
		x := trialTick{was: t.g.NewWorld()}
		x.was.CopyFrom(w)
		for k := range samples {
			p := sim.Player(k + 1)
			away := k > 0 && k == t.c.Players-1 && i*2 > t.c.Ticks && i*4 < t.c.Ticks*3
			switch here := i >= 10*k && !away; {
			case here && !in[k]:
				in[k], samples[k] = true, sim.NewSample(t.g)
				x.joins = append(x.joins, p)
			case !here && in[k]:
				in[k] = false
				x.leaves = append(x.leaves, p)
			}
			if in[k] {
				x.inputs = append(x.inputs, executed{player: p, data: t.sample(w, i, p, samples[k])})
			}
		}
		t.ticks = append(t.ticks, x)
		t.tick(t.run, w, i, sim.ServerSide)
		t.ticks[i].effects = append([]sim.Effect(nil), t.run.Effects()...)
	}
	t.last = w
}

// sample is what the bot does, or nothing.
func (t *trial) sample(w *ecs.World, i int, p sim.Player, s *sim.Sample) []byte {
	if t.c.Bot != nil {
		turn := sim.Turn{Step: t.run.Begin(w, trialStart.Add(int32(i)), sim.ClientSide), Player: p, Input: s}
		for _, e := range w.Entities() {
			if w.Owner(e) == uint16(p) {
				turn.Me = e
				break
			}
		}
		t.c.Bot(&turn)
	}
	b := make([]byte, t.g.InputSize())
	s.Take(b)
	return b
}

// tick runs tick i on w, from what was recorded of it.
func (t *trial) tick(run *sim.Runner, w *ecs.World, i int, side sim.Side) {
	t.begin(run, w, i, side)
	run.Systems()
}

func (t *trial) begin(run *sim.Runner, w *ecs.World, i int, side sim.Side) {
	x := &t.ticks[i]
	run.Begin(w, trialStart.Add(int32(i)), side)
	if side == sim.ServerSide {
		for _, p := range x.leaves {
			run.Leave(p)
		}
		for _, p := range x.joins {
			run.Join(p)
		}
	}
	for k := range x.inputs {
		run.SetInput(x.inputs[k].player, x.inputs[k].data)
	}
}

// state is what the original had at its i-th tick.
func (t *trial) state(i int) *ecs.World {
	if i == len(t.ticks) {
		return t.last
	}
	return t.ticks[i].was
}

// differ files a breach if the worlds are not the same, and says so.
// allocator tells whether that is to be the same, too.
func (t *trial) differ(check string, i int, a, b *ecs.World, allocator bool, why string) bool {
	if a.Equal(b) {
		return false
	}
	d, ok := a.FirstDiff(b)
	if !ok || d.Component == ecs.DiffAllocator && !allocator {
		return false
	}
	t.file(check, i, d.Entity, t.field(d), why)
	return true
}

func (t *trial) file(check string, i int, e tick.Entity, field, why string) {
	t.found = append(t.found, Breach{Check: check, Tick: trialStart.Add(int32(i)), Entity: e, Field: field, Why: why})
}

// field names the place of a difference.
func (t *trial) field(d ecs.Diff) string {
	switch d.Component {
	case ecs.DiffEntity:
		return "existence"
	case ecs.DiffOwner:
		return "owner"
	case ecs.DiffAllocator:
		return "the order of free indices"
	}
	p := t.g.Plan(d.Component)
	if d.Offset < 0 {
		return p.Name + " (there or not)"
	}
	return p.Name + "." + p.FieldAt(d.Offset)
}

// sameEffects files a breach if tick i emitted something else than then.
func (t *trial) sameEffects(check string, i int, got []sim.Effect, why string) bool {
	want := t.ticks[i].effects
	for k := range max(len(want), len(got)) {
		if k < len(want) && k < len(got) && want[k] == got[k] {
			continue
		}
		e := append(append([]sim.Effect(nil), want[min(k, len(want)):]...), got[min(k, len(got)):]...)[0]
		t.file(check, i, e.Entity, "effect "+t.g.Effects()[e.Kind], why)
		return false
	}
	return true
}

package pucks

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// match is the least that runs a game: what an authority does without a net.
type match struct {
	g       *sim.Game
	w       *ecs.World
	r       *sim.Runner
	now     tick.Tick
	bot     sim.Bot
	turn    sim.Turn
	samples []*sim.Sample // of player i+1
	inputs  [][]byte
	effects []sim.Effect
}

func newMatch(g *sim.Game, players int, seed uint64, bot sim.Bot) *match {
	m := &match{g: g, r: sim.NewRunner(g, seed), w: g.Seal().NewWorld(), bot: bot}
	m.r.Begin(m.w, 0, sim.ServerSide)
	for p := range players {
		m.r.Join(sim.Player(p + 1))
		m.samples = append(m.samples, sim.NewSample(g))
		m.inputs = append(m.inputs, make([]byte, g.InputSize()))
	}
	return m
}

func (m *match) sample() {
	s := m.r.Begin(m.w, m.now, sim.ServerSide)
	for i, in := range m.samples {
		p := sim.Player(i + 1)
		m.turn = sim.Turn{Step: s, Me: m.puckOf(p), Player: p, Input: in}
		m.bot(&m.turn)
		in.Take(m.inputs[i])
	}
}

func (m *match) puckOf(p sim.Player) tick.Entity {
	es, _ := Dashers.AllOf(m.w)
	for _, e := range es {
		if m.w.Owner(e) == uint16(p) {
			return e
		}
	}
	return tick.NoEntity
}

func (m *match) execute() {
	m.r.Begin(m.w, m.now, sim.ServerSide)
	for i, in := range m.inputs {
		m.r.SetInput(sim.Player(i+1), in)
	}
	m.r.Systems()
	m.effects = m.r.Effects()
	m.now++
}

func (m *match) step() { m.sample(); m.execute() }

// clicker is Scripted, or for every other player Bot, with two clicks a second
// more and sometimes a double one.
func clicker(t *sim.Turn) {
	if t.Player&1 == 0 {
		Bot(t)
	} else {
		Scripted(t)
	}
	if uint32(t.Tick)%25 == uint32(t.Player) {
		Drives.Press(t, dashButton)
		if t.Tick%2 == 0 {
			Drives.Press(t, dashButton)
		}
	}
}

// wantHash is of the worlds of 10,000 ticks, on every architecture.
const wantHash = 0xe16ccd6e817699ac

func TestHash(t *testing.T) {
	run := func(nudge bool) (h uint64) {
		m := newMatch(WithFree(30), 8, 1, clicker)
		for range 10_000 {
			if nudge && m.now == 5000 { // one bit of one float
				es, _ := Bodies.AllOf(m.w)
				c := m.w.Column(Bodies.Column())
				row, _ := c.Row(es[0])
				c.Bytes(row)[1] ^= 1
			}
			m.step()
			h = h*0x9e3779b97f4a7c15 + m.w.Hash()
		}
		return h
	}
	got := run(false)
	if got != wantHash {
		t.Errorf("hash of 10,000 ticks is %#x, want %#x", got, uint64(wantHash))
	}
	if run(true) == got {
		t.Error("a flipped bit does not change the hash")
	}
}

func energy(w *ecs.World) (sum float64) {
	es, bs := Bodies.AllOf(w)
	for i, e := range es {
		p, _ := Pucks.Of(w, e)
		sum += float64(bs[i].Vel.Len2()) / float64(p.InvMass) / 2
	}
	return sum
}

// Nobody steers: whatever bumps and slides only loses energy, and comes to
// rest at last.
func TestEnergy(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	m := newMatch(WithFree(48), 16, seed, func(*sim.Turn) {})
	m.step()
	es, bs := Bodies.AllOf(m.w)
	for i := range es {
		bs[i].Vel = geom.V2(r.Float32()-0.5, r.Float32()-0.5).Mul(30)
	}
	bumps, last := 0, energy(m.w)
	for range 1500 {
		m.step()
		now := energy(m.w)
		if now > last*(1+1e-5) {
			t.Fatalf("tick %d: energy rose from %g to %g", m.now, last, now)
		}
		last = now
		bumps += len(m.effects)
	}
	if last != 0 || bumps < 50 {
		t.Errorf("energy %g after 25 s, %d bumps; want 0 and many", last, bumps)
	}
	at := m.w.Hash()
	m.step()
	if m.w.Hash() != at {
		t.Error("at rest, yet the world changes")
	}
}

func TestMomentum(t *testing.T) {
	var w bodies
	w.n = 2
	w.x[1] = 1
	w.vx[0], w.vy[0] = 3, 1
	w.radius[0], w.radius[1] = 0.8, 0.6
	w.invMass[0], w.invMass[1] = 0.5, 1
	w.pairs(0)
	if px := w.vx[0]/0.5 + w.vx[1]; geom.Abs(px-6) > 1e-5 {
		t.Errorf("momentum %v, was 6", px)
	}
	if part := w.vx[1] - w.vx[0]; geom.Abs(part-3*bouncy) > 1e-5 {
		t.Errorf("parting at %v, want %v", part, 3*bouncy)
	}
	if w.vy[0] != 1 || w.vy[1] != 0 {
		t.Error("a frictionless bump changed the speed along the surfaces")
	}
	if gap := w.x[1] - w.x[0]; geom.Abs(gap-1.4) > 1e-5 {
		t.Errorf("%v apart after the bump, want 1.4", gap)
	}
	if w.bumpCount != 1 || w.quiet[0] != bellRest || w.quiet[1] != bellRest {
		t.Error("no bump was rung")
	}
}

// Bots chase each other for a minute: the rink holds, pucks hardly overlap.
func TestRink(t *testing.T) {
	m := newMatch(Game, 16, 5, Bot)
	var bumps, dashes, goals int
	worst := float32(0)
	for range 3600 {
		m.step()
		for _, e := range m.effects {
			switch e.Kind {
			case Bump.ID():
				bumps++
			case Dash.ID():
				dashes++
			}
		}
		es, bs := Bodies.AllOf(m.w)
		if len(es) != 46 && m.now > 1 {
			t.Fatalf("%d pucks", len(es))
		}
		for i, e := range es {
			p, _ := Pucks.Of(m.w, e)
			if a := half - p.Radius; geom.Abs(bs[i].Pos.X) > a || geom.Abs(bs[i].Pos.Y) > a || !bs[i].Pos.Finite() {
				t.Fatalf("tick %d: %v is outside: %v", m.now, e, bs[i].Pos)
			}
			for j := range i {
				q, _ := Pucks.Of(m.w, es[j])
				worst = max(worst, p.Radius+q.Radius-bs[i].Pos.Dist(bs[j].Pos))
			}
		}
	}
	es, sc := Scores.AllOf(m.w)
	for i := range es {
		goals += int(sc[i].Goals)
	}
	t.Logf("%d bumps, %d dashes, %d goals, deepest overlap %.2f m", bumps, dashes, goals, worst)
	if bumps < 1000 || dashes < 100 || goals < 1 {
		t.Error("the game is asleep")
	}
	if worst > 0.6 {
		t.Errorf("pucks overlap by %v m", worst)
	}
}

func TestBotMeetsPucks(t *testing.T) {
	for seed := range uint64(5) {
		m := newMatch(Game, 1, seed, Bot)
		bumps, turns := 0, 0
		var was geom.Vec2
		for range 3600 {
			m.step()
			for _, e := range m.effects {
				if e.Kind == Bump.ID() {
					bumps++
				}
			}
			d, _ := Drives.Of(m.w, m.puckOf(1))
			if d.Move.Dot(was) < 0.95 {
				turns++
			}
			was = d.Move
		}
		t.Logf("seed %d: alone for a minute: %d bumps, %d turns", seed, bumps, turns)
		if bumps < 100 || turns < 120 {
			t.Errorf("seed %d: %d bumps, %d turns; want 100 and 120", seed, bumps, turns)
		}
	}
}

func TestScriptTurnsTwiceASecond(t *testing.T) {
	for p := range sim.Player(16) {
		for k := range tick.Tick(100) {
			if Script(30*k, p).Dot(Script(30*k+30, p)) > 0.8 || Script(30*k, p) != Script(30*k+29, p) {
				t.Fatalf("player %d, turn %d", p, k)
			}
		}
	}
}

// rebuild makes a world from components alone, in shuffled order.
func rebuild(g *sim.Game, w *ecs.World, r *rand.Rand) *ecs.World {
	n := g.NewWorld()
	es := append([]tick.Entity(nil), w.Entities()...)
	r.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
	for _, e := range es {
		n.Insert(e)
		n.SetOwner(e, w.Owner(e))
		for _, col := range r.Perm(g.Components()) {
			from, to := w.Column(col), n.Column(col)
			if row, ok := from.Row(e); ok {
				copy(to.Bytes(to.Add(e)), from.Bytes(row))
			}
		}
	}
	return n
}

func TestRebuiltContinues(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, seed))
	a, b := newMatch(Game, 8, seed, Bot), newMatch(Game, 8, seed, Bot)
	for range 1200 {
		a.step()
		b.w = rebuild(b.g, b.w, r)
		b.step()
		if d, ok := a.w.FirstDiff(b.w); ok {
			t.Fatalf("seed %d, tick %d: %+v", seed, a.now, d)
		}
		if fmt.Sprint(a.effects) != fmt.Sprint(b.effects) {
			t.Fatalf("seed %d, tick %d: other effects", seed, a.now)
		}
	}
}

// A client that is alone predicts every bit: it runs only what clients run, on
// a world without what only servers have.
func TestClientStepAgrees(t *testing.T) {
	m := newMatch(Game, 1, 2, Bot)
	m.step() // the free pucks are there
	c, cr := m.g.NewWorld(), sim.NewRunner(m.g, 2)
	c.CopyFrom(m.w)
	c.Column(Touches.Column()).Clear()
	for range 600 {
		m.sample()
		cr.Begin(c, m.now, sim.ClientSide)
		cr.SetInput(1, m.inputs[0])
		cr.Systems()
		m.execute()
		for _, col := range []int{Bodies.Column(), Dashers.Column(), Bells.Column()} {
			for _, e := range m.w.Entities() {
				if c, s := c.Column(col), m.w.Column(col); c.Has(e) {
					i, _ := c.Row(e)
					j, _ := s.Row(e)
					if string(c.Bytes(i)) != string(s.Bytes(j)) {
						t.Fatalf("tick %d: component %d of %v differs", m.now, col, e)
					}
				}
			}
		}
		if fmt.Sprint(m.effects) != fmt.Sprint(cr.Effects()) {
			t.Fatalf("tick %d: other effects", m.now)
		}
	}
}

// What another player owns is read-only for a client: his pose stays as given,
// and the free puck he meets still moves.
func TestReadOnlyPose(t *testing.T) {
	g := WithFree(1)
	m := newMatch(g, 2, 2, func(*sim.Turn) {})
	m.step()
	other, free := m.puckOf(2), tick.NoEntity
	es, bs := Bodies.AllOf(m.w)
	for i, e := range es {
		switch {
		case e == other:
			bs[i] = Body{Pos: geom.V2(0, 0), Vel: geom.V2(5, 0)}
		case m.w.Owner(e) == 0:
			free = e
			bs[i] = Body{Pos: geom.V2(1.3, 0)}
		}
	}
	m.r.Begin(m.w, m.now, sim.ClientSide)
	m.r.Lock(other)
	m.r.Systems()
	if b, _ := Bodies.Of(m.w, other); b != (Body{Pos: geom.V2(0, 0), Vel: geom.V2(5, 0)}) {
		t.Errorf("the read-only body is now %v", b)
	}
	if bl, _ := Bells.Of(m.w, other); bl.Quiet != 0 {
		t.Error("the read-only bell was rung")
	}
	if b, _ := Bodies.Of(m.w, free); b.Vel.X < 5 {
		t.Errorf("the free puck was not hit: %v", b)
	}
	if len(m.r.Effects()) != 1 {
		t.Errorf("%d effects", len(m.r.Effects()))
	}
}

func TestDash(t *testing.T) {
	m := newMatch(NoFree, 1, 2, func(*sim.Turn) {})
	count := sim.Counter(65530) // clicks wrap
	run := func(clicks int) int {
		count += sim.Counter(clicks)
		s := sim.NewSample(m.g)
		Drives.Set(s, Drive{Move: geom.V2(1, 0)})
		in := m.inputs[0]
		s.Take(in)
		in[8], in[9] = byte(count), byte(count>>8)
		m.execute()
		n := 0
		for _, e := range m.effects {
			if e.Kind == Dash.ID() {
				n++
			}
		}
		return n
	}
	run(0) // from 0 to 65530: backwards, so no click
	if d, _ := Dashers.Of(m.w, m.puckOf(1)); d.Last != 65530 || d.Cooldown != 0 {
		t.Fatalf("a counter that went back dashes: %+v", d)
	}
	speed := func() float32 { b, _ := Bodies.Of(m.w, m.puckOf(1)); return b.Vel.X }
	slow := speed()
	if run(1) != 1 || speed() < slow+dashSpeed*0.9 || speed() > slow+dashSpeed*1.1 {
		t.Fatalf("one click: from %v to %v m/s", slow, speed())
	}
	for range dashRest {
		if run(3) != 0 {
			t.Fatal("dash within the cooldown")
		}
	}
	if run(0) != 0 {
		t.Fatal("clicks during the cooldown were kept")
	}
	if run(1000) != 1 || speed() > maxSpeed {
		t.Fatalf("a thousand clicks: %v m/s", speed())
	}
}

func TestJoinAndLeave(t *testing.T) {
	m := newMatch(Game, 16, 8, Bot)
	m.step()
	if n := m.w.Len(); n != 46 {
		t.Fatalf("%d entities", n)
	}
	es, bs := Bodies.AllOf(m.w)
	for i := range es {
		for j := range i {
			if bs[i].Pos.Dist(bs[j].Pos) < 1.2 {
				t.Errorf("pucks %d and %d were put on each other", i, j)
			}
		}
	}
	for p := range sim.Player(16) {
		m.r.Begin(m.w, m.now, sim.ServerSide)
		m.r.Leave(p + 1)
	}
	m.samples, m.inputs = nil, nil
	m.step()
	if n := m.w.Len(); n != 30 {
		t.Errorf("%d entities when all have left, want the 30 free pucks", n)
	}
}

func TestSteadyStepAllocatesNothing(t *testing.T) {
	m := newMatch(Game, 16, 4, Scripted)
	for range 600 {
		m.step()
	}
	if n := testing.AllocsPerRun(200, m.step); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
	m.bot = Bot
	for range 600 {
		m.step()
	}
	if n := testing.AllocsPerRun(200, m.step); n != 0 {
		t.Errorf("%v allocations a step with bots", n)
	}
}

func benchmarkStep(b *testing.B, players int) {
	m := newMatch(Game, players, 1, Bot)
	for range 300 {
		m.step()
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%20 == 0 { // the bots' own time hardly counts
			m.sample()
		}
		m.execute()
	}
}

func BenchmarkStep8(b *testing.B)  { benchmarkStep(b, 8) }
func BenchmarkStep16(b *testing.B) { benchmarkStep(b, 16) }

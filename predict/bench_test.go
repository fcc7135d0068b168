package predict_test

import (
	"testing"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// runner is 48 bytes that only their own entity's system reads.
type runner struct {
	Pos, Vel, Spin, Wind geom.Vec3
}

type push struct{ Dir geom.Vec3 }

var (
	crowd   = sim.New("crowd", 60)
	runners = sim.Predicted[runner](crowd)
	pushes  = sim.Input[push](crowd)
	all     = sim.Where1(runners)
)

func init() {
	crowd.ModeOf(func(sim.ModeView) sim.Mode { return sim.Simulated })
	crowd.System("run", func(s *sim.Step) {
		for e := range all.In(s) {
			r := runners.Write(s, e)
			if in, ok := pushes.Read(s, e); ok {
				r.Vel = r.Vel.MulAdd(in.Dir, s.Dt)
			}
			r.Vel = r.Vel.MulAdd(r.Wind, s.Dt)
			r.Pos = r.Pos.MulAdd(r.Vel, s.Dt)
			r.Spin = r.Spin.Lerp(r.Vel, 0.1)
		}
	}, sim.ReadsOwn)
	crowd.Seal()
}

// among makes a predictor with n runners at tick 40, the first of them the
// player's.
func among(n int) *predict.Predictor {
	p := predict.New(predict.Config{Game: crowd, Me: 1, History: 64})
	vals := make([]predict.Value, n)
	for i := range vals {
		vals[i] = valueOf(i, 0)
	}
	p.Start(0, vals)
	for range 40 {
		r := p.Open()
		r.Sampled, r.How = true, sim.AsSent
		p.Step(r)
	}
	return p
}

// valueOf is what the server says of the i-th runner when he is at x.
func valueOf(i int, x float32) predict.Value {
	v := predict.Value{Entity: tick.MakeEntity(uint16(i+1), 1)}
	w := crowd.NewWorld()
	w.Insert(v.Entity)
	runner := ecs.At[runner](w.Column(runners.Column()), w.Column(runners.Column()).Add(v.Entity))
	runner.Pos.X, runner.Wind.Y = x, float32(i)
	if i == 0 { // the player's
		v.Owner = 1
		w.Column(pushes.Column()).Add(v.Entity)
	}
	for k, col := range crowd.Wire() {
		if row, ok := w.Column(col).Row(v.Entity); ok {
			v.Mask |= 1 << uint(k)
			words := make([]int32, crowd.Plan(col).Words)
			crowd.Plan(col).Quantise(w.Column(col).Bytes(row), words)
			v.Words = append(v.Words, words...)
		}
	}
	return v
}

// benchmarkRollback replays 20 ticks because the player's entity differs at
// one of them.
func benchmarkRollback(b *testing.B, n int) {
	p := among(n)
	told := [][]predict.Value{{valueOf(0, 1)}, {valueOf(0, 2)}}
	at := p.Now() - 20
	before := p.Counters()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Reconcile(at, told[i&1]) // never what was predicted
		if from, ok := p.Flush(); !ok || from != at {
			b.Fatalf("replayed from %d: %v", from, ok)
		}
	}
	c := p.Counters()
	if c.Replayed-before.Replayed != 20*(c.Rollbacks-before.Rollbacks) {
		b.Fatalf("%d ticks in %d rollbacks", c.Replayed-before.Replayed, c.Rollbacks-before.Rollbacks)
	}
}

func BenchmarkRollback20Of1000(b *testing.B) { benchmarkRollback(b, 1000) }
func BenchmarkRollback20Alone(b *testing.B)  { benchmarkRollback(b, 1) }

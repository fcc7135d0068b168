package scenes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

// Bounds of the issue.
const (
	kineticGrowth  = 1e-3 // of kinetic energy, in a step, without gravity
	totalGrowth    = 1e-2 // of total energy, over its start
	momentumChange = 1e-5 // of the sum of the bodies' momenta, in all steps
)

// motion is what is kept, in float64.
type motion struct {
	kinetic, potential float64
	momentum           [3]float64
	momenta            float64 // sum of lengths
}

func (k *kit) motion(w *physics.World) motion {
	var m motion
	g := float64(k.Config.Gravity.Y)
	states := w.States()
	for i, id := range w.Bodies() {
		d, _ := w.Def(id)
		if d.Kind != physics.Dynamic {
			continue
		}
		st := &states[i]
		mass := k.st.Mass(d.Shape, d.Density)
		kg := float64(mass.Mass)
		r := st.Rot.Mat()
		spin := r.MulT(st.Spin)
		l := mass.Inertia.Mul(spin)
		v := [3]float64{float64(st.Vel.X), float64(st.Vel.Y), float64(st.Vel.Z)}
		v2 := v[0]*v[0] + v[1]*v[1] + v[2]*v[2]
		m.kinetic += 0.5*kg*v2 + 0.5*(float64(l.X)*float64(spin.X)+float64(l.Y)*float64(spin.Y)+float64(l.Z)*float64(spin.Z))
		m.potential -= kg * g * float64(st.Pos.Add(r.Mul(mass.Centre)).Y)
		m.momenta += kg * math.Sqrt(v2)
		for c := range v {
			m.momentum[c] += kg * v[c]
		}
	}
	return m
}

// energyScene is one of three kinds: free in space, in a closed room without
// gravity, in one with it.
func energyScene(i int, r *rand.Rand) *kit {
	var gravity geom.Vec3
	if i%3 == 2 {
		gravity = physics.Earth
	}
	k := newKit(r, gravity)
	if i%3 != 0 {
		k.walls(4, true)
	}
	k.scatter(2+r.IntN(12), geom.V3(0, 4, 0), k.in(1.5, 3), k.in(0.5, 12))
	return k
}

// energyHolds takes a scene 120 steps on. spoil may change it between steps.
func energyHolds(i int, r *rand.Rand, worst *[3]float64, spoil func(*physics.World)) error {
	k := energyScene(i, r)
	x := begin(k.Scene)
	start := k.motion(x.w)
	before := start
	for x.step < 120 {
		x.next()
		if spoil != nil {
			spoil(x.w)
		}
		now := k.motion(x.w)
		if math.IsNaN(now.kinetic) {
			return fmt.Errorf("step %d: kinetic energy %v J", x.step, now.kinetic)
		}
		if i%3 == 2 {
			over := (now.kinetic+now.potential)/(start.kinetic+start.potential) - 1
			worst[1] = max(worst[1], over)
			if over > totalGrowth {
				return fmt.Errorf("step %d: total energy is %.3f %% over its start", x.step, 100*over)
			}
		} else {
			grown := (now.kinetic - before.kinetic) / (before.kinetic + 1e-6)
			worst[0] = max(worst[0], grown)
			if grown > kineticGrowth {
				return fmt.Errorf("step %d: kinetic energy grows from %.4f J by %.3f %%", x.step, before.kinetic, 100*grown)
			}
		}
		if i%3 == 0 {
			var d float64
			for c := range now.momentum {
				d = max(d, math.Abs(now.momentum[c]-start.momentum[c])/start.momenta)
			}
			worst[2] = max(worst[2], d)
			if d > momentumChange {
				return fmt.Errorf("step %d: momentum has changed by %.2g", x.step, d)
			}
		}
		before = now
	}
	return nil
}

// TestEnergy is 10,000 random scenes without initial overlap.
func TestEnergy(t *testing.T) {
	n := count(10_000)
	var worst [3]float64
	each(t, n, func(i int, r *rand.Rand) error { return energyHolds(i, r, &worst, nil) })
	t.Logf("%d scenes: kinetic energy grows at most %.4f %% a step, total energy is at most %.3f %% over its start, momentum changes by %.2g",
		n, 100*worst[0], 100*worst[1], worst[2])
}

// TestEnergyPlanted is the negative control: a step that adds a little to all
// speeds, or to one, is found in every kind of scene.
func TestEnergyPlanted(t *testing.T) {
	for kind, factor := range [...]float32{1.00002, 1.0006, 1.01} {
		spoil := func(w *physics.World) {
			for _, id := range w.Bodies() {
				st, _ := w.State(id)
				if err := w.SetVelocity(id, st.Vel.Mul(factor), st.Spin.Mul(factor)); err != nil {
					t.Fatal(err)
				}
			}
		}
		var worst [3]float64
		err := energyHolds(kind, rand.New(rand.NewPCG(uint64(kind), 9)), &worst, spoil)
		if err == nil {
			t.Errorf("kind %d: it was not found", kind)
		}
		t.Log(err)
	}
}

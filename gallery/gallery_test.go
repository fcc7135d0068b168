package gallery

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
)

func run(s *Show, n int) {
	for range n {
		s.Step()
	}
}

// The show is the scene: it adds nothing of its own.
func TestShowIsTheScene(t *testing.T) {
	for _, name := range []string{"S1", "mixed"} {
		s, sc := Open(name, 1), scenes.Named(name)
		w := sc.New()
		var d scenes.Driver
		for i := range 120 {
			d.Drive(sc, w, i)
			w.Step()
		}
		run(s, 120)
		if s.World().Hash() != w.Hash() || s.Tick() != 120 {
			t.Errorf("%s: tick %d, hash %x, want %x", name, s.Tick(), s.World().Hash(), w.Hash())
		}
		if light := Open(name, 0.165); light != nil {
			if run(light, 120); light.World().Hash() == w.Hash() {
				t.Errorf("%s: control: the Moon's gravity gives the same hash", name)
			}
		}
	}
	if Open("nothing", 1) != nil {
		t.Error("a show of no scene")
	}
}

// Back to any tick and on again gives the hashes of before, balls included.
func TestRewind(t *testing.T) {
	for _, name := range []string{"S1sleep", "mixed", "S3"} {
		s := Open(name, 1)
		r := rand.New(rand.NewPCG(1, 1))
		hashes := map[int]uint64{0: s.World().Hash()}
		for s.Tick() < 200 {
			if s.Tick()%37 == 20 {
				s.Throw(geom.V3(float32(r.IntN(9)-4), 12, 15), geom.V3(0, 0, -25))
			}
			s.Step()
			hashes[s.Tick()] = s.World().Hash()
		}
		for range 8 {
			to := r.IntN(201)
			s.Seek(to)
			if s.Tick() != to || s.World().Hash() != hashes[to] {
				t.Fatalf("%s: tick %d, hash %x, want %d, %x", name, s.Tick(), s.World().Hash(), to, hashes[to])
			}
			run(s, min(40, 200-to))
			c := s.Check()
			if c.Differs != 0 || c.Compared != s.Tick()-c.From || c.Known != 200-c.From || s.World().Hash() != hashes[s.Tick()] {
				t.Fatalf("%s: back to %d and on to %d: %+v", name, to, s.Tick(), c)
			}
		}
	}
}

// Control: a bit that changes after a rewind is found, at its step.
func TestRewindSpoiled(t *testing.T) {
	s := Open("S1", 1)
	run(s, 100)
	s.Seek(40)
	id := s.World().Bodies()[0]
	st, _ := s.World().State(id)
	s.world.SetVelocity(id, geom.V3(st.Vel.X+1e-6, st.Vel.Y, st.Vel.Z), st.Spin)
	run(s, 60)
	if c := s.Check(); c.Differs != 41 {
		t.Errorf("%+v, want a difference at step 41", c)
	}
}

// A ball makes another future: what was known of the old one is dropped.
func TestThrowAfterRewind(t *testing.T) {
	s := Open("S1sleep", 1)
	run(s, 100)
	was := s.World().Hash()
	s.Seek(45)
	s.Throw(geom.V3(0, 5, 20), geom.V3(0, 0, -30))
	if o, n := s.Range(); o != 0 || n != 45 {
		t.Errorf("ticks %d to %d are known, want 0 to 45", o, n)
	}
	run(s, 55)
	now := s.World().Hash()
	if c := s.Check(); c.Differs != 0 || now == was || len(s.World().Bodies()) != 211 {
		t.Errorf("%+v, same hash %v, %d bodies", c, now == was, len(s.World().Bodies()))
	}
	s.Seek(44)
	if run(s, 56); s.World().Hash() != now || s.Check().Differs != 0 || s.Check().Compared < 56 {
		t.Errorf("back before the ball and on: %+v", s.Check())
	}
	for range mostBalls + 10 {
		s.Throw(geom.V3(0, 5, 20), geom.V3(0, 0, -30))
		s.Step()
	}
	if n := len(s.World().Bodies()); n != 210+mostBalls {
		t.Errorf("%d bodies with %d balls", n, mostBalls)
	}
	s.Throw(geom.V3(float32(math.NaN()), 0, 0), geom.Vec3{})
	s.Step()
	if n := len(s.World().Bodies()); n >= 210+mostBalls {
		t.Errorf("a ball that is nowhere: %d bodies", n)
	}
}

// Ten seconds are kept, and no more is offered.
func TestRange(t *testing.T) {
	s := Open("S4", 1)
	s.Seek(-5)
	s.Seek(5)
	if s.Tick() != 0 {
		t.Errorf("at %d, where nothing is known but 0", s.Tick())
	}
	for s.Tick() < 3*keepSteps+7 {
		s.Step()
		if s.Tick()%101 == 0 {
			old, now := s.Range()
			if now != s.Tick() || now-old > keepSteps || now >= keepSteps && now-old <= keepSteps-saveEvery {
				t.Fatalf("ticks %d to %d at %d", old, now, s.Tick())
			}
			for _, to := range []int{old, old + 1, now} {
				if s.Seek(to); s.Tick() != to || s.Check().Differs != 0 {
					t.Fatalf("at %d, want %d; %+v", s.Tick(), to, s.Check())
				}
			}
		}
	}
}

// Steps come by the clock, whatever the frame rate; and not all after a pause.
func TestAdvance(t *testing.T) {
	for _, hz := range []float64{12, 24.5, 60, 144, 1000} {
		for _, speed := range []float64{0.25, 1, 4} {
			s := Open("S4", 1)
			for range int(2 * hz) {
				s.Advance(1000/hz, speed)
			}
			want := math.Floor(2*hz) / hz * 60 * speed
			if d := float64(s.Tick()) - want; d > 1 || d < -1.01 {
				t.Errorf("%v Hz, speed %v: %d steps in 2 s, want %v", hz, speed, s.Tick(), want)
			}
			if p := s.Part(); p < 0 || p > 1.001 {
				t.Errorf("%v Hz: %v of a step is left", hz, p)
			}
		}
	}
	s := Open("S4", 1)
	for _, ms := range []float64{60_000, math.Inf(1)} {
		at := s.Tick()
		s.Advance(ms, 1)
		if n := s.Tick() - at; n < 14 || n > 16 || len(s.Times) != 0 {
			t.Errorf("%d steps after %v ms, %d times", n, ms, len(s.Times))
		}
	}
	at := s.Tick()
	for _, ms := range []float64{math.NaN(), -1e9, 0} {
		s.Advance(ms, 1)
		s.Advance(1, ms)
	}
	if s.Tick() != at {
		t.Error("no time, and steps")
	}
	clock := 0.0
	s.Now = func() float64 { clock += 15; return clock } // a slow machine
	s.Advance(100, 4)
	if n := len(s.Times); n == 0 || n > 3 || s.Times[0] != 15 {
		t.Errorf("a frame took %d steps of 15 ms: %v", n, s.Times)
	}
}

// The picture has every body where it is, in the shade of what it does.
func TestPicture(t *testing.T) {
	for _, name := range scenes.Names() {
		s := Open(name, 1)
		run(s, 60)
		s.Throw(geom.V3(0, 30, 0), geom.Vec3{})
		run(s, 2)
		batches, matrices, shades := s.Picture(1)
		n := 0
		for _, b := range batches {
			n += b.Count
		}
		bodies := len(s.World().Bodies()) + len(s.World().Statics())
		if n != len(shades) || 16*n != len(matrices) || n < bodies {
			t.Errorf("%s: %d instances in batches, %d shades, %d numbers; %d bodies", name, n, len(shades), len(matrices), bodies)
		}
		count := map[int]int{}
		for i, v := range shades {
			count[int(v)/8]++
			for _, x := range matrices[16*i : 16*i+16] {
				if !geom.Finite(x) {
					t.Fatalf("%s: instance %d has %v", name, i, matrices[16*i:16*i+16])
				}
			}
		}
		asleep := len(s.World().Bodies()) - s.Awake()
		if count[ShadeBall] != 1 || count[ShadeAsleep] < asleep || asleep == 0 && count[ShadeAsleep] != 0 {
			t.Errorf("%s: shades %v with %d asleep", name, count, asleep)
		}
		if sur := s.Surfaces(); name == "S3" && (len(sur) != 1 || len(sur[0]) != 60_000) {
			t.Errorf("%s: %d surfaces", name, len(sur))
		}
	}
	s := Open("S1sleep", 1)
	run(s, 80)
	if _, _, shades := s.Picture(1); s.Awake() != 0 || int(shades[1])/8 != ShadeAsleep && int(shades[0])/8 != ShadeAsleep {
		t.Errorf("%d awake, shades %v", s.Awake(), shades[:2])
	}
}

// Between two steps things are shown between their places.
func TestPictureBetween(t *testing.T) {
	s := Open("S2", 1)
	s.Step()
	id := s.World().Bodies()[0]
	was, _ := s.World().State(id)
	run(s, 1)
	is, _ := s.World().State(id)
	y := func(part float32) float32 {
		_, m, _ := s.Picture(part)
		for i := 0; i < len(m); i += 16 {
			if m[i+12] == is.Pos.X && m[i+14] == is.Pos.Z {
				return m[i+13]
			}
		}
		t.Fatal("the body is not there")
		return 0
	}
	if y(0) != was.Pos.Y || y(1) != is.Pos.Y || !(y(0.5) < was.Pos.Y && y(0.5) > is.Pos.Y) {
		t.Errorf("%v, %v, %v between %v and %v", y(0), y(0.5), y(1), was.Pos.Y, is.Pos.Y)
	}
	if n := testing.AllocsPerRun(10, func() { s.Picture(0.5) }); n != 0 {
		t.Errorf("a picture allocates %v times", n)
	}
}

// Contact points are where things touch, after a rewind too.
func TestContacts(t *testing.T) {
	s := Open("S1", 1)
	if len(s.Contacts()) != 0 {
		t.Error("contacts before the first step")
	}
	run(s, 30)
	seen := append([]physics.Touch(nil), s.Contacts()...)
	if len(seen) < 800 {
		t.Errorf("%d contacts in a pyramid of 210 cubes", len(seen))
	}
	for _, c := range seen {
		if h := math.Mod(float64(c.Point.Y)+0.5, 1); h < 0.4 || h > 0.6 {
			t.Fatalf("a contact at height %v, between cubes of a metre", c.Point.Y)
		}
	}
	run(s, 20)
	s.Seek(30)
	again := s.Contacts()
	if len(again) != len(seen) || again[7] != seen[7] {
		t.Errorf("%d contacts after a rewind, want %d", len(again), len(seen))
	}
	s.Seek(0)
	if n := len(s.Contacts()); n != 0 {
		t.Errorf("%d contacts at the start", n)
	}
}

package view

import (
	"math"
	"testing"
	"time"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/tick"
)

// scene is two predicted states of entity one, moving along x at 10 m/s, and a
// frame clock.
type scene struct {
	d         *Display
	src       Source
	mine      bool
	prev, cur *ecs.World
	n         float32 // tick of cur
	off       float32 // the prediction is this far off in x
}

func newScene() *scene {
	s := &scene{d: NewDisplay(game), prev: game.NewWorld(), cur: game.NewWorld(), mine: true}
	s.src = Source{Prev: s.prev, Cur: s.cur, Smooth: true, Predicted: func(e tick.Entity) bool { return s.mine && e == one }}
	s.write()
	return s
}

const perTick = float32(10) / 60

func setBody(w *ecs.World, e tick.Entity, x float32) {
	w.Insert(e)
	c := w.Column(bodies.Column())
	*ecs.At[body](c, c.Add(e)) = body{Pos: geom.Vec2{X: x, Y: 3}}
}

func (s *scene) write() {
	setBody(s.prev, one, (s.n-1)*perTick+s.off)
	setBody(s.cur, one, s.n*perTick+s.off)
}

func (s *scene) tick() { s.n++; s.write() }

// correct moves both states by so much, as a rollback does.
func (s *scene) correct(by float32) {
	p, c := game.NewWorld(), game.NewWorld()
	p.CopyFrom(s.prev)
	c.CopyFrom(s.cur)
	s.off += by
	s.write()
	s.d.Corrected(p, c, s.prev, s.cur)
}

func (s *scene) frame(dt time.Duration) *Frame {
	s.src.Now += dt
	return s.d.Frame(&s.src)
}

func (s *scene) x(t *testing.T) float32 { t.Helper(); return posX(t, s.d.frame.World, one) }

func TestPredictedIsBlendedAndWhole(t *testing.T) {
	s := newScene()
	c := s.cur.Column(trails.Column())
	*ecs.At[trail](c, c.Add(one)) = trail{3}
	s.cur.SetOwner(one, 4)
	s.src.Alpha = 0.25
	f := s.frame(0)
	if x := s.x(t); !near(x, -0.75*perTick, 1e-6) {
		t.Errorf("x = %v", x)
	}
	if v, ok := trails.Of(f.World, one); !ok || v.Len != 3 || f.World.Owner(one) != 4 {
		t.Error("a client-only component or the owner is missing")
	}
	s.cur.Column(trails.Column()).Remove(one)
	s.frame(time.Millisecond)
	if f = s.frame(time.Millisecond); f.World.Column(trails.Column()).Has(one) {
		t.Error("a component that is not in cur is shown")
	}
}

func TestDecayDoesNotDependOnFrameRate(t *testing.T) {
	for ms := range 2000 {
		dt := time.Duration(ms) * 717 * time.Microsecond
		want := math.Pow(0.9, 60*dt.Seconds())
		if got := float64(decay(dt)); math.Abs(got-want) > 1e-6*want {
			t.Fatalf("decay(%v) = %v, want %v", dt, got, want)
		}
	}
	if decay(-time.Second) != 1 || decay(0) != 1 || decay(math.MaxInt64) != 0 {
		t.Error("decay at the ends")
	}
	const span = 300 * time.Millisecond
	for _, frames := range []int{3, 7, 18, 43, 75} {
		s := newScene()
		s.frame(0)
		s.correct(1)
		for range frames {
			s.frame(span / time.Duration(frames))
		}
		if left, want := 1-perTick-s.x(t), float32(math.Pow(0.9, 18)); !near(left, want, 1e-5) {
			t.Errorf("%d frames: %v left of an error of 1, want %v", frames, left, want)
		}
	}
}

func TestCorrectionGlides(t *testing.T) {
	s := newScene()
	const dt = time.Second / 60
	s.frame(dt)
	s.tick()
	if f := s.frame(dt); f.Jump > 1e-6 {
		t.Errorf("motion alone is a jump of %v", f.Jump)
	}
	before := s.x(t)
	s.tick() // one more tick before the correction comes
	s.correct(0.5)
	f := s.frame(dt)
	if x := s.x(t); !near(x-before, perTick+0.05, 1e-3) {
		t.Errorf("went %v, want a tick's motion and a tenth of the error", x-before)
	}
	if !near(f.Jump, 0.05, 1e-3) || f.Jump != s.d.JumpOf(one) || s.d.JumpOf(two) != 0 {
		t.Errorf("jump %v", f.Jump)
	}
	// A second correction on top of a running one goes on from what is shown.
	before = s.x(t)
	s.correct(-0.3)
	s.frame(0)
	if x := s.x(t); !near(x, before, 1e-5) {
		t.Errorf("a correction moved it from %v to %v", before, x)
	}
	s.frame(2 * time.Second)
	if x, want := s.x(t), s.n*perTick-perTick+0.2; !near(x, want, 1e-4) {
		t.Errorf("ends at %v, want %v", x, want)
	}
}

func TestCorrectionWithoutSmoothingJumps(t *testing.T) {
	s := newScene()
	s.src.Smooth = false
	s.frame(0)
	s.correct(0.5)
	if f := s.frame(time.Second / 60); !near(f.Jump, 0.5, 1e-5) {
		t.Errorf("jump %v, want the whole error", f.Jump)
	}
	// Switching it off drops what was running.
	s.src.Smooth = true
	s.frame(0)
	s.correct(0.5)
	s.frame(time.Second / 60)
	s.src.Smooth = false
	s.frame(time.Second / 60)
	if x, want := s.x(t), -perTick+1; !near(x, want, 1e-5) {
		t.Errorf("x = %v, want %v", x, want)
	}
}

func TestSnapsAndTeleports(t *testing.T) {
	for _, c := range []struct {
		by       float32
		glides   bool
		teleport bool
	}{{1.9, true, false}, {2.1, false, false}, {9, false, true}} {
		s := newScene()
		s.frame(0)
		s.correct(c.by)
		f := s.frame(0)
		if stayed := near(s.x(t), -perTick, 1e-5); stayed != c.glides {
			t.Errorf("corrected by %v: shown at %v", c.by, s.x(t))
		}
		if got := len(f.Teleported) == 1; got != c.teleport {
			t.Errorf("corrected by %v: teleported %v", c.by, f.Teleported)
		}
	}
	// A simulated teleport is neither blended nor smoothed across, also while
	// an error is running off.
	s := newScene()
	s.frame(0)
	s.correct(1)
	s.frame(0)
	setBody(s.cur, one, 100)
	s.src.Alpha = 0.4
	if f := s.frame(time.Millisecond); s.x(t) > 1 || len(f.Teleported) > 0 {
		t.Errorf("first half: %v", s.x(t))
	}
	s.src.Alpha = 0.6
	if f := s.frame(time.Millisecond); s.x(t) != 100 || len(f.Teleported) != 1 {
		t.Errorf("second half: %v, teleported %v", s.x(t), f.Teleported)
	}
}

func TestAppearedAndGone(t *testing.T) {
	s := newScene()
	b := NewBuffer(game, 8)
	add(b, at(0), two, 5, 1)
	add(b, at(0), one, 0, 1)
	s.src.Buffer, s.src.ViewTick = b, at(0)
	f := s.frame(0)
	if len(f.Appeared) != 2 || f.Appeared[0] != one || f.Appeared[1] != two || len(f.Gone) != 0 {
		t.Fatalf("appeared %v, gone %v", f.Appeared, f.Gone)
	}
	if s.x(t) != -perTick {
		t.Error("a predicted entity was shown from the buffer")
	}
	s.mine = false // the same id from the other source: no event
	if f = s.frame(0); len(f.Appeared)+len(f.Gone)+len(f.Teleported) != 0 {
		t.Errorf("events at a swap: %+v", f)
	}
	b.Gone(at(1), two)
	s.src.ViewTick = at(1)
	if f = s.frame(0); len(f.Gone) != 1 || f.Gone[0] != two || f.World.Alive(two) {
		t.Errorf("gone %v", f.Gone)
	}
	add(b, at(2), tick.MakeEntity(2, 1), 5, 1)
	s.src.ViewTick = at(2)
	if f = s.frame(0); len(f.Appeared) != 1 || f.Appeared[0] != tick.MakeEntity(2, 1) || len(f.Gone) != 0 {
		t.Errorf("next generation: appeared %v, gone %v", f.Appeared, f.Gone)
	}
	s.src.Buffer, s.src.Cur = nil, nil
	if f = s.frame(0); len(f.Gone) != 2 || f.World.Len() != 0 {
		t.Errorf("nothing left: gone %v of %d", f.Gone, f.World.Len())
	}
}

func TestSwapOfSourceIsSmooth(t *testing.T) {
	const dt = time.Second / 60
	s := newScene()
	b := NewBuffer(game, 64)
	for n := range int32(60) {
		add(b, at(n), one, float32(n)*perTick-1.5, 0)
	}
	s.src.Buffer = b
	step := func(mine bool) float32 {
		s.mine = mine
		s.tick()
		s.src.ViewTick = at(int32(s.n))
		s.frame(dt)
		return s.x(t)
	}
	x := step(true)
	for i, mine := range []bool{true, false, false, false, true, true, false} {
		y := step(mine)
		// No step beyond motion, and a tenth of the distance between sources.
		if d := y - x; d < -0.16 || d > perTick+0.16 {
			t.Errorf("swap %d: went %v in a frame", i, d)
		}
		x = y
	}
	s.mine = false
	s.frame(3 * time.Second)
	if x := s.x(t); x != s.n*perTick-1.5 {
		t.Errorf("ends at %v", x)
	}
	s.src.Smooth = false
	s.mine = true
	if f := s.frame(0); !near(f.Jump, 1.5-perTick, 1e-4) {
		t.Errorf("unsmoothed swap: jump %v", f.Jump)
	}
}

func TestLateVersionGlides(t *testing.T) {
	const dt = time.Second / 60
	s := newScene()
	s.mine = false
	b := NewBuffer(game, 64)
	add(b, at(0), one, 0, 0)
	add(b, at(1), one, 0.1, 0)
	s.src.Cur, s.src.Buffer = nil, b
	s.src.ViewTick = at(5)
	s.frame(dt)
	if x := s.x(t); !near(x, 0.5, 1e-6) {
		t.Fatalf("extrapolated to %v", x)
	}
	add(b, at(8), one, 0.1, 0) // it had stopped
	s.src.ViewTick = at(6)
	f := s.frame(dt)
	if x := s.x(t); !near(x, 0.1+0.4*0.9, 1e-5) || len(f.Teleported) != 0 {
		t.Errorf("pulled to %v", x)
	}
}

func TestBufferTeleportIsReported(t *testing.T) {
	s := newScene()
	s.mine = false
	b := NewBuffer(game, 64)
	for n := range int32(10) {
		add(b, at(n), one, float32(n/5*50), 0)
	}
	s.src.Cur, s.src.Buffer = nil, b
	count := 0
	for n := range int32(9) {
		for _, frac := range []float32{0, 0.3, 0.6} {
			s.src.ViewTick, s.src.ViewFrac = at(n), frac
			count += len(s.frame(time.Millisecond).Teleported)
			if x := s.x(t); x != 0 && x != 50 {
				t.Fatalf("seen flying at %v", x)
			}
		}
	}
	if count != 1 {
		t.Errorf("teleported %d times", count)
	}
}

func TestRotationGlides(t *testing.T) {
	turn := func(w *ecs.World, angle float64) {
		w.Insert(one)
		c := w.Column(aims.Column())
		*ecs.At[aim](c, c.Add(one)) = aim{geom.Quat{Z: float32(math.Sin(angle / 2)), W: float32(math.Cos(angle / 2))}}
	}
	angle := func(s *scene) float64 {
		v, _ := aims.Of(s.d.frame.World, one)
		return 2 * math.Atan2(float64(v.Q.Z), float64(v.Q.W))
	}
	s := newScene()
	turn(s.prev, 0.2)
	turn(s.cur, 0.2)
	s.frame(0)
	old := game.NewWorld()
	old.CopyFrom(s.cur)
	turn(s.prev, 0.7)
	turn(s.cur, 0.7)
	s.d.Corrected(old, old, s.cur, s.cur)
	s.frame(0)
	if a := angle(s); math.Abs(a-0.2) > 1e-3 {
		t.Errorf("turned to %v at once", a)
	}
	s.frame(time.Second / 60)
	if a := angle(s); math.Abs(a-0.25) > 2e-3 {
		t.Errorf("turned to %v after a sixtieth, want 0.25", a)
	}
	s.frame(3 * time.Second)
	if a := angle(s); math.Abs(a-0.7) > 1e-6 {
		t.Errorf("ends at %v", a)
	}
}

func TestDisplayDoesNotAllocate(t *testing.T) {
	s := newScene()
	b := NewBuffer(game, 16)
	s.src.Buffer = b
	other := game.NewWorld()
	mask, words := wordsOf(1, 1)
	n, f := int32(0), 0
	step := func() {
		n++
		f++
		b.Add(at(n), two, 1, mask, words)
		b.Add(at(n), one, 1, mask, words)
		s.src.ViewTick = at(n - 3)
		s.mine = f%16 < 8
		s.tick()
		other.CopyFrom(s.cur)
		s.off = float32(f % 3)
		s.write()
		s.d.Corrected(other, other, s.prev, s.cur)
		s.frame(time.Millisecond)
		if f%32 == 0 {
			b.Gone(at(n), two)
		}
	}
	for range 100 {
		step()
	}
	if a := testing.AllocsPerRun(200, step); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

package gallery

import (
	"slices"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
	"github.com/foretick/foretick/shape"
)

// Show is a scene on its way. Step n takes the world from tick n to tick n+1.
type Show struct {
	Now   func() float64 // the clock, ms; nil: steps are not timed
	Times []float32      // ms that each step took since Advance began

	scene  *scenes.Scene
	world  *physics.World
	driver scenes.Driver
	tick   int
	due    float64 // ms of time that no step was taken for
	past   history
	throws []throw // by tick
	thrown int     // balls so far, taken back ones too

	stepped   bool // the world's contacts are those of the present
	beforeIDs []physics.ID
	before    []physics.State // a step ago, to draw what is between
	touches   []physics.Touch
	picture   picture
}

// throw is a ball that comes before a step.
type throw struct {
	tick     int
	id       physics.ID
	pos, vel geom.Vec3
}

// Open begins a scene by its name, with a multiple of its gravity; nil if there
// is no such scene.
func Open(name string, gravity float32) *Show {
	s := scenes.Named(name)
	if s == nil {
		return nil
	}
	s.Config.Gravity = s.Config.Gravity.Mul(gravity)
	w := &Show{scene: s, world: s.New()}
	w.past.begin(w.world)
	w.picture.begin(s)
	return w
}

// Step takes one step and keeps what a rewind needs, or compares what was kept.
func (s *Show) Step() {
	s.past.save(s.world, s.tick)
	s.keepBefore()
	s.driver.Drive(s.scene, s.world, s.tick)
	for i := range s.throws {
		if s.throws[i].tick == s.tick {
			s.toss(&s.throws[i])
		}
	}
	begun := s.now()
	s.world.Step()
	if s.Now != nil {
		s.Times = append(s.Times, float32(s.now()-begun))
	}
	s.tick++
	s.stepped = true
	s.past.note(s.tick, s.world.Hash())
}

func (s *Show) now() float64 {
	if s.Now == nil {
		return 0
	}
	return s.Now()
}

func (s *Show) keepBefore() {
	s.beforeIDs = append(s.beforeIDs[:0], s.world.Bodies()...)
	s.before = append(s.before[:0], s.world.States()...)
}

func (s *Show) toss(t *throw) {
	d := physics.NewDef(physics.Dynamic, ballShape)
	d.Density = ballDensity
	st := physics.At(t.pos, geom.Identity())
	st.Vel = t.vel
	for _, id := range slices.Clone(s.world.Bodies()) {
		if id >= ballIDs && id+mostBalls <= t.id {
			s.world.Remove(id)
		}
	}
	s.world.Add(t.id, d, st) // a place or speed that cannot be: no ball
}

// Throw has a ball fly from pos with the velocity vel, in m/s, before the next
// step. What was known of the time after that is no longer so.
func (s *Show) Throw(pos, vel geom.Vec3) {
	s.past.drop(s.tick)
	n := 0
	for _, t := range s.throws {
		if t.tick >= s.past.oldest && t.tick <= s.tick {
			s.throws[n] = t
			n++
		}
	}
	id := physics.ID(ballIDs + s.thrown)
	s.thrown++
	s.throws = append(s.throws[:n], throw{s.tick, id, pos, vel})
}

// Advance takes the steps that are due after ms of time, speed steps in the
// time of one. After a long pause it does not catch up with all of it.
func (s *Show) Advance(ms, speed float64) {
	s.Times = s.Times[:0]
	if !(ms > 0) || !(speed > 0) { // not a number, too
		return
	}
	s.due += float64(min(ms, mostLate) * speed)
	for begun := s.now(); s.due >= stepMs; {
		s.due -= stepMs
		s.Step()
		if s.now()-begun > mostBusy {
			s.due = min(s.due, stepMs)
			return
		}
	}
}

// Seek goes to a tick between Oldest and Newest: back to the state that was
// saved last before it, and from there by steps, which are compared.
func (s *Show) Seek(tick int) {
	tick = max(s.past.oldest, min(tick, s.past.newest))
	s.Times = s.Times[:0]
	s.due = 0
	s.tick = s.past.restore(s.world, tick)
	s.stepped = false
	s.keepBefore()
	for s.tick < tick {
		s.Step()
	}
}

// Part is how much of the last step should be seen by the clock, 0 to 1.
func (s *Show) Part() float32 { return float32(s.due / stepMs) }

// Name is the scene's.
func (s *Show) Name() string { return s.scene.Name }

// Tick is the number of steps taken from the scene's start to the present.
func (s *Show) Tick() int { return s.tick }

// Range returns the ticks that Seek can go to.
func (s *Show) Range() (oldest, newest int) { return s.past.oldest, s.past.newest }

// World is what is shown; do not change it.
func (s *Show) World() *physics.World { return s.world }

// Store has the scene's shapes.
func (s *Show) Store() *shape.Store { return s.world.Config().Shapes }

// Check is what came of comparing.
func (s *Show) Check() Check { return s.past.check }

// Awake counts the dynamic bodies that are not asleep.
func (s *Show) Awake() int {
	n := 0
	for i := range s.world.States() {
		if s.world.States()[i].Still != physics.Asleep {
			n++
		}
	}
	return n
}

// Contacts returns the contact points of the last step.
func (s *Show) Contacts() []physics.Touch {
	s.touches = s.touches[:0]
	if s.stepped {
		s.touches = s.world.Contacts(s.touches)
	}
	return s.touches
}

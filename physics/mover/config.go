package mover

import (
	"errors"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
)

// Config is what a character can do. It is no state: both sides have the same.
type Config struct {
	Radius float32 // m
	Height float32 // m, more than two radii
	Step   float32 // m: obstacles up to this height are climbed; 0: none
	Slope  float32 // degrees: ground up to this is stood on, at most 80

	Speed    float32 // m/s on the ground, along it
	Accel    float32 // m/s^2 on the ground, also of stopping
	AirAccel float32 // m/s^2 sideways in the air
	Jump     float32 // m/s at take-off; its height is Jump^2 / (2 Gravity)
	Gravity  float32 // m/s^2, down
	MaxFall  float32 // m/s
	Dt       float32 // s of a tick
}

// Default is a person in a shooter's map: 0.4 m by 1.75 m, steps of 0.56 m,
// slopes of 60 degrees, 6 m/s, jumps 1.27 m high, 60 ticks a second.
func Default() Config {
	return Config{
		Radius: 0.4, Height: 1.75, Step: 0.56, Slope: 60,
		Speed: 6, Accel: 60, AirAccel: 12, Jump: 5, Gravity: 9.81, MaxFall: 50, Dt: 1.0 / 60,
	}
}

var errConfig = errors.New("mover: a value is not finite, negative, or does not fit the others")

// Space is what a Mover asks of a world: part of physics.Engine.
type Space interface {
	SphereCast(radius float32, from, move geom.Vec3, q *physics.Query) (physics.Hit, bool)
	CapsuleCast(c physics.Capsule, move geom.Vec3, q *physics.Query) (physics.Hit, bool)
	CapsuleOverlap(c physics.Capsule, q *physics.Query, out []physics.Overlap) []physics.Overlap
}

// State is all of a character that a tick changes: 40 bytes without padding.
type State struct {
	Pos    geom.Vec3 // the middle of the capsule, m
	Vel    geom.Vec3 // m/s; on the ground horizontal
	Normal geom.Vec3 // of the ground, unit; zero in the air
	Ground physics.ID
}

// Grounded reports whether the character stands on something.
func (s *State) Grounded() bool { return s.Normal.Y > 0 }

// Input is what a player wants of one tick.
type Input struct {
	Move geom.Vec3 // direction, of length up to 1: share of the speed; Y is not looked at
	Jump bool      // take off, if there is ground
}

// Mover moves characters of one kind, one after the other. It holds no state:
// only what New computed and scratch memory.
type Mover struct {
	c      Config
	half   float32 // of the cylinder's height
	minY   float32 // of the normal of a ground
	tan    float32 // of the steepest slope: how far down a step along leads
	body   physics.Capsule
	ground geom.Vec3 // normal of what is walked on, zero in the air; of this tick

	w    Space
	q    *physics.Query
	over []physics.Overlap
	last physics.ID // met by a slide

	held    [maxPlanes]geom.Vec3 // surfaces that it was in at the start of the tick
	nHeld   int
	planes  [maxPlanes]geom.Vec3 // surfaces met by the slide
	nPlanes int
}

// New returns a mover, or an error if a value makes no sense.
func New(c Config) (*Mover, error) {
	ok := c.Radius >= 0.05 && c.Radius <= 100 && c.Height >= 2*c.Radius+0.002 && c.Height <= 1000 &&
		c.Step >= 0 && c.Step <= c.Height && c.Slope >= 0 && c.Slope <= 80 &&
		c.Speed >= 0 && c.Speed <= 1000 && c.Accel >= 0 && c.Accel <= 1e6 && c.AirAccel >= 0 && c.AirAccel <= 1e6 &&
		c.Jump >= 0 && c.Jump <= 1000 && c.Gravity >= 0 && c.Gravity <= 1e4 && c.MaxFall >= 0 && c.MaxFall <= 1000 &&
		c.Dt >= 1e-4 && c.Dt <= 0.1
	if !ok {
		return nil, errConfig
	}
	m := &Mover{c: c, half: float32(c.Height/2) - c.Radius, over: make([]physics.Overlap, 0, 64)}
	sin, cos := geom.SinCos(float32(c.Slope * (geom.Pi / 180)))
	m.minY, m.tan = cos-1e-4, sin/cos // a slope of just that is one
	m.body = physics.Capsule{Rot: geom.Identity(), Radius: c.Radius - skin, HalfHeight: m.half}
	return m, nil
}

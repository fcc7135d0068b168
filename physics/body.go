package physics

import (
	"errors"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/shape"
)

// ID names a body: the number of its entity, generation included. 0 is nobody.
type ID uint32

// Kind says what moves a body.
type Kind uint8

const (
	Static    Kind = iota // nothing
	Kinematic             // its own velocity, or MoveTo; it is not pushed
	Dynamic               // forces and contacts
)

// Lock holds a body along or about axes of the world.
type Lock uint8

const (
	LockX Lock = 1 << iota
	LockY
	LockZ
	LockSpinX
	LockSpinY
	LockSpinZ
	LockSpin = LockSpinX | LockSpinY | LockSpinZ
)

// Flags of a body.
type Flags uint8

const (
	Sensor  Flags = 1 << iota // reports moving bodies inside it, touches nothing
	Events                    // contacts of this body are reported
	NoSleep                   // stays awake, with all that it touches
)

// Def is what a body is. The zero Def has no shape; start from NewDef.
type Def struct {
	Shape          shape.Shape
	Kind           Kind
	Lock           Lock
	Flags          Flags
	Layer          uint8   // 0..31
	Collides       uint32  // bit n: touches bodies of layer n; both sides must agree
	Density        float32 // kg/m^3
	Friction       float32 // of a pair: the root of the product
	Restitution    float32 // of a pair: the larger
	LinearDamping  float32 // 1/s
	AngularDamping float32 // 1/s
	Gravity        float32 // share of the world's that it feels
}

// NewDef returns a body of layer 0 that touches all layers: density 1000,
// friction 0.5, no restitution, no damping, full gravity.
func NewDef(k Kind, s shape.Shape) Def {
	return Def{Shape: s, Kind: k, Collides: ^uint32(0), Density: 1000, Friction: 0.5, Gravity: 1}
}

// State is all that a step changes of a body: 56 bytes, no pointers. Static
// bodies have only a pose.
type State struct {
	Pos       geom.Vec3
	Rot       geom.Quat // unit; canonical after a step
	Vel, Spin geom.Vec3 // of the centre of mass, of a kinematic body of Pos; m/s, rad/s, world axes
	Still     uint32    // ticks it has hardly moved; Asleep: it sleeps; Placed may be added
}

// Asleep is the Still of a sleeping body: it and all its island have been
// still for one tick less. It fits into five bits.
const Asleep = sleepTicks + 1

// Placed in Still marks a body that was put where it is since the last step:
// all that it touches is new to it.
const Placed = 1 << 5

// At returns the state of a body that is awake at rest.
func At(pos geom.Vec3, rot geom.Quat) State { return State{Pos: pos, Rot: rot} }

// Errors of the functions that change a World; nothing was changed then.
var (
	ErrUnknown = errors.New("physics: no body has this id")
	ErrExists  = errors.New("physics: a body has this id")
	ErrID      = errors.New("physics: 0 is no id")
	ErrValue   = errors.New("physics: a value is not finite, negative where it must not be, or absurdly large")
	ErrShape   = errors.New("physics: the store does not have this shape, or a moving body cannot have it")
	ErrKind    = errors.New("physics: not for bodies of this kind")
)

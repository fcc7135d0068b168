// Package rapier is the Rapier physics engine behind physics.Engine.
package rapier

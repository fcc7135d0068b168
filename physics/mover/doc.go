// Package mover has a character: a capsule that walks, slides along walls,
// climbs slopes and steps, stays on the ground going down, falls and jumps.
//
// It asks a world three questions, SphereCast, CapsuleCast and CapsuleOverlap,
// so it works on every physics.Engine, and on whatever else answers them. A
// tick is one function of state, input and world for server and client, after
// the manner of Quake III's bg_pmove.c: see Move, which tells the whole story.
// State is plain data for a component; a Mover remembers nothing.
//
// It is made for the triangle soup of real maps, with open edges, slivers,
// doubled and inverted faces. Metres, seconds; Y is up, and the capsule stands
// upright.
//
// What it does not do: it pushes nothing, and a platform it stands on does not
// take it along; State.Ground tells a game which body that is.
package mover

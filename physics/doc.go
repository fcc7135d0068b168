// Package physics is a rigid body engine whose step is a function of its
// bodies' states alone, so that a world which was rewound, rebuilt or received
// from a server goes on with the same bits as the one it copies.
//
// A World keeps its bodies in order of id, in flat slices. State is what a
// step changes; Def is what a body is. Rebuilt from the two, in any order,
// a World continues exactly, events included: nothing is remembered between
// steps, neither contacts nor islands nor impulses. See step.go for the step
// and docs/physics.md for what is promised and what it costs.
//
// Metres, kilograms, seconds, radians; Y is up. A World is not safe for
// concurrent use; queries of one World from several places at once are not
// either, since they share scratch memory.
package physics

// Package soup has the geometry of loose triangles in float64: distances, casts
// by small safe steps, crossings. It is slow and short, shares no code with
// package shape, and judges what is fast: the lab's walkers, and the character
// mover, for which its Engine is a world of triangles.
//
// Triangles have two sides everywhere. A grid leaves out those whose box is
// nowhere near; Full looks at all of them, to judge the grid.
package soup

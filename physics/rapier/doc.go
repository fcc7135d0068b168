// Package rapier is Rapier, the engine that is most used on the web, behind
// physics.Engine: so that a client and a server can run different engines, and
// so that package physics has one to be compared with.
//
// Rapier itself runs, from the WebAssembly of its npm package under wazero,
// without cgo; this package says to it what physics means. Load installs it
// with npm the first time.
//
// What differs from physics.World: Rapier remembers contacts between steps, so a
// World that is rebuilt from states goes on a little differently; Save and
// Restore keep all of it, 2 MB for 900 boxes. It stops bodies at the backs of
// triangles too. It does not say which triangle a query met: that is looked up,
// so at an edge between two it may be the other. Moving bodies are asked one by
// one: a query costs more the more there are. See docs/decisions/016.
package rapier

// Package shape has what bodies are made of, and the geometry between two of
// them: mass, contact points, casts and overlaps.
//
// A Shape is a small plain value; what does not fit into one (hulls, meshes,
// height fields, compounds) stands in a Store, is never changed after it was
// added, and can be shared by any number of worlds. Metres, kilograms,
// radians; Y is up where it matters (height fields). Nothing here remembers a
// call: every result is a function of the arguments, with the same bits on
// every processor. A Store is safe for concurrent use once nothing is added.
package shape

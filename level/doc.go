// Package level reads the collision mesh of a map from a glTF 2.0 binary file
// (.glb), as Blender and most tools write it: https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
//
// It takes what has a shape and leaves the rest: all triangles of the scene,
// through their nodes' transforms. A file may come from anybody: what it says
// of itself is checked before memory is asked for, and nothing but the file
// itself is read.
//
// The JSON is read here and not by github.com/qmuntal/gltf, the one Go package
// for it that can be had: version 0.28.0 panics on a null or a negative length
// in "buffers", asks for as many gigabytes as a file of 100 bytes claims, and
// reads component types that it does not know as float. It serves the tests,
// as a writer and reader that is not ours.
package level

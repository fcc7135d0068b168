// Package geom has float32 vectors and rotations, and the trigonometry of a
// step, with the same bits on every processor.
//
// Go may fuse x*y + z into one instruction with one rounding on arm64, riscv64
// and amd64 v3, and not on amd64 v1 or WebAssembly. An explicit conversion
// forbids that, so here, and in anything a step runs, every product that is
// added is written float32(x*y) + z. internal/fused looks for what was missed.
//
// Axes, units and handedness are the caller's; angles are radians,
// counterclockwise from +X in the plane and right-handed about an axis in
// space. All is plain values: safe for concurrent use, nothing allocates.
package geom

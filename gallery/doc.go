// Package gallery plays the scenes of physics/scenes for somebody who looks:
// by the clock of a page, backwards too, and with balls thrown in. It checks
// itself on the way: what is replayed after a rewind has to give the hashes
// that it gave before. cmd/gallery has it run in a browser.
package gallery

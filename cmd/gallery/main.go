//go:build !js

// Gallery is the program of the page /gallery, where the scenes of
// physics/scenes run in the browser: foretick demo builds and serves it.
package main

func main() {
	println("This program belongs into the page of the demo command: foretick demo, then /gallery.")
}

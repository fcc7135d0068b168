package transport

import _ "embed"

// Shim is the JavaScript that the browser's clients stand on. A page
// need not load it, except where its content policy forbids eval: then serve
// this and load it before the game.
//
//go:embed shim.js
var Shim string

//go:build embedpage && !js

package main

import (
	_ "embed"

	"github.com/foretick/foretick/cli"
)

// go generate ./web compiles it.
//
//go:embed game.wasm
var game []byte

func init() { cli.Program = game }

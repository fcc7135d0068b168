// Hello plays the smallest game.
package main

import (
	"github.com/foretick/foretick/cli"
	"github.com/foretick/foretick/examples/hello"
)

func main() { cli.Main(hello.Game, nil) }

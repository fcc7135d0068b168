// Foretick plays pucks, the example game: foretick demo is the way in.
package main

import (
	"github.com/foretick/foretick/cli"
	"github.com/foretick/foretick/examples/pucks"
)

func main() { cli.Main(pucks.Game, pucks.Bot) }

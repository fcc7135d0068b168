package main

import (
	"os"

	_ "github.com/foretick/foretick/cli"
	_ "github.com/foretick/foretick/examples/pucks"
)

func main() { println(os.Args) }

package main

import (
	_ "github.com/foretick/foretick/cli" // want `floor 6 may not import cli on floor 6` `may not import the shell cli` `does not type-check`
)

func main() {}

package lab

import (
	"strings"

	_ "github.com/foretick/foretick/tick"
	_ "github.com/foretick/foretick/transport" // want `may not import the shell transport` `does not type-check`
	_ "golang.org/x/text"                      // want `a pure package may not import golang.org/x/text` `does not type-check`
)

var Upper = strings.ToUpper

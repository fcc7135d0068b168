package tick

import (
	_ "encoding/hex"                        // want `encoding/hex brings fmt`
	_ "fmt"                                 // want `fmt brings fmt`
	_ "github.com/foretick/foretick/ecs"    // want `floor 0 may not import ecs on floor 1`
	_ "github.com/foretick/foretick/geom"   // want `floor 0 may not import geom on floor 0`
	_ "github.com/foretick/foretick/nosuch" // want `does not type-check` `no package`
	_ "strconv"
)

type Tick uint32

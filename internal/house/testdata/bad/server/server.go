package server

import (
	"fmt"
	"os"
	"reflect" // want `reflect belongs to sim`
	"time"

	_ "github.com/foretick/foretick/host" // want `floor 5 may not import host on floor 6`
	_ "github.com/foretick/foretick/transport"
)

func Shell(m map[int]int) {
	for k := range m {
		go fmt.Println(k, time.Now(), os.Args, reflect.Int)
	}
}

package tick

import (
	"fmt"
	"os"
	"time"

	_ "github.com/foretick/foretick/ecs"
)

func exempt(m map[int]int) {
	for k := range m {
		go fmt.Println(k, time.Now(), os.Args)
	}
}

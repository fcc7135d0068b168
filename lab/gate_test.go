package lab_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/lab"
	"github.com/foretick/foretick/replica"
)

func TestDevEight(t *testing.T) {
	start := time.Now()
	r := lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Players: 8, Seconds: 60, Seed: 1, Causes: true,
		Link: lab.Link{RTT: 150 * time.Millisecond, Loss: 0.1}})
	t.Logf("%v\n%s %+v", time.Since(start), r, r.Clients[0].Predict)
}

func TestDevClean(t *testing.T) {
	start := time.Now()
	r := lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Players: 8, Seconds: 60, Seed: 1,
		Replica: func(i int, c *replica.Config) { c.Blind = true }})
	t.Logf("%v\n%s %+v", time.Since(start), r, r.Clients[0].Predict)
}

package lab_test

import (
	"flag"
	"testing"

	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/lab"
)

var (
	swarmFrom  = flag.Uint64("swarm.from", 1, "first seed of the swarm")
	swarmSeeds = flag.Int("swarm.n", 8, "seeds of the swarm")
)

// swarmGames is what the command foretick lab swarm plays.
func swarmGames() []lab.SwarmGame { return lab.SwarmGames(pucks.Game, pucks.Bot) }

func TestSwarm(t *testing.T) {
	sum := lab.NewSwarmSum()
	for i := range *swarmSeeds {
		r := lab.Swarm(swarmGames(), *swarmFrom+uint64(i), lab.SwarmOptions{})
		sum.Add(r)
		if r.Violation != nil {
			t.Error(r)
		}
	}
	t.Logf("\n%v", sum)
}

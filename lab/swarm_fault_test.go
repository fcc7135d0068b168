//go:build fault

package lab_test

import (
	"testing"

	"github.com/foretick/foretick/internal/fault"
	"github.com/foretick/foretick/lab"
)

// mostSeeds is within how many seeds the swarm must find a planted fault.
const mostSeeds = 500

// planted is a fault for each invariant that the swarm checks.
var planted = []struct {
	fault     string
	invariant int
}{
	{"inv1", 1}, {"inv2", 2}, {"inv3", 3}, {"inv4", 4}, {"inv7", 7}, {"inv8", 8}, {"inv9", 9}, {"inv10", 10},
	{"inv11", 11}, {"inv14", 14}, {"inv16", 16}, {"inv18", 18}, {"inv19", 19}, {"inv21", 21}, {"inv22", 22},
	{"inv23", 23}, {"inv24", 24},
}

// TestSwarmFindsFaults plants one fault after another. The first violation
// that the swarm comes upon must be of the invariant that the fault breaks; the
// seeds it took pass without the fault, which TestSwarm shows of them all.
func TestSwarmFindsFaults(t *testing.T) {
	defer fault.Set("")
	for _, p := range planted {
		t.Run(p.fault, func(t *testing.T) {
			fault.Set(p.fault)
			for i := range uint64(mostSeeds) {
				r := lab.Swarm(swarmGames(), *swarmFrom+i, lab.SwarmOptions{})
				v := r.Violation
				if v == nil {
					continue
				}
				if v.Invariant != p.invariant {
					t.Errorf("%s was taken for another: %v", p.fault, r)
				}
				t.Logf("after %d seeds: %v", i+1, v)
				fault.Set("")
				if r := lab.Swarm(swarmGames(), *swarmFrom+i, lab.SwarmOptions{}); r.Violation != nil {
					t.Errorf("the seed fails without the fault, too: %v", r)
				}
				return
			}
			t.Errorf("not found in %d seeds", mostSeeds)
		})
	}
}

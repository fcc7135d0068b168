//go:build !js

package cli

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/foretick/foretick/internal/fault"
	"github.com/foretick/foretick/lab"
)

// swarmFlags is what lab swarm is told.
type swarmFlags struct {
	n, workers     int
	first, seed    uint64
	without, plant string
}

// labSwarm is many random matches.
func (a *app) labSwarm(args []string) error {
	var s swarmFlags
	f := a.flags("lab swarm", "play random matches in virtual time, and hold the invariants on every tick")
	f.IntVar(&s.n, "n", 100, "number of seeds")
	f.IntVar(&s.workers, "workers", runtime.NumCPU(), "seeds played at a time")
	f.Uint64Var(&s.first, "first", 1, "first seed")
	f.Uint64Var(&s.seed, "seed", 0, "play this seed alone; 0: -n of them")
	f.StringVar(&s.without, "without", "", "leave these features out, besides what a seed leaves out; by name, with commas")
	f.StringVar(&s.plant, "plant", "", "plant this `fault`, which the swarm is to find; needs a program built with -tags fault")
	if err := a.parse(f, args); err != nil {
		return err
	}
	if a.bot == nil {
		return errors.New("this game has no bot: give cli.Main one")
	}
	o := lab.SwarmOptions{Command: a.repeat(s.without, s.plant)}
	ok := true
	if o.Without, ok = lab.ParseFeatures(s.without); !ok {
		return usageError(fmt.Sprintf("-without %s: there are %v", s.without, lab.Features(1<<32-1)))
	}
	if s.plant != "" {
		if !fault.On {
			return usageError("-plant needs a program built with -tags fault")
		}
		s.workers = 1 // a fault is planted for all
	}
	fault.Set(s.plant)
	if s.seed != 0 {
		s.first, s.n = s.seed, 1
	}
	return a.swarm(&s, o)
}

// swarm plays the seeds, some at a time, and tells of each that fails.
func (a *app) swarm(s *swarmFlags, o lab.SwarmOptions) error {
	games := lab.SwarmGames(a.game, a.bot)
	for i := range games {
		games[i].Game.Seal()
	}
	var (
		work  sync.WaitGroup
		next  atomic.Int64
		mu    sync.Mutex
		begun = time.Now()
		sum   = lab.NewSwarmSum()
	)
	for range max(s.workers, 1) {
		work.Go(func() {
			for a.ctx.Err() == nil {
				i := next.Add(1) - 1
				if i >= int64(s.n) {
					return
				}
				r := lab.Swarm(games, s.first+uint64(i), o)
				mu.Lock()
				sum.Add(r)
				if r.Violation != nil || s.seed != 0 {
					fmt.Fprintln(a.out, r)
				} else if sum.Seeds%50 == 0 {
					fmt.Fprintf(a.out, "%d of %d seeds, %.0f s\n", sum.Seeds, s.n, time.Since(begun).Seconds())
				}
				mu.Unlock()
			}
		})
	}
	work.Wait()
	fmt.Fprint(a.out, sum)
	return sum.Err()
}

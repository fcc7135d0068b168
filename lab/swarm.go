package lab

import (
	"fmt"
	"strings"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/internal/changeling"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// SwarmGame is a game that the swarm plays.
type SwarmGame struct {
	Game *sim.Game
	Bot  sim.Bot

	// Bounds, if set, says what of a world is not as it can be, or "".
	Bounds func(*ecs.World) string
}

// SwarmGames returns what the swarm plays for a game of yours: that game with
// every other seed, and with the rest one in which everything changes all the
// time.
func SwarmGames(g *sim.Game, bot sim.Bot) []SwarmGame {
	return []SwarmGame{{Game: g, Bot: bot}, {Game: changeling.Game, Bot: changeling.Bot, Bounds: changeling.Bounds}}
}

// SwarmOptions narrow a seed down. The zero value is the seed as it is.
type SwarmOptions struct {
	Without Features // left out besides what the seed leaves out
	Command string   // repeats a seed, with "-seed N" after it; default "foretick lab swarm"
}

// Violation is an invariant that did not hold.
type Violation struct {
	Invariant int // as numbered in docs/invariants.md
	Tick      tick.Tick
	Client    int // the lab's peer, -1: the server
	What      string
	Repeat    string // the command that shows it again
}

// String says all of it in one line.
func (v *Violation) String() string {
	who := "server"
	if v.Client >= 0 {
		who = fmt.Sprintf("client %d", v.Client)
	}
	return fmt.Sprintf("invariant %d, tick %d, %s: %s; repeat: %s", v.Invariant, v.Tick, who, v.What, v.Repeat)
}

// Invariants is one more than the highest number of an invariant.
const Invariants = 25

// SwarmResult is what one seed came to.
type SwarmResult struct {
	Seed      uint64
	Game      string
	Features  Features
	Clients   int // that ever joined
	Ticks     int64
	Violation *Violation // nil: all invariants held
	Checks    [Invariants]int64
	Report    *Report
}

// String says it in one line.
func (r *SwarmResult) String() string {
	s := fmt.Sprintf("seed %d: %s, %d clients, %d ticks, %v", r.Seed, r.Game, r.Clients, r.Ticks, r.Features)
	if r.Violation != nil {
		s += "\n\t" + r.Violation.String()
	}
	return s
}

// Swarm plays one seed: chaos, healing, quiet, everyone leaves. It stops at
// the first invariant that does not hold. The same games, seed and options
// give the same result to the bit.
func Swarm(games []SwarmGame, seed uint64, o SwarmOptions) *SwarmResult {
	if o.Command == "" {
		o.Command = "foretick lab swarm"
	}
	s := newSwarm(draw(games, seed, o), o)
	s.play()
	r := &SwarmResult{Seed: seed, Game: s.plan.game.Game.Name(), Features: s.plan.features, Clients: len(s.lab.Peers),
		Ticks: s.lab.ticks, Violation: s.bad, Checks: s.checks, Report: s.lab.Finish()}
	return r
}

// SwarmSum sums up seeds.
type SwarmSum struct {
	Seeds, Failed int
	Ticks         int64
	Checks        [Invariants]int64
	Violated      [Invariants]int
}

// NewSwarmSum makes an empty sum.
func NewSwarmSum() *SwarmSum { return &SwarmSum{} }

// Add takes a seed in.
func (s *SwarmSum) Add(r *SwarmResult) {
	s.Seeds++
	s.Ticks += r.Ticks
	for i, n := range r.Checks {
		s.Checks[i] += n
	}
	if r.Violation != nil {
		s.Failed++
		s.Violated[r.Violation.Invariant]++
	}
}

// Err says how many seeds failed, nil if none.
func (s *SwarmSum) Err() error {
	if s.Failed == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d seeds broke an invariant", s.Failed, s.Seeds)
}

// String returns the table: how often each invariant was looked at, and by how
// many seeds it was broken.
func (s *SwarmSum) String() string {
	var b strings.Builder
	b.WriteString(fmt.Sprintf("%d seeds, %d failed, %d ticks\ninvariant     checks  broken\n", s.Seeds, s.Failed, s.Ticks))
	for i, n := range s.Checks {
		if n > 0 || s.Violated[i] > 0 {
			b.WriteString(fmt.Sprintf("%9d %10d %7d\n", i, n, s.Violated[i]))
		}
	}
	return b.String()
}

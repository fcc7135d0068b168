//go:build !js

package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/foretick/foretick/internal/fused"
	"github.com/foretick/foretick/lab"
	"github.com/foretick/foretick/replica"
)

var labCommands = []command{
	{"run", "play one match and report what was corrected, and why", (*app).labRun},
	{"swarm", "play random matches, and hold the invariants on every tick", (*app).labSwarm},
	{"walkers", "let characters walk on a map at random, and judge every tick", (*app).labWalkers},
	{"check", "try to catch the game breaking the laws", (*app).labCheck},
}

// lab plays matches in virtual time.
func (a *app) lab(args []string) error {
	program := a.program + " lab"
	if len(args) == 0 {
		return usageError("say what to do: " + program + " run, swarm, walkers or check")
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		fmt.Fprintf(a.out, "%s plays %s in virtual time.\n\n", program, a.game.Name())
		for _, c := range labCommands {
			fmt.Fprintf(a.out, "  %-22s %s\n", program+" "+c.name, c.what)
		}
		return nil
	}
	for _, c := range labCommands {
		if c.name == args[0] {
			return c.run(a, args[1:])
		}
	}
	return usageError(fmt.Sprintf("no command %q; there are %s run, swarm, walkers and check", args[0], program))
}

// labRun is one match.
func (a *app) labRun(args []string) error {
	m := lab.Match{Bot: a.bot, Seed: 1}
	var (
		off    replica.Switches
		fixed  [2]float64
		asJSON bool
		html   string
	)
	f := a.flags("lab run", "play one match in virtual time and report what was corrected, and why")
	f.IntVar(&m.Players, "players", 8, "number of players, all of them bots, 1 to 64")
	f.Float64Var(&m.Seconds, "seconds", 60, "length of the match")
	f.Uint64Var(&m.Seed, "seed", 1, "seed; the same flags and seed give the same match to the bit")
	f.Float64Var(&m.SnapshotHz, "snapshots", 0, "snapshots a `second` to each client; 0: one a tick")
	f.Float64Var(&m.FrameHz, "fps", 60, "frames a second of the clients")
	f.Float64Var(&m.DriftPPM, "drift", 0, "how far off the clients' clocks run, in parts per million, every other one the other way")
	f.BoolVar(&m.Causes, "causes", true, "find the cause of every correction")
	f.BoolVar(&off.Prediction, "no-prediction", false, "own inputs act only when the server says so")
	f.BoolVar(&off.Reconciliation, "no-reconciliation", false, "the prediction is never corrected")
	f.BoolVar(&off.Redundancy, "no-redundancy", false, "each input is sent once")
	f.BoolVar(&off.Smoothing, "no-smoothing", false, "corrections are shown at once")
	f.BoolVar(&off.Interpolation, "no-interpolation", false, "others are shown where the newest snapshot has them")
	f.BoolVar(&off.Others, "others", false, "other players are predicted too, from their last inputs")
	f.Float64Var(&fixed[0], "fixed-lead", 0, "`ticks` that inputs wait on the server; 0: adapts")
	f.Float64Var(&fixed[1], "fixed-delay", 0, "`ticks` that the view trails the snapshots; 0: adapts")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	f.StringVar(&html, "html", "", "also write the report to this `file`, a page with plots over time and the story of each large correction")
	l := newLabLink(f)
	if err := a.parse(f, args); err != nil {
		return err
	}
	var err error
	if m.Link, err = l.link(); err != nil {
		return err
	}
	if why := unplayable(&m, a.game.Hz(), fixed); why != "" {
		return usageError(why + "; " + f.Name() + " -h lists the flags")
	}
	m.Replica = func(_ int, c *replica.Config) {
		c.Off, c.FixedLead, c.FixedDelay = off, fixed[0], fixed[1]
	}
	file, err := a.labPage(html)
	if err != nil {
		return err
	}
	m.Record = file != nil
	r := lab.Run(a.game, m)
	if file != nil {
		r.Command = commandLine(a.program+" lab run", without(args, "html"))
		if err := errors.Join(r.HTML(file), file.Close()); err != nil {
			return fmt.Errorf("the report was not written: %w", err)
		}
	}
	if !asJSON {
		_, err = fmt.Fprint(a.out, r)
		return err
	}
	out, err := r.JSON()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s\n", out)
	return err
}

// unplayable says what is wrong with a match, "" if nothing.
func unplayable(m *lab.Match, hz int, fixed [2]float64) string {
	switch {
	case m.Players < 1 || m.Players > 64:
		return "-players is 1 to 64"
	case !(m.Seconds > 0 && m.Seconds <= 86400):
		return "-seconds is up to a day"
	case !(m.FrameHz >= 1 && m.FrameHz <= 1000):
		return "-fps is 1 to 1000"
	case m.SnapshotHz < 0 || m.SnapshotHz > float64(hz) || m.SnapshotHz > 0 && m.SnapshotHz < float64(hz)/255:
		return fmt.Sprintf("-snapshots is %.2g to the game's %d", float64(hz)/255, hz)
	case !(m.DriftPPM >= 0 && m.DriftPPM <= 50000):
		return "-drift is 0 to 50000"
	case !(fixed[0] >= 0 && fixed[0] <= float64(hz)/2) || !(fixed[1] >= 0 && fixed[1] <= float64(hz)/2):
		return "-fixed-lead and -fixed-delay are up to half a second in ticks"
	}
	return ""
}

// repeat is the command that plays a seed of this swarm again.
func (a *app) repeat(without, plant string) string {
	s := a.program + " lab swarm"
	if without != "" {
		s += " -without " + without
	}
	if plant != "" {
		s = "go run -tags fault ./cmd/" + s + " -plant " + plant
	}
	return s
}

// labCheck looks for what breaks the laws.
func (a *app) labCheck(args []string) error {
	c := lab.Checks{Bot: a.bot}
	var packages string
	f := a.flags("lab check", "try to catch the game breaking the laws: rollback, rebuild, two matches at a time and more")
	f.IntVar(&c.Players, "players", 4, "number of players, all of them bots")
	f.IntVar(&c.Ticks, "ticks", 600, "length of the match")
	f.Uint64Var(&c.Seed, "seed", 1, "seed")
	f.StringVar(&packages, "fused", "", "look for fused multiply-adds in these `packages`, with commas, as ./mygame; runs the go command")
	if err := a.parse(f, args); err != nil {
		return err
	}
	if c.Players < 1 || c.Players > 64 || c.Ticks < 1 || c.Ticks > 100000 {
		return usageError("-players is 1 to 64, -ticks 1 to 100000; " + f.Name() + " -h lists the flags")
	}
	if packages != "" {
		c.Fused = func() ([]string, error) { return fusedLines(strings.Split(packages, ",")) }
	}
	found := lab.Check(a.game, c)
	for _, b := range found {
		fmt.Fprintln(a.out, b)
	}
	if len(found) > 0 {
		return fmt.Errorf("%s breaks the laws in %d ways", a.game.Name(), len(found))
	}
	_, err := fmt.Fprintf(a.out, "%s: %d ticks with %d players, nothing found\n", a.game.Name(), c.Ticks, c.Players)
	return err
}

func fusedLines(packages []string) ([]string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	found, err := fused.Look(dir, packages...)
	var lines []string
	for _, x := range found {
		if rel, err := filepath.Rel(dir, x.File); err == nil {
			x.File = rel
		}
		lines = append(lines, x.String())
	}
	return lines, err
}

//go:build !js

package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/foretick/foretick/sim"
)

// Main runs the command that the program's arguments ask for, and exits with 0
// if it did well, 1 if it did not, 2 if the arguments make no sense. bot may be
// nil: then nobody but people plays.
func Main(g *sim.Game, bot sim.Bot) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := Run(ctx, g, bot, os.Args, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// app is one call of a command.
type app struct {
	ctx      context.Context
	game     *sim.Game
	bot      sim.Bot
	program  string
	out, err io.Writer
}

type command struct {
	name, what string
	run        func(*app, []string) error
}

var commands = []command{
	{"demo", "server, bots, and a page to play in", (*app).demo},
	{"serve", "run a server", (*app).serve},
	{"bot", "play on a server with bots", (*app).bots},
	{"lab", "play matches in virtual time and report", (*app).lab},
}

// Run is Main without the process: args[0] names the program, and ctx ends
// what would run on.
func Run(ctx context.Context, g *sim.Game, bot sim.Bot, args []string, stdout, stderr io.Writer) int {
	g.Seal()
	a := &app{ctx: ctx, game: g, bot: bot, program: "foretick", out: stdout, err: stderr}
	if len(args) > 0 {
		a.program = strings.TrimSuffix(filepath.Base(args[0]), ".exe")
		args = args[1:]
	}
	err := a.dispatch(args)
	var misuse usageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &misuse):
		fmt.Fprintf(stderr, "%s: %v\n", a.program, err)
		return 2
	}
	fmt.Fprintf(stderr, "%s: %v\n", a.program, err)
	return 1
}

// usageError is a mistake in the arguments, in a line that says what to do.
type usageError string

func (e usageError) Error() string { return string(e) }

func (a *app) dispatch(args []string) error {
	if len(args) == 0 {
		a.help(a.err)
		return usageError("say what to do, for example: " + a.program + " demo")
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		a.help(a.out)
		return nil
	}
	for _, c := range commands {
		if c.name == args[0] {
			if c.name != "bot" && !a.game.HasJoin() { // a bot plays on somebody else's server
				fmt.Fprintf(a.err, "game %s has no Join: players get no entity\n", a.game.Name())
			}
			return c.run(a, args[1:])
		}
	}
	return usageError(fmt.Sprintf("no command %q; there are %s", args[0], commandNames()))
}

func commandNames() string {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

func (a *app) help(w io.Writer) {
	fmt.Fprintf(w, "%s plays the game %s.\n\n", a.program, a.game.Name())
	for _, c := range commands {
		fmt.Fprintf(w, "  %-20s %s\n", a.program+" "+c.name, c.what)
	}
	fmt.Fprintf(w, "\n-h after a command lists its flags.\n")
}

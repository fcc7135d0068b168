// Command peers measures package physics beside Rapier, on the scenes of
// physics/scenes, on one core, in turns. README.md has the details.
//
//	go run ./bench/peers [-rounds 5] [-scenes S1,S2,S2x,S2g,S3] [-core 0] [-simd] [-o FILE]
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

type options struct {
	rounds int
	scenes []string
	core   int
	simd   bool
	to     string
}

func main() {
	var o options
	flag.IntVar(&o.rounds, "rounds", 5, "alternating runs that count, after one that does not")
	names := flag.String("scenes", "S1,S2,S2x,S2g,S3,S4,S5", "what to run; S4 is casts, S5 is rewinding")
	flag.IntVar(&o.core, "core", 0, "the core to run on; -1: any")
	flag.BoolVar(&o.simd, "simd", false, "also run ours built with GOEXPERIMENT=simd")
	flag.StringVar(&o.to, "o", "", "also write the tables to a file")
	flag.Parse()
	o.scenes = strings.Split(*names, ",")
	if err := run(&o); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(o *options) error {
	here, err := folder()
	if err != nil {
		return err
	}
	if err := install(here); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	engines, err := start(here, work, o)
	for _, e := range engines {
		defer e.stop()
	}
	if err != nil {
		return err
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() { // a child that ends makes ask fail, and so the program end as it should
		<-interrupted
		for _, e := range engines {
			e.cmd.Process.Kill()
		}
	}()
	var out report
	for _, name := range o.scenes {
		if err := out.measure(name, engines, work, o.rounds); err != nil {
			return err
		}
	}
	text := out.text(engines, o)
	fmt.Print(text)
	if o.to != "" {
		return os.WriteFile(o.to, []byte(text), 0o666)
	}
	return nil
}

// folder finds this program's sources, from anywhere in the module.
func folder() (string, error) {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/foretick/foretick/bench/peers").Output()
	if err != nil {
		return "", errors.New("run it inside the repository, with go in the path")
	}
	return strings.TrimSpace(string(out)), nil
}

// install fetches Rapier, once, as the lock file says.
func install(here string) error {
	if _, err := os.Stat(filepath.Join(here, "node_modules", ".package-lock.json")); err == nil {
		return nil
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir = here
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w\n%s", err, said)
	}
	return nil
}

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// engine is a process that answers commands.
type engine struct {
	name string
	ours bool
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
}

// answer is what an engine says; a command fills some of it.
type answer struct {
	Ms                   []float64 // a step
	Low, High            float64   // metres
	Hash                 string
	Rays, Sweeps         float64 // a second
	RayHits, SweepHits   int
	Bytes                int
	Save, Restore, Again []float64 // milliseconds
	Same                 bool
}

// The order of the columns of every table.
const (
	rapier = iota
	rapierSimd
	native
	wasm
	simd
)

// start starts every engine, each bound to one core.
func start(here, work string, o *options) (all []*engine, err error) {
	add := func(name string, ours bool, args ...string) error {
		e, err := startOne(name, ours, work, o.core, args)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, e)
		return nil
	}
	js := filepath.Join(here, "rapier.mjs")
	for _, p := range []struct{ name, pack string }{
		{"rapier 0.21", "@dimforge/rapier3d-compat"}, {"rapier simd 0.20", "@dimforge/rapier3d-simd-compat"},
	} {
		if err := add(p.name, false, "node", js, p.pack, work); err != nil {
			return all, err
		}
	}
	bin := filepath.Join(work, "ours")
	if err := build(here, bin, nil); err != nil {
		return all, err
	}
	if err := add("ours", true, bin); err != nil {
		return all, err
	}
	if err := build(here, bin+".wasm", []string{"GOOS=js", "GOARCH=wasm"}); err != nil {
		return all, err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return all, err
	}
	runner := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	if err := add("ours, wasm", true, "node", runner, bin+".wasm"); err != nil || !o.simd {
		return all, err
	}
	if err := build(here, bin+"-simd", []string{"GOEXPERIMENT=simd"}); err != nil {
		return all, err
	}
	return all, add("ours, simd", true, bin+"-simd")
}

func build(here, to string, env []string) error {
	cmd := exec.Command("go", "build", "-o", to, "./ours")
	cmd.Dir, cmd.Env = here, append(append(os.Environ(), "CGO_ENABLED=0"), env...)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, said)
	}
	return nil
}

func startOne(name string, ours bool, dir string, core int, args []string) (*engine, error) {
	if core >= 0 {
		args = append([]string{"taskset", "-c", strconv.Itoa(core)}, args...)
	}
	e := &engine{name: name, ours: ours, cmd: exec.Command(args[0], args[1:]...)}
	e.cmd.Dir, e.cmd.Stderr = dir, os.Stderr
	// Go's WebAssembly has little room for its environment.
	e.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "GOMAXPROCS=1"}
	in, err := e.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e.in, e.out = in, bufio.NewReaderSize(out, 1<<20)
	return e, e.cmd.Start()
}

func (e *engine) stop() {
	e.in.Close()
	e.cmd.Wait()
}

func (e *engine) ask(command string) (a answer, err error) {
	if _, err := io.WriteString(e.in, command+"\n"); err != nil {
		return a, fmt.Errorf("%s: %s: %w", e.name, command, err)
	}
	line, err := e.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &a)
	}
	if err != nil {
		err = fmt.Errorf("%s: %s: %w", e.name, command, err)
	}
	return a, err
}

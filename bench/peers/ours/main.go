// Command ours runs the scenes on package physics for peers, natively or as
// WebAssembly in node. It reads one command a line (steps NAME, casts, rewind,
// settled) and answers each with one line of JSON.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
)

// The capsule of S4.
const radius, halfHeight = 0.4, 0.5

func main() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		what, name, _ := strings.Cut(in.Text(), " ")
		var out any
		switch what {
		case "steps":
			out = steps(name)
		case "casts":
			out = casts()
		case "rewind":
			out = rewind("S2", scenes.S5Steps)
		case "settled":
			out = rewind("S2sleep", 600)
		default:
			fmt.Fprintln(os.Stderr, "ours: no such command:", what)
			os.Exit(2)
		}
		b, err := json.Marshal(out)
		if err != nil {
			fmt.Fprintln(os.Stderr, "ours:", err)
			os.Exit(1)
		}
		os.Stdout.Write(append(b, '\n'))
	}
}

func steps(name string) any {
	s := scenes.Named(name)
	w := s.New()
	var d scenes.Driver
	ms := make([]float64, 0, s.Steps)
	for i := range s.Steps {
		d.Drive(s, w, i)
		t := cpu()
		w.Step()
		ms = append(ms, cpu()-t)
	}
	low, high := float32(1e9), float32(-1e9)
	for _, st := range w.States() {
		low, high = min(low, st.Pos.Y), max(high, st.Pos.Y)
	}
	return map[string]any{"ms": ms, "low": low, "high": high, "hash": fmt.Sprintf("%#x", scenes.Hash(w))}
}

func casts() any {
	w := scenes.S4().New()
	rays, sweeps := scenes.S4Casts()
	w.RayCast(rays[0].From, rays[0].Move, nil) // builds what the first query builds
	var rayHits, sweepHits int
	t := cpu()
	for i := range rays {
		if _, ok := w.RayCast(rays[i].From, rays[i].Move, nil); ok {
			rayHits++
		}
	}
	rayMs := cpu() - t
	t = cpu()
	for i := range sweeps {
		c := physics.Capsule{Pos: sweeps[i].From, Rot: geom.Identity(), Radius: radius, HalfHeight: halfHeight}
		if _, ok := w.CapsuleCast(c, sweeps[i].Move, nil); ok {
			sweepHits++
		}
	}
	sweepMs := cpu() - t
	return map[string]any{
		"rays": 1000 * float64(len(rays)) / rayMs, "sweeps": 1000 * float64(len(sweeps)) / sweepMs,
		"rayHits": rayHits, "sweepHits": sweepHits,
	}
}

// rewind runs a scene for some steps and then saves, restores and goes on,
// again and again.
func rewind(name string, at int) any {
	s := scenes.Named(name)
	w := s.New()
	var d scenes.Driver
	for i := range at {
		d.Drive(s, w, i)
		w.Step()
	}
	var kept, now physics.Saved
	w.Save(&kept)
	w.Save(&now)
	var save, restore, again []float64
	var first uint64
	same := true
	for round := range scenes.S5Rounds {
		w.Restore(&kept)
		t := cpu()
		for range saves {
			w.Save(&now)
		}
		save = append(save, (cpu()-t)/saves)
		t = cpu()
		for range saves {
			w.Restore(&kept)
		}
		restore = append(restore, (cpu()-t)/saves)
		t = cpu()
		w.Restore(&kept)
		for range scenes.S5More {
			w.Step()
		}
		again = append(again, cpu()-t)
		if h := w.Hash(); round == 0 {
			first = h
		} else {
			same = same && h == first
		}
	}
	bytes := len(w.States()) * binary.Size(physics.State{})
	return map[string]any{"bytes": bytes, "save": save, "restore": restore, "again": again, "same": same}
}

// saves are taken and restored in a row, for a clock that counts microseconds.
const saves = 100

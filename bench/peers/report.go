package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// result is what a scene gave: the runs that count, by engine.
type result struct {
	scene string
	runs  [][]answer
}

type report struct {
	results []result
	settled []answer // ours asleep, by engine; zero for the others
}

// commands of the scenes that are not just stepped.
var commands = map[string]string{"S4": "casts", "S5": "rewind"}

// measure runs one scene on all engines in turns.
func (r *report) measure(name string, engines []*engine, work string, rounds int) error {
	file, command := name, commands[name]
	switch {
	case name == "S5":
		file = "S2"
	case command == "":
		command = "steps " + name
	}
	if err := write(work, file); err != nil {
		return err
	}
	res := result{name, make([][]answer, len(engines))}
	for round := range rounds + 1 {
		for i, e := range engines {
			fmt.Fprintf(os.Stderr, "\r\033[K%s, run %d of %d: %s", name, round, rounds, e.name)
			a, err := e.ask(command)
			if err != nil {
				return err
			}
			if round > 0 { // the first warms up
				res.runs[i] = append(res.runs[i], a)
			}
		}
	}
	r.results = append(r.results, res)
	if name == "S5" {
		r.settled = make([]answer, len(engines))
		for i, e := range engines {
			if e.ours {
				var err error
				if r.settled[i], err = e.ask("settled"); err != nil {
					return err
				}
			}
		}
	}
	fmt.Fprint(os.Stderr, "\r\033[K")
	return nil
}

// median of one figure over the runs of an engine.
func median(runs []answer, figure func(*answer) float64) float64 {
	var xs []float64
	for i := range runs {
		xs = append(xs, figure(&runs[i]))
	}
	slices.Sort(xs)
	return xs[len(xs)/2]
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

func meanStep(a *answer) float64 { return mean(a.Ms) }

func p99Step(a *answer) float64 {
	xs := slices.Sorted(slices.Values(a.Ms))
	return xs[len(xs)*99/100]
}

// targets of issue 4, line 4: at most so many times Rapier's time.
var targets = map[string]float64{"S1": 1.2, "S2": 1.2, "S2x": 1, "S2g": 1, "S3": 0.6}

const wasmTarget = 2.0

// text is the tables in Markdown.
func (r *report) text(engines []*engine, o *options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Medians of %d alternating runs after a warm-up, on one core, sleep off; processor time.\n", o.rounds)
	r.steps(&b, engines)
	for i := range r.results {
		switch res := &r.results[i]; res.scene {
		case "S4":
			castTable(&b, engines, res)
		case "S5":
			r.rewindTable(&b, engines, res)
		}
	}
	return b.String()
}

func head(b *strings.Builder, first string, engines []*engine, more ...string) {
	cols := []string{first}
	for _, e := range engines {
		cols = append(cols, e.name)
	}
	row(b, append(cols, more...)...)
	b.WriteString(strings.Repeat("|---", len(cols)+len(more)) + "|\n")
}

func row(b *strings.Builder, cells ...string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

func (r *report) steps(b *strings.Builder, engines []*engine) {
	var ends strings.Builder
	begun := false
	for i := range r.results {
		res := &r.results[i]
		if commands[res.scene] != "" {
			continue
		}
		if !begun {
			begun = true
			b.WriteString("\nMilliseconds a step, mean / p99, and our time in Rapier's\n\n")
			head(b, "scene", engines, "ratio (at most)", "wasm's ratio (at most)")
		}
		cells := []string{res.scene}
		for j := range engines {
			cells = append(cells, fmt.Sprintf("%.2f / %.2f", median(res.runs[j], meanStep), median(res.runs[j], p99Step)))
		}
		ratio := func(j int) float64 { return median(res.runs[j], meanStep) / median(res.runs[rapier], meanStep) }
		row(b, append(cells, fmt.Sprintf("%.2f (%.1f)", ratio(native), targets[res.scene]),
			fmt.Sprintf("%.2f (%.1f)", ratio(wasm), wasmTarget))...)
		fmt.Fprintf(&ends, "%s: centres at the end, lowest to highest:", res.scene)
		for j, e := range engines {
			a := &res.runs[j][0]
			fmt.Fprintf(&ends, " %s %.3f to %.3f m;", e.name, a.Low, a.High)
			if e.ours && a.Hash != res.runs[native][0].Hash {
				fmt.Fprintf(&ends, " HASH %s, not %s;", a.Hash, res.runs[native][0].Hash)
			}
		}
		ends.WriteString("\n")
	}
	b.WriteString("\n" + ends.String())
}

func castTable(b *strings.Builder, engines []*engine, res *result) {
	b.WriteString("\nS4, a second, and hits\n\n")
	head(b, "", engines, "ours in Rapier's (at least)")
	line := func(name string, per func(*answer) float64, hits func(*answer) int) {
		cells := []string{name}
		for j := range engines {
			cells = append(cells, fmt.Sprintf("%.0f k, %d", median(res.runs[j], per)/1000, hits(&res.runs[j][0])))
		}
		row(b, append(cells, fmt.Sprintf("%.2f (2.0)", median(res.runs[native], per)/median(res.runs[rapier], per)))...)
	}
	line("rays", func(a *answer) float64 { return a.Rays }, func(a *answer) int { return a.RayHits })
	line("capsule sweeps", func(a *answer) float64 { return a.Sweeps }, func(a *answer) int { return a.SweepHits })
}

func (r *report) rewindTable(b *strings.Builder, engines []*engine, res *result) {
	b.WriteString("\nS5, milliseconds; S2 at step 300\n\n")
	head(b, "", engines, "ours in Rapier's (at most)")
	line := func(name, end string, figure func(*answer) float64, format string) {
		cells := []string{name}
		for j := range engines {
			cells = append(cells, fmt.Sprintf(format, median(res.runs[j], figure)))
		}
		row(b, append(cells, end)...)
	}
	again := func(a *answer) float64 { return mean(a.Again) }
	line("saved state, KB", "80 KB", func(a *answer) float64 { return float64(a.Bytes) / 1000 }, "%.0f")
	line("save", "", func(a *answer) float64 { return mean(a.Save) }, "%.4f")
	line("restore", "0.1 ms with save", func(a *answer) float64 { return mean(a.Restore) }, "%.4f")
	line("restore and 10 steps", fmt.Sprintf("%.2f (1.2)", median(res.runs[native], again)/median(res.runs[rapier], again)), again, "%.2f")
	cells := []string{"the same settled and asleep"}
	for j, e := range engines {
		if e.ours {
			cells = append(cells, fmt.Sprintf("%.3f", mean(r.settled[j].Again)))
		} else {
			cells = append(cells, "")
		}
	}
	row(b, append(cells, "1 ms")...)
	for j, e := range engines {
		for _, a := range res.runs[j] {
			if !a.Same {
				fmt.Fprintf(b, "\n%s went on otherwise after a restore.\n", e.name)
				break
			}
		}
	}
}

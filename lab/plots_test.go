package lab_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/foretick/foretick/internal/plot"
	"github.com/foretick/foretick/lab"
)

const (
	drawings = "../docs/img/experiments/"
	// A drawing is looked at on a phone, too.
	mostBytes = 60000
)

// drawing holds a plot of docs/experiments.md against what the experiment
// gave, to the byte, as figures does with its line.
func drawing(t *testing.T, name, svg string) {
	t.Helper()
	wellFormed(t, svg)
	err := drawn(name, svg)
	if err == nil {
		return
	}
	if !*rewrite {
		t.Errorf("%v; run go test ./lab -figures if that is what it is to be", err)
		return
	}
	if err := os.WriteFile(drawings+name+".svg", []byte(svg), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := drawn(name, svg); err != nil {
		t.Error(err)
	}
}

// drawn says what is wrong with a plot that docs/experiments.md is to show.
func drawn(name, svg string) error {
	if len(svg) > mostBytes {
		return fmt.Errorf("%s has %d bytes, at most %d", name, len(svg), mostBytes)
	}
	page, err := os.ReadFile(experiments)
	if err != nil {
		return err
	}
	if !strings.Contains(string(page), "(img/experiments/"+name+".svg)") {
		return fmt.Errorf("%s does not show %s", experiments, name)
	}
	old, err := os.ReadFile(drawings + name + ".svg")
	if err != nil || runtime.GOARCH != "amd64" { // see figures
		return err
	}
	if string(old) != svg {
		return fmt.Errorf("%s%s.svg is not what the experiment gave", drawings, name)
	}
	return nil
}

// A chart of the experiments.
func chart(title, x, y string, series ...plot.Series) *plot.Chart {
	return &plot.Chart{Title: title, X: plot.Axis{Label: x}, Y: plot.Axis{Label: y}, Series: series, Width: 760, Height: 320}
}

// soFar counts up the differing snapshots of a match.
func soFar(r *lab.Report, name string, style int) plot.Series {
	s := plot.Series{Kind: plot.Steps, Style: style}
	at := func(x float64, y int) { s.X, s.Y = append(s.X, x), append(s.Y, float64(y)) }
	at(0, 0)
	for i, d := range r.Diagnoses {
		at(r.Record.Time(d.Tick), i+1)
	}
	at(r.Match.Seconds, len(r.Diagnoses))
	s.Name = fmt.Sprintf("%s: %d", name, len(r.Diagnoses))
	return s
}

// overTime is one value of the first client.
func overTime(r *lab.Report, name string, style int, value func(*lab.Point) float64) plot.Series {
	x, y := r.Record.Tracks[0].Series(value)
	return plot.Series{Name: name, Style: style, X: x, Y: y}
}

// bars is one value of each name.
func bars(c *plot.Chart, names []string, values []float64, style int) *plot.Chart {
	s := plot.Series{Kind: plot.Bars, Style: style, Y: values}
	for i := range values {
		s.X = append(s.X, float64(i))
	}
	c.X.Names, c.Values, c.Series = names, true, append([]plot.Series{s}, c.Series...)
	return c
}

// causesOverTime stacks the differing ticks of two seconds each by cause.
func causesOverTime(r *lab.Report) *plot.Chart {
	const wide = 1.0
	c := chart("Why eight clients are corrected", "time, s", "differing ticks a second")
	c.Bar, c.X.Max = wide, r.Match.Seconds
	styles := map[lab.Cause]int{lab.LateInput: 0, lab.AnotherPlayer: 1}
	by := r.ByCause()
	for cause, n := range by {
		if n == 0 {
			continue
		}
		style, ok := styles[lab.Cause(cause)]
		if !ok {
			style = 2 + cause
		}
		s := plot.Series{Name: fmt.Sprintf("%v: %d", lab.Cause(cause), n), Kind: plot.Bars, Style: style, Y: make([]float64, int(r.Match.Seconds/wide))}
		for i := range s.Y {
			s.X = append(s.X, (float64(i)+0.5)*wide)
		}
		for _, d := range r.Diagnoses {
			if d.Cause == lab.Cause(cause) {
				s.Y[min(int(r.Record.Time(d.Tick)/wide), len(s.Y)-1)] += 1 / wide
			}
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// beyond is the share of jumps that go further, by how far.
func beyond(sorted []float32, name string, style int) plot.Series {
	s := plot.Series{Name: name, Style: style}
	for x := float32(0); x <= 2.5; x += 0.02 {
		i, _ := slices.BinarySearch(sorted, x)
		more := float64(len(sorted) - i)
		s.X, s.Y = append(s.X, float64(x)), append(s.Y, 100*more/float64(len(sorted)))
	}
	return s
}

package enginetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/foretick/foretick/physics"
)

func newWorld(cfg physics.Config) (physics.Engine, error) { return physics.New(cfg), nil }

// TestWorld puts the house's own engine to the suite.
func TestWorld(t *testing.T) { Test(t, newWorld) }

// recorder takes what a check says of an engine.
type recorder struct{ said []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// TestFaultsAreFound is the control: engines with one fault each fail the suite.
func TestFaultsAreFound(t *testing.T) {
	var sound []check
	cost := map[string]int{} // steps that a check takes: the cheap ones go first
	for _, c := range checks {
		var r recorder
		c.on(&r, bent{step: func(b *bent) { cost[c.name]++; b.Engine.Step() }}.new)
		if len(r.said) > 0 {
			t.Errorf("an engine without a fault fails %q: %s", c.name, r.said[0])
		} else {
			sound = append(sound, c)
		}
	}
	slices.SortStableFunc(sound, func(a, b check) int { return cost[a.name] - cost[b.name] })
	all := faults()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		by := ""
		for _, c := range sound {
			var r recorder
			c.on(&r, all[name].new)
			if len(r.said) > 0 {
				by = fmt.Sprintf("%s: %s", c.name, r.said[0])
				break
			}
		}
		if by == "" {
			t.Errorf("not found: %s", name)
		} else {
			t.Logf("%-48s %.120s", name, by)
		}
	}
}

// new makes the engine with the fault that b is.
func (b bent) new(cfg physics.Config) (physics.Engine, error) {
	if b.cfg != nil {
		b.cfg(&cfg)
	}
	b.Engine = physics.New(cfg)
	return &b, nil
}

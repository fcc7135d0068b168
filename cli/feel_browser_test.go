//go:build !js

package cli_test

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"testing"
	"time"
)

// watch.js notes what is displayed of others, and where the server has them.
//
//go:embed testdata/watch.js
var watching string

// sight is where others are at a time: as displayed in a frame, or in truth.
type sight struct {
	Ms    float64               `json:"ms"`   // of a frame
	View  float64               `json:"view"` // the server's tick
	Pucks map[string][2]float64 `json:"pucks"`
}

// watched is what watch.js noted.
type watched struct {
	Frames []sight `json:"frames"`
	Truths []sight `json:"truths"`
}

const (
	hz        = 60
	stepFree  = 0.02     // metres that anyone may be displayed to step
	stepTimes = 3        // and how many times his top speed
	speedSpan = 0.2 * hz // ticks over which that is looked for
	pathApart = 0.05     // of the server's path
	pathLeast = 5        // metres the server moved someone, else his path says nothing
	frozenMax = 0.01     // of the frames in which the server moved someone
	moves     = 0.3      // metres a second: slower is at rest
	stands    = 0.05     // metres a second: slower is not displayed as motion

	// frameLeast, in seconds: frames that come closer together, after a hiccup of
	// the browser, show the same time.
	frameLeast = 0.004
)

// seen is how one other player was displayed.
type seen struct {
	frames, moving, frozen int
	shown, real            float64 // paths, in metres
	worst                  float64 // step, in shares of what is allowed
}

// between returns where e really was at a time, or false.
func (w *watched) between(e string, view float64) (at [2]float64, ok bool) {
	i := sort.Search(len(w.Truths), func(i int) bool { return w.Truths[i].View > view })
	if i == 0 || i == len(w.Truths) {
		return at, false
	}
	a, b := &w.Truths[i-1], &w.Truths[i]
	p, okA := a.Pucks[e]
	q, okB := b.Pucks[e]
	x := (view - a.View) / (b.View - a.View)
	return [2]float64{p[0] + x*(q[0]-p[0]), p[1] + x*(q[1]-p[1])}, okA && okB
}

// top returns e's greatest speed on the server in the ticks up to view, in
// metres a second.
func (w *watched) top(e string, view float64) (most float64) {
	i := sort.Search(len(w.Truths), func(i int) bool { return w.Truths[i].View >= view-speedSpan })
	for i = max(i, 1); i < len(w.Truths) && w.Truths[i-1].View <= view; i++ {
		p, okP := w.Truths[i-1].Pucks[e]
		q, okQ := w.Truths[i].Pucks[e]
		if okP && okQ {
			most = math.Max(most, apart(p, q)/(w.Truths[i].View-w.Truths[i-1].View)*hz)
		}
	}
	return most
}

func apart(p, q [2]float64) float64 { return math.Hypot(q[0]-p[0], q[1]-p[1]) }

// judge looks at every other puck.
func (w *watched) judge() map[string]*seen {
	all := map[string]*seen{}
	for i := 1; i < len(w.Frames); i++ {
		f, g := &w.Frames[i-1], &w.Frames[i]
		for e, q := range g.Pucks {
			p, ok := f.Pucks[e]
			if !ok {
				continue
			}
			from, okF := w.between(e, f.View)
			to, okT := w.between(e, g.View)
			if !okF || !okT {
				continue
			}
			s := all[e]
			if s == nil {
				s = &seen{}
				all[e] = s
			}
			step, seconds := apart(p, q), (g.Ms-f.Ms)/1000
			s.frames++
			s.shown += step
			s.real += apart(from, to)
			s.worst = math.Max(s.worst, step/math.Max(stepFree, stepTimes*w.top(e, g.View)*seconds))
			// In as much of the server's time as the frame took of the player's, so
			// that a view that stands still is found, too.
			if was, ok := w.between(e, g.View-seconds*hz); ok && seconds >= frameLeast && apart(was, to) > moves*seconds {
				s.moving++
				if step < stands*seconds {
					s.frozen++
				}
			}
		}
	}
	return all
}

// faults says what is wrong with how others were displayed.
func (w *watched) faults(t *testing.T) (list []string) {
	t.Helper()
	all := w.judge()
	moving, frozen, paths := 0, 0, 0
	for _, e := range slices.Sorted(maps.Keys(all)) {
		s := all[e]
		t.Logf("puck %s: %d frames, displayed %.2f m of %.2f m, worst step %.2f of what is allowed, frozen in %d of %d frames",
			e, s.frames, s.shown, s.real, s.worst, s.frozen, s.moving)
		if s.worst > 1 {
			list = append(list, fmt.Sprintf("puck %s: a step of %.2f times what is allowed", e, s.worst))
		}
		if s.real >= pathLeast {
			paths++
			if off := math.Abs(s.shown-s.real) / s.real; off > pathApart {
				list = append(list, fmt.Sprintf("puck %s: the displayed path is %.1f %% off", e, 100*off))
			}
		}
		moving += s.moving
		frozen += s.frozen
	}
	if share := float64(frozen) / float64(max(moving, 1)); share > frozenMax {
		list = append(list, fmt.Sprintf("frozen in %.2f %% of the frames", 100*share))
	}
	t.Logf("%d frames, %d pictures of the truth; frozen in %d of %d", len(w.Frames), len(w.Truths), frozen, moving)
	if paths < 2 || moving < 300 {
		t.Errorf("%d others moved far enough, in %d frames: too little to judge", paths, moving)
	}
	return list
}

// observe watches others while do plays.
func observe(t *testing.T, ctx context.Context, do func()) *watched {
	t.Helper()
	eval[bool](t, ctx, watching+"; foretick.truths(); true")
	time.Sleep(500 * time.Millisecond) // until there is a truth
	eval[bool](t, ctx, "watch.start(); true")
	do()
	w := eval[watched](t, ctx, "watch.stop()")
	return &w
}

// On a bad network, over either carrier: the own puck answers at once, and
// others move as they do on the server.
func TestBrowserFeels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	ctx, errors := browser(t)
	page := demoPage(t, "-bots", "4")
	const bad = "?rtt=150&jitter=20&loss=0.1"
	for _, c := range []struct{ name, query, want string }{
		{"WebTransport", bad, "WebTransport"},
		{"WebSocket", bad, "WebSocket"}, // and nothing else is there
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "WebSocket" {
				addScript(t, ctx, "delete window.WebTransport")
			}
			open(t, ctx, page+c.query)
			if got := eval[string](t, ctx, "foretick.state().transport"); got != c.want {
				t.Errorf("over %s, want %s", got, c.want)
			}
			time.Sleep(3 * time.Second) // the buffers adapt
			var presses []press
			w := observe(t, ctx, func() { presses = steer(t, ctx, 20*time.Second, "quiet", 5) })
			screenshot(t, ctx, "feels-"+c.name+".png")
			check(t, presses, 5, prompt)
			for _, fault := range w.faults(t) {
				t.Error(fault)
			}
			errors.none(t)
		})
	}
	t.Run("not interpolated", func(t *testing.T) {
		open(t, ctx, page+bad+"&interpolation=off")
		time.Sleep(time.Second)
		w := observe(t, ctx, func() { time.Sleep(8 * time.Second) })
		list := w.faults(t)
		t.Log(list)
		if len(list) == 0 {
			t.Error("others look right without interpolation: the checks above show nothing")
		}
		errors.none(t)
	})
}

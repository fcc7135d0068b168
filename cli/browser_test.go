//go:build !js

package cli_test

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// probe.js watches the player's puck and the keys.
//
//go:embed testdata/probe.js
var probe string

// press is one key press, as the page saw it.
type press struct {
	Code   string  `json:"code"`
	Quiet  bool    `json:"quiet"`  // the puck was at rest
	Still  bool    `json:"still"`  // and so was everything else
	Frames int     `json:"frames"` // until it moved, 0: never
	Ms     float64 `json:"ms"`
}

// browser is chromium for tests that look at the clock. They run alone.
func browser(t *testing.T, more ...chromedp.ExecAllocatorOption) (context.Context, *complaints) {
	t.Helper()
	if os.Getenv("FORETICK_BROWSER") == "" {
		t.Skip("it looks at the clock: FORETICK_BROWSER=1 go test -run Browser ./cli, while the machine does nothing else")
	}
	return chromium(t, more...)
}

// chromium opens a page in a fresh Chromium. What the page's console complains
// of is an error of the test.
func chromium(t *testing.T, more ...chromedp.ExecAllocatorOption) (context.Context, *complaints) {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("no chromium")
		}
		t.Skip("no chromium: apt-get install chromium")
	}
	flags := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(900, 640),
		chromedp.NoFirstRun, chromedp.NoSandbox, chromedp.Flag("headless", true),
	}
	for _, name := range []string{"disable-background-networking", "disable-component-update", "disable-sync",
		"enable-unsafe-swiftshader", "disable-accelerated-2d-canvas"} {
		flags = append(flags, chromedp.Flag(name, true))
	}
	flags = append(flags, chromedp.Flag("use-gl", "angle"), chromedp.Flag("use-angle", "swiftshader"))
	flags = append(flags, more...)
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewExecAllocator(ctx, flags...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	var c complaints
	if err := chromedp.Listen(ctx, c.listen); err != nil {
		t.Fatal(err)
	}
	return ctx, &c
}

// complaints are the errors that the page's console showed.
type complaints struct {
	mu   sync.Mutex
	list []string
}

func (c *complaints) listen(ev any) {
	what := ""
	switch ev := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		if ev.Type == runtime.ConsoleAPICalledTypeError || ev.Type == runtime.ConsoleAPICalledTypeAssert {
			what = "console:"
			for _, arg := range ev.Args {
				what += " " + string(arg.Value)
			}
		}
	case *runtime.EventExceptionThrown:
		what = "exception: " + ev.ExceptionDetails.Text
	case *log.EventEntryAdded:
		if ev.Entry.Level == log.EntryLevelError {
			what = "log: " + ev.Entry.Text + " " + ev.Entry.URL
		}
	}
	if what != "" {
		c.mu.Lock()
		c.list = append(c.list, what)
		c.mu.Unlock()
	}
}

// forgive drops complaints that say this.
func (c *complaints) forgive(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = slices.DeleteFunc(c.list, func(s string) bool { return strings.Contains(s, what) })
}

func (c *complaints) none(t *testing.T) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, what := range c.list {
		t.Error(what)
	}
	c.list = nil
}

func do(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

func eval[T any](t *testing.T, ctx context.Context, script string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// key sends a key event as the keyboard does.
func key(t *testing.T, ctx context.Context, code string, kind input.DispatchKeyEventType) {
	t.Helper()
	name, vk := strings.ToLower(strings.TrimPrefix(code, "Key")), int64(code[len(code)-1])
	if code == "Space" {
		name, vk = " ", ' '
	}
	p := input.DispatchKeyEventParams{Type: kind, Code: code, Key: name, WindowsVirtualKeyCode: vk, NativeVirtualKeyCode: vk}
	if kind == input.DispatchKeyEventTypeKeyDown {
		p.Text = name
	}
	if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdp.Empty, error) {
		return cdp.Call(ctx, to, input.DispatchKeyEvent, p)
	}); err != nil {
		t.Fatal(err)
	}
}

// open waits until the page plays.
func open(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(url))
	for begun := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		state := eval[map[string]any](t, ctx, "window.foretick ? foretick.state() : {}")
		if state["state"] == "playing" && eval[bool](t, ctx, "foretick.own().known") {
			break
		}
		if time.Since(begun) > 20*time.Second {
			t.Fatalf("not playing after 20 s: %v", state)
		}
	}
	eval[bool](t, ctx, probe+"; true")
}

// steer presses keys for a while, each time from rest, towards the middle, and
// goes on, for half a minute at most, until enough of them came upon rest: the bots
// bump it, too. What has to be at rest is its puck, "quiet", or all, "still".
func steer(t *testing.T, ctx context.Context, d time.Duration, rest string, enough int) []press {
	t.Helper()
	count := "probe.presses.filter(p => p." + rest + " && p.frames).length"
	begun := time.Now()
	for time.Since(begun) < d || eval[int](t, ctx, count) < enough && time.Since(begun) < d+30*time.Second {
		for since := time.Now(); !eval[bool](t, ctx, "probe."+rest+"()") && time.Since(since) < 4*time.Second; {
			time.Sleep(20 * time.Millisecond)
		}
		code := eval[string](t, ctx, "probe.way()")
		key(t, ctx, code, input.DispatchKeyEventTypeKeyDown)
		time.Sleep(120 * time.Millisecond)
		key(t, ctx, code, input.DispatchKeyEventTypeKeyUp)
		time.Sleep(500 * time.Millisecond)
	}
	key(t, ctx, "Space", input.DispatchKeyEventTypeKeyDown)
	key(t, ctx, "Space", input.DispatchKeyEventTypeKeyUp)
	time.Sleep(50 * time.Millisecond)
	return eval[[]press](t, ctx, "probe.presses")
}

func screenshot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.ArtifactDir(), name)
	if err := os.WriteFile(file, png, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("screenshot: %s (kept with go test -artifacts)", file)
}

// A person with 150 ms of RTT and 10 % loss sees his own puck move within two
// frames of a key; without prediction it takes the RTT.
func TestBrowserPlays(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	ctx, errors := browser(t)
	p, page := demoProcess(t, "-bots", "2")
	alone := demoPage(t, "-bots", "0") // where no bump moves a puck before the RTT is over

	t.Run("predicted", func(t *testing.T) {
		open(t, ctx, page+"?rtt=150&jitter=20&loss=0.1")
		begun := eval[[2]float64](t, ctx, "[foretick.state().tick, performance.now()]")
		frames := eval[float64](t, ctx, "foretick.frames")
		presses := steer(t, ctx, 20*time.Second, "quiet", 5)
		ended := eval[[2]float64](t, ctx, "[foretick.state().tick, performance.now()]")
		frames = eval[float64](t, ctx, "foretick.frames") - frames
		seconds := (ended[1] - begun[1]) / 1000
		hz := (ended[0] - begun[0]) / seconds
		if hz < 59 || hz > 61 {
			t.Errorf("%.2f ticks a second, want 60", hz)
		}
		state := eval[map[string]any](t, ctx, "foretick.state()")
		t.Logf("%.2f ticks/s, %.1f frames/s of which Go takes %.2f ms each, %v",
			hz, frames/seconds, eval[float64](t, ctx, "probe.cost()"), state)
		if rtt, _ := state["rtt"].(float64); rtt < 150 || rtt > 300 {
			t.Errorf("RTT %v ms with 150 simulated", state["rtt"])
		}
		screenshot(t, ctx, "demo.png")
		check(t, presses, 5, prompt)
		errors.none(t)
	})

	t.Run("not predicted", func(t *testing.T) {
		open(t, ctx, alone+"?prediction=off&rtt=150")
		presses := steer(t, ctx, 10*time.Second, "still", 2)
		for i := range presses {
			presses[i].Quiet = presses[i].Still && presses[i].Frames > 0 // never, or not yet, tells nothing here
		}
		check(t, presses, 2, func(p press) error {
			if prompt(p) == nil {
				return fmt.Errorf("moved after %d frames without prediction: the check above shows nothing", p.Frames)
			}
			if p.Ms < 150 {
				return fmt.Errorf("moved after %.0f ms, before the RTT: something predicts", p.Ms)
			}
			return nil
		})
		errors.none(t)
	})

	t.Run("switches", func(t *testing.T) {
		open(t, ctx, page+"?bot=1&rtt=50")
		for _, id := range []string{"others", "smoothing", "prediction", "prediction", "reconciliation", "reconciliation", "smoothing", "others"} {
			const now = "[foretick.state().tick, performance.now()]"
			before := eval[[2]float64](t, ctx, "document.getElementById('"+id+"').click(), "+now)
			time.Sleep(time.Second)
			after, state := eval[[2]float64](t, ctx, now), eval[map[string]any](t, ctx, "foretick.state()")
			// The lead may go and come: a few ticks more or less.
			if ticks, want := after[0]-before[0], (after[1]-before[1])/1000*60; state["state"] != "playing" || ticks < want-20 || ticks > want+20 {
				t.Errorf("after a click on %s: %v ticks where %.0f were due, %v", id, ticks, want, state)
			}
			if !eval[bool](t, ctx, "foretick.own().known") {
				t.Errorf("after a click on %s: the own puck is not there", id)
			}
		}
		eval[bool](t, ctx, "foretick.set({...foretick.settings(), rtt: 300}), true")
		time.Sleep(3 * time.Second)
		if rtt := eval[float64](t, ctx, "foretick.state().rtt"); rtt < 200 {
			t.Errorf("RTT %v ms after it was set to 300", rtt)
		}
		screenshot(t, ctx, "switches.png")
		errors.none(t)
	})

	t.Run("stopped", func(t *testing.T) {
		p.stop()
		for begun := time.Now(); ; time.Sleep(50 * time.Millisecond) {
			said := eval[string](t, ctx, "document.getElementById('say').textContent")
			if strings.Contains(said, "the server was stopped") {
				break
			}
			if time.Since(begun) > 5*time.Second {
				t.Fatalf("the page says %q when the server stops", said)
			}
		}
		screenshot(t, ctx, "stopped.png")
		if code := p.code(); code != 0 {
			t.Errorf("the demo exits with %d: %s", code, p.errs.String())
		}
	})
}

// The page plays over WebTransport, and over WebSocket where it is told to and
// where the browser has nothing else. Each time the own puck moves.
func TestBrowserTransports(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	ctx, errors := browser(t)
	page := demoPage(t, "-bots", "1")
	for _, c := range []struct{ name, query, want, fallback string }{
		{"WebTransport", "?rtt=100&loss=0.05", "WebTransport", ""},
		{"WebTransport forced", "?transport=wt", "WebTransport", ""},
		{"WebSocket forced", "?transport=ws", "WebSocket", ""},
		{"WebTransport taken away", "?rtt=100&loss=0.05", "WebSocket", "no WebTransport"}, // last: it stays away
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.fallback != "" {
				addScript(t, ctx, "delete window.WebTransport")
			}
			open(t, ctx, page+c.query)
			check(t, steer(t, ctx, 3*time.Second, "quiet", 2), 2, prompt)
			state := eval[map[string]any](t, ctx, "foretick.state()")
			t.Log(state)
			if why, _ := state["fallback"].(string); state["transport"] != c.want || !strings.Contains(why, c.fallback) || c.fallback == "" && why != "" {
				t.Errorf("over %v: %q, want %s", state["transport"], why, c.want)
			}
			errors.none(t)
		})
	}
}

// prompt is the promise: what is pressed is seen at once.
func prompt(p press) error {
	if p.Frames == 0 || p.Frames > 2 {
		return fmt.Errorf("moved after %d frames, want at most 2", p.Frames)
	}
	return nil
}

// check looks at the presses that came upon a puck at rest: others bump it too.
func check(t *testing.T, presses []press, least int, test func(press) error) {
	t.Helper()
	n := 0
	for _, p := range presses {
		t.Logf("%+v", p)
		if !p.Quiet {
			continue
		}
		n++
		if err := test(p); err != nil {
			t.Errorf("%s: %v", p.Code, err)
		}
	}
	if n < least {
		t.Errorf("%d presses upon a puck at rest of %d, want %d", n, len(presses), least)
	}
}

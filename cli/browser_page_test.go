//go:build !js

package cli_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// serveDemo starts a demo and returns the address of its page.
func serveDemo(t *testing.T, args ...string) string {
	t.Helper()
	p := start(t, append([]string{"demo", "-addr", "127.0.0.1:0", "-bots", "2"}, args...)...)
	url := strings.Fields(p.line("open http", 3*time.Minute))
	return url[len(url)-1]
}

// before runs a script in every page that is opened, before the page's own.
func before(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdppage.AddScriptToEvaluateOnNewDocumentResult, error) {
		return cdp.Call(ctx, to, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	}); err != nil {
		t.Fatal(err)
	}
}

func window(t *testing.T, ctx context.Context, w, h int64, phone bool) {
	t.Helper()
	if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdp.Empty, error) {
		if _, err := cdp.Call(ctx, to, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: phone}); err != nil {
			return cdp.Empty{}, err
		}
		return cdp.Call(ctx, to, emulation.SetDeviceMetricsOverride,
			emulation.SetDeviceMetricsOverrideParams{Width: w, Height: h, DeviceScaleFactor: 1, Mobile: phone})
	}); err != nil {
		t.Fatal(err)
	}
}

// look counts the pixels of a screenshot that are of the ice, and of the own
// puck. It is kept as test output.
func look(t *testing.T, ctx context.Context, name string) (ice, own int) {
	t.Helper()
	shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(t.ArtifactDir(), name), shot, 0o644); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			switch r, g, b := at(img, x, y); {
			case r > 190 && g > 205 && b > 215:
				ice++
			case r > 190 && g > 90 && g < 170 && b < 70:
				own++
			}
		}
	}
	t.Logf("%s: %d pixels of ice, %d of the own puck", name, ice, own)
	return ice, own
}

func at(img image.Image, x, y int) (r, g, b uint32) {
	r, g, b, _ = img.At(x, y).RGBA()
	return r >> 8, g >> 8, b >> 8
}

// The page is in three dimensions where it can be: the rink is to be seen, and
// on it the own puck, in a window and on a phone.
func TestBrowserScene(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	ctx, errors := browser(t)
	page := serveDemo(t)
	for _, c := range []struct {
		name  string
		w, h  int64
		phone bool
	}{{"desk.png", 1280, 720, false}, {"phone.png", 390, 844, true}} {
		window(t, ctx, c.w, c.h, c.phone)
		open(t, ctx, page)
		eval[bool](t, ctx, "document.getElementById('labels').hidden = document.querySelector('header').hidden = true")
		time.Sleep(2 * time.Second) // the camera comes
		if !eval[bool](t, ctx, "foretick.deep && foretick.flat === '' && document.getElementById('flat').hidden") {
			t.Errorf("%s: a flat page: %s", c.name, eval[string](t, ctx, "foretick.flat"))
		}
		if n := eval[int](t, ctx, "foretick.numbers[9]"); n < 33 {
			t.Errorf("%s: %d instances, with 30 free pucks and 3 players", c.name, n)
		}
		if ice, own := look(t, ctx, c.name); ice < int(c.w*c.h)/5 || own < 300 {
			t.Errorf("%s: %d pixels of ice and %d of the own puck", c.name, ice, own)
		}
		folded := eval[bool](t, ctx, "document.body.classList.contains('folded')")
		stick := eval[bool](t, ctx, "document.getElementById('touch').hidden === false")
		if folded != c.phone || stick != c.phone {
			t.Errorf("%s: panel folded %v, stick shown %v", c.name, folded, stick)
		}
	}
	errors.none(t)
	// The control: without the canvas the same look sees neither.
	eval[bool](t, ctx, "document.getElementById('canvas').style.visibility = 'hidden', true")
	time.Sleep(200 * time.Millisecond)
	if ice, own := look(t, ctx, "blank.png"); ice > 3000 || own > 100 {
		t.Errorf("a hidden canvas has %d pixels of ice and %d of the own puck: the look above shows nothing", ice, own)
	}
}

// Without WebGL, and without npm to get three.js, the page is flat, says why,
// and plays.
func TestBrowserFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	flat := func(t *testing.T, page, why string, flags ...chromedp.ExecAllocatorOption) {
		ctx, errors := browser(t, flags...)
		open(t, ctx, page)
		said := eval[string](t, ctx, "document.getElementById('flat').hidden ? '' : document.getElementById('flat').textContent")
		if eval[bool](t, ctx, "foretick.deep") || !strings.Contains(said, why) {
			t.Errorf("in three dimensions: %v; the page says %q, want %q", eval[bool](t, ctx, "foretick.deep"), said, why)
		}
		check(t, steer(t, ctx, 2*time.Second, "quiet", 2), 2, prompt)
		screenshot(t, ctx, "flat.png")
		errors.none(t)
	}
	t.Run("no WebGL", func(t *testing.T) { flat(t, serveDemo(t), "no WebGL 2", chromedp.Flag("disable-3d-apis", true)) })
	t.Run("no npm", func(t *testing.T) {
		golang, err := exec.LookPath("go")
		if err != nil {
			t.Skip(err)
		}
		wasm := filepath.Join(t.TempDir(), "game.wasm")
		build := exec.Command(golang, "build", "-trimpath", "-ldflags=-s -w", "-o", wasm, "github.com/foretick/foretick/cmd/foretick")
		build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatal(err, string(out))
		}
		path, cache := os.Getenv("PATH"), os.Getenv("XDG_CACHE_HOME")
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		t.Setenv("PATH", filepath.Dir(linkTo(t, golang)))
		page := serveDemo(t, "-wasm", wasm)
		os.Setenv("PATH", path)
		os.Setenv("XDG_CACHE_HOME", cache)
		flat(t, page, "npm is missing: install Node.js")
	})
}

// linkTo makes a directory with nothing but a link to a program.
func linkTo(t *testing.T, program string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), filepath.Base(program))
	if err := os.Symlink(real, to); err != nil {
		t.Skip(err)
	}
	return to
}

// frameRates makes requestAnimationFrame as fast as window.hz, and with
// window.slow a page is as in a hidden tab, and worse: no frames, one timer a
// second, one message of the worker a second.
const frameRates = `(() => {
  const timer = window.setTimeout, beat = window.setInterval, now = () => performance.now();
  let queue = [];
  const frames = () => {
    if (!window.slow) {
      const due = queue;
      queue = [];
      for (const f of due) f(now());
    }
    timer(frames, 1000 / (window.hz || 60));
  };
  timer(frames, 0);
  window.requestAnimationFrame = (f) => queue.push(f);
  window.setTimeout = (f, d, ...a) => timer(f, window.slow ? Math.max(1000, d || 0) : d, ...a);
  window.setInterval = (f, d, ...a) => beat(f, d, ...a);
  const real = window.Worker;
  window.Worker = class extends real {
    set onmessage(f) {
      let last = 0;
      super.onmessage = (e) => {
        if (window.slow && now() - last < 1000) return;
        last = now();
        f(e);
      };
    }
  };
})()`

// The simulation runs at its own rate whatever the frame rate is.
func TestBrowserFrameRates(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	ctx, errors := browser(t)
	page := serveDemo(t)
	before(t, ctx, frameRates)
	for _, hz := range []float64{12, 144} {
		open(t, ctx, page+"?flat=1&rtt=80&panel=off")
		eval[float64](t, ctx, "window.hz = "+map[float64]string{12: "12", 144: "144"}[hz])
		time.Sleep(2 * time.Second)
		const read = "[performance.now(), foretick.state().tick, foretick.frames, foretick.state().unsampled, foretick.state().jumps]"
		a := eval[[5]float64](t, ctx, read)
		check(t, steer(t, ctx, 4*time.Second, "quiet", 2), 2, prompt)
		b := eval[[5]float64](t, ctx, read)
		s := (b[0] - a[0]) / 1000
		ticks, frames := (b[1]-a[1])/s, (b[2]-a[2])/s
		t.Logf("%v Hz: %.1f frames/s, %.2f ticks/s, %v ticks without a sample, %v jumps", hz, frames, ticks, b[3]-a[3], b[4]-a[4])
		if ticks < 58.5 || ticks > 61.5 {
			t.Errorf("%.2f ticks a second at %.0f frames a second", ticks, frames)
		}
		if hz == 12 && (frames < 9 || frames > 13) || hz == 144 && frames < 70 {
			t.Errorf("%.1f frames a second, meant to be %v: nothing was shown", frames, hz)
		}
	}
	errors.none(t)
}

// A tab that was frozen for 5 s, and one with a timer a second for 30 s, come
// back by themselves.
func TestBrowserComesBack(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	ctx, errors := browser(t)
	page := serveDemo(t)
	before(t, ctx, frameRates)
	plays := func(t *testing.T) {
		t.Helper()
		var state map[string]any
		for begun := time.Now(); time.Since(begun) < 5*time.Second; time.Sleep(100 * time.Millisecond) {
			state = eval[map[string]any](t, ctx, "foretick.state()")
			if state["state"] != "playing" {
				continue
			}
			was := state["tick"].(float64)
			time.Sleep(time.Second)
			state = eval[map[string]any](t, ctx, "foretick.state()")
			if n := state["tick"].(float64) - was; n > 50 && n < 70 {
				check(t, steer(t, ctx, 2*time.Second, "quiet", 1), 1, prompt)
				t.Log(time.Since(begun), eval[bool](t, ctx, "document.hidden"), state)
				return
			}
		}
		t.Errorf("not playing after 5 s: %v", state)
	}

	t.Run("throttled", func(t *testing.T) {
		open(t, ctx, page+"?flat=1&rtt=80")
		a := eval[[2]float64](t, ctx, "window.slow = true, [foretick.frames, foretick.pumped]")
		time.Sleep(30 * time.Second)
		b := eval[[2]float64](t, ctx, "[foretick.frames, foretick.pumped]")
		if n := b[0] + b[1] - a[0] - a[1]; b[0]-a[0] > 2 || n < 20 || n > 40 {
			t.Errorf("%v frames and %v steps in 30 s: that was no hidden tab", b[0]-a[0], n)
		}
		eval[bool](t, ctx, "window.slow = false, true")
		plays(t)
	})
	t.Run("frozen", func(t *testing.T) {
		open(t, ctx, page+"?flat=1&rtt=80")
		was := eval[float64](t, ctx, "foretick.frames + foretick.pumped")
		lifecycle(t, ctx, "frozen")
		time.Sleep(5 * time.Second)
		lifecycle(t, ctx, "active")
		if n := eval[float64](t, ctx, "foretick.frames + foretick.pumped") - was; n > 60 {
			t.Errorf("%v steps in 5 s: the tab was not frozen", n)
		}
		if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdp.Empty, error) {
			return cdp.Call(ctx, to, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		}); err != nil {
			t.Fatal(err)
		}
		plays(t)
	})
	errors.none(t)
}

func lifecycle(t *testing.T, ctx context.Context, state string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdp.Empty, error) {
		return cdp.Call(ctx, to, cdppage.SetWebLifecycleState, cdppage.SetWebLifecycleStateParams{State: cdppage.SetWebLifecycleStateState(state)})
	}); err != nil {
		t.Fatal(err)
	}
}

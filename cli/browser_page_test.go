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
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

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
	page := demoPage(t, "-bots", "2")
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

// Where frames come late the picture becomes cheaper, unless the address says
// how good it is to be.
func TestBrowserQuality(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	ctx, errors := browser(t)
	page := demoPage(t, "-bots", "0")
	for query, want := range map[string]int{"": 4, "?quality=3": 3} {
		open(t, ctx, page+query)
		if was := eval[int](t, ctx, "foretick.quality()"); was < 3 {
			t.Errorf("%q begins at level %d where the processor draws", query, was)
		}
		eval[bool](t, ctx, "window.requestAnimationFrame = (f) => setTimeout(() => f(performance.now()), 100), true")
		time.Sleep(10 * time.Second)
		if got := eval[int](t, ctx, "foretick.quality()"); got != want {
			t.Errorf("%q: level %d at under ten frames a second, want %d", query, got, want)
		}
	}
	// Graphics that are taken away, and come back.
	eval[bool](t, ctx, "window.gl = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context'), gl.loseContext(), true")
	time.Sleep(time.Second)
	if said := eval[string](t, ctx, "document.getElementById('flat').textContent"); !strings.Contains(said, "took the graphics away") {
		t.Errorf("with its context lost the page says %q", said)
	}
	eval[bool](t, ctx, "gl.restoreContext(), true")
	time.Sleep(3 * time.Second)
	eval[bool](t, ctx, "document.getElementById('labels').hidden = document.querySelector('header').hidden = true")
	if _, own := look(t, ctx, "restored.png"); own < 300 || !eval[bool](t, ctx, "document.getElementById('flat').hidden") {
		t.Errorf("%d pixels of the own puck after the context came back", own)
	}
	errors.none(t)
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
	t.Run("no WebGL", func(t *testing.T) {
		flat(t, demoPage(t, "-bots", "2"), "no WebGL 2", chromedp.Flag("disable-3d-apis", true))
	})
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
		page := demoPage(t, "-bots", "2", "-wasm", wasm)
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

// frameRates makes requestAnimationFrame as fast as window.hz.
const frameRates = `(() => {
  let queue = [];
  const frames = () => {
    const due = queue;
    queue = [];
    for (const f of due) f(performance.now());
    setTimeout(frames, 1000 / (window.hz || 60));
  };
  setTimeout(frames, 0);
  window.requestAnimationFrame = (f) => queue.push(f);
})()`

// The simulation runs at its own rate whatever the frame rate is.
func TestBrowserFrameRates(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	ctx, errors := browser(t)
	page := demoPage(t, "-bots", "0")
	addScript(t, ctx, frameRates)
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

// Fingers, a gamepad, and the keyboard alone play and reach the panel.
func TestBrowserControls(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	ctx, errors := browser(t)
	page := demoPage(t, "-bots", "0")
	window(t, ctx, 390, 844, true)
	open(t, ctx, page)
	eval[bool](t, ctx, `(() => { // what reaches Go: the last stick, and all presses
		const go = foretick.frame;
		window.got = [0, 0, 0];
		foretick.frame = (x, y, n) => { got = [x, y, got[2] + n]; return go(x, y, n); };
		return true;
	})()`)
	reached := func(what string, want [3]float64) {
		t.Helper()
		time.Sleep(400 * time.Millisecond)
		got := eval[[3]float64](t, ctx, "got")
		for i := range got {
			if d := got[i] - want[i]; d > 0.05 || d < -0.05 {
				t.Errorf("%s: %v, want %v", what, got, want)
				break
			}
		}
	}
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		t.Helper()
		if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdp.Empty, error) {
			return cdp.Call(ctx, to, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
		}); err != nil {
			t.Fatal(err)
		}
	}
	middle := func(of string) [2]float64 {
		return eval[[2]float64](t, ctx, "(() => { const r = document.querySelector('"+of+"').getBoundingClientRect(); return [r.x + r.width/2, r.y + r.height/2]; })()")
	}
	reached("nothing", [3]float64{})
	from := eval[float64](t, ctx, "foretick.own().x")
	stick, dash := middle(".stick"), middle(".dash")
	one, two := 1.0, 2.0
	way := 56.0 // pixels: full speed, towards the middle of the rink
	if from > 0 {
		way = -way
	}
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: stick[0], Y: stick[1], ID: &one})
	touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: stick[0] + way/2, Y: stick[1], ID: &one})
	reached("half a stick", [3]float64{way / 112})
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: stick[0] + way/2, Y: stick[1], ID: &one}, &input.TouchPoint{X: dash[0], Y: dash[1], ID: &two})
	reached("and a dash", [3]float64{way / 112, 0, 1})
	touch(input.DispatchTouchEventTypeTouchEnd)
	reached("let go", [3]float64{2: 1})
	if moved := (eval[float64](t, ctx, "foretick.own().x") - from) / way; moved <= 0 {
		t.Errorf("the puck did not follow the finger: from %v to %v", from, eval[float64](t, ctx, "foretick.own().x"))
	}

	eval[bool](t, ctx, `(() => {
		window.pad = { connected: true, index: 0, mapping: "standard", axes: [0.05, -1], buttons: [{ pressed: true }] };
		navigator.getGamepads = () => [pad];
		return true;
	})()`)
	reached("a gamepad, its button held", [3]float64{0.05, 1, 2})
	eval[bool](t, ctx, "pad.axes = [0.1, 0.1], pad.buttons[0].pressed = false, true")
	reached("a gamepad that nobody touches", [3]float64{2: 2})

	// The keyboard: tab to the button, open the panel, into it, and back.
	tap := func(code string) {
		t.Helper()
		p := input.DispatchKeyEventParams{Code: code, Key: code, WindowsVirtualKeyCode: map[string]int64{"Tab": 9, "Escape": 27, "Space": 32}[code]}
		if code == "Space" {
			p.Key, p.Text = " ", " "
		}
		for _, p.Type = range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
			if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdp.Empty, error) {
				return cdp.Call(ctx, to, input.DispatchKeyEvent, p)
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for n := 0; eval[string](t, ctx, "document.activeElement.id") != "fold"; n++ {
		if n == 10 {
			t.Fatal("the panel's button cannot be reached")
		}
		tap("Tab")
	}
	if outline := eval[string](t, ctx, "getComputedStyle(document.activeElement).outlineStyle + getComputedStyle(document.activeElement).outlineWidth"); outline != "solid3px" {
		t.Errorf("the focus is shown by %q", outline)
	}
	tap("Space")
	if eval[bool](t, ctx, "document.body.classList.contains('folded')") {
		t.Error("the space bar does not open the panel")
	}
	for n := 0; !eval[bool](t, ctx, "document.activeElement.closest('#panel') !== null"); n++ {
		if n == 10 {
			t.Fatal("the panel cannot be reached")
		}
		tap("Tab")
	}
	tap("Escape")
	tap("Space")
	reached("the space bar after Escape", [3]float64{2: 3})
	screenshot(t, ctx, "panel.png")
	errors.none(t)
}

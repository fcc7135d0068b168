//go:build !js

package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/foretick/foretick/physics/scenes"
)

// galleryState is what the page says of itself.
type galleryState struct {
	Scene                            string
	Tick, Oldest, Newest             int
	Hash, SceneHash                  string
	Bodies, Statics, Awake, Contacts int
	Check                            struct{ From, Compared, Known, Differs int }
}

func stateOfGallery(t *testing.T, ctx context.Context) galleryState {
	t.Helper()
	return eval[galleryState](t, ctx, "gallery.state()")
}

// openGallery waits until a scene is drawn.
func openGallery(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(url))
	for begun := time.Now(); eval[int](t, ctx, "window.gallery?.frames ?? 0") < 2; time.Sleep(50 * time.Millisecond) {
		if time.Since(begun) > 3*time.Minute {
			t.Fatalf("no picture: the page says %q", eval[string](t, ctx, "document.getElementById('say').textContent"))
		}
	}
}

// steps takes n steps in the page, some at a time: a page that is busy for long
// answers nothing.
func steps(t *testing.T, ctx context.Context, n int) {
	t.Helper()
	for ; n > 0; n -= 30 {
		eval[bool](t, ctx, "gallery.steps("+strconv.Itoa(min(n, 30))+"), true")
	}
}

// native returns the hashes of a scene after some steps, computed here.
func native(name string, n int) (state, scene string) {
	s := scenes.Named(name)
	w := s.New()
	var d scenes.Driver
	for i := range n {
		d.Drive(s, w, i)
		w.Step()
	}
	return strconv.FormatUint(w.Hash(), 16), strconv.FormatUint(scenes.Hash(w), 16)
}

// Every scene runs in the browser without a complaint, and is to be seen.
func TestBrowserGalleryScenes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	ctx, errors := browser(t)
	window(t, ctx, 640, 360, false)
	page := demoPage(t, "-bots", "0")
	do(t, ctx, chromedp.Navigate(page))
	eval[bool](t, ctx, "document.querySelector('header a').click(), true") // the way a person goes
	openGallery(t, ctx, eval[string](t, ctx, "new URL('gallery', location.href).href"))
	names := eval[[]string](t, ctx, "gallery.names")
	if len(names) != len(scenes.Names()) {
		t.Errorf("the page has %q", names)
	}
	for _, name := range names {
		eval[bool](t, ctx, "gallery.choose('"+name+"')")
		frames := eval[int](t, ctx, "gallery.frames")
		time.Sleep(1500 * time.Millisecond)
		s := stateOfGallery(t, ctx)
		ms := eval[map[string]float64](t, ctx, "gallery.figures()")
		picture := eval[float64](t, ctx, "(() => { const t = performance.now(); for (let i = 0; i < 20; i++) gallery.frame(0, 0); return (performance.now() - t) / 20; })()")
		t.Logf("%s: %+v, %.2f ms a step, worst %.2f, %.2f ms a picture in Go, %d frames in 1.5 s",
			name, s, ms["mean"], ms["worst"], picture, eval[int](t, ctx, "gallery.frames")-frames)
		if s.Scene != name || s.Tick < 3 || !eval[bool](t, ctx, "gallery.frames > "+strconv.Itoa(frames)) || ms["count"] == 0 || ms["mean"] <= 0 {
			t.Errorf("%s does not run: %+v, %v", name, s, ms)
		}
		if want := len(scenes.Named(name).Bodies); name != "mixed" && s.Bodies+s.Statics != want {
			t.Errorf("%s has %d bodies, want %d", name, s.Bodies+s.Statics, want)
		}
		errors.none(t)
	}
	eval[bool](t, ctx, "document.querySelector('header a').click(), true")
	for begun := time.Now(); !eval[bool](t, ctx, "window.foretick?.state().state === 'playing'"); time.Sleep(50 * time.Millisecond) {
		if time.Since(begun) > 20*time.Second {
			t.Fatal("the way back to the game leads elsewhere")
		}
	}
	errors.none(t)
}

// What the browser computes is what Go computes here, to the bit; and again
// after a rewind. With other gravity it is not: control.
func TestBrowserGalleryHashes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	ctx, errors := browser(t)
	window(t, ctx, 640, 360, false)
	openGallery(t, ctx, demoPage(t, "-bots", "0")+"gallery?paused=1&scene=S1")
	steps(t, ctx, 600)
	got := stateOfGallery(t, ctx)
	if state, scene := native("S1", 600); got.Tick != 600 || got.Hash != state || got.SceneHash != scene {
		t.Errorf("S1 in the browser: tick %d, hashes %s and %s; here %s and %s", got.Tick, got.Hash, got.SceneHash, state, scene)
	}

	// The slider goes back; a step, and play, lead to the same again.
	slide := func(to int, event string) {
		eval[bool](t, ctx, fmt.Sprintf("(() => { const s = document.getElementById('time'); s.value = %d; s.dispatchEvent(new Event('%s')); return true; })()", to, event))
		time.Sleep(500 * time.Millisecond)
	}
	slide(300, "input") // held
	slide(420, "change")
	if s := stateOfGallery(t, ctx); s.Tick != 420 || s.Newest != 600 || s.Check.From < 0 || s.Check.Compared == 0 {
		t.Errorf("after the slider: %+v", s)
	}
	steps(t, ctx, 180)
	time.Sleep(500 * time.Millisecond)
	again := stateOfGallery(t, ctx)
	if again.Hash != got.Hash || again.Check.Differs != 0 || again.Check.Compared != again.Check.Known || again.Check.Compared < 180 {
		t.Errorf("replayed to %+v, want hash %s", again, got.Hash)
	}
	if said := eval[string](t, ctx, "document.getElementById('check').className + ' ' + document.getElementById('check').textContent"); !strings.Contains(said, "same Rewound and replayed: same hash in") {
		t.Errorf("the page says %q", said)
	}
	screenshot(t, ctx, "gallery-rewound.png")
	eval[bool](t, ctx, "document.getElementById('back').click(), true")
	time.Sleep(500 * time.Millisecond)
	was := stateOfGallery(t, ctx).Tick
	steps(t, ctx, 120)
	if s := stateOfGallery(t, ctx); was != 480 || s.Hash != got.Hash || s.Check.Differs != 0 || s.Check.Compared < 120 {
		t.Errorf("two seconds back to %d and on: %+v", was, s)
	}

	// A ball after a rewind: the old future is dropped, the new one is checked.
	slide(500, "change")
	eval[bool](t, ctx, "document.getElementById('throw').click(), true")
	steps(t, ctx, 60)
	s := stateOfGallery(t, ctx)
	if s.Newest != 560 || s.Bodies != 211 || s.Hash == got.Hash || s.Check.Differs != 0 {
		t.Errorf("after a ball: %+v", s)
	}
	slide(495, "change")
	steps(t, ctx, 65)
	if r := stateOfGallery(t, ctx); r.Hash != s.Hash || r.Check.Differs != 0 || r.Check.Compared < 65 {
		t.Errorf("with a ball, replayed to %+v, want %s", r, s.Hash)
	}

	for _, c := range []struct {
		gravity string
		same    bool
	}{{"1", true}, {"0.38", false}} {
		eval[bool](t, ctx, "gallery.choose('S1', "+c.gravity+")")
		steps(t, ctx, 60)
		state, _ := native("S1", 60)
		if s := stateOfGallery(t, ctx); (s.Hash == state) != c.same {
			t.Errorf("gravity %s: hash %s, with Earth's %s", c.gravity, s.Hash, state)
		}
	}
	errors.none(t)
}

// pixels takes a picture, keeps it, and counts the pixels of contact points, of
// bodies awake and of bodies asleep, left of the panel.
func pixels(t *testing.T, ctx context.Context, name string) (dots, awake, asleep int) {
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
	w := eval[int](t, ctx, "document.querySelector('main').clientWidth")
	h := eval[int](t, ctx, "document.getElementById('bar').offsetTop")
	for y := 50; y < h; y++ {
		for x := range w {
			switch r, g, b := at(img, x, y); {
			case r > 220 && g > 190 && b < 130:
				dots++
			case b > 110 && b > 2*r:
				awake++
			case r > 66 && r < 200 && b > r && b < r+r/2:
				asleep++
			}
		}
	}
	t.Logf("%s: %d pixels of contact points, %d awake, %d asleep", name, dots, awake, asleep)
	return dots, awake, asleep
}

// Contact points are to be seen, or not; what falls asleep changes its shade.
func TestBrowserGalleryShades(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	ctx, errors := browser(t)
	window(t, ctx, 640, 360, false)
	scheme(t, ctx, "dark")
	openGallery(t, ctx, demoPage(t, "-bots", "0")+"gallery?paused=1&scene=S1sleep")
	steps(t, ctx, 20)
	time.Sleep(time.Second)
	dots, awake, asleep := pixels(t, ctx, "gallery-awake.png")
	if dots < 200 || awake < 5000 || asleep > 500 {
		t.Errorf("awake: %d pixels of points, %d awake, %d asleep", dots, awake, asleep)
	}
	eval[bool](t, ctx, "document.getElementById('dots').click(), true")
	time.Sleep(time.Second)
	if dots, _, _ := pixels(t, ctx, "gallery-nodots.png"); dots > 20 {
		t.Errorf("turned off: %d pixels of points", dots)
	}
	eval[bool](t, ctx, "document.getElementById('dots').click(), true")
	steps(t, ctx, 120)
	time.Sleep(time.Second)
	dots, awake, asleep = pixels(t, ctx, "gallery-asleep.png")
	if s := stateOfGallery(t, ctx); s.Awake != 0 || s.Contacts != 0 || dots > 20 || awake > 500 || asleep < 3000 {
		t.Errorf("asleep: %+v; %d pixels of points, %d awake, %d asleep", s, dots, awake, asleep)
	}
	errors.none(t)
}

// The clock has 60 steps a second at any frame rate, as far as the machine can.
func TestBrowserGalleryFrameRates(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	ctx, errors := browser(t)
	window(t, ctx, 640, 360, false)
	addScript(t, ctx, frameRates)
	openGallery(t, ctx, demoPage(t, "-bots", "0")+"gallery?scene=S1sleep")
	for _, hz := range []string{"12", "144"} {
		try(t, ctx, func(c *trial) {
			eval[float64](t, ctx, "window.hz = "+hz)
			time.Sleep(time.Second)
			const now = "[performance.now(), gallery.state().tick, gallery.frames]"
			a := eval[[3]float64](t, ctx, now)
			time.Sleep(3 * time.Second)
			b := eval[[3]float64](t, ctx, now)
			s := (b[0] - a[0]) / 1000
			rate := (b[1] - a[1]) / s
			t.Logf("%s Hz: %.1f frames/s, %.2f steps/s", hz, (b[2]-a[2])/s, rate)
			c.expect(rate > 58 && rate < 62, "60 steps a second at "+hz+" Hz")
		})
	}
	errors.none(t)
}

// Mouse, fingers and keys reach everything, in a small window and on a phone.
func TestBrowserGalleryControls(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	ctx, errors := browser(t)
	url := demoPage(t, "-bots", "0") + "gallery?scene=S1sleep"
	yaw := func() float64 { return eval[float64](t, ctx, "gallery.view.orbit.yaw") }
	fits := func(name string) {
		t.Helper()
		if bad := eval[string](t, ctx, `[...document.querySelectorAll("main button, main input, main output, main a, aside select, aside button, #figures, #check")].filter((e) => {
			const r = e.getBoundingClientRect();
			return r.left < 0 || r.right > innerWidth || (e.closest("main") && (r.top < 0 || r.bottom > innerHeight)) || r.width < 10;
		}).map((e) => e.id || e.textContent).join(" ") + (document.documentElement.scrollWidth > innerWidth ? " the page scrolls" : "")`); bad != "" {
			t.Errorf("%s: does not fit: %s", name, bad)
		}
	}
	mouse := func(kind input.DispatchMouseEventType, x, y float64) {
		t.Helper()
		p := input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1}
		if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdp.Empty, error) {
			return cdp.Call(ctx, to, input.DispatchMouseEvent, p)
		}); err != nil {
			t.Fatal(err)
		}
	}
	window(t, ctx, 640, 360, false)
	openGallery(t, ctx, url)
	fits("640x360")
	before := yaw()
	mouse(input.DispatchMouseEventTypeMousePressed, 200, 150)
	for x := 200.0; x < 300; x += 20 {
		mouse(input.DispatchMouseEventTypeMouseMoved, x, 150)
	}
	mouse(input.DispatchMouseEventTypeMouseReleased, 300, 150)
	time.Sleep(300 * time.Millisecond)
	if n := stateOfGallery(t, ctx).Bodies; yaw() > before-0.2 || n != 210 {
		t.Errorf("a drag turns by %v and throws %d balls", yaw()-before, n-210)
	}
	mouse(input.DispatchMouseEventTypeMousePressed, 200, 180)
	mouse(input.DispatchMouseEventTypeMouseReleased, 200, 180)
	time.Sleep(time.Second)
	if n := stateOfGallery(t, ctx).Bodies; n != 211 {
		t.Errorf("a click throws %d balls", n-210)
	}

	press := func(name, text string, vk int64) {
		t.Helper()
		p := input.DispatchKeyEventParams{Code: name, Key: name, WindowsVirtualKeyCode: vk, Text: text}
		if text != "" {
			p.Key = text
		}
		for _, p.Type = range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
			if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdp.Empty, error) {
				return cdp.Call(ctx, to, input.DispatchKeyEvent, p)
			}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(400 * time.Millisecond)
	}
	eval[bool](t, ctx, "document.activeElement.blur(), true")
	press("Space", " ", 32)
	paused := stateOfGallery(t, ctx).Tick
	press("Period", ".", 190)
	if s := stateOfGallery(t, ctx); eval[bool](t, ctx, "gallery.playing") || s.Tick != paused+1 {
		t.Errorf("space and a step: %d steps after %d", s.Tick, paused)
	}
	press("KeyB", "b", 66)
	press("Period", ".", 190)
	if n := stateOfGallery(t, ctx).Bodies; n != 212 {
		t.Errorf("B: %d balls, want 2", n-210)
	}
	eval[bool](t, ctx, "document.getElementById('time').focus(), true")
	at := stateOfGallery(t, ctx).Tick
	press("ArrowLeft", "", 37)
	if s := stateOfGallery(t, ctx); s.Tick != at-1 || s.Check.Compared == 0 || s.Check.Differs != 0 {
		t.Errorf("the slider by key: %+v, was at %d", s, at)
	}
	eval[bool](t, ctx, "document.getElementById('canvas').focus(), true")
	before = yaw()
	press("ArrowLeft", "", 37)
	if yaw() == before {
		t.Error("arrows do not turn the camera")
	}
	press("KeyR", "r", 82)
	if s := stateOfGallery(t, ctx); s.Tick > 1 || s.Bodies != 210 {
		t.Errorf("R: %+v", s)
	}

	window(t, ctx, 390, 844, true)
	openGallery(t, ctx, url)
	fits("390x844")
	before = yaw()
	one, two := 1.0, 2.0
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		t.Helper()
		if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdp.Empty, error) {
			return cdp.Call(ctx, to, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
		}); err != nil {
			t.Fatal(err)
		}
	}
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: 100, Y: 200, ID: &one})
	touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: 140, Y: 200, ID: &one})
	touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: 200, Y: 200, ID: &one})
	far := eval[float64](t, ctx, "gallery.view.orbit.distance")
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: 200, Y: 200, ID: &one}, &input.TouchPoint{X: 100, Y: 200, ID: &two})
	touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: 300, Y: 200, ID: &one}, &input.TouchPoint{X: 100, Y: 200, ID: &two})
	touch(input.DispatchTouchEventTypeTouchEnd)
	time.Sleep(500 * time.Millisecond)
	if d := eval[float64](t, ctx, "gallery.view.orbit.distance"); yaw() > before-0.2 || d > 0.7*far {
		t.Errorf("fingers turn by %v, and zoom from %v to %v", yaw()-before, far, d)
	}
	if n := stateOfGallery(t, ctx).Bodies; n != 210 {
		t.Errorf("fingers that move throw %d balls", n-210)
	}
	screenshot(t, ctx, "gallery-phone.png")
	errors.none(t)
}

func scheme(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdp.Empty, error) {
		return cdp.Call(ctx, to, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
	}); err != nil {
		t.Fatal(err)
	}
}

// The pictures of docs/img, and of small windows.
func TestBrowserGalleryPictures(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	ctx, errors := browser(t)
	url := demoPage(t, "-bots", "0") + "gallery?paused=1"
	for _, c := range []struct {
		name, query, scene string
		steps              int
		w, h               int64
		scheme             string
	}{
		{"physics-s1.png", "&quality=0", "S1", 600, 960, 540, "dark"},
		{"physics-s2.png", "&quality=0", "S2", 600, 960, 540, "dark"},
		{"gallery-field.png", "&quality=0", "S2gsleep", 200, 960, 540, "light"},
		{"gallery-mixed.png", "", "mixed", 150, 640, 360, "dark"},
		{"gallery-terrain.png", "", "S3", 150, 640, 360, "light"},
	} {
		window(t, ctx, c.w, c.h, false)
		scheme(t, ctx, c.scheme)
		openGallery(t, ctx, url+c.query+"&scene="+c.scene)
		steps(t, ctx, c.steps)
		time.Sleep(2 * time.Second)
		screenshot(t, ctx, c.name)
	}
	errors.none(t)
}

//go:build !js

package cli_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// alive says what is wrong with a page that should play: in a second the
// simulation makes its ticks, and the newest snapshot is not old.
func alive(t *testing.T, ctx context.Context) error {
	t.Helper()
	const now = "(() => { const s = foretick.state(), t = foretick.truth(); return [s.tick || 0, performance.now(), t ? t[0] - s.serverTick : 1e9, s.state === 'playing' ? 1 : 0]; })()"
	a := eval[[4]float64](t, ctx, now)
	time.Sleep(time.Second)
	b := eval[[4]float64](t, ctx, now)
	switch rate := (b[0] - a[0]) / (b[1] - a[1]) * 1000; {
	case b[3] == 0:
		return fmt.Errorf("it does not play: %v", eval[map[string]any](t, ctx, "foretick.state()"))
	case rate < 50 || rate > 70:
		return fmt.Errorf("%.1f ticks a second", rate)
	case b[2] > hz/2:
		return fmt.Errorf("the newest snapshot is %.0f ticks old", b[2])
	}
	return nil
}

// back waits until the page is alive and returns how long that took.
func back(t *testing.T, ctx context.Context, limit time.Duration) time.Duration {
	t.Helper()
	began := time.Now()
	for {
		err := alive(t, ctx)
		if err == nil {
			return time.Since(began)
		}
		if time.Since(began) > limit {
			t.Errorf("not back after %v: %v", limit, err)
			return limit
		}
	}
}

func lifecycle(t *testing.T, ctx context.Context, state cdppage.SetWebLifecycleStateState) {
	t.Helper()
	if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdp.Empty, error) {
		return cdp.Call(ctx, to, cdppage.SetWebLifecycleState, cdppage.SetWebLifecycleStateParams{State: state})
	}); err != nil {
		t.Fatal(err)
	}
}

// A tab that was frozen, or in the background, comes back by itself.
func TestBrowserAsleep(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	ctx, errors := browser(t)
	page := demoPage(t, "-bots", "2")
	open(t, ctx, page+"?bot=1&rtt=150&jitter=20&loss=0.1")
	time.Sleep(2 * time.Second)
	if err := alive(t, ctx); err != nil {
		t.Fatal("before anything: ", err)
	}

	t.Run("frozen for 5 s", func(t *testing.T) {
		lifecycle(t, ctx, cdppage.SetWebLifecycleStateStateFrozen)
		time.Sleep(4 * time.Second)
		if err := alive(t, ctx); err == nil {
			t.Error("a frozen page plays: this shows nothing")
		} else {
			t.Log("frozen: ", err)
		}
		lifecycle(t, ctx, cdppage.SetWebLifecycleStateStateActive)
		t.Logf("back after %v: %v", back(t, ctx, 10*time.Second), eval[map[string]any](t, ctx, "foretick.state()"))
		errors.forgive("/debug/truth' failed: Page entered Back-Forward Cache") // the test's own socket
		errors.none(t)
	})

	t.Run("one timer a second for 30 s", func(t *testing.T) {
		front := inFront(t, ctx)
		timers := "timers = 0, frames0 = foretick.frames, setInterval(() => timers++, 20)"
		eval[float64](t, ctx, timers)
		time.Sleep(30 * time.Second)
		n := eval[[2]float64](t, ctx, "[timers, foretick.frames - frames0]")
		t.Logf("in 30 s %v timers of 20 ms, %v frames", n[0], n[1])
		if n[0] > 60 {
			t.Errorf("%v timers in 30 s: the tab is not throttled, this shows nothing", n[0])
		}
		front()
		t.Logf("back after %v: %v", back(t, ctx, 10*time.Second), eval[map[string]any](t, ctx, "foretick.state()"))
		screenshot(t, ctx, "back.png")
		errors.none(t)
	})
}

// inFront opens another tab before this one, and returns what brings this one
// back.
func inFront(t *testing.T, ctx context.Context) func() {
	t.Helper()
	if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (target.CreateTargetResult, error) {
		return cdp.Call(ctx, to, target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
	}); err != nil {
		t.Fatal(err)
	}
	if hidden := eval[bool](t, ctx, "document.hidden"); !hidden {
		t.Error("the tab is not in the background")
	}
	return func() {
		if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdp.Empty, error) {
			return cdp.Call(ctx, to, cdppage.BringToFront, cdp.Empty{})
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// A page that is loaded again takes its place again. Without its token there is
// none: it was the last one.
func TestBrowserReloads(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a quarter of a minute")
	}
	ctx, errors := browser(t)
	page := demoPage(t, "-bots", "15")
	var player float64
	for i := range 3 {
		open(t, ctx, page+"?rtt=100")
		is := eval[float64](t, ctx, "foretick.state().player")
		if i > 0 && is != player {
			t.Errorf("player %v was %v before the page was loaded again", is, player)
		}
		player = is
	}
	// The session kept the rate it was set to; the page has another now.
	eval[bool](t, ctx, "foretick.set({...foretick.settings(), snapshots: 10}), true")
	time.Sleep(time.Second)
	open(t, ctx, page)
	time.Sleep(2 * time.Second)
	const rate = "foretick.figures()[foretick.figureNames.indexOf('snapshots')]"
	eval[float64](t, ctx, rate) // rates begin here
	time.Sleep(time.Second)
	if n := eval[float64](t, ctx, rate); n < 30 {
		t.Errorf("%.1f snapshots a second after the page was loaded again", n)
	}
	addScript(t, ctx, "sessionStorage.clear()")
	do(t, ctx, chromedp.Navigate(page))
	for begun := time.Now(); eval[string](t, ctx, "window.foretick ? foretick.state().state : ''") != "refused"; time.Sleep(50 * time.Millisecond) {
		if time.Since(begun) > 10*time.Second {
			t.Fatalf("without a token: %v", eval[map[string]any](t, ctx, "foretick.state()"))
		}
	}
	errors.none(t)
}

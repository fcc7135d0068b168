//go:build !js

package cli_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// panel.js compares what is displayed with what is true.
//
//go:embed testdata/panel.js
var panelProbe string

// figures are what the panel and the probe tell: means of the panel's figures,
// and under the names of counters how much they grew.
type figures map[string]float64

// demo opens the page of a demo of its own.
func demo(t *testing.T, query string, bots string) (context.Context, *complaints) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	ctx, errors := browser(t)
	open(t, ctx, demoPage(t, "-bots", bots)+query)
	return ctx, errors
}

// trial is one try at a measurement. A machine that is busy with other things
// spoils some, so there are three.
type trial struct {
	t      *testing.T
	ctx    context.Context
	failed []string
}

func try(t *testing.T, ctx context.Context, f func(c *trial)) {
	t.Helper()
	for i := range 3 {
		c := &trial{t: t, ctx: ctx}
		if f(c); len(c.failed) == 0 {
			return
		} else if i < 2 {
			t.Logf("not so at first: %q", c.failed)
			continue
		}
		t.Errorf("not so: %q", c.failed)
	}
}

func (c *trial) expect(ok bool, what string) {
	if !ok {
		c.failed = append(c.failed, what)
	}
}

// with sets the panel's settings, gives them time to act, and watches.
func (c *trial) with(settings string, settle, d time.Duration) figures {
	c.t.Helper()
	eval[bool](c.t, c.ctx, `foretick.set({prediction: true, reconciliation: true, redundancy: true, smoothing: true,
		interpolation: true, others: false, ghosts: {}, rtt: 100, jitter: 0, loss: 0, burst: 1, snapshots: 0, ...{`+settings+`}}), true`)
	time.Sleep(settle)
	eval[bool](c.t, c.ctx, "panelProbe.start(), true")
	time.Sleep(d)
	f := eval[figures](c.t, c.ctx, "panelProbe.stop()")
	b, _ := json.Marshal(f)
	c.t.Logf("%s: %s", settings, b)
	c.expect(f["playing"] == 1 && f["rows"] > 8*f["seconds"], settings+": it plays")
	return f
}

func expect(t *testing.T, ok bool, what string) {
	t.Helper()
	if !ok {
		t.Error("not so: " + what)
	}
}

// The sliders act on the real packets: each is moved, and what it does is
// measured. The link before it is moved is the control.
func TestBrowserPanelNetwork(t *testing.T) {
	ctx, errors := demo(t, "?flat=1&bot=1", "2")
	eval[bool](t, ctx, panelProbe+"; true")
	const settle, watch = 1500 * time.Millisecond, 3 * time.Second

	try(t, ctx, func(c *trial) {
		near := c.with("rtt: 0", settle, 1500*time.Millisecond)
		far := c.with("rtt: 300", 3500*time.Millisecond, 2*time.Second)
		c.expect(far["rtt"] > near["rtt"]+200 && far["rtt"] < near["rtt"]+600, "300 ms of latency are in the RTT")
		shaky := c.with("rtt: 300, jitter: 80", 2*time.Second, 2*time.Second)
		c.expect(shaky["jitter"] > far["jitter"]+25, "jitter is in the RTT's spread")
	})
	try(t, ctx, func(c *trial) {
		clean := c.with("rtt: 50", settle, watch)
		lossy := c.with("rtt: 50, loss: 0.3", settle, watch)
		bursty := c.with("rtt: 50, loss: 0.3, burst: 10", 2*time.Second, 5*time.Second)
		loss := func(f figures) float64 { return f["downLost"] / f["downJudged"] }
		run := func(f figures) float64 { return f["downLost"] / f["downRuns"] }
		c.expect(loss(clean) < 0.1 && loss(lossy) > 0.2 && loss(lossy) < 0.45, "a loss of 30 % is measured")
		c.expect(bursty["loss"] > 0.12 && clean["loss"] < 0.1, "on the way up, too")
		c.expect(loss(bursty) > 0.12 && run(bursty) > 2*run(lossy) && run(lossy) < 2.5, "bursts make runs of losses")
	})
	try(t, ctx, func(c *trial) {
		slow := c.with("rtt: 50, snapshots: 10", settle, 2500*time.Millisecond)
		c.expect(slow["snapshots"] > 8 && slow["snapshots"] < 11.5, "10 snapshots a second are 10")
		again := c.with("rtt: 50", settle, 1500*time.Millisecond)
		c.expect(again["snapshots"] > 30, "and one each tick again after that")
	})
	errors.none(t)
}

// Each technique is switched off, and what it did is missed. With it on, over
// the same link, is the control.
func TestBrowserPanelTechniques(t *testing.T) {
	ctx, errors := demo(t, "?flat=1&bot=1", "4")
	eval[bool](t, ctx, panelProbe+"; true")
	const settle, watch = 1500 * time.Millisecond, 3500 * time.Millisecond

	try(t, ctx, func(c *trial) {
		// The own puck as displayed is ahead of the server, or behind by the RTT
		// and the view's delay.
		on := c.with("rtt: 200", settle, watch)
		off := c.with("rtt: 200, prediction: false", settle, watch)
		c.expect(on["lag"] > 60 && off["lag"] < -60, "the own puck is ahead of the server by prediction only")
		c.expect(on["predicted"] == 0 && off["predicted"] == 0, "others are not predicted")

		off = c.with("rtt: 200, reconciliation: false", 3*time.Second, watch)
		c.expect(on["corrections"] > 0 && on["replayed"] > 0, "there is something to correct")
		c.expect(off["mispredicted"] > 2*on["mispredicted"] && off["replayed"] == 0 && off["corrections"] == 0,
			"without reconciliation predictions are wrong and nothing is done about it")
		c.expect(on["apart"] >= 0 && off["apart"] > 3*on["apart"] && off["apart"] > 0.5, "and the own puck drifts away from the server's")
	})
	try(t, ctx, func(c *trial) {
		on := c.with("loss: 0.25", settle, watch)
		off := c.with("loss: 0.25, redundancy: false", settle, watch)
		c.expect(off["holes"] > 3*on["holes"] && off["holes"] > 5*off["seconds"], "without redundancy a lost packet is a lost input")
	})
	try(t, ctx, func(c *trial) {
		smooth := c.with("rtt: 200, loss: 0.25, redundancy: false", settle, watch)
		rough := c.with("rtt: 200, loss: 0.25, redundancy: false, smoothing: false", settle, watch)
		c.expect(smooth["jumps"] > 3 && rough["jumps"] > 3, "there are corrections to see")
		c.expect(rough["jump"] > 0.9 && smooth["jump"] < 0.7, "without smoothing corrections jump")
	})
	try(t, ctx, func(c *trial) {
		on := c.with("snapshots: 6", 4*time.Second, watch)
		off := c.with("snapshots: 6, interpolation: false", settle, watch)
		c.expect(on["moving"] > 0 && off["moving"] > 0, "somebody moves")
		c.expect(off["still"] > 0.4 && on["still"] < off["still"]/2 && off["uneven"] > 2*on["uneven"], "without interpolation others move in steps")
		c.expect(on["delay"] > 10 && off["delay"] < on["delay"]/2, "and there is no delay of the view")
	})
	try(t, ctx, func(c *trial) {
		on := c.with("others: true", time.Second, time.Second)
		c.expect(on["predicted"] > 0.95, "others are predicted")
	})
	errors.none(t)
}

// What is no number, or none that makes sense, is held within what does, and
// the controls show it. They act by mouse and by keyboard.
func TestBrowserPanelControls(t *testing.T) {
	ctx, errors := demo(t, "?flat=1&bot=1&rtt=-5&jitter=x&loss=NaN&burst=Infinity&snapshots=NaN&redundancy=off", "1")
	type of map[string]any
	settings := func() of { return eval[of](t, ctx, "foretick.settings()") }
	s := settings()
	expect(t, s["rtt"] == 0.0 && s["jitter"] == 0.0 && s["loss"] == 0.0 && s["burst"] == 1.0 && s["snapshots"] == 0.0 && s["redundancy"] == false, "the address is read within bounds")
	for _, bad := range []string{"rtt: NaN, jitter: -1, loss: 1e300, burst: -7, snapshots: 'x'", "ghosts: null, rtt: {}, loss: null",
		"rtt: Infinity, jitter: Infinity, loss: 0, burst: Infinity, snapshots: 1e9", "prediction: undefined, others: 0"} {
		eval[bool](t, ctx, "foretick.set({...foretick.settings(), "+bad+"}), true")
		time.Sleep(200 * time.Millisecond)
	}
	eval[bool](t, ctx, "document.getElementById('panel').getClientRects().length || document.getElementById('fold').click(), true")
	press := func(id, name string, vk int64) {
		eval[bool](t, ctx, "document.getElementById('"+id+"').focus(), true")
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
			p := input.DispatchKeyEventParams{Type: kind, Code: name, Key: name, WindowsVirtualKeyCode: vk, NativeVirtualKeyCode: vk}
			if name == "Space" {
				p.Key, p.Text = " ", " "
				if kind == input.DispatchKeyEventTypeRawKeyDown {
					p.Type = input.DispatchKeyEventTypeKeyDown
				}
			}
			if _, err := chromedp.Run(ctx, func(ctx context.Context, to *chromedp.Target) (cdp.Empty, error) {
				return cdp.Call(ctx, to, input.DispatchKeyEvent, p)
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	eval[bool](t, ctx, "[...document.querySelectorAll('#panel .presets button')].find((b) => b.textContent === 'Bad mobile').click(), true")
	s = settings()
	expect(t, s["rtt"] == 150.0 && s["jitter"] == 20.0 && s["loss"] == 0.1 && s["prediction"] == true && s["redundancy"] == true, "a preset sets all")
	const told = "[...document.querySelectorAll('#panel output')].slice(0, 5).map((o) => o.textContent).join()"
	expect(t, eval[string](t, ctx, told) == "150 ms,20 ms,10 %,single,60 /s", "the sliders tell: "+eval[string](t, ctx, told))
	expect(t, eval[string](t, ctx, "document.querySelector('#panel [aria-pressed=true]').textContent") == "Bad mobile", "the preset is marked")
	press("loss", "ArrowRight", 39)
	press("snapshots", "ArrowRight", 39)
	press("rtt", "Home", 36)
	press("redundancy", "Space", 32)
	press("others", "Space", 32)
	const rings = "(() => { let n = 0; for (let i = 16; i < 16 + 8 * foretick.numbers[0]; i += 8) n += foretick.numbers[i + 6] === 0xf0e442; return n })()"
	expect(t, eval[int](t, ctx, rings) == 0, "there are no ghosts at first")
	press("ghost-server", "Space", 32)
	s = settings()
	expect(t, s["loss"] == 0.11 && s["snapshots"] == 30.0 && s["rtt"] == 0.0 && s["redundancy"] == false && s["others"] == true, "the keyboard moves the controls")
	expect(t, s["ghosts"].(map[string]any)["server"] == true, "and shows ghosts")
	expect(t, eval[bool](t, ctx, "document.activeElement.id === 'ghost-server'"), "the focus stays")
	expect(t, eval[bool](t, ctx, "document.activeElement.matches(':focus-visible') && getComputedStyle(document.activeElement).outlineStyle === 'solid'"), "and is seen")
	expect(t, eval[bool](t, ctx, "[...document.querySelectorAll('#panel input, #panel button')].every((e) => e.title.length > 20)"), "each control explains itself")
	eval[bool](t, ctx, "document.querySelector('#panel figure').scrollIntoView(), true")
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) { // the plots show something
		if eval[bool](t, ctx, "document.querySelector('#panel dd').textContent !== '' && +document.querySelector('#panel figcaption output').textContent > 0") {
			break
		}
		if time.Since(begun) > 10*time.Second {
			t.Fatal("the plots show nothing")
		}
	}
	expect(t, eval[int](t, ctx, rings) >= 2, "the flat picture has ghosts, too")
	screenshot(t, ctx, "panel.png")
	errors.none(t)
}

// Ghosts are in the scene when they are on, one for each thing of its own, and
// not else.
func TestBrowserPanelGhosts(t *testing.T) {
	ctx, errors := demo(t, "?bot=1&rtt=200&panel=off", "1")
	if !eval[bool](t, ctx, "foretick.deep") {
		t.Skip("no three dimensions here: " + eval[string](t, ctx, "foretick.flat"))
	}
	const flagged = `((flag) => { // how many things of players have it
		const n = new Set();
		for (let i = 0; i < 16 * foretick.numbers[9]; i += 16) if (foretick.poses[i + 14] & flag && foretick.poses[i + 15]) n.add(foretick.poses[i + 13]);
		return n.size;
	})`
	for _, c := range []struct {
		on               string
		server, snapshot int
	}{{"", 0, 0}, {"server: true", 2, 0}, {"snapshot: true", 0, 2}, {"server: true, snapshot: true", 2, 2}, {"", 0, 0}} {
		eval[bool](t, ctx, "foretick.set({...foretick.settings(), ghosts: {"+c.on+"}}), true")
		got := [2]int{}
		for begun := time.Now(); time.Since(begun) < 10*time.Second; time.Sleep(100 * time.Millisecond) {
			got = eval[[2]int](t, ctx, "["+flagged+"(4), "+flagged+"(8)]")
			if got == [2]int{c.server, c.snapshot} {
				break
			}
		}
		if got != [2]int{c.server, c.snapshot} {
			t.Errorf("ghosts {%s}: %v players' things, want %d and %d", c.on, got, c.server, c.snapshot)
		}
	}
	eval[bool](t, ctx, "foretick.set({...foretick.settings(), ghosts: {server: true, snapshot: true}}), true")
	time.Sleep(2 * time.Second)
	screenshot(t, ctx, "ghosts.png")
	errors.none(t)
}

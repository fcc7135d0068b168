package cli

import (
	"strconv"
	"syscall/js"
	"time"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/snapshot"
	"github.com/foretick/foretick/view"
)

// panel is what web/panel.js sets and shows.
type panel struct {
	settings
	off                        replica.Switches
	ghostServer, ghostSnapshot bool

	meter replica.Meter
	array js.Value // of the figures, and the same as bytes
	bytes js.Value
	list  []float32

	spent  time.Duration // by Go, in frames
	frames int
	last   busy // at the last figures

	session uint64 // whose snapshot rate was asked for
	every   int

	asking   bool // a request is on its way
	askAfter time.Duration
	refused  int // in a row

	truth     truth
	snapshot  *ecs.World
	shown     *view.Frame // the last one
	corrected float32     // how far corrections moved anything before it, in metres
	scene     sim.Scene   // for the tests' questions
	flat      sim.Picture // of a ghost
}

// busy is what Go had done at a time.
type busy struct {
	at     time.Time
	spent  time.Duration
	frames int
	ticks  uint64
}

// figureNames are the figures in their order; after them come the corrections a
// second of each cause, named in foretick.causes. See replica.Figures.
var figureNames = []string{"rtt", "jitter", "loss", "downLoss", "downRun", "lead", "margin", "ahead", "fill", "delay",
	"up", "down", "upPackets", "downPackets", "ticks", "snapshots", "compared", "mispredicted", "replayed", "holes",
	"steps", "goStep", "goTick", "playing"}

// offer gives the page its functions, and takes what it begins with.
func (p *page) offer() {
	names, causes := []any{}, []any{}
	for _, n := range figureNames {
		names = append(names, n)
	}
	for c := range replica.Cause(replica.Causes) {
		causes = append(causes, c.String())
	}
	p.api.Set("hz", p.game.Hz())
	p.api.Set("figureNames", names)
	p.api.Set("causes", causes)
	p.panel.array = js.Global().Get("Float32Array").New(len(names) + len(causes))
	p.panel.bytes = js.Global().Get("Uint8Array").New(p.panel.array.Get("buffer"))
	p.api.Set("apply", js.FuncOf(p.apply))
	p.api.Set("figures", js.FuncOf(p.figures))
	p.api.Set("truth", js.FuncOf(p.tellTruth))
	p.api.Set("truths", js.FuncOf(p.tellTruths))
	p.api.Set("shown", js.FuncOf(p.tellShown))
	p.take(p.api.Call("settings"))
}

// apply takes over what the panel's controls say.
func (p *page) apply(_ js.Value, args []js.Value) any {
	was := p.panel.link
	p.take(args[0])
	if c := p.client; c != nil {
		c.Switch(p.panel.off)
		if p.panel.link != was {
			c.Link(p.panel.link.config(), p.panel.link.config())
		}
	}
	return nil
}

func (p *page) take(s js.Value) {
	on := func(from js.Value, name string) bool { return from.Type() == js.TypeObject && from.Get(name).Truthy() }
	number := func(name string) float64 {
		if v := s.Get(name); v.Type() == js.TypeNumber {
			return v.Float()
		}
		return 0
	}
	t := &p.panel
	t.off = replica.Switches{
		Prediction: !on(s, "prediction"), Reconciliation: !on(s, "reconciliation"), Redundancy: !on(s, "redundancy"),
		Smoothing: !on(s, "smoothing"), Interpolation: !on(s, "interpolation"), Others: on(s, "others"),
	}
	t.use(asked{number("rtt"), number("jitter"), number("loss"), number("burst"), number("snapshots")}, p.game.Hz())
	ghosts := s.Get("ghosts")
	t.ghostServer, t.ghostSnapshot = on(ghosts, "server"), on(ghosts, "snapshot")
	t.truth.want(t.ghostServer)
}

// timed is frame, with a look at the clock.
func (p *page) timed(this js.Value, args []js.Value) any {
	began := time.Now()
	n := p.frame(this, args)
	p.panel.spent += time.Since(began)
	p.panel.frames++
	return n
}

// askSnapshots sees that the server sends this session's snapshots as often as
// is set. Only a demo's server does as it is asked.
func (p *page) askSnapshots(r *replica.Replica) {
	t := &p.panel
	every, session := t.settings.every(p.game.Hz()), r.Session()
	if r.State() != replica.Playing || session == t.session && every == t.every {
		return
	}
	now := time.Since(started)
	switch {
	case session != t.session && every == r.SnapshotEvery():
		t.session, t.every = session, every
	case !t.asking && now >= t.askAfter:
		t.asking, t.askAfter = true, now+askPause
		go p.ask(session, every)
	}
}

// askPause is how long after a request the next one may follow: a slider makes
// many, and a server that is no demo refuses.
const askPause = 200 * time.Millisecond

func (p *page) ask(session uint64, every int) {
	body := js.Global().Get("URLSearchParams").New()
	body.Call("set", "session", strconv.FormatUint(session, 16))
	body.Call("set", "every", every)
	answered := make(chan bool, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any {
		answered <- len(args) == 1 && args[0].Get("ok").Truthy()
		return nil
	})
	defer then.Release()
	js.Global().Call("fetch", snapshotsPath, map[string]any{"method": "POST", "body": body}).Call("then", then, then)
	done := <-answered
	p.client.Replica(func(r *replica.Replica) {
		t := &p.panel
		t.asking = false
		switch {
		case done:
			t.session, t.every, t.refused = session, every, 0
			if r.Session() == session {
				r.SetSnapshotEvery(every)
			}
		case t.refused < 3:
			t.refused++
			t.askAfter = time.Since(started) + time.Second
		default: // until something else is set
			t.session, t.every, t.refused = session, every, 0
		}
	})
}

// figures fills the array and returns it.
func (p *page) figures(js.Value, []js.Value) any {
	t := &p.panel
	if p.client == nil {
		return t.array
	}
	now := time.Now()
	s := p.client.Stats()
	ahead := 0
	p.client.Replica(func(r *replica.Replica) {
		if q := r.Predictor(); q != nil && s.State == replica.Playing {
			ahead = int(q.Now().Since(r.ServerTick()))
		}
	})
	f := t.meter.Read(&s, ahead, now.Sub(started))
	steps, goStep, goTick := t.busy(now, s.Counters.Ticks)
	playing := 0.0
	if s.State == replica.Playing {
		playing = 1
	}
	t.list = t.list[:0]
	for _, v := range [...]float64{f.RTT.Seconds() * 1000, f.Jitter.Seconds() * 1000, f.Loss, f.DownLoss, f.DownRun,
		f.Lead, f.Margin, f.Ahead, f.Fill, f.Delay, f.Up, f.Down, f.UpPackets, f.DownPackets, f.Ticks, f.Snapshots,
		f.Compared, f.Mispredicted, f.Replayed, f.Holes, steps, goStep, goTick, playing} {
		t.list = append(t.list, float32(v))
	}
	for _, v := range f.Corrections {
		t.list = append(t.list, float32(v))
	}
	copyTo(t.bytes, t.list)
	return t.array
}

var started = time.Now()

// busy returns frames a second (those that are not drawn, too), and what Go
// took of each frame and each tick, in
// ms, since a second ago or so.
func (t *panel) busy(now time.Time, ticks uint64) (frames, frame, perTick float64) {
	is := busy{now, t.spent, t.frames, ticks}
	seconds := now.Sub(t.last.at).Seconds()
	ms := (is.spent - t.last.spent).Seconds() * 1000
	n, k := float64(is.frames-t.last.frames), float64(ticks-t.last.ticks)
	if t.last.at.IsZero() || seconds > 2 {
		t.last = is
	} else if seconds > 1 { // half of it stays, so that the next has something to go by
		t.last = t.middle(is)
	}
	if n <= 0 || k <= 0 || seconds <= 0 {
		return 0, 0, 0
	}
	return n / seconds, ms / n, ms / k
}

// middle is about half way from the last to now.
func (t *panel) middle(is busy) busy {
	w := &t.last
	return busy{w.at.Add(is.at.Sub(w.at) / 2), (w.spent + is.spent) / 2, (w.frames + is.frames) / 2, (w.ticks + is.ticks) / 2}
}

// tellTruth is where everything really is: the server's tick, and of each entity
// with a place in the scene its index, its owner, x, y and z. The first calls
// return null: there is nothing yet.
func (p *page) tellTruth(js.Value, []js.Value) any {
	t := &p.panel.truth
	t.asked = true
	t.want(p.panel.ghostServer)
	w, n := t.read(p.game)
	if w == nil || p.stage == nil {
		return js.Null()
	}
	return floats(p.places(append(p.panel.list[:0], float32(n)), w, nil))
}

// tellTruths is tellTruth for every tick since the last call: an array of them.
func (p *page) tellTruths(js.Value, []js.Value) any {
	t := &p.panel.truth
	t.asked, t.all = true, true
	t.want(p.panel.ghostServer)
	all := js.Global().Get("Array").New()
	if t.each == nil {
		t.each = p.game.NewWorld()
	}
	for _, picture := range t.queue {
		if n, err := snapshot.ReadPicture(p.game, picture, t.each); err == nil && p.stage != nil {
			all.Call("push", floats(p.places(append(p.panel.list[:0], float32(n)), t.each, nil)))
		}
	}
	t.queue = t.queue[:0]
	return all
}

// tellShown is the same of what is displayed: how far the display of a predicted
// entity jumped beyond its own motion at most, how far corrections moved one at
// most, both in metres in the last step; and of each entity its index, owner, x, y,
// z and whether it is predicted here (1) or not (0).
func (p *page) tellShown(js.Value, []js.Value) any {
	f := p.panel.shown
	if f == nil || p.stage == nil {
		return js.Null()
	}
	var list []float32
	p.client.Replica(func(r *replica.Replica) {
		list = p.places(append(p.panel.list[:0], f.Jump, p.panel.corrected), f.World, r)
	})
	return floats(list)
}

// places appends where things are in the scene of a world; with r, whether it
// predicts them, too.
func (p *page) places(list []float32, w *ecs.World, r *replica.Replica) []float32 {
	s := &p.panel.scene
	s.Me, s.Player = p.scene.Me, p.scene.Player
	s.Begin()
	s.Ghosts(p.stage, w, sim.FlagServer)
	ids := w.Entities()
	last := float32(-1)
	for at := 0; at < len(s.Poses); at += sim.InstanceSize {
		x := s.Poses[at : at+sim.InstanceSize]
		if x[13] == last {
			continue // the first instance of an entity stands for it
		}
		last = x[13]
		list = append(list, x[13], x[15], x[1], x[2], x[3])
		if r == nil {
			continue
		}
		predicted := float32(0)
		for _, e := range ids {
			if e.Index() == uint16(last) && r.Predicts(e) {
				predicted = 1
			}
		}
		list = append(list, predicted)
	}
	p.panel.list = list
	return list
}

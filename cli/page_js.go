package cli

import (
	"context"
	"strconv"
	"syscall/js"
	"time"

	"github.com/foretick/foretick/client"
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/transport"
)

// Main is the client of the page; web/main.js has the other half.
func Main(g *sim.Game, bot sim.Bot) {
	p := &page{game: g.Seal(), api: js.Global().Get("foretick")}
	if p.api.IsUndefined() {
		panic("cli: this program belongs into the page of the demo command")
	}
	p.draw, p.keys = g.Drawing()
	p.stage, _ = g.Staging()
	p.deep = p.stage != nil && p.api.Get("deep").Truthy()
	if p.options("bot") == "1" {
		p.bot = bot
	}
	p.numbers, p.poses, p.labels = p.bytes("numbers"), p.bytes("poses"), p.bytes("labels")
	p.giveScenery()
	p.api.Set("frame", js.FuncOf(p.timed))
	p.api.Set("state", js.FuncOf(p.state))
	p.offer()
	p.api.Call("begin")
	p.connect()
	select {}
}

// page is one player's page. Calls from JavaScript come one at a time.
type page struct {
	game    *sim.Game
	bot     sim.Bot
	api     js.Value
	numbers js.Value // as bytes, as are poses and labels
	poses   js.Value
	labels  js.Value
	deep    bool // in three dimensions
	draw    func(*sim.Picture)
	stage   func(*sim.Scene)
	keys    func(sim.Keys, sim.Sampler)
	panel   panel

	dialer      transport.Dialer
	client      *client.Client // nil until connected
	why         string         // why not
	picture     sim.Picture
	scene       sim.Scene
	seen        time.Duration // of the last frame
	flat        flat
	corrections int
}

// flat is what goes to JavaScript in one copy: see main.js.
type flat struct {
	head   [headSize]float32
	shapes [maxShapes * sim.ShapeSize]float32
}

const (
	headSize  = 16
	maxShapes = 1024
)

// flashTime is how long a game may draw an effect.
const flashTime = time.Second

// connect insists until there is a server.
func (p *page) connect() {
	location := js.Global().Get("location")
	p.dialer = transport.Dialer{URL: location.Get("protocol").String() + "//" + location.Get("host").String() + "/"}
	switch p.options("transport") {
	case "ws":
		p.dialer.Only = transport.WebSocket
	case "wt":
		p.dialer.Only = transport.WebTransport
	}
	token, _ := strconv.ParseUint(p.text("token"), 16, 64)
	for {
		cfg := client.Config{Replica: replica.Config{Bot: p.bot, Off: p.panel.off, Causes: true, Token: token}, Connect: p.dialer.Dial}
		cfg.Up, cfg.Down = p.panel.link.config(), p.panel.link.config()
		c, err := client.Dial(context.Background(), p.dialer.URL, p.game, cfg)
		if err == nil {
			p.client = c
			return
		}
		p.why = err.Error()
		time.Sleep(time.Second)
	}
}

func (p *page) options(name string) string { return text(p.api.Get("options"), name) }

func (p *page) text(name string) string { return text(p.api, name) }

func text(of js.Value, name string) string {
	if v := of.Get(name); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}

// frame takes the keys and gives back the shapes.
func (p *page) frame(_ js.Value, args []js.Value) any {
	c := p.client
	if c == nil {
		return 0
	}
	if p.keys != nil && p.bot == nil {
		p.keys(sim.Keys{X: float32(args[0].Float()), Y: float32(args[1].Float()), Space: args[2].Int()}, c)
	}
	f := c.Frame()
	p.panel.shown = f
	show, cancel := c.Effects()
	p.noteEffects(f.Now, show, cancel)
	c.Replica(func(r *replica.Replica) {
		p.picture.Me, p.picture.Player = r.Me(), r.Player()
		p.scene.Me, p.scene.Player = r.Me(), r.Player()
		p.askSnapshots(r)
		p.panel.corrected = 0
		for _, x := range r.Corrections() {
			if x.Entities > 0 {
				p.corrections++
				p.panel.corrected = max(p.panel.corrected, x.Largest)
			}
		}
	})
	if p.deep {
		return p.giveScene(f.World)
	}
	p.picture.World = f.World
	p.picture.Begin()
	if p.draw != nil {
		p.draw(&p.picture)
		p.flatGhosts()
	}
	return p.give()
}

// noteEffects keeps what is to be seen for a while.
func (p *page) noteEffects(now time.Duration, show, cancel []sim.Effect) {
	keep := p.picture.Effects[:0]
	for _, s := range p.picture.Effects {
		s.Age += now - p.seen
		if s.Age < flashTime && !cancelled(cancel, s.Effect) {
			keep = append(keep, s)
		}
	}
	for _, e := range show {
		keep = append(keep, sim.Shown{Effect: e})
	}
	p.picture.Effects, p.seen = keep, now
}

func cancelled(list []sim.Effect, e sim.Effect) bool {
	for i := range list {
		if c := &list[i]; c.Tick == e.Tick && c.Entity == e.Entity && c.Kind == e.Kind && c.Ordinal == e.Ordinal {
			return true
		}
	}
	return false
}

// give copies the picture to JavaScript and returns how many numbers it has.
func (p *page) give() int {
	pic := &p.picture
	n := copy(p.flat.shapes[:], pic.Shapes) / sim.ShapeSize
	known := float32(0)
	if pic.OwnKnown {
		known = 1
	}
	p.flat.head = [16]float32{float32(n), pic.MinX, pic.MinY, pic.MaxX, pic.MaxY, known, pic.OwnX, pic.OwnY}
	size := len(p.flat.head) + n*sim.ShapeSize
	js.CopyBytesToJS(p.numbers, ecs.BytesOf(&p.flat)[:4*size])
	return size
}

// state says how things stand.
func (p *page) state(js.Value, []js.Value) any {
	if p.client == nil {
		return map[string]any{"state": "connecting", "reason": p.why}
	}
	state, why := p.client.State()
	s := p.client.Stats()
	m := map[string]any{
		"state": state.String(), "reason": why, "transport": string(p.client.Carrier()), "fallback": p.dialer.Fallback(),
		"prediction": !p.panel.off.Prediction, "draws": p.draw != nil || p.deep,
		"rtt": s.RTT.Seconds() * 1000, "loss": s.Loss, "lead": s.Lead, "margin": s.Margin, "delay": s.Delay,
		"fill": s.Fill, "jumps": s.Jumps, "resumes": s.Reconnect, "breaks": p.client.Breaks(),
		"compared": s.Predict.Compared, "mispredicted": s.Predict.Mispredicted, "replayed": s.Predict.Replayed,
		"downJudged": s.Down.Judged, "downLost": s.Down.Lost, "downRuns": s.Down.Runs,
		"holes": s.Counters.Holes, "unsampled": s.Counters.Unsampled, "corrections": p.corrections,
	}
	p.client.Replica(func(r *replica.Replica) {
		m["player"], m["serverTick"], m["tick"] = int(r.Player()), uint32(r.ServerTick()), 0
		n, frac := r.ViewTime()
		m["token"] = strconv.FormatUint(r.Token(), 16)
		m["view"] = float64(n) + float64(frac)
		if q := r.Predictor(); q != nil {
			m["tick"] = uint32(q.Now())
		}
	})
	return m
}

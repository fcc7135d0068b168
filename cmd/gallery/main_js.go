package main

import (
	"strconv"
	"syscall/js"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/gallery"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics/scenes"
)

// page is the Go half of web/gallery.js. Calls come one at a time.
type page struct {
	api  js.Value
	show *gallery.Show
	now  func() float64

	head     []float32
	points   []float32
	matrices array
	shades   array
	contacts array
	times    array
	batches  array
}

// array is a Float32Array of the page's that grows with what is put into it.
type array struct {
	name  string
	bytes js.Value // the same memory
	room  int
}

func main() {
	p := &page{api: js.Global().Get("gallery")}
	if p.api.IsUndefined() {
		panic("gallery: this program belongs into the page of the demo command")
	}
	performance := js.Global().Get("performance")
	p.now = func() float64 { return performance.Call("now").Float() }
	p.matrices.name, p.shades.name, p.contacts.name = "matrices", "shades", "contacts"
	p.times.name, p.batches.name = "times", "batches"
	for name, f := range map[string]func([]js.Value) any{
		"open": p.open, "frame": p.frame, "seek": p.seek, "steps": p.steps, "throw": p.throw, "state": p.state,
	} {
		p.api.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) }))
	}
	names := scenes.Names()
	list := make([]any, len(names))
	for i, n := range names {
		list[i] = n
	}
	p.api.Call("begin", list)
	select {}
}

// open begins a scene: name, multiple of its gravity. It gives back the
// triangles of the scene's own geometries, null if there is no such scene.
func (p *page) open(args []js.Value) any {
	s := gallery.Open(args[0].String(), float32(args[1].Float()))
	if s == nil {
		return nil
	}
	s.Now = p.now
	p.show = s
	var out []any
	for _, t := range s.Surfaces() {
		a := js.Global().Get("Float32Array").New(3 * len(t))
		if len(t) > 0 {
			js.CopyBytesToJS(js.Global().Get("Uint8Array").New(a.Get("buffer")), ecs.BytesOfSlice(t))
		}
		out = append(out, a)
	}
	return out
}

// frame moves on by ms at a speed, and fills the page's arrays: speed 0 is a
// pause.
func (p *page) frame(args []js.Value) any {
	ms, speed := args[0].Float(), args[1].Float()
	p.show.Advance(ms, speed)
	p.give(p.show.Times, &p.times)
	part := float32(1)
	if speed > 0 {
		part = p.show.Part()
	}
	batches, matrices, shades := p.show.Picture(part)
	p.head = p.head[:0]
	for _, b := range batches {
		p.head = append(p.head, float32(b.Layer), float32(b.Geometry), float32(b.Count))
	}
	p.give(p.head, &p.batches)
	p.give(matrices, &p.matrices)
	p.give(shades, &p.shades)
	p.points = p.points[:0]
	for _, t := range p.show.Contacts() {
		p.points = append(p.points, t.Point.X, t.Point.Y, t.Point.Z)
	}
	p.give(p.points, &p.contacts)
	return nil
}

// give copies numbers into one of the page's arrays, and their count into
// counts.
func (p *page) give(a []float32, to *array) {
	if to.room < len(a) || to.room == 0 {
		to.room = len(a) + len(a)/2 + 64
		v := js.Global().Get("Float32Array").New(to.room)
		p.api.Set(to.name, v)
		to.bytes = js.Global().Get("Uint8Array").New(v.Get("buffer"))
	}
	if len(a) > 0 {
		js.CopyBytesToJS(to.bytes, ecs.BytesOfSlice(a))
	}
	p.api.Get("counts").Set(to.name, len(a))
}

// seek goes to a tick.
func (p *page) seek(args []js.Value) any {
	p.show.Seek(int(args[0].Float()))
	return nil
}

// steps takes some at once.
func (p *page) steps(args []js.Value) any {
	p.show.Times = p.show.Times[:0]
	for range int(args[0].Float()) {
		p.show.Step()
	}
	p.give(p.show.Times, &p.times)
	return nil
}

// throw throws a ball: place, velocity.
func (p *page) throw(args []js.Value) any {
	var v [6]float32
	for i := range v {
		v[i] = float32(args[i].Float())
	}
	p.show.Throw(geom.V3(v[0], v[1], v[2]), geom.V3(v[3], v[4], v[5]))
	return nil
}

// state says how things stand.
func (p *page) state([]js.Value) any {
	s := p.show
	if s == nil {
		return map[string]any{}
	}
	oldest, newest := s.Range()
	c := s.Check()
	return map[string]any{
		"scene": s.Name(), "tick": s.Tick(), "oldest": oldest, "newest": newest,
		"hash": strconv.FormatUint(s.World().Hash(), 16), "sceneHash": strconv.FormatUint(scenes.Hash(s.World()), 16),
		"bodies": len(s.World().Bodies()), "statics": len(s.World().Statics()), "awake": s.Awake(), "contacts": len(s.Contacts()),
		"check": map[string]any{"from": c.From, "compared": c.Compared, "known": c.Known, "differs": c.Differs},
	}
}

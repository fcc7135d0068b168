package cli

import (
	"syscall/js"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
)

// bytes is one of the page's arrays, to be copied to.
func (p *page) bytes(array string) js.Value {
	return js.Global().Get("Uint8Array").New(p.api.Get(array).Get("buffer"))
}

// giveScenery hands over, once, what never changes.
func (p *page) giveScenery() {
	_, scenery := p.game.Staging()
	if !p.deep || scenery == nil {
		return
	}
	var s sim.Scene
	var ground sim.Picture
	s.World = p.game.NewWorld()
	scenery(&s, &ground)
	p.api.Set("scenery", floats(s.Poses))
	n := float32(len(ground.Shapes) / sim.ShapeSize)
	head := [headSize]float32{n, ground.MinX, ground.MinY, ground.MaxX, ground.MaxY}
	p.api.Set("ground", floats(append(head[:], ground.Shapes...)))
	v := [6]float32{s.Least.X, s.Least.Y, s.Least.Z, s.Most.X, s.Most.Y, s.Most.Z}
	p.api.Set("view", floats(v[:]))
}

// floats makes a new array of JavaScript.
func floats(a []float32) js.Value {
	to := js.Global().Get("Float32Array").New(len(a))
	copyTo(js.Global().Get("Uint8Array").New(to.Get("buffer")), a)
	return to
}

// copyTo returns how many numbers fitted.
func copyTo(bytes js.Value, a []float32) int {
	if len(a) == 0 {
		return 0
	}
	return js.CopyBytesToJS(bytes, ecs.BytesOfSlice(a)) / 4
}

// giveScene fills the page's poses, and returns how many numbers of the head
// there are.
func (p *page) giveScene(shown *ecs.World) int {
	s := &p.scene
	s.World, s.Effects = shown, p.picture.Effects
	s.Begin()
	p.stage(s)
	if w := p.ghostServer(); w != nil {
		s.Ghosts(p.stage, w, sim.FlagServer)
	}
	if w := p.ghostSnapshot(); w != nil {
		s.Ghosts(p.stage, w, sim.FlagSnapshot)
	}
	known := float32(0)
	if s.OwnKnown {
		known = 1
	}
	poses := copyTo(p.poses, s.Poses) / sim.InstanceSize
	labels := copyTo(p.labels, s.Labels) / sim.LabelSize
	p.flat.head = [headSize]float32{5: known, 6: s.OwnPos.X, 7: 0 - s.OwnPos.Z, 8: s.OwnPos.Y, 9: float32(poses), 10: float32(labels)}
	copyTo(p.numbers, p.flat.head[:])
	return headSize
}

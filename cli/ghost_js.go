package cli

import (
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
)

// ghostSnapshot is the world as the newest snapshots have it, nil if it is not
// to be shown.
func (p *page) ghostSnapshot() *ecs.World {
	t := &p.panel
	if !t.ghostSnapshot || p.client == nil {
		return nil
	}
	if t.snapshot == nil {
		t.snapshot = p.game.NewWorld()
	}
	p.client.Replica(func(r *replica.Replica) { r.Snapshot(t.snapshot) })
	return t.snapshot
}

// ghostServer is the world as the server has it, nil if it is not to be shown.
func (p *page) ghostServer() *ecs.World {
	if !p.panel.ghostServer {
		return nil
	}
	p.panel.truth.want(true) // again, if it ended
	w, _ := p.panel.truth.read(p.game)
	return w
}

// flatGhosts adds the ghosts to a flat picture: a ring for each disc that the
// game draws of that world, the server's around it, the snapshot's within.
func (p *page) flatGhosts() {
	p.flatGhost(p.ghostServer(), 0xf0e442, 1.1)
	p.flatGhost(p.ghostSnapshot(), 0x56b4e9, 0.85)
}

func (p *page) flatGhost(w *ecs.World, colour sim.Colour, size float32) {
	if w == nil {
		return
	}
	g := &p.panel.flat
	g.World, g.Me, g.Player = w, p.picture.Me, p.picture.Player
	g.Begin()
	p.draw(g)
	for at := 0; at < len(g.Shapes); at += sim.ShapeSize {
		s := g.Shapes[at : at+sim.ShapeSize]
		if radius, line := s[3], s[5]; s[0] == sim.ShapeCircle && line == 0 {
			p.picture.Shapes = append(p.picture.Shapes, sim.ShapeCircle, s[1], s[2], radius*size, 0, radius/6, float32(colour), 1)
		}
	}
}

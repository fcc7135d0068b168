package changeling

import (
	"testing"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

type tally struct {
	hash                             uint64
	born, died, given, heated, boons int
	effects                          [3]int
	end                              *ecs.World
}

// play runs four bots on a server, then lets them rest.
func play(seed uint64) (t tally) {
	w, was, run := Game.Seal().NewWorld(), Game.NewWorld(), sim.NewRunner(Game, seed)
	in := sim.NewSample(Game)
	buf := make([]byte, Game.InputSize())
	for n := range tick.Tick(4000) {
		was.CopyFrom(w)
		s := run.Begin(w, n, sim.ServerSide)
		for p := range sim.Player(4) {
			if n == 0 {
				run.Join(p + 1)
			}
			if n < 3000 {
				Bot(&sim.Turn{Step: s, Player: p + 1, Input: in})
			} else {
				in.Rest()
			}
			in.Take(buf)
			run.SetInput(p+1, buf)
		}
		run.Systems()
		for _, e := range run.Effects() {
			t.effects[e.Kind]++
		}
		t.compare(was, w)
		t.hash = t.hash*31 + w.Hash()
		if b := Bounds(w); b != "" {
			panic(b)
		}
	}
	t.end = w
	return t
}

func (t *tally) compare(was, is *ecs.World) {
	for _, e := range is.Entities() {
		if !was.Alive(e) {
			t.born++
			continue
		}
		if was.Owner(e) != is.Owner(e) {
			t.given++
		}
		if is.Column(Heats.Column()).Has(e) != was.Column(Heats.Column()).Has(e) {
			t.heated++
		}
		if is.Column(Boons.Column()).Has(e) != was.Column(Boons.Column()).Has(e) {
			t.boons++
		}
	}
	for _, e := range was.Entities() {
		if !is.Alive(e) {
			t.died++
		}
	}
}

func TestEverythingChangesAndRests(t *testing.T) {
	a := play(1)
	t.Logf("%+v", a)
	for _, n := range []int{a.born, a.died, a.given, a.heated, a.boons, a.effects[0], a.effects[1], a.effects[2]} {
		if n < 20 {
			t.Errorf("%d of something", n)
		}
	}
	if a.end.Len() != 4 {
		t.Errorf("%d entities at rest, want the four players'", a.end.Len())
	}
	if b := play(1); b.hash != a.hash {
		t.Error("another hash from the same seed")
	}
	if b := play(2); b.hash == a.hash {
		t.Error("the same hash from another seed")
	}
}

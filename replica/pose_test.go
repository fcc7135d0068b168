package replica_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/replica"
)

// A tick reads others where they truly were at the time that its input says
// the player saw them at: on a perfect link nothing else is between.
func TestOthersAreReadAtTheViewTime(t *testing.T) {
	a := newArena(t, 3, authority.Config{})
	s := a.join(replica.Config{}, 60*ms, 0)
	o := a.join(replica.Config{Bot: pucks.Bot, Blind: true}, 60*ms, 0)
	a.until(2*time.Second, func() bool { return s.playing() && o.playing() })
	a.run(time.Second)

	start := a.server.Now()
	var truth []geom.Vec2 // where the other was, from start on
	last := s.Predictor().Now()
	compared, between, wrong, control := 0, 0, 0, 0
	a.each = func() {
		if int(a.server.Now().Since(start)) == len(truth) {
			b, _ := pucks.Bodies.Of(a.server.World(), o.Me())
			truth = append(truth, b.Pos)
		}
		now := s.Predictor().Now()
		if now == last {
			return
		}
		last = now
		n := now - 1
		rec, _ := s.Predictor().Record(n)
		at := int(n.Since(start))*64 - int(rec.View) // in 1/64 ticks
		if i := at >> 6; at >= 64 && i+1 < len(truth) {
			// Nothing writes to him in a client's tick: his pose is still in the state after it.
			b, _ := pucks.Bodies.Of(s.Predictor().World(), o.Me())
			x := float32(at&63) / 64
			lerp := func(i int) geom.Vec2 {
				return geom.V2(truth[i].X+x*(truth[i+1].X-truth[i].X), truth[i].Y+x*(truth[i+1].Y-truth[i].Y))
			}
			compared++
			if x > 0 {
				between++
			}
			if b.Pos.Dist(lerp(i)) > 1e-4 {
				wrong++
			}
			if b.Pos.Dist(lerp(i-1)) > 1e-4 {
				control++
			}
		}
	}
	a.run(3 * time.Second)
	if wrong > 0 || compared < 150 || between < 20 {
		t.Errorf("%d of %d poses are wrong; %d of them lie between two ticks", wrong, compared, between)
	}
	if control < compared/2 {
		t.Errorf("the control, a tick earlier, is wrong only %d of %d times", control, compared)
	}
}

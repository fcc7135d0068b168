package scenes_test

import (
	"testing"

	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/physics"
	"github.com/foretick/foretick/physics/scenes"
)

// Ten thousand bodies in one point: the work is bounded, nothing becomes NaN,
// and the law holds.
func TestOnePoint(t *testing.T) {
	n := 1500
	if long {
		n = 10_000
	}
	var bodies []scenes.Body
	for range n {
		bodies = append(bodies, dynamic(cube(0.5), geom.V3(0, 3, 0)))
	}
	r := stack(true, bodies...)
	for range 3 {
		r.next()
		if err := sane(r.w); err != nil {
			t.Fatal(err)
		}
	}
	var worst physics.State
	for _, s := range r.w.States() {
		if s.Vel.Len() > worst.Vel.Len() {
			worst = s
		}
	}
	t.Logf("the fastest of %d goes at %.1f m/s after 3 steps", n, worst.Vel.Len())
	if err := rebuilt(r.s, 2, nil); err != nil {
		t.Error(err)
	}
}

package cli

import (
	"math"
	"testing"
	"time"
)

// Whatever a page asks for is held within what makes sense.
func TestSettingsAreHeld(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name  string
		a     asked
		link  link
		every int
	}{
		{"nothing", asked{}, link{}, 1},
		{"as asked", asked{150, 20, 0.1, 4, 10}, link{150 * time.Millisecond, 20 * time.Millisecond, 0.1, 4}, 6},
		{"single losses", asked{loss: 0.1, burst: 1, snapshots: 60}, link{loss: 0.1}, 1},
		{"bursts of nothing", asked{burst: 9}, link{}, 1},
		{"no numbers", asked{nan, nan, nan, nan, nan}, link{}, 1},
		{"negative", asked{-1, -1, -1, -1, -1}, link{}, 1},
		{"huge", asked{inf, 1e300, inf, inf, inf}, link{2 * time.Second, 500 * time.Millisecond, 1, 100}, 1},
		{"slow", asked{snapshots: 1e-300}, link{}, 60},
		{"between", asked{snapshots: 25}, link{}, 2},
	} {
		var s settings
		s.use(c.a, 60)
		if s.link != c.link || s.every(60) != c.every {
			t.Errorf("%s: %+v, every %d; want %+v, %d", c.name, s.link, s.every(60), c.link, c.every)
		}
		if (s.link.config() == nil) != (c.link == link{}) {
			t.Errorf("%s: %+v", c.name, s.link.config())
		}
	}
	var s settings
	s.use(asked{loss: 0.2, burst: 5}, 60)
	if c := s.link.config(); c.Loss != 0 || c.BurstLoss <= 0 || c.BurstLen <= 3 {
		t.Errorf("bursts: %+v", c)
	}
}

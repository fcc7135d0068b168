package view

import (
	"testing"
	"time"
)

// TestErrorsPileUp: a small correction does not snap because others came
// before it, until their sum is far off.
func TestErrorsPileUp(t *testing.T) {
	s := newScene()
	s.frame(0)
	shown := func(by float32) float32 {
		s.correct(by)
		s.frame(time.Second / 60)
		return s.d.JumpOf(one)
	}
	var most float32
	for range 3 { // 1.2, then 2.28, then 3.25 m off
		if j := shown(1.2); j > most {
			most = j
		}
	}
	if most > 0.4 {
		t.Errorf("a correction of 1.2 m was shown as a jump of %.2f m", most)
	}
	if j := shown(1.2); j < 4 {
		t.Errorf("4 m off, and only %.2f m were shown at once", j)
	}
	if j := shown(2.1); j < 2 {
		t.Errorf("a correction of 2.1 m did not snap: %.2f m", j)
	}
}

package lab_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/lab"
)

// TestCountersSurviveAResume: a report is of the whole match, not of the last
// session.
func TestCountersSurviveAResume(t *testing.T) {
	stall := []impair.Stall{{From: 20 * time.Second, For: 4 * time.Second}}
	link := impair.Config{Delay: 30 * ms, Stalls: stall}
	r := lab.Run(pucks.NoFree, lab.Match{Bot: pucks.Bot, Seconds: 30, Seed: 1, Link: lab.Link{Up: &link, Down: &link}})
	if c := &r.Clients[0]; c.Reconnects == 0 || c.Predict.Compared < 1200 {
		t.Errorf("%d resumes, %d ticks compared", c.Reconnects, c.Predict.Compared)
	}
}

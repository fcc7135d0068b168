package lab_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/lab"
)

func TestAlonePerfect(t *testing.T) {
	r := lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Players: 1, Seconds: 60, Seed: 1, Causes: true})
	c := &r.Clients[0]
	t.Logf("\n%s %+v", r, c.Predict)
	if c.Predict.Compared < 3000 {
		t.Fatalf("only %d ticks compared", c.Predict.Compared)
	}
	if c.Predict.Differing != 0 {
		t.Errorf("%d ticks differ; first %+v", c.Predict.Differing, r.Diagnoses[0])
	}
}

func TestAloneLossy(t *testing.T) {
	r := lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Players: 1, Seconds: 60, Seed: 1, Causes: true,
		Link: lab.Link{RTT: 150 * time.Millisecond, Jitter: 20 * time.Millisecond, Loss: 0.1}})
	c := &r.Clients[0]
	t.Logf("\n%s %+v", r, c.Predict)
	for _, d := range r.Diagnoses {
		t.Logf("%+v", d)
	}
}

func TestEight(t *testing.T) {
	start := time.Now()
	r := lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Players: 8, Seconds: 60, Seed: 1, Causes: true,
		Link: lab.Link{RTT: 150 * time.Millisecond, Loss: 0.1}})
	t.Logf("%v\n%s %+v", time.Since(start), r, r.Clients[0].Predict)
	n := 0
	for _, d := range r.Diagnoses {
		if d.Cause == lab.Nondeterminism || d.Cause == lab.Unnamed || d.Cause == lab.Quantisation {
			if n++; n < 10 {
				t.Logf("%+v %v", d, d.Cause)
			}
		}
	}
}

func TestEightClean(t *testing.T) {
	start := time.Now()
	r := lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Players: 8, Seconds: 60, Seed: 1})
	t.Logf("%v\n%s %+v", time.Since(start), r, r.Clients[0].Predict)
}

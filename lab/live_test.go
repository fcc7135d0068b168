package lab

import (
	"testing"
	"time"

	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/replica"
)

// A client's word on the cause of a correction against the lab's, which has the
// truth: it may say that it does not know, but seldom anything that is not so.
func TestLiveCauses(t *testing.T) {
	seconds := 20.0
	if testing.Short() {
		seconds = 5
	}
	type pair struct {
		diag int
		live replica.Cause
	}
	for _, c := range []struct {
		name       string
		redundancy bool
	}{{"with redundancy", true}, {"without", false}} {
		var pairs []pair
		m := Match{Bot: pucks.Bot, Players: 6, Seconds: seconds, Seed: 3, Causes: true,
			Link:    Link{RTT: 150 * time.Millisecond, Jitter: 20 * time.Millisecond, Loss: 0.1},
			Replica: func(_ int, r *replica.Config) { r.Causes, r.Off.Redundancy = true, !c.redundancy },
			Watch: func(l *Lab, e Event, i int) {
				if e != Framed {
					return
				}
				for _, x := range l.Peers[i].Replica.Corrections() {
					if x.Entities == 0 || x.Why&predict.Differed == 0 {
						continue // an input was mended before any state differed
					}
					for d := len(l.report.Diagnoses) - 1; d >= 0 && d > len(l.report.Diagnoses)-30; d-- {
						if g := &l.report.Diagnoses[d]; g.Client == i && g.Tick.Since(l.Peers[i].Replica.ServerTick()) > -12 {
							pairs = append(pairs, pair{d, x.Cause})
							break
						}
					}
				}
			}}
		r := Run(pucks.Game, m)
		var table [Causes][replica.Causes]int
		sum, right, unknown := 0, 0, 0
		for _, p := range pairs {
			want := r.Diagnoses[p.diag].Cause
			table[want][p.live]++
			sum++
			switch {
			case p.live == replica.Unknown:
				unknown++
			case p.live.String() == want.String():
				right++
			case (want == LateInput || want == LostInput) && (p.live == replica.LateInput || p.live == replica.LostInput):
				right++ // which of the two it knows half a second later
			}
		}
		for i, row := range table {
			t.Logf("%s: %v: %v", c.name, Cause(i), row)
		}
		t.Logf("%s: of %d corrections %d are named rightly, %d not at all", c.name, sum, right, unknown)
		if sum < 50 || float64(right) < 0.8*float64(sum) {
			t.Errorf("%s: %d of %d are right", c.name, right, sum)
		}
		if wrong := sum - right - unknown; float64(wrong) > 0.05*float64(sum) {
			t.Errorf("%s: %d of %d are wrong", c.name, wrong, sum)
		}
	}
}

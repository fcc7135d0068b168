package impair

import (
	"math"
	"testing"
)

// What is asked for is what is lost, in runs as long as asked for.
func TestBurstsOf(t *testing.T) {
	for _, c := range []struct{ share, run, want float64 }{
		{0.05, 1, 1 / 0.95}, {0.05, 4, 4}, {0.25, 1, 1 / 0.75}, {0.25, 3, 3}, {0.1, 20, 20}, {0.9, 2, 10}, {0.5, 2, 2},
	} {
		loss, length := Bursts(c.share, c.run)
		l := New(Config{BurstLoss: loss, BurstLen: length}, 7)
		lost, runs, last := 0.0, 0.0, true
		const n = 400_000
		for range n {
			before := l.Counters().Lost
			l.Send([]byte{1}, 0)
			_, came := l.Deliver(0)
			if l.Counters().Lost == before != came {
				t.Fatal("neither lost nor delivered")
			}
			if !came {
				lost++
				if last {
					runs++
				}
			}
			last = came
		}
		if share, run := lost/n, lost/runs; math.Abs(share-c.share) > 0.05*c.share+0.003 || math.Abs(run-c.want) > 0.05*c.want {
			t.Errorf("%v in runs of %v: %.4f lost in runs of %.2f", c.share, c.run, share, run)
		}
	}
	for _, c := range [][2]float64{{0, 4}, {-1, 4}, {math.NaN(), 4}} {
		if loss, length := Bursts(c[0], c[1]); loss != 0 || length != 1 {
			t.Errorf("%v: %v, %v", c, loss, length)
		}
	}
	if loss, _ := Bursts(1, 4); loss != 1 {
		t.Errorf("all: %v", loss)
	}
	if loss, length := Bursts(0.2, math.NaN()); !(loss > 0 && loss < 1 && length > 0) {
		t.Errorf("no length: %v, %v", loss, length)
	}
}

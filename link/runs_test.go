package link

import (
	"math/rand"
	"testing"
)

// What is lost on the way here is counted once, whatever the order, across a
// wrap, and so are its runs.
func TestRuns(t *testing.T) {
	for seed := range int64(20) {
		rng := rand.New(rand.NewSource(seed))
		from := uint16(rng.Intn(1 << 16))
		l := New(0)
		var lost, runs, judged uint64
		var late []uint16 // up to 40 later
		was := false
		const n = 5000
		for i := range n {
			gone := i > 0 && (rng.Intn(20) == 0 || was && rng.Intn(3) > 0)
			if i > 0 && i < n-AckBits {
				judged++
				if gone {
					lost++
					if !was {
						runs++
					}
				}
			}
			was = gone
			seq := from + uint16(i)
			if !gone {
				if i > 0 && i < n-1 && rng.Intn(10) == 0 {
					late = append(late, seq)
				} else {
					l.Receive(seq, 0, false, 0, 0)
				}
			}
			for len(late) > 0 && (seq-late[0] > 40 || i == n-1) {
				l.Receive(late[0], 0, false, 0, 0)
				late = late[1:]
			}
		}
		l.Receive(from+n, 0, false, 0, 0) // the last ones may have been lost: let it be one step
		r := l.Runs()
		r.Judged-- // by that step
		if l.seenBit(from+n-AckBits) == 0 {
			r.Lost--
			if l.seenBit(from+n-AckBits-1) != 0 {
				r.Runs--
			}
		}
		if r.Judged != judged || r.Lost != lost || r.Runs != runs {
			t.Errorf("seed %d: %+v, want %d judged, %d lost in %d runs", seed, r, judged, lost, runs)
		}
	}
}

// A long silence is not a loss.
func TestRunsAfterSilence(t *testing.T) {
	l := New(0)
	for i := range uint16(200) {
		l.Receive(i, 0, false, 0, 0)
	}
	was := l.Runs()
	for i := range uint16(AckBits) {
		l.Receive(5000+i, 0, false, 0, 0)
	}
	if is := l.Runs(); is != was || was.Lost != 0 || was.Judged != 199-AckBits {
		t.Errorf("%+v, before %+v", is, was)
	}
}

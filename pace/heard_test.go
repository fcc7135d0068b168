package pace

import (
	"testing"
	"time"

	"github.com/foretick/foretick/tick"
)

// Only word of a state that the clock has not come to sets it anew.
func TestHeard(t *testing.T) {
	const second = time.Second
	for _, first := range []tick.Tick{1000, 1<<32 - 30} { // across the wrap
		for _, x := range []struct {
			name  string
			ticks int32 // of the state, beyond where the clock stands then
			jumps bool
		}{{"far behind", -100, false}, {"where it is", 0, false}, {"one ahead", 1, true}, {"far ahead", 300, true}} {
			l := NewLead(LeadConfig{Hz: 60})
			l.Heard(0, first+500, 0) // before it is read it has no time
			l.Sync(0, first, 0, 50*time.Millisecond)
			l.Advance(second)
			at := second + 100*time.Millisecond // six ticks that Advance has not come to
			stands, _, _ := l.Advance(second)
			label := (stands + 6).Add(x.ticks)
			before := l.Jumps()
			l.Heard(at, label, 50*time.Millisecond)
			if jumped := l.Jumps() != before; jumped != x.jumps {
				t.Errorf("%s: jumped %v", x.name, jumped)
			}
			n, _, _ := l.Advance(at)
			if ahead := n.Since(label); x.jumps && (ahead < 3 || ahead > 3+int32(l.Target())+1) {
				t.Errorf("%s: then %d ticks ahead of it, with a target of %.1f", x.name, ahead, l.Target())
			}
		}
	}
	l := NewLead(LeadConfig{Hz: 60, Fixed: 9})
	l.Sync(0, 0, 0, 0)
	l.Heard(0, 600, 0)
	if l.Target() != 9 {
		t.Errorf("a fixed lead of 9 became %v", l.Target())
	}
}

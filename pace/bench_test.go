package pace

import (
	"testing"
	"time"

	"github.com/foretick/foretick/tick"
)

func BenchmarkLead(b *testing.B) {
	l := NewLead(LeadConfig{Hz: 60})
	l.Sync(0, 100, 0, 50*time.Millisecond)
	now := time.Duration(0)
	for n := 0; b.Loop(); n++ {
		now += time.Second / 60
		t, _, _ := l.Advance(now)
		l.Feedback(now, t-3, 20+n%7)
	}
}

func BenchmarkPlayout(b *testing.B) {
	p := NewPlayout(PlayoutConfig{Hz: 60})
	now := time.Duration(0)
	for t := tick.Tick(0); b.Loop(); t++ {
		now += time.Second / 60
		p.Arrived(now+time.Duration(t%7)*time.Millisecond, t)
		p.Advance(now)
	}
}

package link

import (
	"testing"
	"time"
)

// BenchmarkExchange is one packet each way: two Sends and two Receives.
func BenchmarkExchange(b *testing.B) {
	x, y := New(0), New(0)
	now := time.Duration(0)
	for b.Loop() {
		now += time.Second / 60
		s, a, h, bits := x.Send(now)
		y.Receive(s, a, h, bits, now)
		s, a, h, bits = y.Send(now)
		x.Receive(s, a, h, bits, now)
	}
}

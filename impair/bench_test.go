package impair

import (
	"testing"
	"time"
)

func benchmarkPacket(b *testing.B, cfg Config) {
	l := New(cfg, 1)
	p := make([]byte, 400)
	now := time.Duration(0)
	for b.Loop() {
		now += time.Second / 60
		l.Send(p, now)
		for _, ok := l.Deliver(now); ok; _, ok = l.Deliver(now) {
		}
	}
}

func BenchmarkPacketClean(b *testing.B) { benchmarkPacket(b, Config{}) }
func BenchmarkPacketRough(b *testing.B) {
	benchmarkPacket(b, Config{Delay: 75 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.1})
}

package pace

import (
	"math"
	"testing"
	"time"

	"github.com/foretick/foretick/impair"
)

func TestSpreadMovesTheStart(t *testing.T) {
	for _, c := range []struct {
		cfg    LeadConfig
		spread time.Duration
		want   float64 // ticks ahead of the probe
	}{
		{LeadConfig{Hz: 60}, 0, 9},
		{LeadConfig{Hz: 60}, 50 * ms, 12},
		{LeadConfig{Hz: 60}, 10 * time.Second, 18}, // bounded
		{LeadConfig{Hz: 60}, -time.Second, 9},
		{LeadConfig{Hz: 60, Fixed: 4}, 50 * ms, 10}, // never adapts
	} {
		l := NewLead(c.cfg)
		l.Spread(c.spread) // not synced: nothing to move
		l.Sync(0, 100, 0, 100*ms)
		l.Spread(c.spread)
		n, f, _ := l.Advance(0)
		if got := float64(n.Since(100)) + f; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v, spread %v: %.2f ticks ahead, want %.2f", c.cfg, c.spread, got, c.want)
		}
	}
}

// TestSpreadSavesTheFirstSecond starts on a path with jitter from the best of
// five probes, with and without knowing how far they lay apart.
func TestSpreadSavesTheFirstSecond(t *testing.T) {
	holes := func(spread time.Duration) int {
		n := 0
		for seed := range uint64(40) {
			link := impair.Config{Delay: 75 * ms, Jitter: 20 * ms, Loss: 0.1}
			l := newLoop(60, 1, link, link, seed, LeadConfig{})
			l.at = time.Second
			l.sync(110*ms, 0)
			l.lead.Spread(spread)
			l.run(time.Second)
			n += l.s.holes
		}
		return n
	}
	with, without := holes(66*ms), holes(0)
	t.Logf("%d holes in 40 first seconds, %d without", with, without)
	if without < 2*with || without < 20 {
		t.Errorf("%d holes with Spread, %d without", with, without)
	}
}

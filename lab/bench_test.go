package lab_test

import (
	"testing"
	"time"

	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/lab"
	"github.com/foretick/foretick/replica"
)

// benchmarkLab plays eight bots on one core, ten seconds a run.
func benchmarkLab(b *testing.B, m lab.Match) {
	m.Bot, m.Players, m.Seconds = pucks.Bot, 8, 10
	var down float64
	clients := 0
	b.ReportAllocs()
	for b.Loop() {
		m.Seed++
		r := lab.Run(pucks.Game, m)
		for i := range r.Clients {
			down += r.Clients[i].BytesDown
			clients++
		}
	}
	b.ReportMetric(m.Seconds*float64(b.N)/b.Elapsed().Seconds(), "x-realtime")
	b.ReportMetric(down/float64(clients), "B/client/s")
}

// BenchmarkClean: a perfect link, causes and checks off. Goal: 100 x-realtime.
func BenchmarkClean(b *testing.B) { benchmarkLab(b, lab.Match{}) }

// BenchmarkCleanBlind: the same with bots that draw nothing.
func BenchmarkCleanBlind(b *testing.B) {
	benchmarkLab(b, lab.Match{Replica: func(_ int, c *replica.Config) { c.Blind = true }})
}

// BenchmarkLossy: 150 ms and 10 % loss with all on. Goal: 10 x-realtime.
func BenchmarkLossy(b *testing.B) {
	benchmarkLab(b, lab.Match{Causes: true, Link: lab.Link{RTT: 150 * time.Millisecond, Loss: 0.1}})
}

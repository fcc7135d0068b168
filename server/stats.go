package server

import (
	"slices"
	"sync"
	"time"
)

// Stats says how a server does.
type Stats struct {
	Players  int
	Ticks    uint64        // executed
	Late     uint64        // of those, begun more than 2 ms after their time
	Skipped  uint64        // never executed: the server was too slow, and time went on without them
	TickMean time.Duration // over the last meterTicks ticks, sending included
	TickP99  time.Duration
	TickMax  time.Duration
}

// meter is written by the loop and read by anybody; its lock is held briefly.
type meter struct {
	mu   sync.Mutex
	s    Stats
	took [meterTicks]time.Duration
}

func (m *meter) note(took time.Duration, late bool, players int) {
	m.mu.Lock()
	m.took[m.s.Ticks%meterTicks] = took
	m.s.Ticks++
	if late {
		m.s.Late++
	}
	m.s.Players = players
	m.mu.Unlock()
}

func (m *meter) skip(n int64) {
	m.mu.Lock()
	m.s.Skipped += uint64(n)
	m.mu.Unlock()
}

func (m *meter) stats() Stats {
	m.mu.Lock()
	s, took := m.s, m.took
	m.mu.Unlock()
	n := min(s.Ticks, meterTicks)
	if n == 0 {
		return s
	}
	sum := time.Duration(0)
	for _, d := range took[:n] {
		sum += d
	}
	slices.Sort(took[:n])
	s.TickMean = sum / time.Duration(n)
	s.TickP99, s.TickMax = took[n*99/100], took[n-1]
	return s
}

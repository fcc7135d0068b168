// Package lab is the test bed: the real authority and real replicas in one
// goroutine, over a seeded network, in virtual time. It runs a game many times
// faster than time, tells the cause of every correction, and repeats to the
// bit from its seed.
//
//	r := lab.Run(pucks.Game, lab.Match{Bot: pucks.Bot, Players: 8, Seconds: 60,
//		Link: lab.Link{RTT: 200 * time.Millisecond, Loss: 0.1}})
//	if got := r.CorrectedTicks(); got > 0.01 { t.Errorf("%.2f%% corrected\n%s", 100*got, r) }
package lab

import (
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Link describes the network between one client and the server. RTT counts
// half each way; the rest is per direction. Up and Down, if set, replace it
// for their direction.
type Link struct {
	RTT       time.Duration
	Jitter    time.Duration // one deviation, each way
	Loss      float64       // 0 to 1
	BurstLoss float64       // chance that a packet begins a burst of losses
	BurstLen  float64       // mean packets of a burst
	Duplicate float64
	Reorder   float64
	Bandwidth int // bytes a second, 0 unlimited
	Up, Down  *impair.Config
}

// config returns one direction.
func (l *Link) config(up bool) impair.Config {
	if up && l.Up != nil {
		return *l.Up
	}
	if !up && l.Down != nil {
		return *l.Down
	}
	c := impair.RTT(l.RTT)
	c.Jitter, c.Loss, c.BurstLoss, c.BurstLen = l.Jitter, l.Loss, l.BurstLoss, l.BurstLen
	c.Duplicate, c.Reorder, c.Bandwidth = l.Duplicate, l.Reorder, l.Bandwidth
	return c
}

// Match says what to run. Zero values mean the default.
type Match struct {
	Bot     sim.Bot
	Players int     // default 1
	Seconds float64 // default 60
	Seed    uint64
	Link    Link
	Links   []Link // of the i-th player, instead of Link

	SnapshotHz float64 // default: every tick
	FrameHz    float64 // of the clients' displays; default 60
	DriftPPM   float64 // of the clients' clocks, alternating in sign

	// Causes finds the cause of every difference, at a cost in time and memory.
	Causes bool

	// Record keeps what Report.HTML draws and tells.
	Record bool

	Server  func(*authority.Config)        // last word on the server
	Replica func(i int, c *replica.Config) // last word on the i-th client

	// Watch is shown the lab after every event it has a name for. See Event.
	Watch func(*Lab, Event, int)

	StartTick tick.Tick
}

// Event says what just happened in the lab, for Match.Watch.
type Event uint8

const (
	Ticked  Event = iota // the server executed a tick
	Framed               // client i made a frame
	Arrived              // a packet arrived: i is the client, either way
)

func (m *Match) fill(g *sim.Game) {
	if m.Players <= 0 {
		m.Players = 1
	}
	if m.Seconds <= 0 {
		m.Seconds = 60
	}
	if m.FrameHz <= 0 {
		m.FrameHz = 60
	}
	if m.SnapshotHz <= 0 {
		m.SnapshotHz = float64(g.Hz())
	}
}

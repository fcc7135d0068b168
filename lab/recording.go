package lab

import (
	"math"
	"time"

	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/tick"
)

// Recording is what a report with plots and stories needs, kept while the
// match runs if Match.Record is set. However long the match, it is bounded:
// series get coarser, and of the corrections the largest are kept.
type Recording struct {
	Start  tick.Tick // the server's tick at time 0
	Hz     int
	Tracks []Track // of the i-th client
	// Stories are of the largest corrections of each client and cause, the
	// largest first. Without Match.Causes there are none.
	Stories []Story

	inputs []string // the game's input fields
	tales  []*tale
	most   int // stories of one client and cause
	points int // of a track
}

// Track is one client over time.
type Track struct {
	Off    replica.Switches
	Every  time.Duration // a point's
	Points []Point

	now    gather
	joined bool
}

// Point is the mean of a stretch of time; NaN where there was nothing to see.
type Point struct {
	At       time.Duration // its middle
	RTT      float64       // milliseconds, as the client measures it
	Age      float64       // milliseconds since the newest snapshot that it has was made
	Lead     float64       // ticks that inputs are to arrive early
	Fill     float64       // inputs that wait on the server
	Delay    float64       // ticks that the view trails the newest snapshot
	Up, Down float64       // bytes a second
}

// gather is a point that is not full yet.
type gather struct {
	from                  time.Duration
	rtt, age, lead, delay Mean
	fill                  Mean
	up, down              uint64 // counters at its start
}

const (
	// A point is an eighth of a second at first; a track with more than
	// trackPoints, or trackPointsMany where there are many clients, has them
	// joined two and two.
	firstPoint      = time.Second / 8
	trackPoints     = 480
	trackPointsMany = 160
	// Stories of one client and cause.
	storiesEach     = 4
	storiesEachMany = 1
	// Many clients are more than this.
	manyClients = 16
)

func newRecording(l *Lab) *Recording {
	r := &Recording{Start: l.Server.Now(), Hz: l.Game.Hz(), inputs: l.Game.InputFields(), most: storiesEach, points: trackPoints}
	if l.Match.Players > manyClients {
		r.most, r.points = storiesEachMany, trackPointsMany
	}
	return r
}

// Time is when the server executed a tick, in seconds.
func (r *Recording) Time(t tick.Tick) float64 { return float64(t.Since(r.Start)) / float64(r.Hz) }

func (r *Recording) track(i int) *Track {
	for len(r.Tracks) <= i {
		r.Tracks = append(r.Tracks, Track{Every: firstPoint})
	}
	return &r.Tracks[i]
}

// frame takes down one frame of a client.
func (r *Recording) frame(l *Lab, p *Peer) {
	t, s := r.track(p.index), p.Replica.Stats()
	if !t.joined {
		t.joined, t.now.from = true, l.Now
	}
	for l.Now >= t.now.from+t.Every {
		t.close(&s, r.points)
	}
	g := &t.now
	if p.Replica.Predictor() != nil { // also while it waits to be heard again
		g.age.Add(1000 * float64(l.Server.Now().Since(p.Replica.ServerTick())) / float64(r.Hz))
	}
	if !p.playing() {
		return
	}
	g.rtt.Add(float64(s.RTT) / float64(time.Millisecond))
	g.lead.Add(s.Lead)
	g.delay.Add(s.Delay)
}

// close ends the point that is being gathered.
func (t *Track) close(s *replica.Stats, most int) {
	g := &t.now
	secs := t.Every.Seconds()
	t.Points = append(t.Points, Point{At: g.from + t.Every/2, RTT: g.rtt.orNaN(), Age: g.age.orNaN(), Lead: g.lead.orNaN(),
		Fill: g.fill.orNaN(), Delay: g.delay.orNaN(), Up: float64(s.Counters.SentBytes-g.up) / secs,
		Down: float64(s.Counters.Bytes-g.down) / secs})
	t.now = gather{from: g.from + t.Every, up: s.Counters.SentBytes, down: s.Counters.Bytes}
	if len(t.Points) < most {
		return
	}
	for i := range len(t.Points) / 2 {
		t.Points[i] = joined(&t.Points[2*i], &t.Points[2*i+1])
	}
	t.Points = t.Points[:len(t.Points)/2]
	t.Every *= 2
}

func joined(a, b *Point) Point {
	mean := func(x, y float64) float64 {
		switch {
		case x != x:
			return y
		case y != y:
			return x
		}
		return (x + y) / 2
	}
	return Point{At: (a.At + b.At) / 2, RTT: mean(a.RTT, b.RTT), Age: mean(a.Age, b.Age), Lead: mean(a.Lead, b.Lead),
		Fill: mean(a.Fill, b.Fill), Delay: mean(a.Delay, b.Delay), Up: mean(a.Up, b.Up), Down: mean(a.Down, b.Down)}
}

func (m *Mean) orNaN() float64 {
	if m.N == 0 {
		return math.NaN()
	}
	return m.Value()
}

// fill takes down how many inputs of a client wait, once a tick.
func (r *Recording) fill(i int, n int) { r.track(i).now.fill.Add(float64(n)) }

func (r *Recording) finish(l *Lab) {
	for _, p := range l.Peers {
		r.track(p.index).Off = p.Replica.Switches()
	}
	r.choose(l.report)
}

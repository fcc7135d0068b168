package lab

import (
	"slices"
	"time"

	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/sim"
)

// Report is what a match came to.
type Report struct {
	Game      string
	Match     Match
	Clients   []ClientReport
	Diagnoses []Diagnosis
	Ticks     int64
	Record    *Recording // with Match.Record
	Command   string     // that repeats the match, for HTML to show
}

// ClientReport is one client's part.
type ClientReport struct {
	Predict     predict.Counters
	ByCause     [Causes]int // differing snapshot ticks
	Corrections int         // rollbacks that moved something in the present
	Corrected   float64     // sum of how far the largest moved
	Unseen      int         // of those, without a compared prediction that differed
	Own         int         // of those, that moved what the player owns
	OwnDistance float64
	Holes       uint64
	Unsampled   uint64
	Fill        Mean // inputs that wait on the server, at each tick
	Lead        float64
	Delay       float64 // of the view, in ticks behind the newest snapshot
	RTT         time.Duration
	BytesUp     float64 // a second
	BytesDown   float64
	Reconnects  int
	Jumps       []Jump
	Player      sim.Player
}

// Jump is what a player saw of one correction of what he owns.
type Jump struct {
	Correction float32 // how far it moved
	Shown      float32 // how far it went in that frame beyond its simulated motion
}

// Mean is a running mean.
type Mean struct {
	N   int
	Sum float64
}

// Add takes a sample in.
func (m *Mean) Add(v float64) { m.N++; m.Sum += v }

// Value returns the mean, 0 without samples.
func (m *Mean) Value() float64 {
	if m.N == 0 {
		return 0
	}
	return m.Sum / float64(m.N)
}

func newReport(l *Lab) *Report {
	r := &Report{Game: l.Game.Name(), Match: l.Match}
	if l.Match.Record {
		r.Record = newRecording(l)
	}
	return r
}

func (r *Report) client(i int) *ClientReport {
	for len(r.Clients) <= i {
		r.Clients = append(r.Clients, ClientReport{})
	}
	return &r.Clients[i]
}

func (r *Report) add(p *Peer, d Diagnosis) int {
	r.Diagnoses = append(r.Diagnoses, d)
	r.client(p.index).ByCause[d.Cause]++
	return len(r.Diagnoses) - 1
}

func (r *Report) rename(p *Peer, i int, c Cause) {
	by := &r.client(p.index).ByCause
	by[r.Diagnoses[i].Cause]--
	r.Diagnoses[i].Cause = c
	by[c]++
}

func (r *Report) tick(l *Lab) {
	r.Ticks++
	for _, p := range l.Peers {
		if pl := p.Replica.Player(); pl != sim.NoPlayer && !p.Gone && p.playing() {
			fill := l.Server.Fill(pl)
			r.client(p.index).Fill.Add(float64(fill))
			if r.Record != nil {
				r.Record.fill(p.index, fill)
			}
		}
	}
}

func (r *Report) frame(l *Lab, p *Peer) {
	if r.Record != nil {
		r.Record.frame(l, p)
	}
	c := r.client(p.index)
	fixed := p.Replica.Corrections()
	for i := range fixed {
		x := &fixed[i]
		if x.Entities == 0 {
			continue
		}
		if x.Why&predict.Differed == 0 {
			c.Unseen++
			if l.truth != nil {
				l.unseen(p, x)
			}
		}
		c.Corrections++
		c.Corrected += float64(x.Largest)
		if x.Own > 0 {
			c.Own++
			c.OwnDistance += float64(x.Own)
			c.Jumps = append(c.Jumps, Jump{x.Own, p.Replica.Display().JumpOf(p.Replica.Me())})
		}
	}
}

func (r *Report) finish(l *Lab) {
	secs := l.Now.Seconds()
	for _, p := range l.Peers {
		c, s := r.client(p.index), p.Replica.Stats()
		c.Predict, c.Holes, c.Unsampled = s.Predict, s.Counters.Holes, s.Counters.Unsampled
		c.Lead, c.Delay, c.RTT, c.Reconnects = s.Lead, s.Delay, s.RTT, s.Reconnect
		c.BytesUp, c.BytesDown = float64(s.Counters.SentBytes)/secs, float64(s.Counters.Bytes)/secs
		c.Player = p.Replica.Player()
	}
	if r.Record != nil {
		r.Record.finish(l)
	}
}

// CorrectedTicks returns the share of compared snapshot ticks, over all
// clients, at which something that the client shows had to be corrected:
// because a prediction differed, or for another reason (a value that only the
// server writes, an input that was not executed).
func (r *Report) CorrectedTicks() float64 {
	var n, of int64
	for i := range r.Clients {
		n += r.Clients[i].Predict.Mispredicted + int64(r.Clients[i].Unseen)
		of += r.Clients[i].Predict.Compared
	}
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// ByCause sums the differing snapshot ticks of all clients.
func (r *Report) ByCause() (by [Causes]int) {
	for i := range r.Clients {
		for c, n := range r.Clients[i].ByCause {
			by[c] += n
		}
	}
	return by
}

// Jumps returns what was shown of the corrections of players' own, from least to most, in
// ascending order.
func (r *Report) Jumps(least, most float32) []float32 {
	var out []float32
	for i := range r.Clients {
		for _, j := range r.Clients[i].Jumps {
			if j.Correction >= least && j.Correction < most {
				out = append(out, j.Shown)
			}
		}
	}
	slices.Sort(out)
	return out
}

// MeanCorrection returns how far, on average, a correction moved what it moved
// most, in the units of the game.
func (r *Report) MeanCorrection() float64 {
	var sum float64
	n := 0
	for i := range r.Clients {
		sum += r.Clients[i].Corrected
		n += r.Clients[i].Corrections
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

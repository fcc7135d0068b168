package replica

import (
	"time"

	"github.com/foretick/foretick/link"
)

// Figures say how a client is doing now. Rates are a second's, over about the
// last one and a half.
type Figures struct {
	RTT, Jitter      time.Duration // smoothed; its mean deviation
	Loss             float64       // share of what was sent, lately
	DownLoss         float64       // share of what the server sent
	DownRun          float64       // mean length of its losses in a row, in packets; 0: none
	Lead, Margin     float64       // ticks inputs are to be early, and are
	Ahead            float64       // ticks predicted beyond the newest snapshot
	Fill             float64       // inputs that wait on the server; negative: starved
	Delay            float64       // ticks that others are shown in the past
	Up, Down         float64       // bytes
	UpPackets        float64
	DownPackets      float64
	Ticks, Snapshots float64
	Compared         float64 // snapshots
	Mispredicted     float64 // of those
	Replayed         float64 // ticks
	Holes            float64 // own inputs that the server did not have in time
	Corrections      [Causes]float64
}

// Meter makes Figures. The zero value is ready. Not safe for concurrent use.
type Meter struct {
	ring [figuresOver]reading
	next int
	n    int
}

// reading is what a rate is the difference of.
type reading struct {
	at           time.Duration
	count        Counters
	compared     int64
	mispredicted int64
	replayed     int64
	down         link.Runs
	causes       [Causes]uint64
}

// Read returns the figures at now; ahead is how many ticks are predicted
// beyond the newest snapshot. Call it several times a second.
func (m *Meter) Read(s *Stats, ahead int, now time.Duration) Figures {
	is := reading{at: now, count: s.Counters, compared: s.Predict.Compared, mispredicted: s.Predict.Mispredicted,
		replayed: s.Predict.Replayed, down: s.Down, causes: s.Causes}
	was := *m.oldest(&is) // a copy: keep may take its place
	m.keep(&is)
	f := Figures{RTT: s.RTT, Jitter: s.Jitter, Loss: s.Loss, Lead: s.Lead, Margin: s.Margin, Delay: s.Delay,
		Ahead: float64(ahead), Fill: float64(s.Fill)}
	f.DownLoss = share(is.down.Lost, was.down.Lost, is.down.Judged, was.down.Judged)
	f.DownRun = share(is.down.Lost, was.down.Lost, is.down.Runs, was.down.Runs)
	seconds := (is.at - was.at).Seconds()
	if seconds <= 0 {
		return f
	}
	a, b := &is.count, &was.count
	f.Up, f.Down = since(a.SentBytes, b.SentBytes)/seconds, since(a.Bytes, b.Bytes)/seconds
	f.UpPackets, f.DownPackets = since(a.SentPackets, b.SentPackets)/seconds, since(a.Packets, b.Packets)/seconds
	f.Ticks, f.Snapshots = since(a.Ticks, b.Ticks)/seconds, since(a.Snapshots, b.Snapshots)/seconds
	f.Holes = since(a.Holes, b.Holes) / seconds
	f.Compared = float64(is.compared-was.compared) / seconds
	f.Mispredicted = float64(is.mispredicted-was.mispredicted) / seconds
	f.Replayed = float64(is.replayed-was.replayed) / seconds
	for i := range f.Corrections {
		f.Corrections[i] = since(is.causes[i], was.causes[i]) / seconds
	}
	return f
}

// oldest returns the reading that rates begin at: is itself if there is none.
// When Read is called rarely it is the last one.
func (m *Meter) oldest(is *reading) *reading {
	if m.n == 0 {
		return is
	}
	for m.n > 1 && is.at-m.ring[(m.next+figuresOver-m.n)%figuresOver].at > (figuresOver+1)*figuresEvery {
		m.n--
	}
	i := (m.next + figuresOver - m.n) % figuresOver
	return &m.ring[i]
}

func (m *Meter) keep(is *reading) {
	if m.n > 0 && is.at-m.ring[(m.next+figuresOver-1)%figuresOver].at < figuresEvery {
		return
	}
	m.ring[m.next] = *is
	m.next = (m.next + 1) % figuresOver
	if m.n < figuresOver {
		m.n++
	}
}

// since is how much a counter grew; one that was set back grew by nothing.
func since(is, was uint64) float64 {
	if is < was {
		return 0
	}
	return float64(is - was)
}

func share(is, was, of, ofWas uint64) float64 {
	if of <= ofWas {
		return 0
	}
	return since(is, was) / float64(of-ofWas)
}

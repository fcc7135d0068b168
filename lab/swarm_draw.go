package lab

import (
	"strings"
	"time"

	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Features is a set of what can go wrong in a seed.
type Features uint32

// Each seed has about half of them.
const (
	Latency Features = 1 << iota
	Jitter
	Losses
	Bursts
	Copies
	Reordering
	Bandwidth
	Stalls
	Rates  // of snapshots
	Wrap   // counters start close to their wrap
	Drift  // of clocks
	Frames // of displays
	Sending
	Histories
	Fixed // buffers
	Budgets
	Crowd
	Joining // and leaving
	Vanishing
	Redialling
	Pauses
	Garbage
	Flips
	Replays
	Strangers
	Floods
	Liars // sessions of their own, false labels
	Others
	Holes
	allFeatures = iota
)

var featureNames = strings.Fields("latency jitter losses bursts copies reordering bandwidth stalls rates wrap drift frames sending " +
	"histories fixed budgets crowd joining vanishing redialling pauses garbage flips replays strangers floods liars others holes")

// String lists the features.
func (f Features) String() string {
	var names []string
	for i, n := range featureNames {
		if f>>i&1 == 1 {
			names = append(names, n)
		}
	}
	return strings.Join(names, ",")
}

// ParseFeatures reads a list as String writes it; ok is false if a name is none.
func ParseFeatures(s string) (f Features, ok bool) {
	for _, name := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }) {
		found := false
		for i, n := range featureNames {
			if n == name {
				f |= 1 << i
				found = true
			}
		}
		if !found {
			return 0, false
		}
	}
	return f, true
}

// dice are random numbers that depend on a seed and a name alone, so that what
// one feature draws is the same whether another is there or not.
type dice uint64

func newDice(seed, name uint64) *dice {
	d := dice(mix(seed) ^ mix(name*0x9e3779b97f4a7c15+0x5bd1e995))
	return &d
}

func (d *dice) next() uint64 {
	*d += 0x9e3779b97f4a7c15
	return mix(uint64(*d))
}

// below returns 0..n-1, between lo..hi, and chance true with probability p.
func (d *dice) below(n int) int             { return int(d.next() % uint64(n)) }
func (d *dice) between(lo, hi int) int      { return lo + d.below(hi-lo+1) }
func (d *dice) unit() float64               { return float64(d.next()>>11) / (1 << 53) }
func (d *dice) chance(p float64) bool       { return d.unit() < p }
func (d *dice) skewed(most float64) float64 { u := d.unit(); return u * u * most }
func (d *dice) ms(lo, hi int) time.Duration {
	return time.Duration(d.between(lo*1000, hi*1000)) * time.Microsecond
}

// plan is a seed, drawn.
type plan struct {
	seed     uint64
	features Features
	game     SwarmGame
	match    Match
	chaos    time.Duration
	timeout  time.Duration
	budget   int
	history  int // of the server, in ticks
	every    int // ticks between snapshots
	startSeq uint16
	deeds    []deed
	repeat   string
}

// client is what a client is like, whenever it joins.
type drawnClient struct {
	up, down impair.Config
	frameHz  float64
	drift    float64
	cfg      replica.Config
}

func draw(games []SwarmGame, seed uint64, o SwarmOptions) *plan {
	p := &plan{seed: seed, repeat: o.Command}
	d := newDice(seed, 1000)
	for i := range allFeatures {
		if d.chance(0.55) {
			p.features |= 1 << i
		}
	}
	p.features &^= o.Without
	p.game = games[d.below(len(games))]
	p.chaos = d.ms(20_000, 22_000)
	p.holes(newDice(seed, 1001))
	p.drawServer(newDice(seed, 1002))
	p.drawDeeds(newDice(seed, 1003))
	p.match = Match{Bot: p.game.Bot, Players: p.players(newDice(seed, 1004)), Seed: seed, Causes: true,
		SnapshotHz: float64(p.game.Game.Hz()) / float64(p.every)}
	if p.has(Wrap) {
		starts := []tick.Tick{1<<32 - 100, 1<<16 - 100, 1<<31 - 100, 1<<32 - 100 - tick.Tick(d.below(1000))}
		p.match.StartTick = starts[d.below(len(starts))]
		p.startSeq = 1<<16 - 100
	}
	return p
}

func (p *plan) has(f Features) bool { return p.features&f != 0 }

func (p *plan) players(d *dice) int {
	if p.has(Crowd) && d.chance(0.3) {
		return d.between(5, 16)
	}
	return d.between(2, 4)
}

// holes draws what the game does about missing inputs.
func (p *plan) holes(d *dice) {
	if !p.has(Holes) {
		return
	}
	h := sim.HolePolicy{Repeat: d.below(20)}
	if d.chance(0.3) {
		h = sim.HolePolicy{Freeze: true}
	}
	p.game.Game = p.game.Game.Variant(p.game.Game.Name()).Holes(h)
}

func (p *plan) drawServer(d *dice) {
	hz := p.game.Game.Hz()
	p.every, p.history, p.budget = 1, 2*hz, 64_000
	p.timeout = d.ms(3000, 6000)
	if p.has(Rates) {
		p.every = []int{1, 2, 3, 4, 6, 10, 15, 30, 60}[d.below(9)]
	}
	if p.has(Histories) {
		p.history = d.between(32, 256)
	}
	if p.has(Budgets) {
		p.budget = d.between(8_000, 64_000)
	}
}

// client draws the i-th client.
func (p *plan) client(i int) *drawnClient {
	d := newDice(p.seed, 2000+uint64(i))
	c := &drawnClient{frameHz: 60}
	c.up, c.down = p.link(d), p.link(d)
	if p.has(Frames) {
		c.frameHz = float64(d.between(20, 144))
	}
	if p.has(Drift) {
		c.drift = (2*d.unit() - 1) * 500e-6
	}
	// The history must reach back to the last snapshot, over the round trip.
	least := 2*p.every + 64
	c.cfg.History = least + 64
	if p.has(Sending) {
		c.cfg.SendEvery = d.between(1, 4)
	}
	if p.has(Histories) {
		c.cfg.History = d.between(least, least+200)
	}
	if p.has(Fixed) && d.chance(0.5) {
		// An input waits for its frame and for its packet; the lead covers both.
		c.cfg.FixedLead = float64(d.between(2, 12)+c.cfg.SendEvery) + float64(p.game.Game.Hz())/c.frameHz
		c.cfg.FixedDelay = float64(d.between(2, 30))
	}
	c.cfg.Off.Others = p.has(Others) && d.chance(0.5)
	c.cfg.StartSeq = p.startSeq
	return c
}

// link draws one direction.
func (p *plan) link(d *dice) impair.Config {
	c := impair.Config{Delay: 15 * time.Millisecond}
	delay, jitter, loss := d.ms(0, 150), d.ms(0, 30), d.skewed(0.3)
	burst, burstLen := d.skewed(0.02), 1+d.unit()*11
	double, reorder, by := d.unit()*0.1, d.unit()*0.1, d.ms(1, 60)
	band, every, length := d.between(8_000, 64_000), d.ms(4000, 10_000), d.ms(100, 2000)
	if p.has(Latency) {
		c.Delay = delay
	}
	if p.has(Jitter) {
		c.Jitter = jitter
	}
	if p.has(Losses) {
		c.Loss = loss
	}
	if p.has(Bursts) {
		c.BurstLoss, c.BurstLen = burst, burstLen
	}
	if p.has(Copies) {
		c.Duplicate = double
	}
	if p.has(Reordering) {
		c.Reorder, c.ReorderBy = reorder, by
	}
	if p.has(Bandwidth) {
		c.Bandwidth = band
	}
	if p.has(Stalls) {
		c.StallEvery, c.StallFor = every, length
	}
	return c
}

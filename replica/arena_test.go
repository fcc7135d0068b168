package replica_test

import (
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/foretick/foretick/authority"
	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/geom"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/view"
)

const ms = time.Millisecond

// arena is a server and clients over links with a delay, in steps of a
// millisecond.
type arena struct {
	t      *testing.T
	rnd    *rand.Rand
	server *authority.Authority
	seats  []*seat
	now    time.Duration
	next   time.Duration // server's tick
	ticks  int
	each   func() // after every step
}

// seat is one client and its link.
type seat struct {
	*replica.Replica
	a          *arena
	conn       authority.Conn
	delay      time.Duration // each way
	jitter     time.Duration
	loss       float64
	cut        bool // nothing passes
	deaf       bool // nothing arrives until it hears again; then it is lost
	asleep     bool // no frames
	every      time.Duration
	frameAt    time.Duration
	up, down   []letter
	frames     int
	seen       *view.Frame
	mostTicks  int   // predicted in one frame
	mostReplay int64 // replayed in one frame
	fresh      []sim.Effect
	taken      []sim.Effect
}

type letter struct {
	at   time.Duration
	data []byte
}

func newArena(t *testing.T, seed int64, cfg authority.Config) *arena {
	t.Logf("seed %d", seed)
	if cfg.Game == nil {
		cfg.Game = pucks.NoFree
	}
	cfg.StartTick, cfg.StartSeq, cfg.Secret = tick.Tick(1<<32-200), 65500, 5
	return &arena{t: t, rnd: rand.New(rand.NewSource(seed)), server: authority.New(cfg)}
}

func (a *arena) join(cfg replica.Config, rtt time.Duration, loss float64) *seat {
	if cfg.Game == nil {
		cfg.Game = pucks.NoFree
	}
	cfg.Secret, cfg.StartSeq = uint64(len(a.seats)+1)*7919, 65400
	s := &seat{Replica: replica.New(cfg), a: a, conn: authority.Conn(len(a.seats) + 1), delay: rtt / 2, loss: loss,
		every: time.Second / 60, frameAt: a.now}
	a.seats = append(a.seats, s)
	return s
}

func (s *seat) carry(q *[]letter, data []byte) {
	if s.cut || s.a.rnd.Float64() < s.loss {
		return
	}
	at := s.a.now + s.delay
	if s.jitter > 0 {
		at += time.Duration(s.a.rnd.Int63n(int64(s.jitter)))
	}
	i := len(*q)
	for i > 0 && (*q)[i-1].at > at {
		i--
	}
	*q = slices.Insert(*q, i, letter{at, slices.Clone(data)})
}

func (a *arena) step() {
	for _, s := range a.seats {
		for len(s.up) > 0 && s.up[0].at <= a.now {
			a.server.Receive(s.conn, s.up[0].data, a.now)
			s.up = s.up[1:]
		}
		for len(s.down) > 0 && s.down[0].at <= a.now {
			if !s.deaf {
				s.Receive(s.down[0].data, a.now)
			}
			s.down = s.down[1:]
		}
		if !s.asleep && a.now >= s.frameAt {
			s.frame()
			s.frameAt += s.every
		}
	}
	if a.now >= a.next {
		a.server.Tick(a.now)
		a.ticks++
		a.next = time.Duration(a.ticks) * time.Second / 60
	}
	for _, p := range a.server.Drain() {
		s := a.seats[p.Conn-1]
		s.carry(&s.down, p.Data)
	}
	if a.each != nil {
		a.each()
	}
	a.now += ms
}

func (s *seat) frame() {
	var was tick.Tick
	p := s.Predictor()
	if p != nil {
		was = p.Now()
	}
	before := s.Stats().Predict
	s.seen = s.Frame(s.a.now)
	s.frames++
	show, cancel := s.Effects()
	s.fresh, s.taken = append(s.fresh, show...), append(s.taken, cancel...)
	for _, d := range s.Drain() {
		s.carry(&s.up, d)
	}
	if after := s.Stats().Predict; p != nil && p == s.Predictor() && after.Resets == before.Resets {
		s.mostTicks = max(s.mostTicks, int(p.Now().Since(was)))
		s.mostReplay = max(s.mostReplay, after.Replayed-before.Replayed)
	}
}

func (a *arena) run(d time.Duration) {
	for end := a.now + d; a.now < end; {
		a.step()
	}
}

// until steps until ok, for at most d, and returns how long it took.
func (a *arena) until(d time.Duration, ok func() bool) time.Duration {
	begin := a.now
	for !ok() {
		if a.now-begin > d {
			a.t.Helper()
			a.t.Fatalf("not within %v", d)
		}
		a.step()
	}
	return a.now - begin
}

func (s *seat) playing() bool { return s.State() == replica.Playing }

func (s *seat) steer(x, y float32) {
	pucks.Drives.Set(s, pucks.Drive{Move: geom.V2(x, y)})
}

func (s *seat) dash() { pucks.Drives.Press(s, func(d *pucks.Drive) *sim.Counter { return &d.Dash }) }

// agrees fails unless the client's state at the newest tick both have is the
// server's, for what it predicts itself.
func (s *seat) agrees(what string) {
	s.a.t.Helper()
	n, ok := s.Predictor().Reconciled()
	if !ok {
		s.a.t.Fatalf("%s: nothing reconciled", what)
	}
	f, ok := s.a.server.History().At(n)
	if !ok {
		s.a.t.Fatalf("%s: the server has lost %d", what, n)
	}
	i, ok := f.Find(s.Me())
	if !ok {
		s.a.t.Fatalf("%s: the player has no puck", what)
	}
	w, _ := s.Predictor().State(n)
	words := f.Words(i)
	g := pucks.NoFree
	for k, col := range g.Wire() {
		if f.Masks[i]>>uint(k)&1 == 0 {
			continue
		}
		p := g.Plan(col)
		row, ok := w.Column(col).Row(s.Me())
		if !ok {
			s.a.t.Fatalf("%s: lacks %s", what, p.Name)
		}
		got := make([]int32, p.Words)
		p.Quantise(w.Column(col).Bytes(row), got)
		if !slices.Equal(got, words[:p.Words]) {
			s.a.t.Errorf("%s: %s is %v, server %v", what, p.Name, got, words[:p.Words])
		}
		words = words[p.Words:]
	}
}

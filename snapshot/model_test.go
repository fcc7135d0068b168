package snapshot

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/tick"
)

// known is what the model's client believes of an entity, and since when.
type known struct {
	alive bool
	at    tick.Tick
	owner uint16
	mask  uint64
	words []int32
}

// flight is a packet or an ack under way.
type flight struct {
	due  int
	seq  uint16
	tick tick.Tick
	data []byte
}

// match is a server and a client with a bad network between them, and the truth.
type match struct {
	*pair
	rng                    *rand.Rand
	now                    int
	start                  tick.Tick
	loss, ackLoss, dup     float64
	delay                  int
	down, up               []flight
	got                    map[uint16]bool
	truth                  map[tick.Tick]*Frame
	view                   map[tick.Entity]known
	late, changes, decoded int
}

func newMatch(t testing.TB, seed uint64) *match {
	rng := rand.New(rand.NewPCG(seed, 2))
	room := make([]int, 1+rng.IntN(3))
	for i := range room {
		room[i] = 300 + rng.IntN(4000)
	}
	m := &match{pair: newPair(t, room...), rng: rng, truth: map[tick.Tick]*Frame{},
		view: map[tick.Entity]known{}, got: map[uint16]bool{}}
	m.h = NewHistory(m.g, []int{8, 64, 256}[rng.IntN(3)])
	m.s = NewSender(m.h)
	m.start = tick.Tick(0).Add(-100)
	m.seq = 65535 - 100
	m.loss, m.ackLoss, m.dup = rng.Float64()*0.4, rng.Float64()*0.4, rng.Float64()*0.2
	m.delay = rng.IntN(20)
	if rng.IntN(3) == 0 {
		m.loss, m.ackLoss = 0, 0 // reordering alone
	}
	return m
}

func (m *match) fly(to *[]flight, p flight, loss float64) {
	for copies := 1; copies > 0; copies-- {
		if m.rng.Float64() < loss {
			continue
		}
		p.due = m.now + m.rng.IntN(m.delay+1)
		*to = append(*to, p)
		if m.rng.Float64() < m.dup {
			copies++
		}
	}
}

// step runs one tick; blackout drops every ack.
func (m *match) step(churn float64, blackout bool) (all bool) {
	t := m.start.Add(int32(m.now))
	mutate(m.rng, m.w, t, churn)
	parts, all := m.plan(t)
	keep := new(Frame)
	keep.Build(m.g, t, m.w, nil)
	m.truth[t] = keep
	for k := range parts {
		m.seq++
		m.s.Sent(k, m.seq)
		m.fly(&m.down, flight{seq: m.seq, tick: t, data: m.bytes(k)}, m.loss)
	}
	for i := 0; i < len(m.down); i++ {
		if p := m.down[i]; p.due <= m.now {
			m.down = slices.Delete(m.down, i, i+1)
			i--
			m.receive(p, blackout)
		}
	}
	for i := 0; i < len(m.up); i++ {
		if p := m.up[i]; p.due <= m.now {
			m.up = slices.Delete(m.up, i, i+1)
			i--
			m.s.Acked(p.seq)
		}
	}
	m.now++
	return all
}

func (m *match) receive(p flight, blackout bool) {
	if err := m.decode(p.data, p.tick); err != nil {
		if err != ErrLate {
			m.t.Fatalf("tick %d, packet of %d: %v", m.start.Add(int32(m.now)), p.tick, err)
		}
		m.late++
		return
	}
	m.decoded++
	if !blackout {
		m.fly(&m.up, flight{seq: p.seq}, m.ackLoss)
	}
	m.check()
}

// check holds every item against the truth and takes it into the view.
func (m *match) check() {
	truth := m.truth[m.out.Tick]
	for _, it := range m.out.Items {
		i, alive := truth.Find(it.Entity)
		if alive == (it.Kind == Gone) {
			m.t.Fatalf("%x at %d: kind %d, alive %v", it.Entity, m.out.Tick, it.Kind, alive)
		}
		old, seen := m.view[it.Entity]
		if it.Kind == Gone && !old.alive {
			m.t.Fatalf("%x gone without having come, or twice", it.Entity)
		}
		if it.Kind != Gone {
			m.changes++
			if it.Owner != truth.Owners[i] || it.Mask != truth.Masks[i] || !slices.Equal(it.Words, truth.Words(i)) {
				m.t.Fatalf("%x at %d (kind %d): %d %b %v, want %d %b %v", it.Entity, m.out.Tick, it.Kind, it.Owner,
					it.Mask, it.Words, truth.Owners[i], truth.Masks[i], truth.Words(i))
			}
			if seen && !old.alive {
				m.t.Fatalf("%x came back", it.Entity)
			}
		}
		if !seen || m.out.Tick.After(old.at) {
			m.view[it.Entity] = known{it.Kind != Gone, m.out.Tick, it.Owner, it.Mask, slices.Clone(it.Words)}
		}
	}
}

// healed reports whether the client's view is the server's world.
func (m *match) healed() bool {
	n := 0
	for _, k := range m.view {
		if k.alive {
			n++
		}
	}
	if n != m.f.Len() {
		return false
	}
	for i, e := range m.f.IDs {
		k := m.view[e]
		if !k.alive || k.owner != m.f.Owners[i] || k.mask != m.f.Masks[i] || !slices.Equal(k.words, m.f.Words(i)) {
			return false
		}
	}
	return true
}

func seeds(n uint64) (from, to uint64) {
	if *seedFlag != 0 {
		return *seedFlag, *seedFlag + 1
	}
	return 1, n + 1
}

func TestModel(t *testing.T) {
	n := uint64(60)
	if testing.Short() {
		n = 10
	}
	var late, aged, lapped, gone, skipped uint64
	from, to := seeds(n)
	for seed := from; seed < to; seed++ {
		m := newMatch(t, seed)
		t.Cleanup(func() {
			if t.Failed() {
				t.Logf("repeat with: go test ./snapshot -run '^TestModel$' -seed=%d", seed)
			}
		})
		for k := range 500 {
			m.step(0.5, k/100%2 == 1) // every other 100 ticks no ack comes
		}
		m.loss, m.ackLoss = 0, 0
		for range 150 {
			m.step(0, false)
		}
		steady(m)
		c := m.s.Counters()
		late, aged, lapped = late+uint64(m.late), aged+c.Aged, lapped+c.Lapped
		gone, skipped = gone+c.Gone, skipped+c.Skipped
	}
	t.Logf("late %d, aged %d, lapped %d, gone %d, skipped %d", late, aged, lapped, gone, skipped)
	if *seedFlag == 0 && (late == 0 || aged == 0 || lapped == 0 || gone == 0 || skipped == 0) {
		t.Error("the runs did not come by everything")
	}
}

// steady lets the world stand still and wants the truth at the client.
func steady(m *match) {
	m.t.Helper()
	m.delay = 0
	for range 100 {
		m.parkedStep()
	}
	if !m.healed() {
		m.t.Fatal("the client's world is not the server's")
	}
	if len(m.s.dying) > 0 || !m.s.Joined() {
		m.t.Fatalf("%d tombstones, joined %v", len(m.s.dying), m.s.Joined())
	}
	if !m.parkedStep() {
		m.t.Fatal("a world at rest is not covered")
	}
}

// parkedStep is a tick in which nothing changes, with plenty of room.
func (m *match) parkedStep() bool {
	for i := range m.room {
		m.room[i] = 9200
	}
	rng := m.rng
	m.rng = rand.New(still{})
	defer func() { m.rng = rng }()
	return m.step(0, false)
}

// still is a source that makes mutate do nothing.
type still struct{}

func (still) Uint64() uint64 { return 1<<64 - 1 }

// TestModelIsAwake is the negative control: a client that gets one wrong word,
// and one that misses a tombstone, must be found out.
func TestModelIsAwake(t *testing.T) {
	m := newMatch(t, 7)
	for range 50 {
		m.step(0.5, false)
	}
	m.loss, m.ackLoss = 0, 0
	steady(m)
	e := m.f.IDs[0]
	k := m.view[e]
	k.owner ^= 1
	m.view[e] = k
	if m.healed() {
		t.Error("a wrong owner went unseen")
	}
	k.owner ^= 1
	m.view[e] = k
	if !m.healed() {
		t.Error("restored, but not healed")
	}
	m.view[tick.MakeEntity(60000, 0)] = known{alive: true}
	if m.healed() {
		t.Error("an entity too many went unseen")
	}
}

func decodeAlone(r *Receiver, b []byte, t tick.Tick, out *Update) error {
	var rd bits.Reader
	rd.Reset(b)
	return r.Decode(&rd, t, out)
}

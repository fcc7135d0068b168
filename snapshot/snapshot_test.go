package snapshot

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/tick"
)

// TestFrame holds Build against a slow reading of the world.
func TestFrame(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	g := testGame()
	w := g.NewWorld()
	h := NewHistory(g, 4)
	type past struct {
		rec   record
		since tick.Tick
	}
	last := map[tick.Entity]past{}
	for k := range 300 {
		now := tick.Tick(0).Add(int32(k) - 100)
		mutate(rng, w, now, 0.4)
		f := h.Record(now, w)
		if !slices.Equal(f.IDs, w.Entities()) || f.Len() != w.Len() || f.Tick != now {
			t.Fatal("entities")
		}
		next := map[tick.Entity]past{}
		for i, e := range f.IDs {
			r := record{owner: w.Owner(e)}
			for bit, col := range g.Wire() {
				if row, ok := w.Column(col).Row(e); ok {
					words := make([]int32, g.Plan(col).Words)
					g.Plan(col).Quantise(w.Column(col).Bytes(row), words)
					r.words = append(r.words, words...)
					r.mask |= 1 << bit
				}
			}
			since := now
			if o, ok := last[e]; ok && o.rec.owner == r.owner && o.rec.mask == r.mask && slices.Equal(o.rec.words, r.words) {
				since = o.since
			}
			next[e] = past{r, since}
			if f.Owners[i] != r.owner || f.Masks[i] != r.mask || !slices.Equal(f.Words(i), r.words) || f.Changed[i] != since {
				t.Fatalf("tick %d entity %x: %v %v %v changed %d, want %+v %d", now, e, f.Owners[i], f.Masks[i], f.Words(i), f.Changed[i], r, since)
			}
		}
		last = next
	}
	if _, ok := h.At(tick.Tick(0).Add(195)); ok {
		t.Error("a lapped tick was found")
	}
	h.Clear()
	if _, ok := h.Latest(); ok {
		t.Error("something was left by Clear")
	}
}

// TestComponents are scenarios 3 and 8: a component is added to a live entity,
// and one is removed and added in one tick.
func TestComponents(t *testing.T) {
	p := newPair(t, 9200)
	e, _ := p.w.Create(1)
	body1 := ecs.At[body](p.w.Column(colBody), p.w.Column(colBody).Add(e))
	body1.X = 1
	p.exchange(1)
	p.exchange(2)
	*ecs.At[score](p.w.Column(colScore), p.w.Column(colScore).Add(e)) = score{N: 7}
	p.exchange(3)
	if it := p.out.Items[0]; it.Kind != Changed || it.Mask != 3 || len(it.Words) != 6 || it.Words[3] != 7 {
		t.Fatalf("added: %+v", it)
	}
	p.w.Column(colScore).Remove(e)
	*ecs.At[score](p.w.Column(colScore), p.w.Column(colScore).Add(e)) = score{N: 8}
	p.exchange(4)
	if it := p.out.Items[0]; it.Kind != Changed || it.Mask != 3 || it.Words[3] != 8 {
		t.Fatalf("removed and added: %+v", it)
	}
	p.w.Column(colScore).Remove(e)
	p.w.Column(colScore).Add(e)
	ecs.At[score](p.w.Column(colScore), 0).N = 8
	p.exchange(5)
	if it := p.out.Items[0]; it.Kind != Unchanged || it.Words[3] != 8 {
		t.Fatalf("removed and added as it was: %+v", it)
	}
	p.w.Column(colBody).Remove(e)
	p.exchange(6)
	if it := p.out.Items[0]; it.Kind != Changed || it.Mask != 2 || len(it.Words) != 3 {
		t.Fatalf("removed: %+v", it)
	}
}

// TestLongRest is scenario 1: unchanged for more than half, and for more than
// all, of a 16-bit tick's range, then changed.
func TestLongRest(t *testing.T) {
	for _, rest := range []int32{40_000, 65_536, 70_000, 1 << 20} {
		p := newPair(t, 9200)
		start := tick.Tick(0).Add(-100)
		crowd(p.w, start, 2)
		p.exchange(start)
		// Between, only one of them is spoken of now and then.
		for k := int32(1000); k < rest; k += 1000 {
			p.exchange(start.Add(k))
		}
		ecs.At[body](p.w.Column(colBody), 0).X = 77
		p.exchange(start.Add(rest))
		if it := p.out.Items[0]; it.Kind != Changed || !slices.Equal(it.Words, p.f.Words(0)) {
			t.Fatalf("%d ticks: %+v, want %v", rest, it, p.f.Words(0))
		}
		if it := p.out.Items[1]; it.Kind != Unchanged || !slices.Equal(it.Words, p.f.Words(1)) {
			t.Fatalf("%d ticks: %+v", rest, it)
		}
		if c := p.s.Counters(); c.Full != 2 || c.Changed != 1 {
			t.Fatalf("%+v", c)
		}
	}
}

// TestJoin is scenario 9: 5,000 entities at one packet of 1,150 bytes a tick,
// 5 % loss, an ack after 9 ticks.
func TestJoin(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	p := newPair(t, 1150*8-200)
	crowd(p.w, 0, 5000)
	type ack struct {
		at  int
		seq uint16
	}
	var acks []ack
	seen := map[tick.Entity]bool{}
	joined, most, stated := 0, 0, 0
	for k := 1; k < 600; k++ {
		parts, all := p.plan(tick.Tick(k))
		if all {
			t.Fatal("5,000 entities in one packet")
		}
		for part := range parts {
			p.seq++
			p.s.Sent(part, p.seq)
			most = max(most, p.s.Section(part).Len())
			if rng.Float64() < 0.05 {
				continue
			}
			if err := p.decode(p.bytes(part), tick.Tick(k)); err != nil {
				t.Fatal(err)
			}
			for _, it := range p.out.Items {
				seen[it.Entity] = true
			}
			stated += len(p.out.Items)
			acks = append(acks, ack{k + 9, p.seq})
		}
		for len(acks) > 0 && acks[0].at <= k {
			p.s.Acked(acks[0].seq)
			acks = acks[1:]
		}
		if p.s.Joined() && joined == 0 {
			joined = k
			if len(seen) != 5000 {
				t.Fatalf("joined with %d entities seen", len(seen))
			}
		}
	}
	c := p.s.Counters()
	t.Logf("joined at tick %d, %d full records, fullest section %d bits, %d statements a packet, %+v", joined, c.Full, most, stated/569, c)
	if joined == 0 {
		t.Fatal("never joined")
	}
	if most > p.room[0] || most < p.room[0]*98/100 {
		t.Errorf("fullest section has %d bits of %d", most, p.room[0])
	}
	// The bits of 5,000 records, with what is lost and what is in doubt for 9 ticks.
	if joined > 200 {
		t.Errorf("joined at tick %d", joined)
	}
}

// TestOrder: what goes first goes first, and what waits gains urgency.
func TestOrder(t *testing.T) {
	p := newPair(t, 600)
	crowd(p.w, 0, 40)
	last := p.w.Entities()[39]
	dull := p.w.Entities()[38]
	rng := rand.New(rand.NewPCG(1, 5))
	said := map[tick.Entity]int{}
	for k := range 200 {
		for _, e := range p.w.Entities() {
			scramble(rng, p.w, colBody, e)
		}
		now := tick.Tick(k + 1)
		f := p.h.Record(now, p.w)
		p.s.Plan(f, func(f *Frame, i int) (float32, bool) {
			switch f.IDs[i] {
			case last:
				return 0, true
			case dull:
				return 0.1, false
			}
			return 1, false
		}, p.room)
		p.seq++
		p.s.Sent(0, p.seq)
		if err := p.decode(p.bytes(0), now); err != nil {
			t.Fatal(err)
		}
		p.s.Acked(p.seq)
		for _, it := range p.out.Items {
			said[it.Entity]++
		}
	}
	least, most := 1000, 0
	for _, e := range p.w.Entities()[:38] {
		least, most = min(least, said[e]), max(most, said[e])
	}
	t.Logf("first %d, others %d to %d, dull %d of 200", said[last], least, most, said[dull])
	if said[last] != 200 {
		t.Errorf("first was said %d times of 200", said[last])
	}
	if least == 0 || most > 2*least {
		t.Errorf("the equal ones were said %d to %d times", least, most)
	}
	if said[dull] == 0 || said[dull]*4 > least {
		t.Errorf("a tenth as important: %d times, others at least %d", said[dull], least)
	}
}

// TestReuse: an index is used again while nobody knows whether the client has
// heard of the end of its former user.
func TestReuse(t *testing.T) {
	p := newPair(t, 9200)
	old, _ := p.w.Create(0)
	p.exchange(1)
	p.w.Destroy(old, 2)
	p.plan(2)
	p.s.Sent(0, 100) // lost
	p.w.Insert(tick.MakeEntity(old.Index(), 1))
	p.exchange(3)
	if len(p.out.Items) != 2 || p.out.Items[0].Kind != Gone || p.out.Items[0].Entity != old || p.out.Items[1].Kind != Changed {
		t.Fatalf("%+v", p.out.Items)
	}
	p.exchange(4)
	if len(p.out.Items) != 1 || p.out.Items[0].Kind != Unchanged {
		t.Fatalf("%+v", p.out.Items)
	}
	// One that was never sent needs no tombstone.
	p.w.Insert(tick.MakeEntity(50, 0))
	p.plan(5)
	p.w.Destroy(tick.MakeEntity(50, 0), 6)
	p.exchange(6)
	if len(p.out.Items) != 1 || p.s.Counters().Gone != 1 {
		t.Fatalf("%+v %+v", p.out.Items, p.s.Counters())
	}
	// Successor destroyed in its turn before anything of it was sent: its
	// tombstone ends the predecessor.
	second := tick.MakeEntity(old.Index(), 1)
	p.w.Destroy(second, 7)
	p.w.Insert(tick.MakeEntity(old.Index(), 2))
	p.plan(7)
	p.w.Destroy(tick.MakeEntity(old.Index(), 2), 8)
	p.exchange(8)
	if len(p.out.Items) != 1 || p.out.Items[0].Kind != Gone || p.out.Items[0].Entity != second {
		t.Fatalf("%+v", p.out.Items)
	}
	if parts, all := p.exchange(9); parts != 0 || !all {
		t.Fatalf("%d parts, all %v, of an empty world", parts, all)
	}
}

// TestTooLarge: a record that no packet holds is left out and counted, and the
// join does not wait for it.
func TestTooLarge(t *testing.T) {
	p := newPair(t, 40)
	crowd(p.w, 0, 1)
	small := tick.MakeEntity(9, 0)
	p.w.Insert(small)
	_, all := p.exchange(1)
	if len(p.out.Items) != 1 || p.out.Items[0].Entity != small || all {
		t.Fatalf("%+v, all %v", p.out.Items, all)
	}
	if c := p.s.Counters(); c.Oversized != 1 || !p.s.Joined() {
		t.Fatalf("%+v, joined %v", c, p.s.Joined())
	}
	if parts, all := p.s.Plan(p.f, sameImportance, nil); parts != 0 || all || p.s.Section(0).Len() != 1 {
		t.Fatal("no room at all")
	}
	if n := MaxRecordBits(p.g); n < 200 || n > 1150*8 {
		t.Fatalf("the largest record takes %d bits", n)
	}
}

// TestReset: a new connection starts from nothing, on both sides.
func TestReset(t *testing.T) {
	p := newPair(t, 9200)
	crowd(p.w, 0, 5)
	p.exchange(1)
	p.plan(2)
	p.s.Sent(0, 500)
	p.s.Reset()
	p.s.Acked(500)
	p.r.Reset()
	if _, _, ok := p.s.Baseline(p.w.Entities()[0]); ok || p.s.Joined() {
		t.Fatal("Reset left something")
	}
	p.exchange(3)
	if len(p.out.Items) != 5 || p.out.Items[0].Kind != Changed || !p.s.Joined() {
		t.Fatalf("%+v", p.out.Items)
	}
	// Control: with the receiver alone reset, the sender's words mean nothing.
	p.r.Reset()
	p.plan(4)
	if err := p.decode(p.bytes(0), 4); err != ErrBaseline {
		t.Fatalf("err %v", err)
	}
}

// TestBaseline: both sides hold the version that was acknowledged.
func TestBaseline(t *testing.T) {
	p := newPair(t, 9200)
	crowd(p.w, 0, 1)
	e := p.w.Entities()[0]
	p.plan(1)
	p.s.Sent(0, 1)
	if _, _, ok := p.s.Baseline(e); ok {
		t.Fatal("a baseline before any ack")
	}
	if err := p.decode(p.bytes(0), 1); err != nil {
		t.Fatal(err)
	}
	p.s.Acked(1)
	at, words, ok := p.s.Baseline(e)
	_, mask, held, ok2 := p.r.Version(e, at)
	if !ok || !ok2 || at != 1 || mask != p.f.Masks[0] || !slices.Equal(words, held) {
		t.Fatalf("%v %v %v, %v %v", at, words, ok, held, ok2)
	}
	if _, _, _, ok := p.r.Version(e, 2); ok {
		t.Fatal("a version that was never sent")
	}
}

func TestNoAllocation(t *testing.T) {
	p := newPair(t, 4000, 4000)
	rng := rand.New(rand.NewPCG(5, 5))
	crowd(p.w, 0, 100)
	now := tick.Tick(0).Add(-700)
	lag := [12]uint16{}
	var rd bits.Reader
	run := func() {
		for _, e := range p.w.Entities()[:50] {
			scramble(rng, p.w, colBody, e)
		}
		now = now.Add(1)
		parts, _ := p.plan(now)
		for k := range parts {
			p.seq++
			p.s.Sent(k, p.seq)
			rd.Reset(p.s.Section(k).Bytes())
			if err := p.r.Decode(&rd, now, &p.out); err != nil {
				t.Fatal(err)
			}
			p.s.Acked(lag[p.seq%12])
			lag[p.seq%12] = p.seq
		}
	}
	for range 1200 {
		run()
	}
	if n := testing.AllocsPerRun(300, run); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
	if c := p.s.Counters(); c.Changed == 0 || c.Unchanged == 0 {
		t.Errorf("%+v", c)
	}
}

func BenchmarkTick(b *testing.B) {
	p := newPair(b, 9000)
	rng := rand.New(rand.NewPCG(5, 5))
	crowd(p.w, 0, 46)
	now := tick.Tick(0)
	size := 0
	for b.Loop() {
		for _, e := range p.w.Entities() {
			scramble(rng, p.w, colBody, e)
		}
		now++
		p.exchange(now)
		size += p.s.Section(0).Len()
	}
	b.ReportMetric(float64(size)/float64(b.N)/8, "bytes/tick")
}

func BenchmarkPlan5000(b *testing.B) {
	p := newPair(b, 9000)
	crowd(p.w, 0, 5000)
	now := tick.Tick(0)
	for range 300 {
		now++
		p.exchange(now)
	}
	for b.Loop() {
		now++
		p.plan(now)
		p.seq++
		p.s.Sent(0, p.seq)
	}
}

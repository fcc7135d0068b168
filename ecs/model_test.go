package ecs

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/foretick/foretick/tick"
)

var seedFlag = flag.Uint64("seed", 0, "repeat a random test with this seed")

// newRand returns a generator; a failing test prints how to repeat it.
func newRand(t testing.TB, fallback uint64) *rand.Rand {
	s := fallback
	if *seedFlag != 0 {
		s = *seedFlag
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("repeat with: go test ./ecs -run '^%s$' -seed=%d", t.Name(), s)
		}
	})
	return rand.New(rand.NewPCG(s, 1))
}

// testSizes has a tag, odd sizes, and one of 8-byte words.
var testSizes = []int{12, 0, 3, 16, 1}

type modelEntity struct {
	owner uint16
	comps map[int][]byte
}

// model does all that World does, slowly and obviously.
type model struct {
	ents    map[tick.Entity]*modelEntity
	gens    map[uint16]uint16 // of indices ever used
	resting []rest
}

func newModel() *model {
	return &model{ents: map[tick.Entity]*modelEntity{}, gens: map[uint16]uint16{}}
}

func (m *model) create(now tick.Tick) (tick.Entity, bool) {
	var e tick.Entity
	if len(m.resting) > 0 && now.Since(m.resting[0].at) >= Quarantine {
		i := m.resting[0].index
		m.resting = m.resting[1:]
		e = tick.MakeEntity(i, m.gens[i]+1)
	} else {
		i := uint16(1)
		for ; i != 0; i++ {
			if _, used := m.gens[i]; !used {
				break
			}
		}
		if i == 0 {
			return 0, false
		}
		e = tick.MakeEntity(i, 0)
	}
	m.insert(e)
	return e, true
}

func (m *model) insert(e tick.Entity) {
	if e.Index() == 0 || m.ents[e] != nil {
		return
	}
	for o := range m.ents {
		if o.Index() == e.Index() {
			delete(m.ents, o)
		}
	}
	m.resting = slices.DeleteFunc(m.resting, func(r rest) bool { return r.index == e.Index() })
	m.gens[e.Index()] = e.Generation()
	m.ents[e] = &modelEntity{comps: map[int][]byte{}}
}

func (m *model) destroy(e tick.Entity, now tick.Tick) {
	if m.ents[e] != nil {
		delete(m.ents, e)
		m.resting = append(m.resting, rest{now, e.Index()})
	}
}

func (m *model) clone() *model {
	c := newModel()
	for e := range m.ents {
		c.copyEntity(m, e)
	}
	clear(c.gens)
	for i, g := range m.gens {
		c.gens[i] = g
	}
	c.resting = slices.Clone(m.resting)
	return c
}

func (m *model) copyEntity(src *model, e tick.Entity) {
	s := src.ents[e]
	if s == nil {
		delete(m.ents, e)
		return
	}
	m.insert(e)
	d := &modelEntity{owner: s.owner, comps: map[int][]byte{}}
	for i, b := range s.comps {
		d.comps[i] = slices.Clone(b)
	}
	m.ents[e] = d
}

// check compares everything that can be seen of w, and its inside.
func (m *model) check(t *testing.T, w *World) {
	t.Helper()
	var want []tick.Entity
	for e := range m.ents {
		want = append(want, e)
	}
	slices.Sort(want)
	if !slices.Equal(want, w.Entities()) || w.Len() != len(want) {
		t.Fatalf("entities %x, want %x", w.Entities(), want)
	}
	for i := range testSizes {
		c := w.Column(i)
		var have []tick.Entity
		for _, e := range want {
			b, ok := m.ents[e].comps[i]
			if ok {
				have = append(have, e)
			}
			if r, has := c.Row(e); has != ok || has && !bytes.Equal(c.Bytes(r), b) {
				t.Fatalf("component %d of %x: present %v, want %v", i, e, has, ok)
			}
		}
		if !slices.Equal(have, c.IDs()) || c.Len() != len(have) || c.Size() != testSizes[i] {
			t.Fatalf("column %d: ids %x, want %x", i, c.IDs(), have)
		}
	}
	for _, e := range want {
		if !w.Alive(e) || w.Owner(e) != m.ents[e].owner {
			t.Fatalf("%x: alive %v owner %d, want %d", e, w.Alive(e), w.Owner(e), m.ents[e].owner)
		}
		if w.Alive(e + 1) {
			t.Fatalf("%x: the next generation is alive", e)
		}
	}
	if !slices.Equal(m.resting, w.alloc.queue()) {
		t.Fatalf("resting %v, want %v", w.alloc.queue(), m.resting)
	}
	for i, s := range w.alloc.slots[1:] {
		g, used := m.gens[uint16(i+1)]
		if used != (s != 0) || used && uint16(s) != g {
			t.Fatalf("index %d: slot %x, want generation %d used %v", i+1, s, g, used)
		}
	}
}

// TestModel plays random operations on two worlds that copy from each other
// and on two models, near a wrap of the tick.
func TestModel(t *testing.T) {
	for s := range uint64(8) {
		t.Run(strconv.Itoa(int(s)), func(t *testing.T) {
			p := &play{r: newRand(t, 100+s), now: ^tick.Tick(0) - 500, made: []tick.Entity{0}}
			for i := range p.w {
				p.w[i], p.m[i] = New(testSizes), newModel()
			}
			w := p.w
			for n := range 6000 {
				p.now += tick.Tick(p.r.IntN(3))
				i := p.r.IntN(2)
				e := p.made[p.r.IntN(len(p.made))] // most are dead
				if live := w[p.r.IntN(2)].Entities(); len(live) > 0 && p.r.IntN(4) > 0 {
					e = live[p.r.IntN(len(live))]
				}
				p.op(t, i, e)
				if n%50 != 0 {
					continue
				}
				p.m[0].check(t, w[0])
				p.m[1].check(t, w[1])
				if d, ok := w[0].FirstDiff(w[1]); ok == w[0].Equal(w[1]) {
					t.Fatalf("Equal and FirstDiff disagree: %v", d)
				}
				if w[0].Equal(w[1]) != (w[0].Hash() == w[1].Hash()) {
					t.Fatal("Equal and Hash disagree")
				}
			}
		})
	}
}

type play struct {
	r    *rand.Rand
	w    [2]*World
	m    [2]*model
	now  tick.Tick
	made []tick.Entity
}

// op does one random thing to e in world i and in its model.
func (p *play) op(t *testing.T, i int, e tick.Entity) {
	r, now := p.r, p.now
	a, b, src, from := p.w[i], p.m[i], p.w[1-i], p.m[1-i]
	c := r.IntN(len(testSizes))
	switch op := r.IntN(100); {
	case op < 15:
		x, ok := a.Create(now)
		y, ok2 := b.create(now)
		if x != y || ok != ok2 {
			t.Fatalf("Create %x %v, want %x %v", x, ok, y, ok2)
		}
		p.made = append(p.made, x)
	case op < 20:
		x := tick.MakeEntity(uint16(r.IntN(120)), uint16(r.IntN(3)))
		a.Insert(x)
		b.insert(x)
		p.made = append(p.made, x)
	case op < 33:
		a.Destroy(e, now)
		b.destroy(e, now)
	case op < 70:
		p.add(t, a, b, e, c)
	case op < 82:
		a.Column(c).Remove(e)
		if b.ents[e] != nil {
			delete(b.ents[e].comps, c)
		}
	case op < 88:
		v := uint16(r.IntN(5))
		a.SetOwner(e, v)
		if b.ents[e] != nil {
			b.ents[e].owner = v
		}
	case op < 93:
		a.CopyEntity(src, e)
		b.copyEntity(from, e)
	case op < 98:
		a.CopyRow(c, src, e)
		if b.ents[e] != nil {
			delete(b.ents[e].comps, c)
			if s := from.ents[e]; s != nil && s.comps[c] != nil {
				b.ents[e].comps[c] = slices.Clone(s.comps[c])
			}
		}
	case op < 99 || r.IntN(10) > 0:
		a.CopyFrom(src)
		*b = *from.clone()
		if !a.Equal(src) || a.Hash() != src.Hash() {
			t.Fatal("a copy is not equal")
		}
	case r.IntN(3) == 0:
		a.Clear()
		*b = *newModel()
	}
}

func (p *play) add(t *testing.T, a *World, b *model, e tick.Entity, c int) {
	row := a.Column(c).Add(e)
	if b.ents[e] == nil {
		if row != -1 {
			t.Fatalf("Add gave a dead entity row %d", row)
		}
		return
	}
	if b.ents[e].comps[c] == nil {
		b.ents[e].comps[c] = make([]byte, testSizes[c])
	}
	if !bytes.Equal(a.Column(c).Bytes(row), b.ents[e].comps[c]) {
		t.Fatal("Add: wrong content")
	}
	if testSizes[c] > 0 {
		k, v := p.r.IntN(testSizes[c]), byte(p.r.Uint32())
		a.Column(c).Bytes(row)[k], b.ents[e].comps[c][k] = v, v
	}
}

// TestRebuild inserts the same state in shuffled orders: the world and its
// hash must not tell.
func TestRebuild(t *testing.T) {
	r := newRand(t, 7)
	w := randomWorld(r, 300)
	for range 20 {
		o := New(testSizes)
		ids := slices.Clone(w.Entities())
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		for _, e := range ids {
			o.Insert(e)
			o.SetOwner(e, w.Owner(e))
		}
		for _, i := range r.Perm(len(testSizes)) {
			for _, e := range ids {
				if row, ok := w.Column(i).Row(e); ok {
					copy(o.Column(i).Bytes(o.Column(i).Add(e)), w.Column(i).Bytes(row))
				}
			}
		}
		if !slices.Equal(o.Entities(), w.Entities()) {
			t.Fatal("order of entities depends on insertion")
		}
		if d, ok := o.FirstDiff(w); ok && d.Component != DiffAllocator {
			t.Fatalf("rebuilt world differs: %+v", d)
		}
		if o.HashComponents(31) != w.HashComponents(31) {
			t.Fatal("hash depends on insertion order")
		}
	}
}

// randomWorld has n entities after some churn, freed indices included.
func randomWorld(r *rand.Rand, n int) *World {
	w := New(testSizes)
	var now tick.Tick
	for w.Len() < n {
		now += 5
		e, _ := w.Create(now)
		w.SetOwner(e, uint16(r.IntN(9)))
		for i := range testSizes {
			if r.IntN(4) > 0 {
				b := w.Column(i).Bytes(w.Column(i).Add(e))
				for k := range b {
					b[k] = byte(r.Uint32())
				}
			}
		}
		if r.IntN(5) == 0 {
			w.Destroy(w.Entities()[r.IntN(w.Len())], now)
		}
	}
	return w
}

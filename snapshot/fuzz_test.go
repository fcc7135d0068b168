package snapshot

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/foretick/foretick/tick"
)

// warm is a run of honest packets, one a tick from tick 1 on.
func warm(t testing.TB) (p *pair, sections [][]byte) {
	rng := rand.New(rand.NewPCG(11, 1))
	p = newPair(t, 3000)
	for k := range 40 {
		now := tick.Tick(k + 1)
		mutate(rng, p.w, now, 0.4)
		p.plan(now)
		p.seq++
		p.s.Sent(0, p.seq)
		sections = append(sections, p.bytes(0))
		if k%3 != 0 {
			p.s.Acked(p.seq)
		}
	}
	return p, sections
}

// FuzzDecode gives a warm receiver any bytes at a tick around its own. On an
// error nothing may have changed; without one, items must be well formed.
func FuzzDecode(f *testing.F) {
	p, sections := warm(f)
	for k, b := range sections {
		f.Add(b, int8(0))
		f.Add(b, int8(k-len(sections)+1))
	}
	f.Add(exampleBits().Bytes(), int8(3))
	end := tick.Tick(len(sections))
	half := len(sections) / 2
	f.Fuzz(func(t *testing.T, b []byte, at int8) {
		r, same := NewReceiver(p.g), NewReceiver(p.g)
		var out, other Update
		for k, s := range sections[:half] {
			if decodeAlone(r, s, tick.Tick(k+1), &out) != nil || decodeAlone(same, s, tick.Tick(k+1), &other) != nil {
				t.Fatal("an honest packet was refused")
			}
		}
		now := end.Add(int32(at))
		if err := decodeAlone(r, b, now, &out); err != nil {
			if len(out.Items) != 0 || r.held != same.held || !reflect.DeepEqual(r.slots, same.slots) {
				t.Fatalf("%v, but something changed", err)
			}
		}
		checkItems(t, p, &out)
		for k, s := range sections[half:] {
			if decodeAlone(r, s, tick.Tick(half+k+1), &out) == nil {
				checkItems(t, p, &out)
			}
		}
		for i := range r.slots {
			if v := &r.slots[i].v; v.n > maxVersions || len(v.ring) > maxVersions {
				t.Fatalf("%d versions", v.n)
			}
		}
	})
}

func checkItems(t *testing.T, p *pair, out *Update) {
	last := tick.NoEntity
	for _, it := range out.Items {
		if it.Entity.Index() < last.Index() || it.Entity == last || it.Entity.Index() == 0 {
			t.Fatalf("%x after %x", it.Entity, last)
		}
		last = it.Entity
		if it.Kind == Gone {
			continue
		}
		words := it.Words
		for k, col := range p.g.Wire() {
			if it.Mask>>k&1 == 0 {
				continue
			}
			n := p.g.Plan(col).Words
			if len(words) < n || !p.g.Plan(col).Valid(words[:n]) {
				t.Fatalf("%+v: component %d", it, k)
			}
			words = words[n:]
		}
		if len(words) != 0 || it.Mask>>len(p.g.Wire()) != 0 {
			t.Fatalf("%+v", it)
		}
	}
}

// FuzzPicture: what reads as a picture is written again as it was.
func FuzzPicture(f *testing.F) {
	g := testGame()
	w := g.NewWorld()
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 5 {
		e := tick.MakeEntity(uint16(1+i), uint16(i))
		w.Insert(e)
		for col := range columns {
			if (i+col)%3 > 0 {
				scramble(rng, w, col, e)
			}
		}
	}
	var frame Frame
	frame.Build(g, 7, w, nil)
	f.Add(frame.AppendPicture(nil))
	f.Add([]byte{1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := ReadPicture(g, b, w)
		if err != nil {
			if w.Len() != 0 {
				t.Fatal("refused, and still there is something")
			}
			return
		}
		var frame Frame
		frame.Build(g, n, w, nil)
		if again := frame.AppendPicture(nil); string(again) != string(b) {
			t.Fatalf("%x was %x", again, b)
		}
	})
}

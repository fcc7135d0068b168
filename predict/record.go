package predict

import (
	"cmp"
	"slices"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Value is the server's word on one entity at one tick.
type Value struct {
	Entity tick.Entity
	Gone   bool
	Rests  bool // the server says it has not changed for a while
	Owner  uint16
	Mask   uint64  // in wire order
	Words  []int32 // of the present components, in wire order
}

// Record is everything that a client's tick used besides the state before it.
type Record struct {
	Sampled bool    // an input was taken for this tick and travels
	How     sim.How // how the input that this tick executes is obtained
	Ran     sim.How // the same, as of the tick's latest run: a repair changes How first
	Sent    []byte  // the input as sampled, rounded to what travels
	View    uint16  // how far behind the tick the others were shown, in 1/64 ticks

	poses   poses // others as read at the start of the tick
	removed []tick.Entity
	adopted values // server values that state n was given before the tick ran

	Effects []sim.Effect // what the tick emitted, in its latest replay
}

// Adopted reports whether the server's word on e was adopted at this tick.
func (r *Record) Adopted(e tick.Entity) bool { return r.adopted.has(e) }

// Other returns the i-th entity that was read as a pose, ascending.
func (r *Record) Other(i int) tick.Entity { return r.poses.list[i].e }

// Others returns how many entities were read as poses.
func (r *Record) Others() int { return len(r.poses.list) }

func (r *Record) reset(inputSize int) {
	r.Sampled, r.How, r.Ran, r.View = false, sim.Neutral, sim.Neutral, 0
	if len(r.Sent) != inputSize {
		r.Sent = make([]byte, inputSize)
	}
	clear(r.Sent)
	r.poses.clear()
	r.adopted.clear()
	r.removed = r.removed[:0]
	if r.Effects == nil {
		r.Effects = make([]sim.Effect, 0, firstEffects)
	}
	r.Effects = r.Effects[:0]
}

// CopyFrom makes r equal to o, sharing nothing.
func (r *Record) CopyFrom(o *Record) {
	r.Sampled, r.How, r.Ran, r.View = o.Sampled, o.How, o.Ran, o.View
	r.Sent = append(r.Sent[:0], o.Sent...)
	r.poses.copyFrom(&o.poses)
	r.adopted.copyFrom(&o.adopted)
	r.removed = append(r.removed[:0], o.removed...)
	r.Effects = append(r.Effects[:0], o.Effects...)
}

// values is a list of entities with their travelling components, in words.
type values struct {
	list  []value
	words []int32
}

type value struct {
	e     tick.Entity
	gone  bool
	owner uint16
	mask  uint64
	off   int
	n     int
}

func (v *values) clear() { v.list, v.words = v.list[:0], v.words[:0] }

func (v *values) copyFrom(o *values) {
	v.list = append(v.list[:0], o.list...)
	v.words = append(v.words[:0], o.words...)
}

// place returns where e is in the list, or is to be: the list ascends.
func (v *values) place(e tick.Entity) (int, bool) {
	if n := len(v.list); n == 0 || v.list[n-1].e < e {
		return n, false
	}
	return slices.BinarySearchFunc(v.list, e, func(x value, e tick.Entity) int { return cmp.Compare(x.e, e) })
}

func (v *values) has(e tick.Entity) bool {
	_, ok := v.place(e)
	return ok
}

// put adds or replaces the value of an entity.
func (v *values) put(x *Value) {
	to := value{e: x.Entity, gone: x.Gone, owner: x.Owner, mask: x.Mask, off: len(v.words), n: len(x.Words)}
	v.words = append(v.words, x.Words...)
	switch i, ok := v.place(x.Entity); {
	case ok:
		v.list[i] = to
	case i == len(v.list):
		v.list = append(v.list, to)
	default:
		v.list = slices.Insert(v.list, i, to)
	}
}

func (v *values) at(i int) Value {
	x := &v.list[i]
	return Value{Entity: x.e, Gone: x.gone, Owner: x.owner, Mask: x.mask, Words: v.words[x.off : x.off+x.n]}
}

// Put makes entity x.Entity in w what x says. Components that do not travel
// are left alone.
func Put(g *sim.Game, w *ecs.World, x *Value) {
	if x.Gone {
		if w.Alive(x.Entity) {
			w.Destroy(x.Entity, 0)
		}
		return
	}
	w.Insert(x.Entity)
	w.SetOwner(x.Entity, x.Owner)
	at := 0
	for i, col := range g.Wire() {
		c := w.Column(col)
		if x.Mask>>uint(i)&1 == 0 {
			c.Remove(x.Entity)
			continue
		}
		p := g.Plan(col)
		p.Dequantise(x.Words[at:at+p.Words], c.Bytes(c.Add(x.Entity)))
		at += p.Words
	}
}

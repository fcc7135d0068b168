package snapshot

import (
	"errors"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/internal/fault"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

var (
	// ErrMalformed: no sender writes this.
	ErrMalformed = errors.New("snapshot: malformed section")
	// ErrLate: the packet was overtaken by so much that what it builds on has
	// been dropped. It counts as lost.
	ErrLate = errors.New("snapshot: section came too late")
	// ErrBaseline: the newest word on an entity builds on a version that this
	// client does not hold. The sender or the acks are wrong.
	ErrBaseline = errors.New("snapshot: baseline is missing")
)

// Kind is what an Item says.
type Kind uint8

const (
	Changed   Kind = iota // the record at this tick
	Unchanged             // the record at this tick, which is one that was held already
	Gone                  // does not exist at this tick, for the first time said
)

// Item is what a packet says of one entity.
type Item struct {
	Entity tick.Entity
	Kind   Kind
	Owner  uint16
	Mask   uint64
	Words  []int32 // the whole record; nil if gone
}

// Update is what one packet says. Reuse it to reuse its memory.
type Update struct {
	Tick  tick.Tick
	Items []Item // ascending by entity, but Gone of a predecessor comes first

	arena []int32
}

// slot is what the client knows of one entity index.
type slot struct {
	entity tick.Entity
	life   life // lifeDying: gone
	// All that was said of this entity lies in since..last.
	since, last tick.Tick
	v           versions
}

// op is what a statement does to its slot once the whole packet is understood.
type op struct {
	entity tick.Entity
	kind   kind
	named  tick.Tick // of kindChanged: the baseline
	item   int32     // of kindChanged and kindFull: which has the record
}

// Receiver holds the versions that one client may be sent changes against. Not
// safe for concurrent use.
type Receiver struct {
	plans  []*sim.Plan // in wire order
	lens   []int       // their words
	slots  []slot      // by entity index
	ops    []op
	held   int // by versions, in words
	packet packet
}

// NewReceiver makes an empty Receiver.
func NewReceiver(g *sim.Game) *Receiver {
	g.Seal()
	r := &Receiver{plans: wirePlans(g)}
	for _, p := range r.plans {
		r.lens = append(r.lens, p.Words)
	}
	return r
}

// Reset forgets everything, as for a new connection.
func (r *Receiver) Reset() {
	for i := range r.slots {
		s := &r.slots[i]
		s.v.reset()
		*s = slot{v: s.v}
	}
}

// Version returns the record of e at tick t if it is held. The words are good
// until the next Decode.
func (r *Receiver) Version(e tick.Entity, t tick.Tick) (owner uint16, mask uint64, words []int32, ok bool) {
	s := r.slot(e.Index())
	if s.life != lifeAlive || s.entity != e {
		return 0, 0, nil, false
	}
	i := s.v.exactly(t)
	if i < 0 {
		return 0, 0, nil, false
	}
	rec := s.v.record(i)
	return rec.owner, rec.mask, rec.words, true
}

// Newest returns the newest record of e that is held. The words are good until
// the next Decode.
func (r *Receiver) Newest(e tick.Entity) (t tick.Tick, owner uint16, mask uint64, words []int32, ok bool) {
	s := r.slot(e.Index())
	if s.life != lifeAlive || s.entity != e || s.v.n == 0 {
		return 0, 0, 0, nil, false
	}
	rec := s.v.record(s.v.n - 1)
	return rec.tick, rec.owner, rec.mask, rec.words, true
}

// Decode reads the section of a packet that speaks of tick t into out. All or
// nothing: on an error nothing has changed, out has no items, and the packet
// must not be acknowledged; without one it may be. What is said of entities
// that are known to be gone since is left out. The items' words are good until
// out is used again.
func (r *Receiver) Decode(rd *bits.Reader, t tick.Tick, out *Update) error {
	out.Tick, out.Items, out.arena = t, out.Items[:0], out.arena[:0]
	r.ops = r.ops[:0]
	r.packet = packet{rd: rd, out: out, tick: t}
	r.section()
	r.packet = packet{}
	if err := rd.Err(); err != nil {
		out.Items = out.Items[:0]
		return err
	}
	if fault.Is("inv9") {
		for i := range out.Items {
			if it := &out.Items[i]; it.Kind == Changed && len(it.Words) > 0 {
				it.Words[0] ^= 1
				break
			}
		}
	}
	for i := range r.ops {
		r.apply(&r.ops[i], out)
	}
	return nil
}

var emptySlot slot

// slot returns the slot of an index to look at, not to change.
func (r *Receiver) slot(index uint16) *slot {
	if int(index) < len(r.slots) {
		return &r.slots[index]
	}
	return &emptySlot
}

// apply does what a statement says. It was checked against the slot already.
func (r *Receiver) apply(o *op, out *Update) {
	t := out.Tick
	i := int(o.entity.Index())
	for len(r.slots) <= i {
		r.slots = append(r.slots, slot{})
	}
	s := &r.slots[i]
	back := s.life == lifeDying && o.kind == kindFull && t.After(s.last)
	if s.life == lifeNone || s.entity != o.entity || back {
		s.v.reset()
		s.entity, s.life, s.since, s.last = o.entity, lifeAlive, t, t
	}
	s.since, s.last = tick.Earlier(s.since, t), tick.Later(s.last, t)
	switch o.kind {
	case kindGone:
		s.life = lifeDying
	case kindChanged:
		if !s.v.hasNamed || o.named.After(s.v.named) {
			s.v.named, s.v.hasNamed = o.named, true
		}
		r.store(s, t, &out.Items[o.item])
	case kindFull:
		r.store(s, t, &out.Items[o.item])
	}
}

func (r *Receiver) store(s *slot, t tick.Tick, it *Item) {
	before := s.v.size()
	s.v.store(&record{t, it.Owner, it.Mask, it.Words}, r.held < maxHeld)
	r.held += s.v.size() - before
}

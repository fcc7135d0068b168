package snapshot

import (
	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

type life uint8

const (
	lifeNone  life = iota // nothing to say of this index
	lifeAlive             // in the frame
	lifeDying             // gone, and the client may not know
)

// track is what the sender knows of one entity index at its client.
type track struct {
	entity tick.Entity
	life   life
	has    bool // a baseline
	sent   bool // a version went out
	older  bool // the client may still have an older generation of the index
	waited bool // Joined waits for it

	said    tick.Tick // when something of it last went out, or when it appeared
	base    tick.Tick // the baseline: state of this tick, a copy
	owner   uint16
	mask    uint64
	words   []int32
	ord     uint32 // versions sent
	baseOrd uint32 // of the baseline; without one, of the last version that cannot become it

	kind kind // of the statement in this tick's plan
	body int32
}

// pending is a packet on its way. Unchanged statements need no note: their ack
// teaches nothing.
type pending struct {
	seq   uint16
	open  bool
	tick  tick.Tick
	notes []note
}

type note struct {
	entity tick.Entity
	ord    uint32
	gone   bool
}

// Counters counts what a Sender did. Statements are counted when their packet
// is sent.
type Counters struct {
	Full, Changed, Unchanged, Gone uint64
	Skipped                        uint64 // entities and tombstones that found no room in a tick
	Oversized                      uint64 // entities whose record is larger than a whole packet's room
	Lapped                         uint64 // acknowledged versions that the history no longer had
	Aged                           uint64 // full records sent because too many versions lay past the baseline
}

// Sender holds one client's baselines and says to him what is new. It keeps
// copies, so the history only needs to reach back as far as acks take. Not
// safe for concurrent use; several Senders may share a History.
type Sender struct {
	h     *History
	plans []*sim.Plan // in wire order
	lens  []int       // their words

	tracks []track // by entity index
	known  []tick.Entity
	dying  []uint16 // indices of tombstones
	turn   int      // the tombstone to begin with

	joining bool // the first Plan was made
	waiting int  // entities that Joined waits for

	tick  tick.Tick // of the plan
	ref   uint32    // distance to the newest acknowledged version
	acked tick.Tick
	any   bool // acked is set

	over   int // plans until whole is tried again
	heap   []candidate
	bodies []bits.Writer
	used   int // bodies
	parts  []part
	ring   [pendingPackets]pending
	count  Counters
}

// NewSender makes the Sender of one client.
func NewSender(h *History) *Sender {
	s := &Sender{h: h, plans: wirePlans(h.g)}
	for _, p := range s.plans {
		s.lens = append(s.lens, p.Words)
	}
	return s
}

func wirePlans(g *sim.Game) []*sim.Plan {
	var plans []*sim.Plan
	for _, col := range g.Wire() {
		plans = append(plans, g.Plan(col))
	}
	return plans
}

// Reset forgets the client, as for a new connection. Counters stay.
func (s *Sender) Reset() {
	for i := range s.tracks {
		s.tracks[i] = track{words: s.tracks[i].words[:0]}
	}
	for i := range s.ring {
		s.ring[i].open = false
	}
	s.known, s.dying = s.known[:0], s.dying[:0]
	s.joining, s.waiting, s.any = false, 0, false
	s.begin(nil)
}

// Counters returns what was counted since the Sender was made.
func (s *Sender) Counters() Counters { return s.count }

// Joined reports whether the client has acknowledged something of every entity
// that existed at the first Plan and has not gone since. Entities too large to
// be sent are not waited for.
func (s *Sender) Joined() bool { return s.joining && s.waiting == 0 }

// Baseline returns the tick and the words that the next change of e would be
// coded against, or false. The words are good until the next ack.
func (s *Sender) Baseline(e tick.Entity) (tick.Tick, []int32, bool) {
	if i := int(e.Index()); i < len(s.tracks) {
		if tr := &s.tracks[i]; tr.life == lifeAlive && tr.entity == e && tr.has {
			return tr.base, tr.words, true
		}
	}
	return 0, nil, false
}

// survey brings the tracks in line with the frame.
func (s *Sender) survey(f *Frame) {
	k := 0
	for _, e := range s.known {
		for k < len(f.IDs) && f.IDs[k] < e {
			k++
		}
		if k == len(f.IDs) || f.IDs[k] != e {
			s.bury(&s.tracks[e.Index()])
		}
	}
	for _, e := range f.IDs {
		i := int(e.Index())
		for len(s.tracks) <= i {
			s.tracks = append(s.tracks, track{})
		}
		if tr := &s.tracks[i]; tr.life != lifeAlive {
			s.meet(tr, e, f.Tick)
		}
	}
	s.known = append(s.known[:0], f.IDs...)
	n := 0
	for _, i := range s.dying {
		if s.tracks[i].life == lifeDying {
			s.dying[n] = i
			n++
		}
	}
	s.dying = s.dying[:n]
	s.joining = true
}

// meet starts the track of an entity that appeared. What is still on its way
// about an earlier user of the index has an ord up to baseOrd.
func (s *Sender) meet(tr *track, e tick.Entity, t tick.Tick) {
	*tr = track{
		entity: e, life: lifeAlive, older: tr.life == lifeDying, waited: !s.joining,
		said: t.Add(-1), ord: tr.ord, baseOrd: tr.ord, words: tr.words[:0],
	}
	if tr.waited {
		s.waiting++
	}
}

// bury ends the track of an entity that is gone, with a tombstone if the
// client may have heard of it or of a predecessor.
func (s *Sender) bury(tr *track) {
	s.release(tr)
	tr.has = false
	if !tr.sent && !tr.older {
		tr.life = lifeNone
		return
	}
	tr.life = lifeDying
	s.dying = append(s.dying, tr.entity.Index())
}

// release ends Joined's wait for an entity.
func (s *Sender) release(tr *track) {
	if tr.waited {
		tr.waited = false
		s.waiting--
	}
}

// Sent notes that a part of the last plan went out in the packet with this
// sequence number.
func (s *Sender) Sent(part int, seq uint16) {
	p := &s.ring[seq%pendingPackets]
	if p.notes == nil {
		p.notes = make([]note, 0, firstNotes)
	}
	p.seq, p.open, p.tick, p.notes = seq, true, s.tick, p.notes[:0]
	set := &s.parts[part].set
	for i := set.next(0); i >= 0; i = set.next(i + 1) {
		tr := &s.tracks[i]
		tr.said = s.tick
		switch tr.kind {
		case kindUnchanged:
			s.count.Unchanged++
			continue
		case kindGone:
			s.count.Gone++
			p.notes = append(p.notes, note{entity: tr.entity, gone: true})
			continue
		case kindFull:
			s.count.Full++
		case kindChanged:
			s.count.Changed++
		}
		tr.sent = true
		tr.ord++
		p.notes = append(p.notes, note{entity: tr.entity, ord: tr.ord})
	}
}

// Acked notes that the packet with this sequence number arrived and was
// applied. Numbers that are unknown, too old or acknowledged already do nothing.
func (s *Sender) Acked(seq uint16) {
	p := &s.ring[seq%pendingPackets]
	if !p.open || p.seq != seq {
		return
	}
	p.open = false
	f, held := s.h.At(p.tick)
	versions := false
	at := 0 // in f: notes are in its order, mostly without large gaps
	for _, n := range p.notes {
		tr := &s.tracks[n.entity.Index()]
		if tr.entity != n.entity {
			continue
		}
		if n.gone {
			if tr.life == lifeDying {
				tr.life, tr.older, tr.sent = lifeNone, false, false
			}
			continue
		}
		if tr.life != lifeAlive || int32(n.ord-tr.baseOrd) <= 0 {
			continue
		}
		if !held {
			s.count.Lapped++
			continue
		}
		for end := at + 8; at < end && at < len(f.IDs) && f.IDs[at] < n.entity; at++ {
		}
		if at == len(f.IDs) || f.IDs[at] != n.entity {
			i, ok := f.Find(n.entity)
			if !ok {
				continue
			}
			at = i
		}
		s.adopt(tr, f, at, n)
		versions = true
	}
	if versions && (!s.any || p.tick.After(s.acked)) {
		s.acked, s.any = p.tick, true
	}
}

// adopt makes an acknowledged version, the i-th of f, the baseline.
func (s *Sender) adopt(tr *track, f *Frame, i int, n note) {
	tr.has, tr.older = true, false
	tr.base, tr.baseOrd = f.Tick, n.ord
	tr.owner, tr.mask = f.Owners[i], f.Masks[i]
	tr.words = append(tr.words[:0], f.Words(i)...)
	s.release(tr)
}

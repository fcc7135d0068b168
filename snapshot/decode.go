package snapshot

import (
	mathbits "math/bits"
	"slices"

	"github.com/foretick/foretick/bits"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// packet is the section being read.
type packet struct {
	rd   *bits.Reader
	out  *Update
	tick tick.Tick
	ref  uint32
}

// leastBits is the shortest statement: index and kind.
const leastBits = 2

// section reads all statements into ops and items. It changes nothing else;
// errors are left in the Reader.
func (r *Receiver) section() {
	p := &r.packet
	n := p.rd.Uvar()
	if n > maxIndex || int(n)*leastBits > p.rd.Left() {
		p.rd.Fail(ErrMalformed)
	}
	if n == 0 || p.rd.Err() != nil {
		return
	}
	d := p.rd.Uvar()
	if d >= 1<<31-1 {
		p.rd.Fail(ErrMalformed)
		return
	}
	p.ref = uint32(d) + 1
	index := uint64(0)
	for range int(n) {
		gap, k := readNext(p.rd)
		if gap >= maxIndex-index || p.rd.Err() != nil {
			p.rd.Fail(ErrMalformed)
			return
		}
		index += gap + 1
		switch k {
		case kindUnchanged:
			r.unchanged(uint16(index))
		case kindChanged:
			r.changed(uint16(index))
		case kindFull:
			r.full(uint16(index))
		case kindGone:
			r.gone(uint16(index))
		}
		if p.rd.Err() != nil {
			return
		}
	}
}

// readNext reads the gap to a statement's index and its kind, which nearly
// always are a few bits together.
func readNext(rd *bits.Reader) (gap uint64, k kind) {
	x, n := rd.Peek(), 1
	if x&1 != 0 {
		gap, n = rd.Uvar(), 0
		x = rd.Peek() << 1
	}
	switch {
	case x&2 == 0:
		k, n = kindUnchanged, n+1
	case x&4 == 0:
		k, n = kindChanged, n+2
	case x&8 == 0:
		k, n = kindFull, n+3
	default:
		k, n = kindGone, n+3
	}
	rd.Skip(n)
	return gap, k
}

// missing fails because a version is not held: an overtaken packet, or a fault.
func (p *packet) missing(s *slot) {
	if s.life != lifeNone && !p.tick.After(s.last) {
		p.rd.Fail(ErrLate)
		return
	}
	p.rd.Fail(ErrBaseline)
}

func (r *Receiver) unchanged(index uint16) {
	p, s := &r.packet, r.slot(index)
	switch {
	case s.life == lifeNone:
		p.rd.Fail(ErrBaseline)
		return
	case p.tick.Before(s.since):
		return // an older generation
	case s.life == lifeDying:
		if p.tick.After(s.last) {
			p.rd.Fail(ErrMalformed)
		}
		return
	}
	i := s.v.newest(p.tick)
	if i < 0 {
		p.missing(s)
		return
	}
	v := s.v.record(i)
	at := len(p.out.arena)
	p.out.arena = append(p.out.arena, v.words...)
	r.say(Unchanged, s.entity, record{p.tick, v.owner, v.mask, p.words(at)})
	r.ops = append(r.ops, op{entity: s.entity, kind: kindUnchanged})
}

func (r *Receiver) changed(index uint16) {
	p, s := &r.packet, r.slot(index)
	d := p.ref
	plain := p.rd.Peek()&3 == 0 // the usual baseline, owner and mask
	if plain {
		p.rd.Skip(2)
	} else if p.rd.Bool() {
		u := p.rd.Uvar()
		if u >= 1<<31-1 || uint32(u)+1 == p.ref {
			p.rd.Fail(ErrMalformed)
			return
		}
		d = uint32(u) + 1
	}
	base := p.tick - tick.Tick(d)
	i := s.v.exactly(base)
	if i < 0 {
		p.missing(s)
		return
	}
	v := s.v.record(i)
	if s.life == lifeDying && p.tick.After(s.last) {
		p.rd.Fail(ErrMalformed)
		return
	}
	rec := record{p.tick, v.owner, v.mask, nil}
	if !plain {
		p.head(&rec, len(r.plans))
	}
	at := len(p.out.arena)
	if rec.mask == v.mask {
		r.changes(&v)
	} else {
		r.words(&v, rec.mask)
	}
	rec.words = p.words(at)
	if s.life == lifeDying || p.rd.Err() != nil {
		return
	}
	r.say(Changed, s.entity, rec)
	r.ops = append(r.ops, op{s.entity, kindChanged, base, int32(len(p.out.Items) - 1)})
}

// head reads what may have changed of owner and mask.
func (p *packet) head(rec *record, components int) {
	if !p.rd.Bool() {
		return
	}
	owner := true
	if p.rd.Bool() {
		owner = p.rd.Bool()
		diff := p.rd.Bits(components)
		if diff == 0 {
			p.rd.Fail(ErrMalformed)
		}
		rec.mask ^= diff
	}
	if owner {
		o := p.number16()
		if o == rec.owner {
			p.rd.Fail(ErrMalformed)
		}
		rec.owner = o
	}
}

// changes reads the components of a record that has the same ones as v into
// the arena.
func (r *Receiver) changes(v *record) {
	p := &r.packet
	at := len(p.out.arena)
	p.out.arena = append(p.out.arena, v.words...)
	words := p.out.arena[at:]
	flags, read := p.rd.Peek(), 0
	for m := v.mask; m != 0; m &= m - 1 {
		k := mathbits.TrailingZeros64(m)
		n := r.lens[k]
		if n == 0 {
			continue
		}
		if read == flagsPeeked {
			p.rd.Skip(read)
			flags, read = p.rd.Peek(), 0
		}
		read++
		if changed := flags & 1; changed != 0 {
			p.rd.Skip(read)
			if p.rd.Deltas(words[:n]) == 0 {
				p.rd.Fail(ErrMalformed)
			}
			if p.check(r.plans[k], words[:n]); p.rd.Err() != nil {
				return
			}
			flags, read = p.rd.Peek(), 0
		} else {
			flags >>= 1
		}
		words = words[n:]
	}
	p.rd.Skip(read)
}

// flagsPeeked is how many bits a Peek has for sure.
const flagsPeeked = 57

// words reads the components of mask into the arena, against what v has.
func (r *Receiver) words(v *record, mask uint64) {
	p := &r.packet
	old := v.words
	for k, plan := range r.plans {
		if p.rd.Err() != nil {
			return
		}
		n := plan.Words
		had, has := v.mask>>uint(k)&1 != 0, mask>>uint(k)&1 != 0
		switch {
		case had && has && (n == 0 || !p.rd.Bool()):
			p.out.arena = append(p.out.arena, old[:n]...)
		case had && has:
			at := len(p.out.arena)
			p.out.arena = append(p.out.arena, old[:n]...)
			words := p.out.arena[at:]
			if p.rd.Deltas(words) == 0 {
				p.rd.Fail(ErrMalformed)
			}
			p.check(plan, words)
		case has:
			p.component(plan)
		}
		if had {
			old = old[n:]
		}
	}
}

// component reads a component in full.
func (p *packet) component(plan *sim.Plan) {
	at, n := len(p.out.arena), plan.Words
	p.out.arena = slices.Grow(p.out.arena, n)[:at+n]
	words := p.out.arena[at:]
	clear(words)
	p.rd.Deltas(words)
	p.check(plan, words)
}

func (p *packet) check(plan *sim.Plan, words []int32) {
	if p.rd.Err() == nil && !plan.Valid(words) {
		p.rd.Fail(ErrMalformed)
	}
}

func (r *Receiver) full(index uint16) {
	p, s := &r.packet, r.slot(index)
	e := tick.MakeEntity(index, p.number16())
	rec := record{tick: p.tick, owner: p.number16(), mask: p.rd.Bits(len(r.plans))}
	at := len(p.out.arena)
	for k, plan := range r.plans {
		if rec.mask>>uint(k)&1 != 0 && p.rd.Err() == nil {
			p.component(plan)
		}
	}
	rec.words = p.words(at)
	if p.rd.Err() != nil || !r.heard(s, e) {
		return
	}
	r.say(Changed, e, rec)
	r.ops = append(r.ops, op{entity: e, kind: kindFull, item: int32(len(p.out.Items) - 1)})
}

func (r *Receiver) gone(index uint16) {
	p, s := &r.packet, r.slot(index)
	e := tick.MakeEntity(index, p.number16())
	if p.rd.Err() != nil {
		return
	}
	if s.life == lifeAlive && s.entity == e {
		switch {
		case p.tick.Before(s.since):
			return // of an earlier life
		case !p.tick.After(s.last):
			p.rd.Fail(ErrMalformed) // it was alive then, or after
			return
		}
		r.say(Gone, e, record{})
	} else if !r.heard(s, e) {
		return
	}
	r.ops = append(r.ops, op{entity: e, kind: kindGone})
}

// heard decides whether what is said of e is to be taken in, and says that its
// predecessor is gone if it is the first word on e.
func (r *Receiver) heard(s *slot, e tick.Entity) bool {
	p := &r.packet
	switch {
	case s.life == lifeNone:
		return true
	case s.entity == e:
		return s.life == lifeAlive || p.tick.After(s.last)
	case p.tick.Before(s.since):
		return false // an older generation
	case !p.tick.After(s.last):
		p.rd.Fail(ErrMalformed) // two generations at once
		return false
	}
	if s.life == lifeAlive {
		r.say(Gone, s.entity, record{})
	}
	return true
}

func (r *Receiver) say(k Kind, e tick.Entity, rec record) {
	out := r.packet.out
	out.Items = append(out.Items, Item{Entity: e, Kind: k, Owner: rec.owner, Mask: rec.mask, Words: rec.words})
}

// words returns the arena from at on; what is appended later leaves it alone.
func (p *packet) words(at int) []int32 { return p.out.arena[at:len(p.out.arena):len(p.out.arena)] }

// number16 reads an owner or a generation.
func (p *packet) number16() uint16 {
	v := p.rd.Uvar()
	if v > 1<<16-1 {
		p.rd.Fail(ErrMalformed)
		return 0
	}
	return uint16(v)
}

package snapshot

// whole tries what nearly always works: that everything fits into the first
// packet. Then nothing need be chosen, and the section is written in order, in
// one go. It is what choosing would have come to: every part of a section that
// fits fits too (a gap in two costs at least what the whole gap did), so each
// candidate would have gone into the first packet whatever the order.
//
// Where it fails the parts are empty again. That costs a packet's encoding, so
// it is not tried again for a while.
func (s *Sender) whole(f *Frame) bool {
	p := &s.parts[0]
	if s.over > 0 {
		s.over--
		return false
	}
	if len(f.IDs) == 0 || len(s.dying) > 0 || len(f.IDs)*leastBits > p.room {
		return false
	}
	aged := s.count.Aged
	w := &p.w
	w.Reset(nil)
	w.Uvar(uint64(len(f.IDs)))
	w.Uvar(uint64(s.ref - 1))
	prev := 0
	for i, e := range f.IDs {
		index := int(e.Index())
		tr := &s.tracks[index]
		w.Uvar(uint64(index - prev - 1))
		prev = index
		tr.kind = s.encode(w, f, i, tr)
		p.set.add(index)
		if w.Len() > p.room {
			s.over = wholePause
			s.count.Aged = aged
			p.reset(p.room, len(s.tracks))
			return false
		}
	}
	p.n, p.size = len(f.IDs), w.Len()
	return true
}

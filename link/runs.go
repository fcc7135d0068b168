package link

// Runs sums up what was lost of the packets that the peer sent. A packet is
// judged when one that was sent AckBits after it has come.
type Runs struct {
	Judged, Lost uint64 // packets
	Runs         uint64 // of lost packets in a row: Lost/Runs is their mean length
}

// runs is Runs while it is counted.
type runs struct {
	Runs
	steps uint64 // that the highest number made since the first packet
	last  bool   // the packet judged last was lost
}

// judge goes through the packets that the step to l.highest puts out of reach.
func (l *Link) judge(step uint16) {
	r := &l.down
	if step > Window-AckBits { // minutes of silence: nothing is known
		r.steps, r.last = 0, false
		return
	}
	for i := step; i > 0; i-- {
		if r.steps++; r.steps <= AckBits {
			continue
		}
		lost := l.seenBit(l.highest-AckBits-i+1) == 0
		r.Judged++
		if lost {
			r.Lost++
			if !r.last {
				r.Runs.Runs++
			}
		}
		r.last = lost
	}
}

// Runs returns what was lost on the way here.
func (l *Link) Runs() Runs { return l.down.Runs }

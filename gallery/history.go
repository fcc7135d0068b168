package gallery

import "github.com/foretick/foretick/physics"

// Check compares what is simulated again with what was known of it.
type Check struct {
	From     int // the tick of the saved state that the last rewind began from; -1: there was none
	Compared int // ticks since, whose hash was known
	Known    int // ticks from From on whose hash is known
	Differs  int // the first tick with another hash, 0: none
}

// history is hashes of all ticks from oldest to newest, and every saveEvery
// ticks the whole state.
type history struct {
	oldest, newest int
	hashes         [keepSteps + saveEvery + 1]uint64 // by tick modulo its length
	states         [saves]physics.Saved              // by tick / saveEvery modulo its length
	kept           [saves]int                        // the tick of each, -1: none
	check          Check
}

func (h *history) begin(w *physics.World) {
	for i := range h.kept {
		h.kept[i] = -1
	}
	h.check = Check{From: -1}
	h.hashes[0] = w.Hash()
	h.save(w, 0)
}

// save keeps the state of a tick if it is one to be kept.
func (h *history) save(w *physics.World, tick int) {
	i := tick / saveEvery % saves
	if tick%saveEvery != 0 || h.kept[i] == tick {
		return
	}
	w.Save(&h.states[i])
	h.kept[i] = tick
}

// note takes the hash of a tick: to compare it if it is known, else to know it.
func (h *history) note(tick int, hash uint64) {
	known := &h.hashes[tick%len(h.hashes)]
	if tick <= h.newest {
		h.check.Compared++
		if *known != hash && h.check.Differs == 0 {
			h.check.Differs = tick
		}
		return
	}
	*known = hash
	h.newest = tick
	if least := (tick - keepSteps + saveEvery - 1) / saveEvery * saveEvery; least > h.oldest {
		h.oldest = least
	}
}

// restore goes back to the newest saved state before tick, so that at least
// one step leads there, and returns its tick.
func (h *history) restore(w *physics.World, tick int) int {
	from := max(h.oldest, (tick-1)/saveEvery*saveEvery)
	w.Restore(&h.states[from/saveEvery%saves])
	h.check = Check{From: from, Known: h.newest - from}
	return from
}

// drop forgets what comes after a tick, because it will not come so again.
func (h *history) drop(tick int) {
	for i, t := range h.kept {
		if t > tick {
			h.kept[i] = -1
		}
	}
	h.newest = tick
	h.check.Known = h.check.Compared
}

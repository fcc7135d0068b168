package replica

import (
	"time"

	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
	"github.com/foretick/foretick/view"
	"github.com/foretick/foretick/wire"
)

// reach is how many ticks may be predicted in a frame: what the history can
// take back.
func (r *Replica) reach() int {
	newest, ok := r.pred.Reconciled()
	if r.cfg.Off.Reconciliation { // nothing will be taken back
		newest = r.server
	}
	if !ok {
		return 0
	}
	return r.pred.History() - 2 - int(r.pred.Now().Since(newest))
}

// inTime is how many of the ticks that are due still get a sample: one taken
// now for an earlier tick than now's would reach the server too late.
func (r *Replica) inTime(frac float64) int {
	n := 1 + int(r.lead.Target()-frac)
	most := r.g.Hz() / catchUp // an eighth of a second
	if most < catchUp {
		most = catchUp
	}
	if n > most {
		n = most
	}
	return n
}

// poseOthers puts everyone who is not simulated where the player sees him at
// tick n, into the world and into the record.
func (r *Replica) poseOthers(rec *predict.Record, n tick.Tick) {
	t := n - tick.Tick(r.behind/wire.ViewUnit)
	frac := r.behind % wire.ViewUnit
	if frac != 0 {
		t, frac = t-1, wire.ViewUnit-frac
	}
	w := r.pred.World()
	for i, e := range r.roster.ids {
		m := &r.roster.list[i]
		if m.gone || r.simulates(m.owner, m.mask) {
			continue
		}
		had := w.Alive(e)
		if r.buffer.Sample(w, e, t, float32(frac)/wire.ViewUnit) == view.Absent {
			if had {
				r.pred.Vanish(rec, e)
			}
			continue
		}
		r.pred.Pose(rec, e)
	}
	r.vanishLeft(rec, t, float32(frac)/wire.ViewUnit)
}

// vanishLeft removes others that are gone from the roster but still in the
// world, once the view has come to their end.
func (r *Replica) vanishLeft(rec *predict.Record, t tick.Tick, frac float32) {
	w := r.pred.World()
	last, ok := r.pred.Record(r.pred.Now() - 1)
	if !ok {
		return
	}
	for i := range last.Others() {
		e := last.Other(i)
		if r.roster.alive(e) || !w.Alive(e) {
			continue
		}
		if r.buffer.Sample(w, e, t, frac) == view.Absent {
			r.pred.Vanish(rec, e)
			continue
		}
		r.pred.Pose(rec, e)
	}
}

// takeSample takes the player's input, or the bot's, for this tick.
func (r *Replica) takeSample(rec *predict.Record) {
	if r.cfg.Bot != nil {
		r.turn.Step, r.turn.Me, r.turn.Player = r.pred.View(), r.Me(), r.player
		r.cfg.Bot(&r.turn)
	}
	r.sample.Take(rec.Sent)
	rec.Sampled, rec.How = true, sim.AsSent
	r.run = 0
}

// skipSample is a tick for which the player was not there: the server will
// find a hole, and what it fills it with is predicted.
func (r *Replica) skipSample(rec *predict.Record) {
	if r.run++; r.run < unheard {
		r.count.Unsampled++
	}
	rec.Sampled = false
	rec.How = r.g.FillHole(rec.Sent, rec.Sent, r.run)
	clear(rec.Sent)
}

// send makes an input packet if one is due.
func (r *Replica) send(now time.Duration) {
	newest := r.pred.Now() - 1
	if newest.Since(r.lastSend) < int32(r.cfg.SendEvery) {
		return
	}
	first := r.acked + 1
	if r.cfg.Off.Redundancy {
		first = r.lastSend + 1
	}
	// What the server has executed without it, it will never execute.
	if first.Before(r.server) {
		first = r.server
	}
	if newest.Since(first) >= wire.MaxInputs {
		first = newest - wire.MaxInputs + 1
	}
	if first.After(newest) {
		first = newest
	}
	r.lastSend = newest
	r.fillInput(first, newest)
	seq := r.emitInput(now)
	r.sent[seq%sentRing] = sentInputs{seq: seq, used: true, oldest: first, newest: newest}
}

// emitInput sends r.input and returns its sequence number.
func (r *Replica) emitInput(now time.Duration) uint16 {
	m := &r.input
	m.Seq, m.Ack, m.HasAck, m.AckBits = r.link.Send(now)
	r.w.Reset(r.w.Bytes()[:0])
	m.Append(&r.w, r.g.InputWords())
	r.emit(wire.SessionSalt(r.session))
	r.unacked = false
	return m.Seq
}

// sendAck acknowledges what came while there is nothing else to send: without
// it the server would never learn what the client has of the world.
func (r *Replica) sendAck(now time.Duration) {
	if !r.unacked || r.link == nil || r.state == Connecting {
		return
	}
	r.input.Newest, r.input.Entries = r.server.Wire(), r.input.Entries[:0]
	r.sent[r.emitInput(now)%sentRing] = sentInputs{}
}

func (r *Replica) fillInput(first, newest tick.Tick) {
	m := &r.input
	words := r.g.InputWords()
	n := int(newest.Since(first)) + 1
	if len(r.inWords) < n*words {
		r.inWords = make([]int32, wire.MaxInputs*words)
	}
	m.Newest, m.Entries = newest.Wire(), m.Entries[:0]
	for i := range n {
		e := wire.InputEntry{}
		if rec, ok := r.pred.Record(first.Add(int32(i))); ok && rec.Sampled {
			e.Sampled, e.View = true, rec.View
			e.Words = r.inWords[i*words : (i+1)*words]
			r.g.QuantiseInput(rec.Sent, e.Words)
		}
		m.Entries = append(m.Entries, e)
	}
}

// keep saves what is shown before a replay changes it.
func (r *Replica) keep() {
	r.before[1].CopyFrom(r.pred.World())
	if r.cfg.Blind {
		return
	}
	now := r.pred.Now()
	if prev, ok := r.pred.State(now - 1); ok {
		r.before[0].CopyFrom(prev)
	} else {
		r.before[0].CopyFrom(r.pred.World())
	}
}

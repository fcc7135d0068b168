package replica

import (
	"time"

	"github.com/foretick/foretick/view"
)

// Frame is the client: receive, find the first misprediction, restore, replay,
// predict, send, view.
//
// The invariant it keeps: the world at tick n is what the records of the ticks
// before n give, starting from the newest state the server vouched for. So
// whatever is still wrong in it comes of something that has not arrived.
func (r *Replica) Frame(now time.Duration) *view.Frame {
	// Receive: each packet feeds the baselines and the view, repairs the log
	// of inputs, and is compared with what was predicted for its tick. Before it
	// is, what an earlier packet asked for is replayed, and ticks up to its own
	// that a late frame has not come to are run as holes.
	r.fixed = r.fixed[:0]
	for i := range r.inbox {
		r.open(r.inbox[i].data, r.inbox[i].at)
	}
	r.inbox = r.inbox[:0]
	r.connect(now)
	if r.state != Playing {
		r.sendAck(now)
		return r.hold(now)
	}

	// Restore and replay, from the first tick that differed.
	r.replay()

	// Predict the ticks that the clock says are due.
	p, frac, _ := r.lead.Advance(now)
	r.watch(now, p, frac)
	due := int(p.Since(r.pred.Now())) + 1
	if due > r.reach() {
		r.count.Held++
		r.sendAck(now)
		return r.hold(now)
	}
	for intime := r.inTime(frac); due > 0; due-- {
		r.tick(due <= intime)
	}

	// Send every input that the server has not acknowledged.
	r.send(now)

	// View: the last two predicted states, others in the past.
	return r.show(now, frac)
}

// tick is state n + record n = state n+1.
func (r *Replica) tick(sampled bool) {
	if k := r.cfg.ForceRollback; k > 0 {
		r.pred.Force(k)
	}
	n := r.pred.Now()
	rec := r.pred.Open()
	r.poseOthers(rec, n)
	rec.View = r.behind
	if sampled {
		r.takeSample(rec)
	} else {
		r.skipSample(rec)
	}
	r.pred.Step(rec)
	r.count.Ticks++
	r.ledger.Predicted(n, rec.Effects)
}

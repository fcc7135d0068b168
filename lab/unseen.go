package lab

import (
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/tick"
)

// unseen files a correction that no compared prediction explains: the replay
// had another reason, and that reason is the cause.
func (l *Lab) unseen(p *Peer, x *replica.Correction) {
	d := Diagnosis{Client: p.index, Tick: tick.Tick(x.From), From: tick.Tick(x.From), Entity: p.Replica.Me(),
		Distance: x.Largest, Entities: x.Entities, Cause: Visibility, Input: tick.Tick(x.From)}
	switch {
	case x.Why&predict.Repaired != 0:
		d.Cause = LateInput // or lost: known once the history has passed
		if rec, ok := p.Replica.Predictor().Record(d.Input); ok && !rec.Sampled {
			d.Cause = ClockSlip
		}
	case x.Why&(predict.Replicated|predict.Changed|predict.Vanished) != 0:
		d.Cause = ServerOnly
	case x.Why&predict.Appeared == 0:
		d.Cause = Unnamed
	}
	i := l.report.add(p, d)
	if d.Cause == LateInput {
		p.causes.waiting = append(p.causes.waiting, i)
	}
	if l.report.Record != nil {
		l.tellUnseen(p, i, x)
	}
}

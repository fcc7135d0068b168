package replica

import (
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Command is what the log has of one tick's input.
type Command struct {
	Tick     tick.Tick
	Sampled  bool    // the player's input was taken for it
	Input    []byte  // as sampled, rounded to what travels; valid until the next Frame
	View     uint16  // how far in the past others were shown, in 1/64 ticks
	How      sim.How // how it was obtained, as far as is known
	Executed bool    // the server has said how: How is final
	Verified bool    // a snapshot has confirmed, or mended, the state after it
}

// Command returns the log's entry of tick t, false if it is not (or no longer)
// there. Result and effects of the tick are in Predictor's State and Record.
func (r *Replica) Command(t tick.Tick) (Command, bool) {
	if r.pred == nil {
		return Command{}, false
	}
	rec, ok := r.pred.Record(t)
	if !ok {
		return Command{}, false
	}
	n, have := r.pred.Reconciled()
	return Command{Tick: t, Sampled: rec.Sampled, Input: rec.Sent, View: rec.View, How: rec.How,
		Executed: t.Before(r.execTold), Verified: have && t.Before(n)}, true
}

// steady keeps a view time unless it has moved by more than viewSlack.
func steady(was, is uint16) uint16 {
	if d := int(is) - int(was); d >= -viewSlack && d <= viewSlack {
		return was
	}
	return is
}

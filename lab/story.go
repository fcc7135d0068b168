package lab

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/foretick/foretick/ecs"
	"github.com/foretick/foretick/predict"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// Story is how one correction came about.
type Story struct {
	Diagnosis
	Player sim.Player
	At     time.Duration // when the client learned of it
	Clean  bool          // all was right at From
	Owner  sim.Player    // of Entity
	Fields []FieldStory
	Levels []LevelStory // in the order of replacement
	Trail  []TrailPoint
	Inputs []InputStory // about the tick that matters
	Others []OtherStory // another's, as the client had him one tick before
	Reason string       // of a correction without a prediction that was compared
}

// FieldStory is one field of the entity that was furthest off.
type FieldStory struct {
	Component, Field string
	Kind             sim.Kind
	Predicted, True  string // "" where it has no such component
	Differs          bool   // as it travels, and it is what the client predicts
}

// Verdict is what a replacement came to.
type Verdict uint8

const (
	NotNeeded  Verdict = iota // an earlier one had explained it
	StillWrong                // the prediction is still another than the truth
	Right                     // this was it
	Same                      // the client had used the truth already
	OtherBits                 // its own records, run again, gave other bits than it had
	Unknown                   // too long ago
)

// LevelStory is what the ticks gave with all ingredients up to this one replaced.
type LevelStory struct {
	Replaced string
	Verdict  Verdict
	Distance float32  // still off, if it was run
	Values   []string // of Fields, if it was run
}

// TrailPoint is what the entity had at one tick, of Fields; nil is unknown.
type TrailPoint struct {
	Tick            tick.Tick
	Predicted, True []string
}

// InputStory is the player's input of one tick.
type InputStory struct {
	Tick     tick.Tick
	Sampled  bool
	Sent     []string // fields; nil if it was not sampled
	Ran      sim.How  // how the client's latest run obtained it
	Known    bool     // the server had executed the tick
	How      sim.How  // how the server obtained it
	Executed []string
}

// OtherStory is another's entity as the client had it and as it was.
type OtherStory struct {
	Entity   tick.Entity
	Owner    sim.Player
	Distance float32 // between the two
	Unknown  bool    // to the client
}

var replaced = [levels]string{"nothing: run again from the client's own records", "the state at the start, as the server had it",
	"own inputs, as the server executed them", "others' states and inputs", "what only the server's systems write",
	"exact values for rounded ones"}

// Limits of a story: ticks of its trail and inputs, others.
const (
	trailBefore, trailAfter = 40, 12
	inputsAround            = 8
	mostOthers              = 8
)

// tale is a story whose diagnosis may still get another cause.
type tale struct {
	story Story
	diag  int
	cause Cause // as first named
}

// worth finds the place for a story of this size, nil if larger ones fill it.
func (r *Recording) worth(d *Diagnosis) *tale {
	var least *tale
	n := 0
	for _, t := range r.tales {
		if t.story.Client != d.Client || t.cause != d.Cause {
			continue
		}
		if n++; least == nil || t.story.Distance < least.story.Distance {
			least = t
		}
	}
	if n < r.most {
		t := &tale{}
		r.tales = append(r.tales, t)
		return t
	}
	if least.story.Distance < d.Distance {
		return least
	}
	return nil
}

// choose makes the stories, with the causes as they stand at the end.
func (r *Recording) choose(report *Report) {
	r.Stories = nil
	for _, t := range r.tales {
		s := t.story
		s.Cause = report.Diagnoses[t.diag].Cause
		r.Stories = append(r.Stories, s)
	}
	slices.SortStableFunc(r.Stories, func(a, b Story) int { return cmp.Compare(b.Distance, a.Distance) })
}

// tell keeps the story of a misprediction if it is among the largest. The
// history still is what was predicted.
func (l *Lab) tell(p *Peer, diag int, m *predict.Mismatch, target *ecs.World, clean bool) {
	d := &l.report.Diagnoses[diag]
	t := l.report.Record.worth(d)
	if t == nil {
		return
	}
	mine, ok := p.Replica.Predictor().State(m.Tick)
	if !ok {
		mine = l.Game.NewWorld()
	}
	s := Story{Diagnosis: *d, Player: p.Replica.Player(), At: l.Now, Clean: clean, Owner: sim.Player(target.Owner(d.Entity))}
	s.Fields = l.fields(p, mine, target, d.Entity)
	l.levels(p, &s, m, target)
	for n := tick.Later(d.From-2, m.Tick-trailBefore); !n.After(m.Tick + trailAfter); n++ {
		s.Trail = append(s.Trail, l.trail(p, d.Entity, n))
	}
	middle := m.Tick - inputsAround/2
	if d.Input != 0 {
		middle = d.Input
	}
	l.inputs(p, &s, middle)
	l.others(p, &s, m.Tick-1)
	*t = tale{s, diag, d.Cause}
}

// tellUnseen keeps the story of a correction of which no prediction differed.
func (l *Lab) tellUnseen(p *Peer, diag int, x *replica.Correction) {
	d := &l.report.Diagnoses[diag]
	t := l.report.Record.worth(d)
	if t == nil {
		return
	}
	s := Story{Diagnosis: *d, Player: p.Replica.Player(), At: l.Now}
	s.Owner = s.Player
	for i, why := range []string{"a prediction differed", "the server executed another input than was sent",
		"the client did not know of an entity", "the server ended an entity", "a component came or went, or the owner changed",
		"the server wrote a value that only it writes"} {
		if x.Why>>i&1 == 0 {
			continue
		}
		if s.Reason != "" {
			s.Reason += "; "
		}
		s.Reason += why
	}
	l.inputs(p, &s, d.Input)
	*t = tale{s, diag, d.Cause}
}

// levels runs the ticks again as diagnose did, and takes down what each
// replacement gave.
func (l *Lab) levels(p *Peer, s *Story, m *predict.Mismatch, target *ecs.World) {
	done := false
	for level := asPredicted; level < levels; level++ {
		x := LevelStory{Replaced: replaced[level]}
		if !done {
			var w *ecs.World
			w, x.Verdict = l.attempt(p, m, s.From, s.Clean, level, target)
			if w != nil {
				_, x.Distance = l.truth.same(w, target, s.Entity, s.Player)
				x.Values = l.texts(w, s.Entity)
			}
			done = x.Verdict == Right || x.Verdict == OtherBits || x.Verdict == Unknown
		}
		s.Levels = append(s.Levels, x)
	}
}

// texts is what e has of everything that travels, "" for what it has not.
func (l *Lab) texts(w *ecs.World, e tick.Entity) (out []string) {
	for _, col := range l.Game.Wire() {
		plan := l.Game.Plan(col)
		if row, ok := w.Column(col).Row(e); ok && w.Alive(e) {
			out = plan.Texts(out, w.Column(col).Bytes(row))
		} else {
			out = append(out, make([]string, len(plan.Fields()))...)
		}
	}
	return out
}

func (l *Lab) fields(p *Peer, mine, target *ecs.World, e tick.Entity) (out []FieldStory) {
	was, is := l.texts(mine, e), l.texts(target, e)
	travels := [2][]string{l.travelling(mine, e), l.travelling(target, e)}
	for _, col := range l.Game.Wire() {
		plan, kind := l.Game.Plan(col), l.Game.KindOf(col)
		predicted := kind == sim.KindPredicted || kind == sim.KindInput && sim.Player(target.Owner(e)) != p.Replica.Player()
		for _, name := range plan.Fields() {
			i := len(out)
			out = append(out, FieldStory{Component: plan.Name, Field: name, Kind: kind, Predicted: was[i], True: is[i],
				Differs: predicted && travels[0][i] != travels[1][i]})
		}
	}
	return out
}

// travelling is texts of what would arrive.
func (l *Lab) travelling(w *ecs.World, e tick.Entity) []string {
	tmp := l.Game.NewWorld()
	if w.Alive(e) {
		l.copyTravelling(tmp, w, e)
	}
	return l.texts(tmp, e)
}

func (l *Lab) trail(p *Peer, e tick.Entity, n tick.Tick) TrailPoint {
	x := TrailPoint{Tick: n}
	if w, ok := p.Replica.Predictor().State(n); ok {
		x.Predicted = l.texts(w, e)
	}
	if t, ok := l.truth.worlds.At(n); ok {
		x.True = l.texts(t.w, e)
	}
	return x
}

// inputs takes down the player's inputs about a tick.
func (l *Lab) inputs(p *Peer, s *Story, middle tick.Tick) {
	for n := middle - inputsAround; !n.After(middle + inputsAround); n++ {
		rec, ok := p.Replica.Predictor().Record(n)
		if !ok {
			continue
		}
		x := InputStory{Tick: n, Sampled: rec.Sampled, Ran: rec.Ran}
		if rec.Sampled {
			x.Sent = l.Game.InputTexts(nil, rec.Sent)
		}
		if in, ok := l.truth.input(n, p.Replica.Player()); ok {
			x.Known, x.How, x.Executed = true, in.how, l.Game.InputTexts(nil, in.data)
		}
		s.Inputs = append(s.Inputs, x)
	}
}

// others takes down how far off the client had others at tick n, the furthest first.
func (l *Lab) others(p *Peer, s *Story, n tick.Tick) {
	mine, ok := p.Replica.Predictor().State(n)
	x, ok2 := l.truth.worlds.At(n)
	if !ok || !ok2 {
		return
	}
	for _, e := range x.w.Entities() {
		owner := sim.Player(x.w.Owner(e))
		if owner == sim.NoPlayer || owner == s.Player {
			continue
		}
		o := OtherStory{Entity: e, Owner: owner, Unknown: !mine.Alive(e)}
		for _, col := range l.Game.Wire() {
			a, ok := mine.Column(col).Row(e)
			b, ok2 := x.w.Column(col).Row(e)
			if ok && ok2 {
				d := l.Game.Plan(col).Distance(mine.Column(col).Bytes(a), x.w.Column(col).Bytes(b))
				o.Distance = max(o.Distance, d)
			}
		}
		s.Others = append(s.Others, o)
	}
	slices.SortStableFunc(s.Others, func(a, b OtherStory) int { return cmp.Compare(b.Distance, a.Distance) })
	s.Others = s.Others[:min(len(s.Others), mostOthers)]
}

// number reads a text of sim.Plan.Texts that is one number.
func number(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

package lab

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/foretick/foretick/internal/plot"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

// metres writes a distance; nothing below a thousandth of a millimetre is seen.
func metres(d float32) string {
	switch {
	case d == 0 || d >= 0.01:
		return plot.Short(float64(d)) + "\u202fm"
	case d >= 1e-6:
		return plot.Short(1000*float64(d)) + "\u202fmm"
	}
	return "under 1\u202f\u00b5m"
}

func tickName(t tick.Tick) string { return strconv.FormatUint(uint64(t), 10) }

// story is the i-th, in words.
func (r *Report) story(i int) htmlStory {
	s := &r.Record.Stories[i]
	h := htmlStory{N: i + 1, Client: s.Client + 1, Who: r.who(s.Client), Tick: tickName(s.Tick),
		At: strconv.FormatFloat(r.Record.Time(s.Tick), 'f', 2, 64) + "\u202fs", Cause: s.Cause.String(), By: metres(s.Distance),
		Means: causeMeans[s.Cause], Style: s.Cause.style()}
	h.Intro = intro(s)
	h.So = so(s)
	if s.Reason == "" {
		h.Steps = steps(s)
	}
	for _, f := range s.Fields {
		if f.Predicted != "" || f.True != "" {
			h.Fields = append(h.Fields, f)
		}
	}
	h.Trails = r.trails(s)
	h.InputHead = append(h.InputHead, r.Record.inputs...)
	for _, in := range s.Inputs {
		x := htmlInput{Tick: tickName(in.Tick), Ran: howNames[in.Ran], Sent: strings.Join(in.Sent, "\u2002"), Here: s.ownInput() && in.Tick == s.Input,
			Snaps: in.Tick == s.Tick}
		if !in.Sampled {
			x.Sent = "none"
		}
		x.How, x.Executed = "not yet", ""
		if in.Known {
			x.How, x.Executed = howNames[in.How], strings.Join(in.Executed, "\u2002")
			x.Odd = in.How != in.Ran || in.Sampled && in.How == sim.AsSent && x.Sent != x.Executed
		}
		h.Inputs = append(h.Inputs, x)
	}
	for _, o := range s.Others {
		x := htmlOther{strconv.Itoa(int(o.Owner)), strconv.Itoa(int(o.Entity.Index())), metres(o.Distance)}
		if o.Unknown {
			x.Off = "not known to the client"
		}
		h.Others = append(h.Others, x)
	}
	return h
}

func (d *Diagnosis) ownInput() bool {
	return d.Cause == LateInput || d.Cause == LostInput || d.Cause == ClockSlip
}

func intro(s *Story) string {
	if s.Reason != "" {
		return "At tick " + tickName(s.Tick) + " nothing that was compared differed, and yet the client replayed from there: " + s.Reason +
			". What is shown moved by up to " + metres(s.Distance) + "."
	}
	t := "When the snapshot of tick " + tickName(s.Tick) + " came, the client had " + entityName(s.Entity, s.Owner, s.Player) + ", " +
		metres(s.Distance) + " from where the server had it"
	if s.Entities > 1 {
		t += ", and " + strconv.Itoa(s.Entities-1) + " more differed"
	}
	back := int(s.Tick.Since(s.From))
	switch {
	case s.Clean:
		t += ". At tick " + tickName(s.From) + ", " + strconv.Itoa(back) + " before, all was still right: the search begins there."
	case back > 0:
		t += ". It was wrong already at tick " + tickName(s.From) + ", the oldest that is known: the search begins there."
	default:
		t += ". Nothing before it is known."
	}
	return t
}

// steps is what each replacement gave.
func steps(s *Story) (out []htmlStep) {
	for _, l := range s.Levels {
		x := htmlStep{Replaced: l.Replaced}
		switch l.Verdict {
		case NotNeeded:
			x.Said, x.Class = "not needed any more", "idle"
		case StillWrong:
			x.Said, x.Class = "still wrong, "+metres(l.Distance)+" off", "wrong"
			if l.Distance == 0 {
				x.Said = "still wrong, if not in where it is"
			}
		case Right:
			x.Said, x.Class = "right: this explains it", "right"
		case Same:
			x.Said, x.Class = "the client had these already", "idle"
		case OtherBits:
			x.Said, x.Class = "other bits than it had: this is the bug", "right"
		case Unknown:
			x.Said, x.Class = "too long ago to run again", "wrong"
		}
		out = append(out, x)
	}
	return out
}

// so is the conclusion.
func so(s *Story) string {
	c := s.Cause.String() + ": " + causeMeans[s.Cause]
	if s.ownInput() {
		for _, in := range s.Inputs {
			if in.Tick == s.Input && in.Known {
				return c + ". At tick " + tickName(s.Input) + " the server executed " + howWords[in.How] + "."
			}
		}
		return c + ". It is that of tick " + tickName(s.Input) + "."
	}
	return c + "."
}

var howWords = [...]string{sim.AsSent: "it as it was sent", sim.Repeated: "the one before it again", sim.Neutral: "a neutral one",
	sim.Frozen: "none: what he owns stood still"}

// mostTrails is how many of the fields that differ are drawn.
const mostTrails = 4

// trails draws the fields that differ, tick by tick.
func (r *Report) trails(s *Story) (out []template.HTML) {
	for i, f := range s.Fields {
		if !f.Differs || len(out) == mostTrails {
			continue
		}
		mine, truth := plot.Series{Name: "predicted", Style: 0}, plot.Series{Name: "true", Style: 1}
		for _, x := range s.Trail {
			at := float64(x.Tick.Since(s.Tick))
			add := func(to *plot.Series, texts []string) {
				if i >= len(texts) {
					return
				}
				if v, ok := number(texts[i]); ok {
					to.X, to.Y = append(to.X, at), append(to.Y, v)
				}
			}
			add(&mine, x.Predicted)
			add(&truth, x.True)
		}
		if len(mine.X)+len(truth.X) == 0 {
			continue
		}
		c := plot.Chart{Title: f.Component + "." + f.Field, X: plot.Axis{Label: "ticks from " + tickName(s.Tick)}, Y: tight(mine.Y, truth.Y),
			Series: []plot.Series{truth, mine}, Marks: []plot.Mark{{At: 0, Label: "compared"}}, Width: 400, Height: 230}
		if back := float64(s.From.Since(s.Tick)); s.Clean && back < 0 {
			c.Marks = append([]plot.Mark{{At: back, Label: "last right"}}, c.Marks...)
		}
		out = append(out, template.HTML(c.SVG()))
	}
	return out
}

// tight is an axis that need not begin at 0.
func tight(series ...[]float64) plot.Axis {
	lo, hi, any := 0.0, 0.0, false
	for _, ys := range series {
		for _, y := range ys {
			if !any || y < lo {
				lo = y
			}
			if !any || y > hi {
				hi = y
			}
			any = true
		}
	}
	room := (hi - lo) * 0.08
	if room == 0 {
		room = max(1e-6, 0.01*max(hi, -hi))
	}
	return plot.Axis{Min: lo - room, Max: hi + room}
}

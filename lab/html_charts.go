package lab

import (
	"html/template"
	"math"
	"slices"
	"strconv"

	"github.com/foretick/foretick/internal/plot"
)

// charts are those of client i, or, for -1, of all.
func (r *Report) charts(i int) []template.HTML {
	charts := []*plot.Chart{}
	if r.Match.Causes {
		charts = append(charts, r.causeChart(i))
	}
	if len(r.Record.Stories) > 0 {
		charts = append(charts, r.storyChart(i))
	}
	if i >= 0 {
		charts = append(charts, r.trackCharts(i)...)
	} else {
		charts = append(charts, r.allCharts()...)
	}
	charts = append(charts, r.jumpChart(i))
	var out []template.HTML
	for _, c := range charts {
		c.Width, c.Height = 520, 270
		out = append(out, template.HTML(c.SVG()))
	}
	return out
}

func (r *Report) timeAxis() plot.Axis {
	return plot.Axis{Label: "time, s", Max: float64(r.Ticks) / float64(r.Record.Hz)}
}

// causeBuckets is how many bars there are at most.
const causeBuckets = 100

// causeChart is corrections a second, stacked by cause.
func (r *Report) causeChart(client int) *plot.Chart {
	secs := float64(r.Ticks) / float64(r.Record.Hz)
	wide := 0.5
	for secs/wide > causeBuckets {
		wide *= 2
	}
	n := int(math.Ceil(secs/wide)) + 1
	var by [Causes][]float64
	for i := range r.Diagnoses {
		d := &r.Diagnoses[i]
		if client >= 0 && d.Client != client {
			continue
		}
		if by[d.Cause] == nil {
			by[d.Cause] = make([]float64, n)
		}
		by[d.Cause][min(max(int(r.Record.Time(d.Tick)/wide), 0), n-1)] += 1 / wide
	}
	c := &plot.Chart{Title: "Corrected ticks by cause", X: r.timeAxis(), Y: plot.Axis{Label: "a second"}, Bar: wide}
	for cause, ys := range by {
		if ys == nil {
			continue
		}
		s := plot.Series{Name: Cause(cause).String(), Kind: plot.Bars, Style: Cause(cause).style(), Y: ys}
		for k := range ys {
			s.X = append(s.X, (float64(k)+0.5)*wide)
		}
		c.Series = append(c.Series, s)
	}
	if len(c.Series) == 0 {
		c.Title = "Corrected ticks by cause: none"
	}
	return c
}

// storyChart is when the corrections with a story came, and how large they are.
func (r *Report) storyChart(client int) *plot.Chart {
	c := &plot.Chart{Title: "The largest corrections, each with its story", X: r.timeAxis(), Y: plot.Axis{Label: "moved by, m"}}
	var by [Causes]plot.Series
	for i := range r.Record.Stories {
		s := &r.Record.Stories[i]
		if client >= 0 && s.Client != client {
			continue
		}
		x := &by[s.Cause]
		x.X, x.Y = append(x.X, r.Record.Time(s.Tick)), append(x.Y, float64(s.Distance))
		x.Links = append(x.Links, "#story"+strconv.Itoa(i+1))
		x.Notes = append(x.Notes, r.who(s.Client)+", tick "+tickName(s.Tick)+", "+s.Cause.String()+", "+metres(s.Distance))
	}
	for cause := range by {
		if len(by[cause].X) > 0 {
			by[cause].Name, by[cause].Kind, by[cause].Style = Cause(cause).String(), plot.Dots, Cause(cause).style()
			c.Series = append(c.Series, by[cause])
		}
	}
	if len(c.Series) == 0 {
		c.Title = "The largest corrections: there are none"
	}
	return c
}

// Series returns one of a track's values over time, in seconds.
func (t *Track) Series(value func(*Point) float64) (x, y []float64) {
	for i := range t.Points {
		x, y = append(x, t.Points[i].At.Seconds()), append(y, value(&t.Points[i]))
	}
	return x, y
}

func (t *Track) line(name string, style int, value func(*Point) float64) plot.Series {
	x, y := t.Series(value)
	return plot.Series{Name: name, Style: style, X: x, Y: y}
}

func (r *Report) trackCharts(i int) []*plot.Chart {
	if i >= len(r.Record.Tracks) {
		return nil
	}
	t := &r.Record.Tracks[i]
	time := r.timeAxis()
	return []*plot.Chart{
		{Title: "Round trip, and the age of the newest snapshot", X: time, Y: plot.Axis{Label: "ms"}, Series: []plot.Series{
			t.line("round trip", 0, func(p *Point) float64 { return p.RTT }), t.line("age", 1, func(p *Point) float64 { return p.Age })}},
		{Title: "Lead, and the server's input buffer", X: time, Y: plot.Axis{Label: "ticks"}, Series: []plot.Series{
			t.line("lead asked for", 0, func(p *Point) float64 { return p.Lead }), t.line("inputs that wait", 1, func(p *Point) float64 { return p.Fill })}},
		{Title: "View delay behind the newest snapshot", X: time, Y: plot.Axis{Label: "ticks"}, Series: []plot.Series{
			t.line("", 0, func(p *Point) float64 { return p.Delay })}},
		{Title: "Bytes", X: time, Y: plot.Axis{Label: "kB a second"}, Series: []plot.Series{
			t.line("down", 0, func(p *Point) float64 { return p.Down / 1000 }), t.line("up", 1, func(p *Point) float64 { return p.Up / 1000 })}},
	}
}

// allCharts compares the clients: their means over the match.
func (r *Report) allCharts() []*plot.Chart {
	var names []string
	x, up, down, wait := []float64{}, []float64{}, []float64{}, []float64{}
	for i := range r.Clients {
		c := &r.Clients[i]
		names = append(names, strconv.Itoa(int(c.Player)))
		x, up, down = append(x, float64(i)), append(up, c.BytesUp/1000), append(down, c.BytesDown/1000)
		wait = append(wait, c.Fill.Value())
	}
	if len(names) > 24 { // too many for a name each
		names = nil
	}
	axis := plot.Axis{Label: "player", Names: names}
	return []*plot.Chart{
		{Title: "Bytes of each client", X: axis, Y: plot.Axis{Label: "kB a second"}, Series: []plot.Series{
			{Name: "down", Kind: plot.Bars, Style: 0, X: x, Y: down}, {Name: "up", Kind: plot.Bars, Style: 1, X: x, Y: up}}},
		{Title: "Inputs that wait on the server, mean", X: axis, Y: plot.Axis{Label: "ticks"}, Series: []plot.Series{
			{Kind: plot.Bars, Style: 0, X: x, Y: wait}}},
	}
}

const jumpBars = 40

// jumpChart is how far the player's own jumped on the screen, beyond its motion.
func (r *Report) jumpChart(client int) *plot.Chart {
	var jumps []float64
	for i := range r.Clients {
		if client >= 0 && i != client {
			continue
		}
		for _, j := range r.Clients[i].Jumps {
			jumps = append(jumps, float64(j.Shown))
		}
	}
	slices.Sort(jumps)
	c := &plot.Chart{Title: "Displayed jumps of one's own", X: plot.Axis{Label: "beyond the simulated motion, m"}, Y: plot.Axis{Label: "corrections"}}
	if len(jumps) == 0 {
		c.Title += ": none"
		return c
	}
	most := jumps[len(jumps)-1]
	if usual := 3 * jumps[len(jumps)*99/100]; usual > 0 && usual < most {
		most = usual
		c.X.Label += "; the last bar: that far and further"
	}
	if most == 0 {
		most = 1
	}
	wide := most / jumpBars
	s := plot.Series{Kind: plot.Bars, Style: 1, Y: make([]float64, jumpBars)}
	for i := range jumpBars {
		s.X = append(s.X, (float64(i)+0.5)*wide)
	}
	for _, j := range jumps {
		s.Y[min(int(j/wide), jumpBars-1)]++
	}
	c.Series, c.Bar, c.X.Max = []plot.Series{s}, wide, most
	c.Y.Log, c.Y.Min, c.Y.Max = true, 0.5, 2*slices.Max(s.Y)
	for _, p := range []int{50, 90, 99} {
		at := jumps[min(len(jumps)*p/100, len(jumps)-1)]
		c.Marks = append(c.Marks, plot.Mark{At: at, Label: "p" + strconv.Itoa(p) + "  " + plot.Short(at) + " m"})
	}
	return c
}

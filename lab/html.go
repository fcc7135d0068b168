package lab

import (
	_ "embed"
	"html/template"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/foretick/foretick/impair"
	"github.com/foretick/foretick/internal/plot"
	"github.com/foretick/foretick/replica"
	"github.com/foretick/foretick/sim"
	"github.com/foretick/foretick/tick"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// HTML writes the report as one page that needs nothing else: the tables and,
// with Match.Record, plots over time and the stories of the largest
// corrections. It reads well without JavaScript.
func (r *Report) HTML(w io.Writer) error {
	return page.Execute(w, r.page())
}

// What the page shows.
type (
	htmlPage struct {
		Game, Command  string
		Style, Defs    template.HTML
		Pick           template.CSS // shows what belongs to the client that is picked
		Facts          []htmlFact
		Link           [][]string // head first
		Causes         []htmlCause
		CauseTable     [][]string
		CauseHead      []htmlHead
		ClientTable    [][]string
		Corrected      string
		Charts         []template.HTML
		Clients        []htmlClient
		Stories        []htmlStory
		Recorded       bool
		Of             int // corrections named
		NothingCompare bool
	}
	htmlFact   struct{ Name, Value string }
	htmlHead   struct{ Name, Sign string }
	htmlCause  struct{ Name, Means string }
	htmlClient struct {
		N      int // from 1
		Name   string
		Charts []template.HTML
	}
	htmlStory struct {
		N, Client                       int
		Who, Tick, At, Cause, By, Means string
		Style                           int
		Intro, So                       string
		Fields                          []FieldStory
		Steps                           []htmlStep
		Trails                          []template.HTML
		InputHead                       []string
		Inputs                          []htmlInput
		Others                          []htmlOther
	}
	htmlStep struct {
		Replaced, Said, Class string
	}
	htmlInput struct {
		Tick             string
		Sent, Executed   string
		Ran, How         string
		Here, Odd, Snaps bool
	}
	htmlOther struct{ Player, Entity, Off string }
)

var causeMeans = [Causes]string{
	Unnamed:        "not found out: the history did not reach back far enough",
	LateInput:      "an own input came to the server after its tick",
	LostInput:      "no copy of an own input came to the server",
	ClockSlip:      "the tick never had an input: a hitch of the client's clock",
	AnotherPlayer:  "another player was not where he was shown, or did something else",
	ServerOnly:     "a rule that only the server runs",
	Quantisation:   "values were rounded on their way: the tag is too coarse",
	Visibility:     "the client did not know of an entity",
	Nondeterminism: "the same ingredients gave other bits: a bug in the game",
}

// causeStyle is the look of a cause in every chart.
var causeStyle = [Causes]int{Unnamed: 7, LateInput: 0, LostInput: 4, ClockSlip: 5, AnotherPlayer: 1, ServerOnly: 3,
	Quantisation: 6, Visibility: 2, Nondeterminism: 8}

// Style returns the look of a cause in charts; see internal/plot.
func (c Cause) style() int { return causeStyle[c] }

func (r *Report) page() *htmlPage {
	p := &htmlPage{Game: r.Game, Command: r.Command, Recorded: r.Record != nil, Of: len(r.Diagnoses),
		Style: template.HTML("<style>" + plot.Style(":root") + "</style>"), Defs: template.HTML(plot.Defs()),
		Facts: r.facts(), Link: linkTable(&r.Match), NothingCompare: !r.compared()}
	p.Corrected = strconv.FormatFloat(100*r.CorrectedTicks(), 'f', 2, 64) + "\u202f% of compared ticks corrected, by " +
		plot.Short(r.MeanCorrection()) + "\u202fm on average"
	p.ClientTable = r.clientTable()
	if r.Match.Causes {
		p.CauseTable = r.causeTable()
		by := r.ByCause()
		p.CauseHead = append(p.CauseHead, htmlHead{Name: p.CauseTable[0][0]})
		for c, n := range by {
			if n > 0 || Cause(c) == Unnamed {
				p.CauseHead = append(p.CauseHead, htmlHead{Cause(c).String(), "t" + strconv.Itoa(Cause(c).style())})
			}
			if n > 0 {
				p.Causes = append(p.Causes, htmlCause{Cause(c).String(), causeMeans[c]})
			}
		}
		p.CauseTable = p.CauseTable[1:]
	}
	if r.Record == nil {
		return p
	}
	p.Charts = r.charts(-1)
	var pick strings.Builder
	for i := range r.Clients {
		n := strconv.Itoa(i + 1)
		p.Clients = append(p.Clients, htmlClient{i + 1, r.who(i), r.charts(i)})
		pick.WriteString("#pick" + n + ":checked~.panels .of" + n + "{display:block}" +
			"#pick" + n + ":checked~.stories>details:not(.by" + n + "){display:none}" +
			"#pick" + n + ":focus-visible~.picks label[for=pick" + n + "]{outline:2px solid var(--ink)}" +
			"#pick" + n + ":checked~.picks label[for=pick" + n + "]{background:var(--accent);color:var(--paper)}\n")
	}
	p.Pick = template.CSS(pick.String())
	for i := range r.Record.Stories {
		p.Stories = append(p.Stories, r.story(i))
	}
	return p
}

// who names the i-th client: as the tables do, by the number the server gave him.
func (r *Report) who(i int) string {
	if p := r.Clients[i].Player; p != sim.NoPlayer {
		return "player " + strconv.Itoa(int(p))
	}
	return "client " + strconv.Itoa(i+1) + ", never in"
}

// facts are what the match was.
func (r *Report) facts() []htmlFact {
	m := &r.Match
	f := []htmlFact{{"players", strconv.Itoa(len(r.Clients))}, {"time", plot.Short(m.Seconds) + "\u202fs"}, {"ticks", plot.Short(float64(r.Ticks))},
		{"seed", strconv.FormatUint(m.Seed, 10)}, {"snapshots", plot.Short(m.SnapshotHz) + "\u202fHz"}, {"frames", plot.Short(m.FrameHz) + "\u202fHz"}}
	if m.DriftPPM != 0 {
		f = append(f, htmlFact{"clocks off by", plot.Short(m.DriftPPM) + "\u202fppm"})
	}
	if r.Record != nil && len(r.Record.Tracks) > 0 {
		for _, s := range switched(r.Record.Tracks[0].Off) {
			f = append(f, htmlFact{s[0], s[1]})
		}
	}
	return f
}

// switched lists the techniques that are not as usual.
func switched(off replica.Switches) (out [][2]string) {
	for _, s := range []struct {
		on   bool
		name string
		is   string
	}{{off.Prediction, "prediction", "off"}, {off.Reconciliation, "reconciliation", "off"}, {off.Redundancy, "redundancy", "off"},
		{off.Smoothing, "smoothing", "off"}, {off.Interpolation, "interpolation", "off"}, {off.Others, "other players", "predicted"}} {
		if s.on {
			out = append(out, [2]string{s.name, s.is})
		}
	}
	return out
}

// linkTable has a row for each link and direction that differs.
func linkTable(m *Match) [][]string {
	table := [][]string{{"link", "way", "what it does"}}
	add := func(name string, l *Link) {
		up, down := describe(l.config(true)), describe(l.config(false))
		if up == down {
			table = append(table, []string{name, "both ways", up})
			return
		}
		table = append(table, []string{name, "to the server", up}, []string{name, "to the client", down})
	}
	if len(m.Links) < m.Players {
		add("clients", &m.Link)
	}
	for i := range m.Links {
		add("client "+strconv.Itoa(i+1), &m.Links[i])
	}
	return table
}

// describe says in words what a direction does.
func describe(c impair.Config) string {
	var s []string
	time := func(name string, d time.Duration) {
		if d > 0 {
			s = append(s, name+" "+plot.Short(float64(d.Microseconds())/1000)+"\u202fms")
		}
	}
	share := func(name string, v float64) {
		if v > 0 {
			s = append(s, name+" "+plot.Short(100*v)+"\u202f%")
		}
	}
	count := func(name string, v float64) {
		if v > 0 {
			s = append(s, name+" "+plot.Short(v))
		}
	}
	time("delay", c.Delay)
	time("jitter", c.Jitter)
	share("loss", c.Loss)
	share("bursts begin at", c.BurstLoss)
	if c.BurstLoss > 0 {
		count("packets of a burst", c.BurstLen)
	}
	share("duplicates", c.Duplicate)
	share("held back", c.Reorder)
	if c.Reorder > 0 {
		time("by", c.ReorderBy)
	}
	count("bytes a second", float64(c.Bandwidth))
	time("stalls of", c.StallFor)
	if c.Trace != nil {
		s = append(s, "a recorded trace")
	}
	if c.Pings != nil {
		s = append(s, "recorded round trips")
	}
	if len(s) == 0 {
		return "perfect"
	}
	return strings.Join(s, ", ")
}

var howNames = [...]string{sim.AsSent: "as sent", sim.Repeated: "the last one again", sim.Neutral: "neutral", sim.Frozen: "stood still"}

func entityName(e tick.Entity, owner, me sim.Player) string {
	s := "entity " + strconv.Itoa(int(e.Index())) + "." + strconv.Itoa(int(e.Generation()))
	switch owner {
	case sim.NoPlayer:
		return s + ", nobody's"
	case me:
		return s + ", his own"
	}
	return s + ", player " + strconv.Itoa(int(owner)) + "'s"
}

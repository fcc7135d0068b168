package lab

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A column of the tables: its head, and its cell for a client.
type reportColumn struct {
	head string
	cell func(*ClientReport) string
}

var reportColumns = []reportColumn{
	{"player", func(c *ClientReport) string { return fmt.Sprint(c.Player) }},
	{"compared", func(c *ClientReport) string { return fmt.Sprint(c.Predict.Compared) }},
	{"differ", func(c *ClientReport) string { return fmt.Sprint(c.Predict.Differing) }},
	{"%", func(c *ClientReport) string {
		return fmt.Sprintf("%.2f", 100*ratio(float64(c.Predict.Differing), float64(c.Predict.Compared)))
	}},
	{"replayed", func(c *ClientReport) string { return fmt.Sprint(c.Predict.Replayed) }},
	{"moved", func(c *ClientReport) string { return fmt.Sprint(c.Corrections) }},
	{"mean", func(c *ClientReport) string { return fmt.Sprintf("%.3f", ratio(c.Corrected, float64(c.Corrections))) }},
	{"own", func(c *ClientReport) string { return fmt.Sprint(c.Own) }},
	{"holes", func(c *ClientReport) string { return fmt.Sprint(c.Holes) }},
	{"lead", func(c *ClientReport) string { return fmt.Sprintf("%.1f", c.Lead) }},
	{"fill", func(c *ClientReport) string { return fmt.Sprintf("%.1f", c.Fill.Value()) }},
	{"delay", func(c *ClientReport) string { return fmt.Sprintf("%.1f", c.Delay) }},
	{"rtt ms", func(c *ClientReport) string { return fmt.Sprint(c.RTT.Milliseconds()) }},
	{"up B/s", func(c *ClientReport) string { return fmt.Sprintf("%.0f", c.BytesUp) }},
	{"down B/s", func(c *ClientReport) string { return fmt.Sprintf("%.0f", c.BytesDown) }},
	{"redials", func(c *ClientReport) string { return fmt.Sprint(c.Reconnects) }},
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// compared reports whether any client predicted what the server told of later:
// otherwise nothing that was corrected means nothing.
func (r *Report) compared() bool {
	return slices.ContainsFunc(r.Clients, func(c ClientReport) bool { return c.Predict.Compared > 0 })
}

// String returns the tables: what each client went through, and, where causes
// were looked for, why it was corrected. Leads, fills and delays are in ticks,
// means in the game's units.
func (r *Report) String() string {
	var b strings.Builder
	b.WriteString(fmt.Sprintf("%s: %d clients, %d ticks, seed %d; ", r.Game, len(r.Clients), r.Ticks, r.Match.Seed))
	if r.compared() {
		b.WriteString(fmt.Sprintf("%.2f %% of compared ticks corrected, by %.3f on average\n", 100*r.CorrectedTicks(), r.MeanCorrection()))
	} else {
		b.WriteString("nothing was compared\n")
	}
	align(&b, r.clientTable())
	if r.Match.Causes {
		b.WriteString("\ndiffering ticks by cause\n")
		align(&b, r.causeTable())
	}
	return b.String()
}

// clientTable has a row for each client, below the heads.
func (r *Report) clientTable() [][]string {
	table := [][]string{nil}
	for _, c := range reportColumns {
		table[0] = append(table[0], c.head)
	}
	for i := range r.Clients {
		var row []string
		for _, c := range reportColumns {
			row = append(row, c.cell(&r.Clients[i]))
		}
		table = append(table, row)
	}
	return table
}

// causeTable has a row for each client and a column for each cause that was
// named; unnamed is always there.
func (r *Report) causeTable() [][]string {
	all := r.ByCause()
	table := [][]string{{"player"}}
	for c, n := range all {
		if n > 0 || Cause(c) == Unnamed {
			table[0] = append(table[0], Cause(c).String())
		}
	}
	row := func(name string, by *[Causes]int) {
		cells := []string{name}
		for c, n := range all {
			if n > 0 || Cause(c) == Unnamed {
				cells = append(cells, fmt.Sprint(by[c]))
			}
		}
		table = append(table, cells)
	}
	for i := range r.Clients {
		row(fmt.Sprint(r.Clients[i].Player), &r.Clients[i].ByCause)
	}
	row("all", &all)
	return table
}

// align writes rows of the same length, right-justified, two blanks between.
func align(b *strings.Builder, rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], len(cell))
		}
	}
	for _, row := range rows {
		for i, cell := range row {
			b.WriteString(fmt.Sprintf("%*s", width[i]+2, cell))
		}
		b.WriteString("\n")
	}
}

type reportJSON struct {
	Game           string         `json:"game"`
	Seed           uint64         `json:"seed"`
	Players        int            `json:"players"`
	Seconds        float64        `json:"seconds"`
	Ticks          int64          `json:"ticks"`
	CorrectedTicks float64        `json:"corrected_ticks"` // share of the compared
	MeanCorrection float64        `json:"mean_correction"`
	Causes         map[string]int `json:"causes,omitempty"`
	Clients        []clientJSON   `json:"clients"`
}

type clientJSON struct {
	Player         int            `json:"player"`
	Compared       int64          `json:"compared"`
	Differing      int64          `json:"differing"`
	Mispredicted   int64          `json:"mispredicted"`
	Replayed       int64          `json:"replayed_ticks"`
	Corrections    int            `json:"corrections"`
	MeanCorrection float64        `json:"mean_correction"`
	OwnCorrections int            `json:"own_corrections"`
	OwnMean        float64        `json:"own_mean_correction"`
	Holes          uint64         `json:"holes"`
	Unsampled      uint64         `json:"unsampled"`
	Lead           float64        `json:"lead_ticks"`
	Fill           float64        `json:"fill_ticks"`
	Delay          float64        `json:"delay_ticks"`
	RTT            float64        `json:"rtt_ms"`
	BytesUp        float64        `json:"up_bytes_per_second"`
	BytesDown      float64        `json:"down_bytes_per_second"`
	Reconnects     int            `json:"reconnects"`
	Causes         map[string]int `json:"causes,omitempty"`
}

// JSON returns what String says, and a little more, for programs.
func (r *Report) JSON() ([]byte, error) {
	named := func(by *[Causes]int) map[string]int {
		if !r.Match.Causes {
			return nil
		}
		m := map[string]int{}
		for c, n := range by {
			m[Cause(c).String()] = n
		}
		return m
	}
	all := r.ByCause()
	out := reportJSON{Game: r.Game, Seed: r.Match.Seed, Players: r.Match.Players, Seconds: r.Match.Seconds, Ticks: r.Ticks,
		CorrectedTicks: r.CorrectedTicks(), MeanCorrection: r.MeanCorrection(), Causes: named(&all)}
	for i := range r.Clients {
		c := &r.Clients[i]
		p := &c.Predict
		out.Clients = append(out.Clients, clientJSON{Player: int(c.Player), Compared: p.Compared, Differing: p.Differing,
			Mispredicted: p.Mispredicted, Replayed: p.Replayed, Corrections: c.Corrections,
			MeanCorrection: ratio(c.Corrected, float64(c.Corrections)), OwnCorrections: c.Own,
			OwnMean: ratio(c.OwnDistance, float64(c.Own)), Holes: c.Holes, Unsampled: c.Unsampled, Lead: c.Lead,
			Fill: c.Fill.Value(), Delay: c.Delay, RTT: c.RTT.Seconds() * 1000, BytesUp: c.BytesUp, BytesDown: c.BytesDown,
			Reconnects: c.Reconnects, Causes: named(&c.ByCause)})
	}
	return json.MarshalIndent(out, "", "  ")
}

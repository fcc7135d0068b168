package plot

import (
	"math"
	"strconv"
	"strings"
)

// Matrix is a table of counts; the more, the stronger its cell.
type Matrix struct {
	Title      string
	Row, Col   string // what rows and columns are
	Rows, Cols []string
	Cells      [][]int
	Style      int
}

// File draws the matrix as a file of its own.
func (m *Matrix) File() string {
	const left, top, wide, high = 150.0, 92.0, 98.0, 34.0
	w, h := left+wide*float64(len(m.Cols))+16, top+high*float64(len(m.Rows))+16
	var b strings.Builder
	b.WriteString(open(true, w, h, m.Title))
	b.WriteString(text(14, 24, "title", "", m.Title))
	b.WriteString(text(left-10, 50, "dim", "end", m.Col+" \u2192"))
	b.WriteString(text(left-10, 66, "dim", "end", m.Row+" \u2193"))
	for j, c := range m.Cols {
		for k, line := range strings.Fields(c) {
			b.WriteString(text(left+wide*(float64(j)+0.5), 62+15*float64(k), "dim", "middle", line))
		}
	}
	most := 1.0
	for _, row := range m.Cells {
		for _, n := range row {
			most = math.Max(most, float64(n))
		}
	}
	for i, row := range m.Cells {
		y := top + high*float64(i)
		b.WriteString(text(left-10, y+high/2+4, "", "end", m.Rows[i]))
		for j, n := range row {
			x := left + wide*float64(j)
			b.WriteString(`<rect class="grid" x="` + num(x+1) + `" y="` + num(y+1) + `" width="` + num(wide-2) + `" height="` + num(high-2) + `" rx="4"/>`)
			class := "dim"
			if n > 0 {
				strong := 0.3 + 0.5*math.Log1p(float64(n))/math.Log1p(most)
				b.WriteString(`<rect class="c` + strconv.Itoa(style(m.Style)) + `" opacity="` + strconv.FormatFloat(strong, 'f', 2, 64) + `" x="` + num(x+1) +
					`" y="` + num(y+1) + `" width="` + num(wide-2) + `" height="` + num(high-2) + `" rx="4"/>`)
				class = "value"
			}
			b.WriteString(text(x+wide/2, y+high/2+4, class, "middle", thousands(strconv.Itoa(n))))
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

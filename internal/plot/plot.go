// Package plot draws charts as SVG: the same data give the same bytes. Colours
// are told apart without red and green, and by dashes, markers and textures.
package plot

import (
	"math"
	"strconv"
	"strings"
)

// Kind is how a series is drawn.
type Kind uint8

const (
	Line  Kind = iota
	Steps      // a line that holds each value until the next
	Dots
	Bars // each series stands on the one before; Bar is their width
)

// Series is what a chart shows. X is finite and ascending; a NaN in Y is a gap.
type Series struct {
	Name  string
	Kind  Kind
	Style int // 0 to Styles-1: colour, dashes, marker and texture
	X, Y  []float64
	Links []string // of dots, where each leads; "" and nil: nowhere
	Notes []string // of dots, what each is
}

// Styles is how many styles there are.
const Styles = 9

// Axis is one of the two. Without Min and Max, or if they are equal, it spans
// the data; a linear one begins at 0 unless something is below.
type Axis struct {
	Label    string // with its unit
	Min, Max float64
	Log      bool
	Names    []string // of 0, 1, 2, ...: categories
}

// Mark is a line across the chart at a value of X, or of Y, with a label.
type Mark struct {
	At    float64
	OfY   bool
	Label string
}

// Span is a shaded stretch of X.
type Span struct{ From, To float64 }

// Chart is one drawing.
type Chart struct {
	Title  string
	X, Y   Axis
	Series []Series
	Marks  []Mark
	Spans  []Span
	Shade  string  // what the spans are, for the legend
	Bar    float64 // width of a bar in units of X; 0: 0.7
	Values bool    // the height of each bar is written above it
	Width  int     // default 640
	Height int     // default 280
}

// canvas is a chart with its scales.
type canvas struct {
	*Chart
	b                        strings.Builder
	left, right, top, bottom float64
	x, y                     scale
	stack                    []pile
}

// pile is how high the bars stand at an x.
type pile struct{ x, y float64 }

// SVG draws the chart for a page that has Style and Defs.
func (c *Chart) SVG() string { return c.draw(false) }

// File draws it as a file of its own.
func (c *Chart) File() string { return c.draw(true) + "\n" }

func (c *Chart) draw(alone bool) string {
	k := &canvas{Chart: c}
	w, h := float64(c.width()), float64(c.height())
	k.left, k.right, k.bottom = 68, w-14, h-44
	if c.X.Label == "" {
		k.bottom = h - 26
	}
	rows, height := k.legend()
	k.top = 34 + height
	k.scales()
	k.open(alone, w, h)
	k.text(14, 22, "title", "", c.Title)
	k.b.WriteString(rows)
	for _, s := range c.Spans {
		if a, b := k.clampX(s.From), k.clampX(s.To); b > a {
			k.b.WriteString(`<rect class="span" x="` + num(a) + `" y="` + num(k.top) + `" width="` + num(math.Max(b-a, 0.8)) +
				`" height="` + num(k.bottom-k.top) + `"/>`)
		}
	}
	k.axes()
	for i := range c.Series {
		k.series(&c.Series[i])
	}
	k.marks()
	k.b.WriteString("</svg>")
	return k.b.String()
}

func (c *Chart) width() int {
	if c.Width > 0 {
		return c.Width
	}
	return 640
}

func (c *Chart) height() int {
	if c.Height > 0 {
		return c.Height
	}
	return 280
}

func (k *canvas) open(alone bool, w, h float64) {
	k.b.WriteString(open(alone, w, h, k.Title))
}

// open begins a drawing.
func open(alone bool, w, h float64, title string) string {
	s := `<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" viewBox="0 0 ` + num(w) + ` ` + num(h) + `"><title>` + Escape(title) + `</title>`
	if alone {
		s += "<style>" + Style(".plot") + "</style>" + defs +
			`<rect class="card" width="` + num(w) + `" height="` + num(h) + `" rx="10"/>`
	}
	return s
}

func (k *canvas) text(x, y float64, class, anchor, s string) {
	k.b.WriteString(text(x, y, class, anchor, s))
}

func text(x, y float64, class, anchor, s string) string {
	if anchor != "" {
		anchor = ` text-anchor="` + anchor + `"`
	}
	if class != "" {
		class = ` class="` + class + `"`
	}
	return `<text x="` + num(x) + `" y="` + num(y) + `"` + class + anchor + `>` + Escape(s) + `</text>`
}

// legend lays out the names of the series from left to right, in as many rows
// as they need, and says how high these are.
func (k *canvas) legend() (svg string, height float64) {
	const row, swatch = 19.0, 24.0
	var b strings.Builder
	x, y, any := 14.0, 42.0, false
	put := func(name, sign string) {
		wide := swatch + 6 + 6.9*float64(len([]rune(name))) + 16
		if x > 14 && x+wide > float64(k.width()) {
			x, y = 14, y+row
		}
		b.WriteString(`<g transform="translate(` + num(x) + ` ` + num(y-5) + `)">` + sign + `</g>` + text(x+swatch+6, y, "dim", "", name))
		x, any = x+wide, true
	}
	for i := range k.Series {
		if s := &k.Series[i]; s.Name != "" {
			put(s.Name, s.sign())
		}
	}
	if k.Shade != "" {
		put(k.Shade, `<rect class="span" y="-6" width="24" height="12"/>`)
	}
	if !any {
		return "", 0
	}
	return b.String(), y - 42 + row + 3
}

// sign is a series' sign in the legend, 24 wide, about y = 0.
func (s *Series) sign() string {
	n := strconv.Itoa(style(s.Style))
	switch s.Kind {
	case Bars:
		return `<rect class="bar t` + n + `" y="-6" width="24" height="12"/>`
	case Dots:
		return `<path class="dot c` + n + `" d="` + marker(s.Style, 12, 0) + `"/>`
	}
	sign := `<path class="line l` + n + `" d="M0 0H24"/>`
	if len(s.X) <= fewPoints {
		sign += `<path class="dot c` + n + `" d="` + marker(s.Style, 12, 0) + `"/>`
	}
	return sign
}

// fewPoints: a line of no more has a marker at each.
const fewPoints = 24

func style(i int) int { return ((i % Styles) + Styles) % Styles }

// num writes a coordinate to a tenth.
func num(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	s = strings.TrimSuffix(s, ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// Escape makes text safe in SVG and HTML; what XML cannot hold is left out.
func Escape(s string) string {
	return escaper.Replace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd")))
}

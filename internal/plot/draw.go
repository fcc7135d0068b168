package plot

import (
	"math"
	"strconv"
	"strings"
)

func (k *canvas) series(s *Series) {
	n := strconv.Itoa(style(s.Style))
	switch s.Kind {
	case Bars:
		if d := k.bars(s); d != "" {
			k.b.WriteString(`<path class="bar t` + n + `" d="` + d + `"/>`)
			k.values(s)
		}
		return
	case Dots:
		k.dots(s, n)
		return
	}
	if d := k.line(s); d != "" {
		k.b.WriteString(`<path class="line l` + n + `" d="` + d + `"/>`)
	}
	if len(s.X) <= fewPoints {
		k.dots(s, n)
	}
}

// inside reports whether a point can be drawn.
func (k *canvas) inside(x, y float64) bool {
	return x >= k.x.min && x <= k.x.max && y == y && !math.IsInf(y, 0) && !(k.y.log && y <= 0) && !(k.x.log && x <= 0)
}

// height is where a value is drawn: what is off the scale, at its edge.
func (k *canvas) height1(y float64) float64 { return k.y.at(min(max(y, k.y.min), k.y.max)) }

func (k *canvas) line(s *Series) string {
	var b strings.Builder
	open := false
	for i, x := range s.X {
		if !k.inside(x, s.Y[i]) {
			open = false
			continue
		}
		at := num(k.x.at(x))
		y := num(k.height1(s.Y[i]))
		switch {
		case !open:
			b.WriteString("M" + at + " " + y)
		case s.Kind == Steps:
			b.WriteString("H" + at + "V" + y)
		default:
			b.WriteString("L" + at + " " + y)
		}
		open = true
	}
	return b.String()
}

func (k *canvas) bars(s *Series) string {
	var b strings.Builder
	for i, x := range s.X {
		if !k.inside(x, s.Y[i]) || s.Y[i] == 0 {
			continue
		}
		base := k.standing(x)
		low, high := k.height1(*base), k.height1(*base+s.Y[i])
		*base += s.Y[i]
		from, to := k.clampX(x-k.bar()/2), k.clampX(x+k.bar()/2)
		if gap := math.Min(1, (to-from)*0.15); to-from > 1 {
			to -= gap
		}
		b.WriteString("M" + num(from) + " " + num(low) + "V" + num(high) + "H" + num(to) + "V" + num(low) + "z")
	}
	return b.String()
}

// standing returns how high the bars at x are by now.
func (k *canvas) standing(x float64) *float64 {
	for i := range k.stack {
		if k.stack[i].x == x {
			return &k.stack[i].y
		}
	}
	base := 0.0
	if k.y.log {
		base = k.y.min
	}
	k.stack = append(k.stack, pile{x, base})
	return &k.stack[len(k.stack)-1].y
}

func (k *canvas) values(s *Series) {
	if !k.Values {
		return
	}
	for i, x := range s.X {
		if k.inside(x, s.Y[i]) {
			k.text(k.x.at(x), k.height1(*k.standing(x))-6, "value", "middle", Short(s.Y[i]))
		}
	}
}

// Short writes a figure with about three digits.
func Short(v float64) string {
	a := math.Abs(v)
	switch {
	case v == math.Trunc(v) && a < 1e15, a >= 100:
		return thousands(strconv.FormatFloat(v, 'f', 0, 64))
	case a >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.001:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

func (k *canvas) dots(s *Series, n string) {
	var b strings.Builder
	for i, x := range s.X {
		if !k.inside(x, s.Y[i]) {
			continue
		}
		d := marker(s.Style, k.x.at(x), k.height1(s.Y[i]))
		if i >= len(s.Links) && i >= len(s.Notes) {
			b.WriteString(d)
			continue
		}
		dot, note := `<path class="dot c`+n+`" d="`+d+`"/>`, ""
		if i < len(s.Notes) && s.Notes[i] != "" {
			note = `<title>` + Escape(s.Notes[i]) + `</title>`
		}
		if i < len(s.Links) && s.Links[i] != "" {
			k.b.WriteString(`<a href="` + Escape(s.Links[i]) + `">` + note + dot + `</a>`)
		} else {
			k.b.WriteString(`<g>` + note + dot + `</g>`)
		}
	}
	if b.Len() > 0 {
		k.b.WriteString(`<path class="dot c` + n + `" d="` + b.String() + `"/>`)
	}
}

// marker is a style's shape about a point.
func marker(i int, x, y float64) string {
	at := "M" + num(x) + " " + num(y)
	switch style(i) {
	case 0: // circle
		return "M" + num(x-3.5) + " " + num(y) + "a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z"
	case 1: // square
		return at + "m-3.2-3.2h6.4v6.4h-6.4z"
	case 2: // triangle
		return at + "m0-4.4l4.2 7.4h-8.4z"
	case 3: // diamond
		return at + "m0-4.6l4.6 4.6l-4.6 4.6l-4.6-4.6z"
	case 4: // triangle on its tip
		return at + "m0 4.4l4.2-7.4h-8.4z"
	case 5: // plus
		return at + "m-1.2-4h2.4v2.8h2.8v2.4h-2.8v2.8h-2.4v-2.8h-2.8v-2.4h2.8z"
	case 6: // upright
		return at + "m-1.8-4.5h3.6v9h-3.6z"
	case 7: // lying
		return at + "m-4.5-1.8h9v3.6h-9z"
	}
	return at + "m-4-4l3 0l1 2l1-2h3l-2.5 4l2.5 4h-3l-1-2l-1 2h-3l2.5-4z" // cross
}

// marks writes labels beside their lines, each lower than the one before it if
// they would touch.
func (k *canvas) marks() {
	last, row := math.Inf(-1), 0.0
	for _, m := range k.Marks {
		if m.OfY {
			if m.At < k.y.min || m.At > k.y.max {
				continue
			}
			at := k.y.at(m.At)
			k.b.WriteString(`<path class="mark" d="M` + num(k.left) + ` ` + num(at) + `H` + num(k.right) + `"/>`)
			k.text(k.right-4, at-5, "value", "end", m.Label)
			continue
		}
		if m.At < k.x.min || m.At > k.x.max {
			continue
		}
		at := k.x.at(m.At)
		row += 15
		if at-last > 150 || at < last {
			row = 0
		}
		last = at
		k.b.WriteString(`<path class="mark" d="M` + num(at) + ` ` + num(k.top) + `V` + num(k.bottom) + `"/>`)
		x, anchor := at+5, ""
		if at+5+7*float64(len(m.Label)) > k.right {
			x, anchor = at-5, "end"
		}
		k.text(x, k.top+11+row, "value", anchor, m.Label)
	}
}

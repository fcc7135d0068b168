package plot

import (
	"math"
	"strconv"
)

// scale maps values to coordinates.
type scale struct {
	min, max, from, to float64
	log                bool
}

func (s *scale) at(v float64) float64 {
	lo, hi := s.min, s.max
	if s.log {
		lo, hi, v = math.Log10(lo), math.Log10(hi), math.Log10(v)
	}
	return s.from + (v-lo)/(hi-lo)*(s.to-s.from)
}

func (k *canvas) clampX(v float64) float64 { return k.x.at(min(max(v, k.x.min), k.x.max)) }

// scales finds what both axes span.
func (k *canvas) scales() {
	k.x = span(&k.X, k.each(func(s *Series, i int) (float64, bool) { return s.X[i], s.Y[i] == s.Y[i] }), 8)
	half := 0.0
	for i := range k.Series {
		if k.Series[i].Kind == Bars {
			half = k.bar() / 2
		}
	}
	if k.X.Min == k.X.Max && !k.X.Log {
		k.x = exactly(&k.X, k.each(func(s *Series, i int) (float64, bool) { return s.X[i], true }), half)
	}
	top := map[float64]float64{}
	k.y = span(&k.Y, k.each(func(s *Series, i int) (float64, bool) {
		if s.Kind == Bars && s.Y[i] == s.Y[i] {
			top[s.X[i]] += s.Y[i]
			return top[s.X[i]], true
		}
		return s.Y[i], s.Y[i] == s.Y[i]
	}), 5)
	k.x.from, k.x.to, k.y.from, k.y.to = k.left, k.right, k.bottom, k.top
}

func (k *canvas) bar() float64 {
	if k.Bar > 0 {
		return k.Bar
	}
	return 0.7
}

// each lists one value of every point.
func (k *canvas) each(f func(*Series, int) (float64, bool)) []float64 {
	var out []float64
	for i := range k.Series {
		for j := range k.Series[i].X {
			if v, ok := f(&k.Series[i], j); ok && !math.IsInf(v, 0) {
				out = append(out, v)
			}
		}
	}
	return out
}

// exactly spans no more than the data, as time does.
func exactly(a *Axis, data []float64, half float64) scale {
	s := scale{min: 0, max: 1}
	if len(a.Names) > 0 {
		return scale{min: -0.6, max: float64(len(a.Names)) - 0.4}
	}
	for i, v := range data {
		if i == 0 || v-half < s.min {
			s.min = v - half
		}
		if i == 0 || v+half > s.max {
			s.max = v + half
		}
	}
	if s.min == s.max {
		s.max = s.min + 1
	}
	return s
}

// span widens the data to whole steps.
func span(a *Axis, data []float64, steps int) scale {
	if a.Min != a.Max {
		return scale{min: a.Min, max: a.Max, log: a.Log}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range data {
		if !a.Log || v > 0 {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	if a.Log {
		if lo > hi {
			lo, hi = 0.1, 1
		}
		lo, hi = math.Pow(10, math.Floor(math.Log10(lo))), math.Pow(10, math.Ceil(math.Log10(hi)))
		if lo == hi {
			hi *= 10
		}
		return scale{min: lo, max: hi, log: true}
	}
	if lo > hi {
		lo, hi = 0, 1
	}
	lo = math.Min(lo, 0)
	if lo == hi {
		hi = lo + 1
	}
	d := step(hi-lo, steps)
	return scale{min: math.Floor(lo/d+1e-9) * d, max: math.Ceil(hi/d-1e-9) * d}
}

// step is 1, 2 or 5 times a power of ten: about n of them are the range.
func step(of float64, n int) float64 {
	raw := of / float64(n)
	p := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if raw <= m*p*1.0001 {
			return m * p
		}
	}
	return 10 * p
}

type label struct {
	at   float64
	text string
}

// ticks are the labelled values of a scale.
func (s *scale) ticks(n int) []label {
	var out []label
	if s.log {
		for p := math.Round(math.Log10(s.min)); ; p++ {
			v := math.Pow(10, p)
			if v > s.max*1.0001 {
				return out
			}
			if v >= s.min*0.9999 {
				out = append(out, label{v, thousands(strconv.FormatFloat(v, 'f', max(0, -int(p)), 64))})
			}
		}
	}
	d := step(s.max-s.min, n)
	decimals := max(0, -int(math.Floor(math.Log10(d)+1e-9)))
	for i := math.Ceil(s.min/d - 1e-9); i*d <= s.max+d*1e-9; i++ {
		v := float64(i*d) + 0 // not -0
		out = append(out, label{v, thousands(strconv.FormatFloat(v, 'f', decimals, 64))})
	}
	return out
}

// thousands sets whole numbers apart in threes.
func thousands(s string) string {
	n := len(s)
	for i := range s {
		if s[i] == '.' {
			n = i
			break
		}
	}
	for i := n - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func (k *canvas) axes() {
	y := k.y.ticks(5)
	if k.y.log {
		y = k.y.ticks(0)
	}
	for _, t := range y {
		at := num(k.y.at(t.at))
		k.b.WriteString(`<path class="grid" d="M` + num(k.left) + ` ` + at + `H` + num(k.right) + `"/>`)
		k.text(k.left-8, k.y.at(t.at)+4.5, "dim", "end", t.text)
	}
	k.b.WriteString(`<path class="axis" d="M` + num(k.left) + ` ` + num(k.bottom) + `H` + num(k.right) + `"/>`)
	x := k.x.ticks(8)
	if len(k.X.Names) > 0 {
		x = nil
		for i, n := range k.X.Names {
			x = append(x, label{float64(i), n})
		}
	}
	for _, t := range x {
		at := k.x.at(t.at)
		if len(k.X.Names) == 0 {
			k.b.WriteString(`<path class="axis" d="M` + num(at) + ` ` + num(k.bottom) + `v4"/>`)
		}
		k.text(at, k.bottom+18, "dim", "middle", t.text)
	}
	if k.X.Label != "" {
		k.text((k.left+k.right)/2, k.bottom+37, "dim", "middle", k.X.Label)
	}
	if k.Y.Label != "" {
		mid := num((k.top + k.bottom) / 2)
		k.b.WriteString(`<text class="dim" text-anchor="middle" transform="translate(16 ` + mid + `) rotate(-90)">` + Escape(k.Y.Label) + `</text>`)
	}
}

package plot

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

func parse(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
	}
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Errorf("a coordinate is no number:\n%s", svg)
	}
}

func sample() *Chart {
	return &Chart{Title: "t", X: Axis{Label: "time, s"}, Y: Axis{Label: "m"}, Series: []Series{
		{Name: "a", X: []float64{0, 1, 2, 3}, Y: []float64{0, 1, math.NaN(), 4}},
		{Name: "b", Kind: Bars, Style: 1, X: []float64{0, 1, 2}, Y: []float64{1, 2, 3}},
		{Name: "c", Kind: Dots, Style: 2, X: []float64{1}, Y: []float64{2}, Links: []string{"#x"}, Notes: []string{"n"}},
		{Name: "d", Kind: Steps, Style: 3, X: []float64{0, 2}, Y: []float64{1, 3}},
	}, Marks: []Mark{{At: 1, Label: "here"}, {At: 2, OfY: true, Label: "there"}}, Spans: []Span{{1, 2}}, Shade: "night"}
}

// The same data give the same bytes, and any other datum other ones.
func TestDeterministic(t *testing.T) {
	a := sample().File()
	parse(t, a)
	if a != sample().File() {
		t.Error("the same chart is drawn in two ways")
	}
	for name, change := range map[string]func(*Chart){
		"a value":      func(c *Chart) { c.Series[0].Y[1] += 0.1 },
		"a gap":        func(c *Chart) { c.Series[0].Y[2] = 2 },
		"a bar":        func(c *Chart) { c.Series[1].Y[0] = 2 },
		"a dot":        func(c *Chart) { c.Series[2].X[0] = 1.5 },
		"a step":       func(c *Chart) { c.Series[3].Y[1] = 2 },
		"a name":       func(c *Chart) { c.Series[0].Name = "z" },
		"a mark":       func(c *Chart) { c.Marks[0].At = 2 },
		"a shade":      func(c *Chart) { c.Spans[0].To = 3 },
		"an axis":      func(c *Chart) { c.Y.Max = 10 },
		"a logarithm":  func(c *Chart) { c.Y.Log = true },
		"the style":    func(c *Chart) { c.Series[0].Style = 5 },
		"a dot's link": func(c *Chart) { c.Series[2].Links[0] = "#y" },
	} {
		c := sample()
		change(c)
		if b := c.File(); b == a {
			t.Errorf("%s changed, and the drawing did not", name)
		} else {
			parse(t, b)
		}
	}
}

// Whatever the data, the drawing is one.
func TestOddData(t *testing.T) {
	inf := math.Inf(1)
	for _, ys := range [][]float64{nil, {0, 0}, {math.NaN(), math.NaN()}, {inf, -inf}, {-3, 5}, {1e-30, 2e-30}, {1e30, -1e30}, {7, 7}} {
		for _, k := range []Kind{Line, Steps, Dots, Bars} {
			for _, log := range []bool{false, true} {
				s := Series{Name: "<&>\"'\x00", Kind: k, Style: -1, Y: ys}
				for i := range ys {
					s.X = append(s.X, float64(i))
				}
				c := Chart{Title: "</title><script>", X: Axis{Label: "\xff"}, Y: Axis{Log: log}, Series: []Series{s}, Values: true}
				parse(t, c.File())
				if strings.Contains(c.SVG(), "<script>") {
					t.Fatal("a title is not escaped")
				}
			}
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		log    bool
		want   string
	}{
		{0, 60, false, "0 10 20 30 40 50 60"},
		{-1, 1, false, "-1.0 -0.5 0.0 0.5 1.0"},
		{0, 0.004, false, "0.000 0.001 0.002 0.003 0.004"},
		{0, 25000, false, "0 5,000 10,000 15,000 20,000 25,000"},
		{0.01, 100, true, "0.01 0.1 1 10 100"},
	} {
		s := scale{min: c.lo, max: c.hi, log: c.log}
		var got []string
		for _, x := range s.ticks(6) {
			got = append(got, x.text)
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%v to %v: %s, want %s", c.lo, c.hi, g, c.want)
		}
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 12345.6: "12,346", 3: "3", 0.4567: "0.46", 12.34: "12.3", 0.00001234: "1.2e-05", -1234: "-1,234"} {
		if got := Short(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

func TestMatrix(t *testing.T) {
	m := Matrix{Title: "<m>", Row: "planted", Col: "named", Rows: []string{"a", "b"}, Cols: []string{"a", "b b"}, Cells: [][]int{{3, 0}, {0, 1000}}}
	a := m.File()
	parse(t, a)
	m.Cells[0][1] = 1
	if m.File() == a {
		t.Error("a cell changed, and the drawing did not")
	}
}

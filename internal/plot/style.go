package plot

import (
	"strconv"
	"strings"
)

// Colours that stay apart without red and green, first for dark paper, then
// for light.
var palette = [2][Styles]string{
	{"#ffc857", "#5ab4f0", "#ee86c3", "#3ccfae", "#ff8552", "#b39bf0", "#9aa9c4", "#eef1f8", "#d7e36b"},
	{"#a66a00", "#0069b4", "#b02a7c", "#00785c", "#c2440b", "#6a45b8", "#56657f", "#131a2a", "#65711a"},
}

var paper = [2]string{
	"--paper:#0b1220;--card:#111b2e;--ink:#e8edf7;--dim:#a9b6cc;--rule:#25324a;--accent:#ffc857;--span:#ffc85733",
	"--paper:#f4f6fa;--card:#ffffff;--ink:#16202f;--dim:#4b5a70;--rule:#dbe1ea;--accent:#a66a00;--span:#a66a0026",
}

var dashes = [Styles]string{"", "7 4", "2 3", "9 3 2 3", "12 4", "4 2 1 2", "1 4", "6 2", "10 3 3 3 3 3"}

// Textures over the colour of a bar, on tiles of 6 by 6.
var textures = [Styles]string{"", "M0 6 6 0M-1 1 1-1M5 7 7 5", "M1.5 1.5h1.5v1.5h-1.5zM4.5 4.5h1.5v1.5h-1.5z", "M0 3H6", "M3 0V6",
	"M0 0 6 6M-1 5 1 7M5-1 7 1", "M0 3H6M3 0V6", "M0 1.5H6M0 4.5H6", "M0 0 6 6M0 6 6 0"}

var defs = func() string {
	var b strings.Builder
	b.WriteString("<defs>")
	for i, d := range textures {
		n := strconv.Itoa(i)
		b.WriteString(`<pattern id="t` + n + `" width="6" height="6" patternUnits="userSpaceOnUse"><path class="f` + n + `" d="M0 0H6V6H0z"/>`)
		if d != "" {
			b.WriteString(`<path class="tex" d="` + d + `"/>`)
		}
		b.WriteString(`</pattern>`)
	}
	b.WriteString("</defs>")
	return b.String()
}()

// Defs is what a page with charts needs once, before them.
func Defs() string {
	return `<svg class="plot" width="0" height="0" aria-hidden="true" style="position:absolute">` + defs + `</svg>`
}

// Style is what a page with charts needs once, in its style element. The
// colours, dark or light as the reader likes, are custom properties of root.
func Style(root string) string {
	var b strings.Builder
	for theme, p := range paper {
		if theme == 1 {
			b.WriteString("@media(prefers-color-scheme:light){")
		}
		b.WriteString(root + "{" + p)
		for i, c := range palette[theme] {
			b.WriteString(";--c" + strconv.Itoa(i) + ":" + c)
		}
		b.WriteString("}")
	}
	b.WriteString("}")
	b.WriteString(".plot text{font:13px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:var(--ink);stroke:none}" +
		".plot .title{font-weight:600;font-size:15px}.plot .dim{fill:var(--dim)}.plot .value{font-size:12px;fill:var(--ink);paint-order:stroke;stroke:var(--card);stroke-width:3px}" +
		".plot .card{fill:var(--card)}.plot .grid{stroke:var(--rule);fill:none}.plot .axis{stroke:var(--dim);fill:none}" +
		".plot .mark{stroke:var(--ink);stroke-dasharray:3 3;fill:none;opacity:.75}.plot .span{fill:var(--span)}" +
		".plot .line{fill:none;stroke-width:1.8;stroke-linejoin:round}.plot .tex{stroke:var(--card);stroke-width:1.1;fill:none;opacity:.75}" +
		".plot .dot{stroke:var(--card);stroke-width:.8}.plot a:focus .dot,.plot a:hover .dot{stroke:var(--ink);stroke-width:2.5}")
	for i, d := range dashes {
		n := strconv.Itoa(i)
		b.WriteString(".plot .l" + n + "{stroke:var(--c" + n + ")")
		if d != "" {
			b.WriteString(";stroke-dasharray:" + d)
		}
		b.WriteString("}.plot .c" + n + ",.plot .f" + n + "{fill:var(--c" + n + ")}.plot .t" + n + "{fill:url(#t" + n + ")}")
	}
	return b.String()
}

package lab_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/foretick/foretick/examples/pucks"
	"github.com/foretick/foretick/lab"
	"github.com/foretick/foretick/sim"
)

// A match whose report is a page to look at: the tables, plots over time, and
// how each of the largest corrections came about.
func ExampleReport_HTML() {
	r := lab.Run(pucks.NoFree, lab.Match{Bot: pucks.Bot, Players: 2, Seconds: 5, Causes: true, Record: true,
		Link: lab.Link{RTT: 200 * ms, Loss: 0.1}})
	dir, err := os.MkdirTemp("", "lab")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	f, err := os.Create(filepath.Join(dir, "report.html"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	fmt.Println(r.HTML(f))
	// Output: <nil>
}

// parsed fails unless the page, which is XML too, is whole; it returns its text.
func parsed(t *testing.T, r *lab.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.HTML(&b); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, b.String())
	for _, bad := range []string{"NaN", "Inf", "ZgotmplZ", "http://", "https://"} {
		if strings.Contains(strings.ReplaceAll(b.String(), "http://www.w3.org/2000/svg", ""), bad) {
			t.Errorf("the page has %s in it", bad)
		}
	}
	return b.String()
}

func wellFormed(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	ids := map[string]bool{}
	for {
		x, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := x.(xml.StartElement); ok {
			for _, a := range e.Attr {
				if a.Name.Local == "id" && ids[a.Value] {
					t.Errorf("two elements have the id %s", a.Value)
				}
				ids[a.Value] = ids[a.Value] || a.Name.Local == "id"
			}
		}
	}
}

// right is the replacement that makes a prediction right when a cause is planted.
var right = map[lab.Cause]string{
	lab.LateInput: "own inputs", lab.LostInput: "own inputs", lab.ClockSlip: "own inputs", lab.AnotherPlayer: "others'",
	lab.ServerOnly: "only the server", lab.Quantisation: "exact values", lab.Nondeterminism: "nothing",
}

// TestStories: what is planted is what the story tells, with the values that
// differed and the replacement that made them right.
func TestStories(t *testing.T) {
	for _, p := range plants() {
		p.record = true
		r := p.run()
		if len(r.Record.Stories) == 0 {
			t.Errorf("%v: no story", p.cause)
			continue
		}
		for _, s := range r.Record.Stories {
			if s.Reason == "" {
				checkStory(t, &p, &s)
			}
		}
		text := parsed(t, r)
		for _, want := range []string{"</svg>" + p.cause.String() + "</strong>", "right: this explains it", ` class="off">`} {
			if p.cause == lab.Nondeterminism && strings.HasPrefix(want, "right") {
				want = "other bits than it had"
			}
			if !strings.Contains(text, want) {
				t.Errorf("%v: the page does not say %q", p.cause, want)
			}
		}
	}
	p := plant{game: pucks.WithFree(0), bot: dizzy, players: 1, record: true}
	r := p.run()
	if text := parsed(t, r); len(r.Record.Stories) > 0 || strings.Contains(text, "<details") || !strings.Contains(text, "There are none") {
		t.Errorf("nothing planted, and %d stories", len(r.Record.Stories))
	}
}

func checkStory(t *testing.T, p *plant, s *lab.Story) {
	t.Helper()
	differ := 0
	for _, f := range s.Fields {
		if !f.Differs {
			continue
		}
		differ++
		if f.Predicted == f.True {
			t.Errorf("%v: %s.%s is %s on both sides and differs", p.cause, f.Component, f.Field, f.True)
		}
		if f.Component != "Body" && f.Component != "Bell" && f.Component != "Dasher" {
			t.Errorf("%v: %s.%s differs", p.cause, f.Component, f.Field)
		}
	}
	explained := ""
	for _, l := range s.Levels {
		if l.Verdict == lab.Right || l.Verdict == lab.OtherBits {
			explained = l.Replaced
		}
	}
	if s.Cause != p.cause || differ == 0 || !strings.HasPrefix(strings.TrimPrefix(explained, "what "), right[p.cause]) {
		t.Errorf("planted %v: the story names %v, %d fields differ, explained by %q", p.cause, s.Cause, differ, explained)
	}
	if p.cause == lab.LateInput || p.cause == lab.LostInput || p.cause == lab.ClockSlip {
		odd := 0
		for _, in := range s.Inputs {
			if in.Tick == s.Input && in.Known && in.How != sim.AsSent && (in.Sent == nil) == (p.cause == lab.ClockSlip) {
				odd++
			}
		}
		if odd != 1 {
			t.Errorf("planted %v: the input of tick %d is not shown as it was executed: %+v", p.cause, s.Input, s.Inputs)
		}
	}
}

// A recording changes nothing, repeats to the byte, and is bounded.
func TestRecording(t *testing.T) {
	run := func(record bool, seed uint64, secs float64) *lab.Report {
		return lab.Run(pucks.NoFree, lab.Match{Bot: pucks.Bot, Players: 2, Seconds: secs, Seed: seed, Causes: true, Record: record,
			Link: lab.Link{RTT: 100 * ms, Loss: 0.1}})
	}
	page := func(r *lab.Report) string { return parsed(t, r) }
	a, b, off := run(true, 1, 20), run(true, 1, 20), run(false, 1, 20)
	x, _ := a.JSON()
	y, _ := off.JSON()
	if string(x) != string(y) || off.Record != nil {
		t.Error("recorded, the match is another")
	}
	if page(a) != page(b) {
		t.Error("the same match gave another page")
	}
	if page(a) == page(run(true, 2, 20)) {
		t.Error("another seed gave the same page")
	}
	if text := page(off); strings.Contains(text, "Over time") || !strings.Contains(text, "another player") {
		t.Error("without a recording the page is not the tables alone")
	}
	long := run(true, 1, 150)
	for i := range long.Record.Tracks {
		tr := &long.Record.Tracks[i]
		if n := len(tr.Points); n < 200 || n > 480 || tr.Points[n-1].At.Seconds() < 149 {
			t.Errorf("client %d: %d points, the last at %v", i, n, tr.Points[n-1].At)
		}
		for k := range tr.Points {
			if k > 0 && tr.Points[k].At-tr.Points[k-1].At != tr.Every {
				t.Errorf("client %d: points at %v and %v", i, tr.Points[k-1].At, tr.Points[k].At)
			}
		}
	}
	if n := len(long.Record.Stories); n > 2*4*lab.Causes || n == 0 || len(long.Diagnoses) < 100 {
		t.Errorf("%d stories of %d", n, len(long.Diagnoses))
	}
	for i, s := range long.Record.Stories {
		if i > 0 && s.Distance > long.Record.Stories[i-1].Distance {
			t.Errorf("story %d is larger than the one before", i)
		}
	}
}

// What comes from outside is text, whatever it says.
func TestPageEscapes(t *testing.T) {
	r := lab.Run(pucks.NoFree, lab.Match{Seconds: 2, Record: true, Causes: true})
	r.Game, r.Command = "<script>alert(1)</script>", "</code><script>alert('2')</script> & \"more\""
	text := parsed(t, r)
	if strings.Contains(text, "<script>alert") || !strings.Contains(text, "&lt;script&gt;alert(1)") {
		t.Error("a name is not escaped")
	}
}

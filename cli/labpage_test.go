//go:build !js

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLabPage(t *testing.T) {
	dir := t.TempDir()
	page, again := filepath.Join(dir, "a report.html"), filepath.Join(dir, "again.html")
	args := []string{"run", "-players", "2", "-html", page, "-seconds", "5", "-rtt", "100", "--html=" + page, "-loss", "10%"}
	code, table, said := runLab(args...)
	text, err := os.ReadFile(page)
	if code != 0 || said != "" || err != nil || !strings.Contains(table, "2 clients") {
		t.Fatalf("%d %q %v\n%s", code, said, err, table)
	}
	const command = "foretick lab run -players 2 -seconds 5 -rtt 100 -loss 10%"
	if !strings.Contains(string(text), "<code>"+command+"</code>") {
		t.Errorf("the page does not say %q", command)
	}
	// The command that it says plays the same match.
	if code, other, _ := runLab(append(strings.Fields(command)[2:], "-html", again)...); code != 0 || other != table {
		t.Errorf("the command gave another match:\n%s", other)
	}
	if b, _ := os.ReadFile(again); string(b) != string(text) {
		t.Error("the command gave another page")
	}
	if _, other, _ := runLab("run", "-players", "2", "-html", again, "-seconds", "5", "-seed", "2"); other == table {
		t.Error("the control, another seed, is the same match")
	}
}

func TestLabPageSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{dir, filepath.Join(dir, "no", "such", "place.html")} {
		code, out, said := runLab("run", "-seconds", "5", "-html", name)
		if code == 0 || out != "" || strings.Count(said, "\n") != 1 || !strings.Contains(said, "-html "+name+" cannot be written") {
			t.Errorf("%d %q %q", code, out, said)
		}
	}
}

func TestCommandLine(t *testing.T) {
	got := commandLine("x lab run", without([]string{"-html", "f", "-trace.up", "a b'c", "-seed=3", "-html=g", "-loss", "10%", ""}, "html"))
	if want := `x lab run -trace.up 'a b'\''c' -seed=3 -loss 10% ''`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

package lab_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

var rewrite = flag.Bool("figures", false, "write the figures into docs/experiments.md instead of checking them")

const experiments = "../docs/experiments.md"

// figures holds the line of an experiment in docs/experiments.md against what
// the experiment gave. The clocks compute in float64, which other processors
// may fuse, so there the figures may differ in the last digit.
func figures(t *testing.T, name, format string, args ...any) {
	t.Helper()
	got := fmt.Sprintf(format, args...)
	t.Log(got)
	if runtime.GOARCH != "amd64" {
		return
	}
	data, err := os.ReadFile(experiments)
	if err != nil {
		t.Fatal(err)
	}
	head := "\n<!-- " + name + " -->\n"
	before, rest, ok := strings.Cut(string(data), head)
	if !ok {
		t.Fatalf("%s has no line %q", experiments, strings.TrimSpace(head))
	}
	old, after, _ := strings.Cut(rest, "\n\n")
	if old == got {
		return
	}
	if !*rewrite {
		t.Errorf("%s says\n\t%s\nrun go test ./lab -figures if that is what it is to be", experiments, old)
		return
	}
	if err := os.WriteFile(experiments, []byte(before+head+got+"\n\n"+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

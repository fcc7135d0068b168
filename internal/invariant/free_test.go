package invariant_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestFree compiles a user of both forms and looks for what is left of them.
func TestFree(t *testing.T) {
	for _, c := range []struct {
		tags string
		kept bool
	}{{"", false}, {"invariant", true}} {
		out, err := exec.Command("go", "build", "-tags="+c.tags, "-gcflags=-S", "./testdata/user").CombinedOutput()
		if err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
		if !strings.Contains(string(out), "user.Half STEXT") {
			t.Fatal("no assembly in what go build printed")
		}
		for _, word := range []string{"planted plain", "planted costly", "runtime.gopanic"} {
			if got := strings.Contains(string(out), word); got != c.kept {
				t.Errorf("tags %q: %q in the assembly: %v, want %v", c.tags, word, got, c.kept)
			}
		}
	}
}

package fault_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestFree compiles a planted fault and looks for what is left of it.
func TestFree(t *testing.T) {
	for _, c := range []struct {
		tags string
		kept bool
	}{{"", false}, {"fault", true}} {
		out, err := exec.Command("go", "build", "-tags="+c.tags, "-gcflags=-S", "./testdata/user").CombinedOutput()
		if err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
		if !strings.Contains(string(out), "user.Next STEXT") {
			t.Fatal("no assembly in what go build printed")
		}
		for _, left := range []*regexp.Regexp{
			regexp.MustCompile(`"planted name"`),
			regexp.MustCompile(`CALL\s+\S*user\.harm\(SB\)`),
		} {
			if got := left.Match(out); got != c.kept {
				t.Errorf("tags %q: %v in the assembly: %v, want %v", c.tags, left, got, c.kept)
			}
		}
	}
}
